/** What was not read says nothing: recent work is judged as of the end of what was read (decisions 45 and 69). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatDate } from "../../src/contract/format.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { isStale } from "../../src/contract/people/history-end.ts";
import { anyEvidence } from "./anyone.ts";
import { asOf, commits, evidence, judged, monthsUpTo, someone, strength } from "./someone.ts";

type RepositoryFacts = Facts["repositories"][number];

const repository = (about: Partial<RepositoryFacts>): RepositoryFacts => ({
  ...{ name: "ann/tool", owned: true, commits: 40, firstCommit: "2020-01-01" },
  ...about,
});

/** A commit a month to the given one, in a repository that was read to the given day. */
const readTo = (historyEnd: string | undefined, about: Partial<Facts> = {}): Facts => {
  const last = (historyEnd ?? asOf).slice(0, 7);
  const lastCommit = historyEnd ?? asOf;
  return someone({
    commits: commits({ volume: monthsUpTo(last, 30, 6), first: "2020-01-01", last: lastCommit }),
    evidence: [evidence("language", "Go", monthsUpTo(last, 30, 6))],
    repositories: [repository({ lastCommit, ...(historyEnd && { historyEnd }) })],
    ...about,
  });
};

const dayBefore = (days: number) =>
  new Date(Date.parse(asOf) - days * 86_400_000).toISOString().slice(0, 10);

describe("a stale mirror", () => {
  test("makes nobody inactive who was active on its last day", () => {
    const anyEnd = fc.integer({ min: 91, max: 4000 }).map(dayBefore);
    fc.assert(
      fc.property(anyEnd, (end) => {
        const { card, analysis } = judged(readTo(end));
        expect(card.commit_frequency_label).toBe("Active");
        expect(card.activity_until).toBe(end);
        expect(card.commits_per_month).toBe(6);
        expect(analysis.activity.until).toBe(end);
        expect(analysis.summary.text).toContain(
          `(Active, as of ${formatDate(end)}, when the data ends`,
        );
        expect(analysis.summary.caveats).toContain(
          `Data ends ${formatDate(end)}; later work may exist: ann/tool ${formatDate(end)}`,
        );
      }),
    );
  });

  test("makes inactive who was silent for the year before its end, and nobody else", () => {
    const labelOf = (lastCommit: string) => {
      const volume = { [lastCommit.slice(0, 7)]: 90 };
      const repositories = [repository({ lastCommit, historyEnd: "2024-10-24" })];
      const of = { commits: commits({ volume, last: lastCommit }), repositories };
      return judged(readTo("2024-10-24", of)).card.commit_frequency_label;
    };
    expect([labelOf("2023-10-24"), labelOf("2023-10-25")]).toEqual(["Inactive", "Active"]);
    // The month of the end is in no window of full months.
    expect([labelOf("2013-05-02"), labelOf("2024-10-02")]).toEqual(["Inactive", "Occasional"]);
  });

  test("gives the scores that would be given as of its end, but for years", () => {
    fc.assert(
      fc.property(fc.array(anyEvidence({ min: 25, max: 60 }), { maxLength: 4 }), (pieces) => {
        const end = "2024-10-24";
        const unread = { repositories: [repository({ lastCommit: end })] };
        const late = judged(readTo(end, { evidence: pieces }));
        const then = judged(readTo(end, { evidence: pieces, ...unread }), { asOf: end });
        expect(late.analysis.scores.scores.activity).toBe(then.analysis.scores.scores.activity);
        expect(late.standing.concepts).toEqual(then.standing.concepts);
        expect(late.analysis.activity.months).toEqual(then.analysis.activity.months);
      }),
    );
  });

  test("does not fade a skill by what was not read", () => {
    const unread = { repositories: [repository({ lastCommit: "2020-10-24" })] };
    expect(strength(judged(readTo("2020-10-24")), "go")).toBeGreaterThan(
      strength(judged(readTo("2020-10-24", unread)), "go"),
    );
  });

  test("hides nothing where another repository of the person was read to now", () => {
    const facts = readTo("2024-10-24", {
      repositories: [
        repository({ name: "bo/old", lastCommit: "2024-10-20", historyEnd: "2024-10-24" }),
        repository({ name: "bo/left", lastCommit: "2020-01-20", historyEnd: "2024-10-24" }),
        repository({ name: "bo/new", commits: 1, lastCommit: "2024-11-02", historyEnd: asOf }),
      ],
    });
    const { card, analysis } = judged(facts);
    expect(card.commit_frequency_label).toBe("Inactive");
    expect(card.activity_until).toBeUndefined();
    // Whoever left long before the end may be said to have left.
    expect(analysis.repositories.ended).toEqual([{ repository: "bo/old", until: "2024-10-24" }]);
    expect(analysis.summary.caveats.join()).toContain(
      "Data of some repositories ends early; later work may exist: bo/old 24 Oct 2024",
    );
  });
});

describe("90 days before as-of", () => {
  test("are near enough, and 91 are not", () => {
    expect(isStale(dayBefore(90), asOf)).toBe(false);
    expect(isStale(dayBefore(91), asOf)).toBe(true);
    const label = (days: number) => judged(readTo(dayBefore(days))).card.commit_frequency_label;
    expect([label(0), label(90), label(91)]).toEqual(["Active", "Active", "Active"]);
  });

  test("is judged from the end: the month of the end is in no window", () => {
    const { card, analysis } = judged(readTo("2026-09-30"));
    expect(analysis.activity.months.at(-1)?.month).toBe("2026-08");
    expect(analysis.activity).toMatchObject({
      until: "2026-09-30",
      current: { from: "2025-09", to: "2026-08", commits: 72, activeMonths: 12 },
    });
    expect(card.commits_per_month).toBe(6);
    expect(card.activity_until).toBeUndefined();
    expect(analysis.summary.text).toContain("6 a month, Sep 2025 to Aug 2026 (Active).");
  });
});

test("an end after as-of, or in its month, changes nothing", () => {
  const shown = (end: Partial<RepositoryFacts>) => {
    const repositories = [repository({ lastCommit: asOf, ...end })];
    const { facts: _, ...rest } = judged(readTo(asOf, { repositories }));
    return JSON.stringify(rest);
  };
  expect(shown({ historyEnd: "2026-11-30" })).toBe(shown({}));
  expect(shown({ historyEnd: asOf })).toBe(shown({}));
});

test("a person is judged as of the day asked for unless the end of every own repository is known", () => {
  const read = repository({ lastCommit: "2024-10-24", historyEnd: "2024-10-24" });
  const labelWith = (other: RepositoryFacts) =>
    judged(readTo("2024-10-24", { repositories: [read, other] })).card.commit_frequency_label;
  expect(labelWith(repository({ name: "ann/imported" }))).toBe("Inactive");
  // A repository without own commits says nothing of what was read.
  expect(labelWith(repository({ name: "ann/empty", commits: 0 }))).toBe("Active");
});
