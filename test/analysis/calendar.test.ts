import { describe, expect, test } from "bun:test";
import { countTenthsOfYears, formatMonth, toMonthIndex } from "../../src/analysis/calendar.ts";

describe("months", () => {
  test("December and January are neighbours", () => {
    expect(toMonthIndex("2026-01") - toMonthIndex("2025-12")).toBe(1);
    expect(formatMonth(toMonthIndex("2026-01") - 1)).toBe("2025-12");
    expect(formatMonth(toMonthIndex("2025-12-31T23:59:59Z") + 1)).toBe("2026-01");
  });

  test("text and index are each other's inverse", () => {
    for (const month of ["0001-01", "1970-01", "1999-12", "2000-02", "2026-11", "9999-12"]) {
      expect(formatMonth(toMonthIndex(month))).toBe(month);
    }
  });
});

describe("years in tenths", () => {
  test("an anniversary is a whole number of years, leap days or not", () => {
    for (let years = 1; years <= 30; years++) {
      expect(countTenthsOfYears(`${2026 - years}-11-21`, "2026-11-21")).toBe(years * 10);
    }
    expect(countTenthsOfYears("2024-02-29", "2025-02-28")).toBe(10);
  });

  test("leap days do not add up to a tenth over twenty years", () => {
    expect(countTenthsOfYears("2006-11-04", "2026-11-21")).toBe(200);
  });

  test("half a year is five tenths, and 18 days are none", () => {
    expect(countTenthsOfYears("2026-05-21", "2026-11-21")).toBe(5);
    expect(countTenthsOfYears("2026-11-03", "2026-11-21")).toBe(0);
    expect(countTenthsOfYears("2026-11-02", "2026-11-21")).toBe(1);
  });

  test("a later day gives 0, not a negative age", () => {
    expect(countTenthsOfYears("2027-01-01", "2026-11-21")).toBe(0);
  });
});
