/** The pace of long work: the rate of late, and how long the rest takes, or nothing while that is not known. */
import { expect, test } from "bun:test";
import { createPaceMeter } from "../../../src/interfaces/cli/pace.ts";
import { describeStep } from "../../../src/interfaces/cli/progress.ts";

function openMeter() {
  let nowMs = 0;
  const paceOf = createPaceMeter(() => nowMs);
  return (seconds: number, step: Parameters<typeof paceOf>[0]) => {
    nowMs = seconds * 1000;
    return paceOf(step);
  };
}

const lines = (done: number, total: number | undefined = 1000) => ({ done, total, unit: "lines" });

test("the rate comes after a second, the rest once the total has not moved for three", () => {
  const paceAt = openMeter();
  expect(paceAt(0, lines(0))).toEqual({});
  expect(paceAt(0.5, lines(50))).toEqual({});
  expect(paceAt(2, lines(200))).toEqual({ rate: 100 });
  expect(paceAt(4, lines(400))).toEqual({ rate: 100, secondsLeft: 6 });
  expect(paceAt(5, lines(500, 2000))).toEqual({ rate: 100 });
  expect(paceAt(8, lines(800, 2000))).toEqual({ rate: 100, secondsLeft: 12 });
  expect(paceAt(20, lines(2000, 2000))).toEqual({ rate: 100 });
});

test("the rate is that of late, not of the whole time", () => {
  const paceAt = openMeter();
  for (let second = 0; second <= 60; second++) paceAt(second, lines(second * 100, 100_000));
  let pace = {};
  for (let second = 61; second <= 90; second++) {
    pace = paceAt(second, lines(6000 + (second - 60) * 10, 100_000));
  }
  expect(pace).toEqual({ rate: 10, secondsLeft: 9370 });
});

test("of an unknown total nothing is said, and another count begins anew", () => {
  const paceAt = openMeter();
  paceAt(0, lines(0, undefined));
  expect(paceAt(10, lines(1000, undefined))).toEqual({ rate: 100 });
  expect(paceAt(11, { done: 0, total: 50, unit: "people" })).toEqual({});
  expect(paceAt(15, { done: 2, total: 50, unit: "people" })).toEqual({
    rate: 0.5,
    secondsLeft: 96,
  });
  expect(paceAt(16, { done: 0, total: 50, unit: "people" })).toEqual({});
});

test("the words of a step say only what is known", () => {
  const parts = { done: 3, total: 20, unit: "repositories" };
  const reading = { done: 12_000, total: 15_000, unit: "commits", parts, label: "at tool.git" };
  expect(describeStep({ ...reading, isTotalGrowing: true, rate: 800 })).toBe(
    "3 of 20 repositories | 12,000 commits, 800/s | at tool.git",
  );
  expect(describeStep({ ...reading, rate: 800, secondsLeft: 61 })).toBe(
    "3 of 20 repositories | 12,000 of 15,000 commits, 800/s | about 2 min left | at tool.git",
  );
  expect(describeStep({ done: 4, total: undefined, unit: "requests" })).toBe("4 requests");
});
