import { expect, test } from "bun:test";
import { createRunShares } from "../../src/appliance/saved-search-schedule.ts";

test("saved searches wait nine times as long as the last one ran, and an account has a second for each change", () => {
  const shares = createRunShares();
  expect(shares.noteRun("ada", 0.1)).toBe(20);
  expect(shares.noteRun("ada", 138)).toBe(1242);
  let runs = 2;
  while (shares.hasTime("ada")) {
    shares.noteRun("ada", 138);
    runs += 1;
  }
  expect(runs).toBe(9);
  expect(shares.hasTime("ben")).toBe(true);
  expect(createRunShares().hasTime("ada")).toBe(true);
});
