import { expect, test } from "bun:test";
import { selectCounted } from "../../../../src/ingest/git/tally/counted-commits.ts";

test("of a day with more commits than count, those that state something come first, in any order of reading", () => {
  const silent = { weight: 1, agents: [], isUnassisted: false };
  const unassisted = { weight: 1, agents: [], isUnassisted: true };
  const assisted = { weight: 1, agents: ["claude"], isUnassisted: false };
  const half = { weight: 0.5, agents: ["claude"], isUnassisted: false };
  const day = [silent, silent, silent, unassisted, unassisted, half, assisted, silent];
  const counted = [assisted, unassisted, unassisted, silent, silent];
  expect(selectCounted(day)).toEqual(counted);
  expect(selectCounted(day.toReversed())).toEqual(counted);
  expect(selectCounted(day.slice(0, 4))).toEqual(day.slice(0, 4));
});
