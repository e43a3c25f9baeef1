import { describe, expect, test } from "bun:test";
import {
  selectFrequencyLabel,
  selectLevel,
  selectQualityLabel,
  selectTierLabel,
} from "../../src/analysis/labels.ts";
import { readShippedModel } from "../../src/analysis/model.ts";

const model = readShippedModel();

describe("labels at their cut-points", () => {
  test("commit frequency", () => {
    const of = (perMonth: number | undefined) => selectFrequencyLabel(perMonth, model);
    expect(of(undefined)).toBe("Unknown");
    expect(of(0)).toBe("Inactive");
    expect([0.01, 0.99].map(of)).toEqual(["Occasional", "Occasional"]);
    expect([1, 2.99].map(of)).toEqual(["Regular", "Regular"]);
    expect([3, 7.99].map(of)).toEqual(["Active", "Active"]);
    expect([8, 15.99].map(of)).toEqual(["Very Active", "Very Active"]);
    expect([16, 1000].map(of)).toEqual(["Prolific", "Prolific"]);
  });

  test("message quality, from 20 messages on", () => {
    const of = (good: number, n: number) => selectQualityLabel({ good, n }, model);
    expect(of(19, 19)).toBe("Insufficient Data");
    expect(of(0, 0)).toBe("Insufficient Data");
    expect(of(20, 20)).toBe("Excellent");
    expect([75, 74].map((good) => of(good, 100))).toEqual(["Excellent", "Good"]);
    expect([55, 54].map((good) => of(good, 100))).toEqual(["Good", "Fair"]);
    expect([35, 34, 0].map((good) => of(good, 100))).toEqual(["Fair", "Basic", "Basic"]);
  });

  test("tier by stars when known, else by authors", () => {
    const byStars = (stars: number) => selectTierLabel({ stars, authors: 1000 }, model);
    expect([10_000, 9_999, 1_000, 999, 100, 99, 0].map(byStars)).toEqual([
      "Flagship",
      "Major",
      "Major",
      "Established",
      "Established",
      "Emerging",
      "Emerging",
    ]);
    const byAuthors = (authors: number) => selectTierLabel({ authors }, model);
    expect([500, 499, 100, 99, 20, 19].map(byAuthors)).toEqual([
      "Flagship",
      "Major",
      "Major",
      "Established",
      "Established",
      "Emerging",
    ]);
    expect(selectTierLabel({}, model)).toBe("Emerging");
  });

  const isNew = { source: "forge", tenths: 20 } as const;

  test("level, and none below half confidence", () => {
    const skilled = (techStack: number, of = 1) =>
      selectLevel({ techStack, commits: 1e9, confidence: of, experience: isNew }, model);
    // A whole body of work gives half of the points.
    const of = (points: number) => skilled(2 * points - 100);
    expect([50, 54.9, 55, 74.9, 75, 100].map(of)).toEqual([
      "Intermediate",
      "Intermediate",
      "Advanced",
      "Advanced",
      "Expert",
      "Expert",
    ]);
    expect([0.49, 0.5].map((confidence) => skilled(100, confidence))).toEqual([
      "Little Evidence",
      "Expert",
    ]);
    const { levelCommitsMedian: half } = model.labels;
    const working = (commits: number) =>
      selectLevel({ techStack: 45, commits, confidence: 1, experience: isNew }, model);
    // 22.5 points of skill; 12.5 more make Intermediate, and at most 50 more are to be had.
    expect([0, half / 3, half, 3 * half].map(working)).toEqual([
      "Beginner",
      "Beginner",
      "Intermediate",
      "Advanced",
    ]);
  });

  test("Beginner only of whom a forge has not known for long", () => {
    const of = (source: "forge" | "first commit" | "none", tenths: number) =>
      selectLevel(
        { techStack: 20, commits: 60, confidence: 0.6, experience: { source, tenths } },
        model,
      );
    expect([of("forge", 0), of("forge", 20)]).toEqual(["Beginner", "Beginner"]);
    expect([of("forge", 21), of("first commit", 5), of("none", 0)]).toEqual([
      "Little Evidence",
      "Little Evidence",
      "Little Evidence",
    ]);
  });
});
