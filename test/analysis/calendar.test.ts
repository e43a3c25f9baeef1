import { expect, test } from "bun:test";
import { countTenthsOfYears, formatMonth, toMonthIndex } from "../../src/analysis/calendar.ts";

test("text and index of a month are each other's inverse, and December and January are neighbours", () => {
  for (const month of ["0001-01", "1970-01", "1999-12", "2000-02", "2026-11", "9999-12"]) {
    expect(formatMonth(toMonthIndex(month))).toBe(month);
  }
  expect(formatMonth(toMonthIndex("2026-01") - 1)).toBe("2025-12");
  expect(formatMonth(toMonthIndex("2025-12-31T23:59:59Z") + 1)).toBe("2026-01");
});

test("an anniversary is a whole number of years, leap days or not", () => {
  for (let years = 1; years <= 30; years++) {
    expect(countTenthsOfYears(`${2026 - years}-11-21`, "2026-11-21")).toBe(years * 10);
  }
  expect(countTenthsOfYears("2024-02-29", "2025-02-28")).toBe(10);
});

test.each([
  ["twenty years of leap days do not add up to a tenth", "2006-11-04", 200],
  ["half a year is five tenths", "2026-05-21", 5],
  ["18 days are none", "2026-11-03", 0],
  ["19 days are one", "2026-11-02", 1],
  ["a later day gives 0, not a negative age", "2027-01-01", 0],
])("%s", (_, from, tenths) => {
  expect(countTenthsOfYears(from, "2026-11-21")).toBe(tenths);
});
