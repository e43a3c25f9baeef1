/** What the line of progress says, and what it keeps to itself because it is not known. */
import { expect, test } from "bun:test";
import { ProgressLine } from "../../../../src/interfaces/web/admin/runs-page.tsx";
import type { ProgressNote } from "../../../../src/pool/pool.ts";
import { readable } from "../person.ts";

const now = new Date("2026-11-27T10:00:00Z");
const read = (progress: ProgressNote | undefined) =>
  readable(String(ProgressLine({ progress, label: "Reading", now }))).trim();
const commits = { done: 1200, total: 5000, unit: "commits" };

test("speed and rest are told while they are measured, the rest of the step only", () => {
  expect(read(undefined)).toBe("Starting …");
  expect(read(commits)).toBe("1,200 of 5,000 commits, time left unknown");
  const measured = { ...commits, rate: 380, secondsLeft: 1, at: "2026-11-27T09:59:58.000Z" };
  expect(read(measured)).toBe(
    "1,200 of 5,000 commits, 380 a second, less than a minute left in this step",
  );
  expect(read({ ...measured, secondsLeft: 400 })).toEndWith("about 7 min left in this step");
  expect(read({ ...measured, secondsLeft: 9000 })).toEndWith("about 2.5 h left in this step");
});

test("once nothing was heard for ten seconds, they are no longer true", () => {
  const old = { ...commits, rate: 380, secondsLeft: 1 };
  expect(read({ ...old, at: "2026-11-27T09:59:49.000Z" })).toBe(
    "1,200 of 5,000 commits, no news for 11 seconds",
  );
  expect(read({ ...old, at: "2026-11-27T09:56:00.000Z" })).toEndWith("no news for 4 minutes");
});

test("bytes are a share, and a total that grows is none", () => {
  expect(
    read({ done: 12_300_000, total: 40_000_000, unit: "bytes", label: "copying pool.db" }),
  ).toBe("30 %, time left unknown · copying pool.db");
  expect(read({ ...commits, isTotalGrowing: true })).toStartWith("1,200 commits,");
});
