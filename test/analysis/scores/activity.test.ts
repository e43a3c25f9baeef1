import { describe, expect, test } from "bun:test";
import { readShippedModel } from "../../../src/analysis/model.ts";
import { scaleLogarithmically } from "../../../src/analysis/scores/curve.ts";
import { commits, judged, monthsUpTo, someone } from "../someone.ts";

const model = readShippedModel();

const activityOf = (about: Parameters<typeof commits>[0], on?: string) =>
  judged(someone({ commits: commits(about) }), on ? { asOf: on } : {});

describe("commits per month", () => {
  test("are those of the 12 full months before as-of, the month of as-of left out", () => {
    const on = (day: string, volume: Record<string, number>) =>
      activityOf({ volume, first: "2020-01-01" }, day).card;
    const recent = { "2025-10": 1000, "2025-11": 12, "2026-10": 12, "2026-11": 1000 };
    const expected = { commits_per_month: 2, commit_frequency_label: "Regular" };
    expect(on("2026-11-21", recent)).toMatchObject(expected);
    // They look back over a year's end, and the last day of a month does not complete it.
    const volume = { "2024-12": 1000, "2025-01": 6, "2025-12": 6, "2026-01": 1000 };
    for (const day of ["2026-01-01", "2026-01-31"]) {
      expect(on(day, volume).commits_per_month).toBe(1);
    }
    expect(on("2026-02-01", { "2025-02": 12, "2026-01": 12 }).commits_per_month).toBe(2);
  });

  test("of a young history are divided by its months, but by three at least", () => {
    for (const [first, commits, rate] of [
      ...([
        ["2026-10-30", 6, 2],
        ["2026-08-01", 6, 2],
        ["2026-05-17", 6, 1],
      ] as const),
      ...([
        ["2025-12-01", 11, 1],
        ["2025-11-01", 12, 1],
        ["2010-11-01", 12, 1],
      ] as const),
    ]) {
      const { card } = activityOf({ volume: { "2026-10": commits }, first });
      expect([first, card.commits_per_month]).toEqual([first, rate]);
    }
  });

  test("are 0 and Unknown without a source, 0 and Inactive without recent commits", () => {
    const unknown = judged(someone()).card;
    expect([unknown.commits_per_month, unknown.commit_frequency_label]).toEqual([0, "Unknown"]);
    const idle = activityOf({ volume: { "2020-01": 100 } }).card;
    expect([idle.commits_per_month, idle.commit_frequency_label]).toEqual([0, "Inactive"]);
  });

  test("are listed for 36 full months, oldest first", () => {
    const { months } = activityOf({ volume: { "2023-11": 2, "2026-10": 1 } }).analysis.activity;
    expect(months).toHaveLength(36);
    expect(months[0]).toEqual({ month: "2023-11", commits: 2 });
    expect(months.at(-1)).toEqual({ month: "2026-10", commits: 1 });
  });
});

describe("the activity score", () => {
  const term = (about: Parameters<typeof commits>[0], name: string) =>
    activityOf(about).analysis.explanation.activity.find((each) => each.term === name);

  test("has the whole volume term from a commit a day on, and tells the active apart", () => {
    const at = (perMonth: number) =>
      term({ volume: monthsUpTo("2026-10", 12, perMonth), first: "2015-01-01" }, "volume")?.value;
    expect([at(readShippedModel().activity.volumeFull), at(300)]).toEqual([100, 100]);
    expect((at(16) ?? 0) - (at(8) ?? 0)).toBeGreaterThan(15);
  });

  test("counts nine tenths of the best year of the last three", () => {
    const volume = monthsUpTo("2024-10", 12, 2);
    const value = scaleLogarithmically(0.9 * 2, readShippedModel().activity.volumeFull);
    expect(term({ volume, first: "2015-01-01" }, "volume")?.value).toBeCloseTo(value, 1);
    expect(term({ volume: monthsUpTo("2023-10", 12, 9) }, "volume")?.value).toBe(0);
  });

  test("gives the weight of what nobody can know to the rest, in proportion", () => {
    const facts = {
      volume: monthsUpTo("2026-10", 12, 2),
      quality: { n: 20, good: 20, withBody: 0, withReference: 0, withReason: 0 },
    };
    // 45 + 20 + 15 of 80 without collaboration; 100 with all of it known.
    expect(term(facts, "volume")?.weight).toBe(0.5625);
    const known = { ...facts, reviews: 1, mergedElsewhere: 1, coAuthored: 1 };
    expect(term(known, "volume")?.weight).toBe(0.45);
    expect(term(known, "reviews")?.weight).toBe(0.08);
  });

  test("counts months within the most active window, drawn to the mean by its commits", () => {
    const volume = { ...monthsUpTo("2025-06", 6, 10), "2026-10": 60 };
    // 6 of 12 months with 60 commits; the mean has the weight of 20.
    const mean = 100 * ((0.5 * 60 + readShippedModel().population.activeMonths * 20) / 80);
    expect(activityOf({ volume }).analysis.activity.activeMonths).toBe(6);
    expect(term({ volume }, "active months")?.value).toBeCloseTo(mean, 1);
  });

  test("is not carried by good messages and shared work of long ago", () => {
    const quality = { n: 200, good: 200, withBody: 0, withReference: 0, withReason: 200 };
    const about = { quality, reviews: 500, mergedElsewhere: 50, coAuthored: 90 };
    const of = (volume: Record<string, number>) => activityOf({ volume, ...about });
    expect(of({ "2021-05": 2000 }).standing.activity).toBe(0);
    // One commit in three years: before this the messages alone gave 15 points of 100.
    expect(of({ "2024-05": 1 }).standing.activity).toBeLessThan(6);
    const steady = of(monthsUpTo("2026-10", 12, 20)).analysis.explanation.activity;
    const value = steady.find((each) => each.term === "message quality")?.value;
    expect(value).toBeGreaterThan(80);
  });

  test("is 0 without a counted commit, and without one in three years: no share of nothing lifts it", () => {
    const quality = { n: 40, good: 40, withBody: 40, withReference: 0, withReason: 0 };
    for (const about of [
      { volume: {} },
      { volume: { "2027-01": 50 }, first: "2027-01-02" },
      { volume: { "2019-05": 400 } },
    ]) {
      expect(activityOf(about).standing.activity).toBe(0);
    }
    for (const facts of [
      someone(),
      someone({ commits: commits({ total: 0, quality, reviews: 100, excluded: { empty: 40 } }) }),
    ]) {
      const { standing, analysis } = judged(facts);
      expect([standing.activity, analysis.explanation.activity]).toEqual([0, []]);
    }
  });
});

describe("evidence dated after as-of", () => {
  const facts = someone({
    commits: commits({ volume: { "2026-10": 12, "2026-12": 30 }, last: "2026-12-24" }),
    repositories: [
      { name: "ann/old", owned: true, commits: 12, lastCommit: "2026-10-05" },
      { name: "ann/later", owned: true, commits: 30, firstCommit: "2026-12-01" },
    ],
  });

  test("is not counted, and said so", () => {
    const { analysis, card } = judged(facts);
    expect(analysis.activity.totalCommits).toBe(12);
    expect(analysis.activity.excluded).toEqual({ future: 30 });
    expect(card.top_repositories.map(({ name }) => name)).toEqual(["ann/old"]);
    expect(analysis.summary.caveats.join("\n")).toMatch(
      /after 21 Nov 2026 and not counted: 30 commits/,
    );
  });

  test("does not begin before its own day: a commit of as-of itself is the last activity", () => {
    const today = commits({ volume: { "2026-11": 1 }, first: "2026-11-21", last: "2026-11-21" });
    expect(judged(someone({ commits: today })).card.last_active_date).toBe("2026-11-21");
  });

  test("is no last activity: the last day before counts", () => {
    expect(judged(facts).card.last_active_date).toBe("2026-10-05");
    expect(judged(facts, { asOf: "2026-12-31" }).card.last_active_date).toBe("2026-12-24");
  });
});

describe("the terms of activity and profile", () => {
  const shownValue = (facts: Parameters<typeof judged>[0], term: string) => {
    const { explanation } = judged(facts).analysis;
    const terms = [...explanation.activity, ...explanation.profile];
    return terms.find((each) => each.term === term)?.value;
  };

  test("of collaboration are 50 at their own medians", () => {
    const { reviewsMedian, mergedMedian, coAuthoredMedian } = model.activity;
    for (const [term, about] of [
      ["reviews", { reviews: reviewsMedian }],
      ["changes merged elsewhere", { mergedElsewhere: mergedMedian }],
      ["shared commits", { coAuthored: coAuthoredMedian }],
    ] as const) {
      const volume = monthsUpTo("2026-10", 12, 1e6);
      const facts = someone({ commits: commits({ volume, ...about }) });
      expect([term, shownValue(facts, term)]).toEqual([term, 50]);
    }
    expect(new Set([reviewsMedian, mergedMedian]).size).toBe(2);
  });

  test("of tenure and skills are 50 at theirs, and stars are those of own repositories", () => {
    const { tenureYearsMedian, skillsMedian, starsFull } = model.profile;
    const createdAt = `${2026 - tenureYearsMedian}-11-21T00:00:00Z`;
    expect(shownValue(someone({ profile: { createdAt } }), "tenure")).toBe(50);
    const topics = ["react", "kubernetes", "go", "rust", "python"].slice(0, skillsMedian);
    const own = { name: "ann/own", owned: true, topics, stars: starsFull };
    expect(shownValue(someone({ repositories: [own] }), "described skills")).toBe(50);
    expect(shownValue(someone({ repositories: [own] }), "stars")).toBe(100);
    const theirs = { ...own, name: "ben/own", owned: false };
    expect(shownValue(someone({ repositories: [theirs] }), "stars")).toBeUndefined();
    const fork = { ...own, fork: true };
    expect(shownValue(someone({ repositories: [fork] }), "stars")).toBeUndefined();
  });
});
