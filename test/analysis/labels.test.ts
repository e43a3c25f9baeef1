import { expect, test } from "bun:test";
import {
  selectFrequencyLabel,
  selectLevel,
  selectQualityLabel,
  selectTierLabel,
} from "../../src/analysis/labels.ts";
import { readShippedModel } from "../../src/analysis/model.ts";

const model = readShippedModel();

test("commit frequency changes at its cut-points", () => {
  const of = (perMonth: number | undefined) => selectFrequencyLabel(perMonth, false, model);
  const low = [undefined, 0, 0.99, 1, 2.99].map(of).join();
  expect(low).toBe("Unknown,Occasional,Occasional,Regular,Regular");
  expect(selectFrequencyLabel(9, true, model)).toBe("Inactive");
  const high = [3, 7.99, 8, 15.99, 16, 1000].map(of).join();
  expect(high).toBe("Active,Active,Very Active,Very Active,Prolific,Prolific");
});

test("message quality changes at its cut-points, from 20 messages on", () => {
  const of = (good: number, n = 100) => selectQualityLabel({ good, n }, model);
  expect([of(19, 19), of(0, 0)]).toEqual(["Insufficient Data", "Insufficient Data"]);
  expect(of(20, 20)).toBe("Excellent");
  const labels = [90, 89, 70, 69, 40, 39, 0].map((good) => of(good)).join();
  expect(labels).toBe("Excellent,Good,Good,Fair,Fair,Basic,Basic");
});

test("a tier is told by stars when they are known, else by authors", () => {
  const byStars = (stars: number) => selectTierLabel({ stars, authors: 1000 }, model);
  expect([10_000, 9_999, 1_000, 999, 100, 99, 0].map(byStars).join()).toBe(
    "Flagship,Major,Major,Established,Established,Emerging,Emerging",
  );
  const byAuthors = (authors: number) => selectTierLabel({ authors }, model);
  expect([500, 499, 100, 99, 20, 19].map(byAuthors).join()).toBe(
    "Flagship,Major,Major,Established,Established,Emerging",
  );
  expect(selectTierLabel({}, model)).toBe("Emerging");
});

test("a level changes at its cut-points, and below half confidence there is none", () => {
  const experience = { source: "forge", tenths: 20 } as const;
  const skilled = (techStack: number, confidence = 1) =>
    selectLevel({ techStack, commits: 1e9, confidence, experience }, model);
  // A whole body of work gives half of the points.
  const of = (points: number) => skilled(2 * points - 100);
  expect([50, 54.9, 55, 74.9, 75, 100].map(of).join()).toBe(
    "Intermediate,Intermediate,Advanced,Advanced,Expert,Expert",
  );
  expect([skilled(100, 0.49), skilled(100, 0.5)]).toEqual(["Little Evidence", "Expert"]);
  const { levelCommitsMedian: half } = model.labels;
  const working = (commits: number) =>
    selectLevel({ techStack: 45, commits, confidence: 1, experience }, model);
  // 22.5 points of skill; 12.5 more make Intermediate, and at most 50 more are to be had.
  expect([0, half / 3, half, 3 * half].map(working).join()).toBe(
    "Beginner,Beginner,Intermediate,Advanced",
  );
});

test("Beginner is only whom a forge has not known for long", () => {
  const of = (source: "forge" | "first commit" | "none", tenths: number) =>
    selectLevel(
      { techStack: 20, commits: 60, confidence: 0.6, experience: { source, tenths } },
      model,
    );
  expect([of("forge", 0), of("forge", 20)]).toEqual(["Beginner", "Beginner"]);
  const others = [of("forge", 21), of("first commit", 5), of("none", 0)];
  expect(new Set(others)).toEqual(new Set(["Little Evidence"]));
});
