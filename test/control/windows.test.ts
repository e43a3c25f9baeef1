import { describe, expect, test } from "bun:test";
import { describeClockFault } from "../../src/control/clock.ts";
import { getWindows } from "../../src/control/windows.ts";

const at = (iso: string) => Date.parse(iso);

describe("windows", () => {
  test.each([
    ["2026-11-30T23:59:59.999Z", "2026-11", "2026-11-30", "2026-12-01", "2026-12-01"],
    ["2026-12-01T00:00:00.000Z", "2026-12", "2026-12-01", "2027-01-01", "2026-12-02"],
    ["2026-12-31T23:59:59.999Z", "2026-12", "2026-12-31", "2027-01-01", "2027-01-01"],
    ["2027-02-28T12:00:00.000Z", "2027-02", "2027-02-28", "2027-03-01", "2027-03-01"],
    ["2028-02-28T23:00:00.000Z", "2028-02", "2028-02-28", "2028-03-01", "2028-02-29"],
    ["2028-02-29T23:00:00.000Z", "2028-02", "2028-02-29", "2028-03-01", "2028-03-01"],
  ])("at %s are month %s and day %s", (instant, month, day, monthEnds, dayEnds) => {
    const windows = getWindows(at(instant));
    expect([windows.month.name, windows.day.name]).toEqual([month, day]);
    expect([windows.month.endsMs, windows.day.endsMs]).toEqual([at(monthEnds), at(dayEnds)]);
    expect(windows.month.startsMs).toBe(at(`${month}-01`));
    expect(windows.day.startsMs).toBe(at(day));
  });
});

describe("the clock", () => {
  const latestMs = at("2026-11-21T12:00:00Z");
  test.each([
    ["2026-11-21T12:00:01Z", false],
    ["2027-11-21T12:00:00Z", false],
    ["2026-11-20T11:00:00Z", false],
    ["2026-11-20T10:59:59Z", true],
    ["2020-01-01T00:00:00Z", true],
  ])("at %s after 2026-11-21T12:00:00Z is at fault: %p", (now, isFault) => {
    expect(describeClockFault({ nowMs: at(now), latestMs }) !== undefined).toBe(isFault);
  });
});
