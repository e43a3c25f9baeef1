/** Which archives stay: the newest of each kind, and the newest of days, weeks and months that have one. */
import { expect, test } from "bun:test";
import { type KeptArchive, listOutdated, sortArchives } from "../../src/backup/retention.ts";
import { rounds } from "../long.ts";
import { createRandom, readSeed } from "../random.ts";

const newestOnly = { keep: 1, keepDaily: 0, keepWeekly: 0, keepMonthly: 0 };
const make = (instant: string, sequence: number, isScheduled = true): KeptArchive => ({
  madeAt: new Date(instant),
  ...{ sequence, isScheduled },
});
const keep = (archives: readonly KeptArchive[], terms: Partial<typeof newestOnly>) => {
  const gone = new Set(listOutdated(archives, { ...newestOnly, ...terms }));
  return archives.filter((one) => !gone.has(one)).map((one) => one.madeAt.toISOString());
};

/** Every six hours from 1 January, a Thursday, to the end of June. */
const halfYear = Array.from({ length: 181 * 4 }, (_, at) => {
  const instant = Date.UTC(2026, 0, 1) + at * 6 * 3_600_000;
  return make(new Date(instant).toISOString(), at + 1);
});

test("the last of each of the last days, weeks from Monday, and months in UTC", () => {
  expect(keep(halfYear, {})).toEqual(["2026-06-30T18:00:00.000Z"]);
  expect(keep(halfYear, { keep: 2, keepDaily: 3, keepWeekly: 3, keepMonthly: 4 })).toEqual([
    "2026-03-31T18:00:00.000Z",
    "2026-04-30T18:00:00.000Z",
    "2026-05-31T18:00:00.000Z",
    "2026-06-21T18:00:00.000Z",
    "2026-06-28T18:00:00.000Z",
    "2026-06-29T18:00:00.000Z",
    "2026-06-30T12:00:00.000Z",
    "2026-06-30T18:00:00.000Z",
  ]);
});

test("days without an archive are not counted, so a long pause removes nothing", () => {
  const old = [make("2025-01-01T00:00:00Z", 1), make("2025-01-02T00:00:00Z", 2)];
  const after = [...old, make("2026-06-01T00:00:00Z", 3)];
  expect(keep(after, { keepDaily: 3 })).toHaveLength(3);
  expect(keep(after, { keepDaily: 2 })).toEqual([
    "2025-01-02T00:00:00.000Z",
    "2026-06-01T00:00:00.000Z",
  ]);
});

test("scheduled and requested archives are counted separately", () => {
  const archives = [
    make("2026-06-01T00:00:00Z", 1),
    make("2026-06-01T01:00:00Z", 2, false),
    make("2026-06-01T02:00:00Z", 3, false),
    make("2026-06-01T03:00:00Z", 4),
  ];
  expect(keep(archives, {})).toEqual(["2026-06-01T02:00:00.000Z", "2026-06-01T03:00:00.000Z"]);
});

test("a clock that goes back makes no newer archive old; one from before a restore is the oldest", () => {
  const ahead = make("2027-06-01T00:00:00Z", 1);
  const right = make("2026-06-01T00:00:00Z", 2);
  const abandoned = make("2026-07-01T00:00:00Z", 9);
  const sorted = sortArchives([abandoned, right, ahead], 2);
  expect(sorted).toEqual([abandoned, ahead, right]);
  expect(keep(sorted, {})).toEqual(["2026-06-01T00:00:00.000Z"]);
});

test("however the clock jumps: the newest stay, and to judge again what stayed removes nothing more", () => {
  const random = createRandom(readSeed());
  const below = (count: number) => Math.floor(random() * count);
  for (let round = 0; round < rounds(1000); round += 1) {
    const archives = Array.from({ length: 1 + below(60) }, (_, sequence) => {
      const instant = new Date(Date.UTC(2026, 0, 1) + below(400) * 8 * 3_600_000);
      return make(instant.toISOString(), sequence, below(3) > 0);
    });
    const terms = {
      ...{ keep: 1 + below(4), keepDaily: below(6) },
      ...{ keepWeekly: below(5), keepMonthly: below(5) },
    };
    const gone = new Set(listOutdated(archives, terms));
    const left = archives.filter((one) => !gone.has(one));
    expect(listOutdated(left, terms)).toEqual([]);
    for (const isScheduled of [true, false]) {
      const ofKind = archives.filter((one) => one.isScheduled === isScheduled);
      for (const one of ofKind.slice(-terms.keep)) expect(gone.has(one)).toBe(false);
      const days = new Set(ofKind.map(({ madeAt }) => madeAt.toISOString().slice(0, 10)));
      const leftDays = left.filter((one) => one.isScheduled === isScheduled);
      expect(leftDays.length).toBeGreaterThanOrEqual(Math.min(days.size, terms.keepDaily));
      const most = terms.keep + terms.keepDaily + terms.keepWeekly + terms.keepMonthly;
      expect(leftDays.length).toBeLessThanOrEqual(most);
    }
  }
});
