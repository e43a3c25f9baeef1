import { expect, test } from "bun:test";
import {
  formatCounted,
  formatRate,
  formatScore,
  formatShare,
  formatTaken,
  formatYears,
} from "../../src/contract/format.ts";

test("scores are whole numbers", () => {
  expect([0, 79, 79.4, 79.5, 100].map(formatScore)).toEqual(["0", "79", "79", "80", "100"]);
});

test("lengths of time are whole years, or months below a year", () => {
  expect([0, 0.04, 0.1, 0.4, 0.99, 1, 1.9, 9.7].map(formatYears)).toEqual([
    ...["less than a month", "less than a month", "1 month", "5 months", "11 months"],
    ...["1 year", "1 year", "9 years"],
  ]);
});

test("rates, shares and counts have no decimals", () => {
  expect([0, 0.25, 1.2, 25.92, 1204].map(formatRate)).toEqual([
    ...["0 a month", "less than 1 a month", "1 a month", "26 a month", "1,204 a month"],
  ]);
  expect([0, 0.001, 0.124, 1].map(formatShare)).toEqual(["0 %", "under 1 %", "12 %", "100 %"]);
  expect([0, 1, 12345].map((count) => formatCounted(count, "file"))).toEqual([
    ...["0 files", "1 file", "12,345 files"],
  ]);
});

test("how long something took", () => {
  const taken = (seconds: number) => formatTaken(new Date(0), new Date(seconds * 1000));
  expect([0, 0.4, 59, 60, 119, 3600, 5430].map(taken)).toEqual([
    ...["0 s", "0 s", "59 s", "1 min", "1 min", "1 h", "1 h 30 min"],
  ]);
});
