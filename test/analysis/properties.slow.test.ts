import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAssessor, type PlaceFacts } from "../../src/analysis/analysis.ts";
import { formatMonth, toMonthIndex } from "../../src/analysis/calendar.ts";
import { cutFactsAsOf } from "../../src/analysis/facts-as-of.ts";
import { readShippedModel } from "../../src/analysis/model.ts";
import { measureCadence, scoreActivity } from "../../src/analysis/scores/activity.ts";
import { Card, computeScore } from "../../src/contract/people/developer.ts";
import type { CommitFacts, Evidence } from "../../src/contract/people/facts.ts";
import { Facts } from "../../src/contract/people/facts.ts";
import {
  levels,
  ProfileAnalysis,
  roleMatchMin,
} from "../../src/contract/people/profile-analysis.ts";
import { Value } from "../../src/contract/schema.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { rounds } from "../long.ts";
import { anyCommits, anyEvidence, anyone, monthBefore } from "./anyone.ts";
import { asOf, berlin, commits, judged, someone, strength } from "./someone.ts";

const model = readShippedModel();

const runs = { numRuns: rounds(300) };

function activityTerms(facts: Facts) {
  const counted = cutFactsAsOf(facts, asOf);
  const terms = scoreActivity(counted, measureCadence(counted, model), model).listTerms();
  return Object.fromEntries(terms.map(({ term, value }) => [term, value]));
}

const strengths = (facts: Facts) =>
  Object.fromEntries(
    judged(facts).standing.concepts.map(({ concept, strength: each }) => [concept, each]),
  );

/** Every entry of the first is at most the same entry of the second. */
function expectNoneLower(before: Record<string, number>, after: Record<string, number>): void {
  for (const [name, value] of Object.entries(before)) {
    expect(`${name} ${(after[name] ?? 0) >= value}`).toBe(`${name} true`);
  }
}

describe("whatever the facts", () => {
  const shipped = createAssessor(createVocabulary());
  test.each([
    ["shipped", (facts: Facts, places: PlaceFacts[]) => shipped({ facts, places }, asOf)],
    ["small", (facts: Facts, places: PlaceFacts[]) => judged(facts, { places })],
  ])("by the %s vocabulary the assessment fits its schemas, and its scores add up", (_, judge) => {
    fc.assert(
      fc.property(anyone(), fc.boolean(), (facts, hasPlace) => {
        expect(Value.Check(Facts, facts)).toBe(true);
        const { analysis, card, standing } = judge(facts, hasPlace ? [berlin] : []);
        expect([...Value.Errors(ProfileAnalysis, analysis)]).toEqual([]);
        expect([...Value.Errors(Card, card)]).toEqual([]);
        const { profile, techStack, activity } = analysis.scores.scores;
        expect(card.score).toBe(computeScore(profile, techStack, activity));
        expect(standing).toMatchObject({ profile, techStack, activity });
        for (const { strength } of standing.concepts) {
          expect(strength >= 1 && strength <= 100).toBe(true);
        }
        let least = 100;
        for (const { match, techStack: each } of standing.roles) {
          expect(match >= 1 && match <= least && Number.isInteger(each)).toBe(true);
          least = match;
        }
        const best = standing.roles[0];
        expect(analysis.scores.role).toBe(best?.role ?? "none");
        if (best && best.match >= roleMatchMin) expect(best.techStack).toBe(techStack);
        if (card.last_active_date) expect(card.last_active_date <= asOf).toBe(true);
        expect(standing.searchable).toBe((facts.class ?? "human") === "human");
      }),
      runs,
    );
  });

  test("the same facts give the same bytes, and are left as they were", () => {
    fc.assert(
      fc.property(anyone(), (facts) => {
        const before = JSON.stringify(facts);
        const first = JSON.stringify(judged(facts));
        expect(JSON.stringify(facts)).toBe(before);
        const { facts: _, ...rest } = judged(structuredClone(reordered(facts)));
        const { facts: __, ...again } = JSON.parse(first);
        expect(JSON.stringify(rest)).toBe(JSON.stringify(again));
      }),
      runs,
    );
  });

  test("figures beyond all reason still give an assessment that fits", () => {
    const huge = fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER, 1e300);
    fc.assert(
      fc.property(anyone(), huge, (facts, figure) => {
        const inflated = JSON.parse(JSON.stringify(facts), (_key, value) =>
          typeof value === "number" && value > 0 ? figure : value,
        ) as Facts;
        const { analysis, card, standing } = judged(inflated);
        expect([...Value.Errors(ProfileAnalysis, analysis)]).toEqual([]);
        expect([...Value.Errors(Card, card)]).toEqual([]);
        expect(Object.values(standing).some(Number.isNaN)).toBe(false);
      }),
      runs,
    );
  });

  test("another name or place text changes no score", () => {
    fc.assert(
      fc.property(anyone(), (facts) => {
        const withProfile = (profile: Facts["profile"]) => ({ ...facts, profile });
        const here = withProfile({ location: "Here", ...facts.profile });
        const before = judged(here, { places: [berlin] });
        const renamed = { ...facts.profile, name: "Somebody Else", location: "Elsewhere" };
        const places = [{ id: "other", fullName: "Elsewhere" }];
        const after = judged(withProfile(renamed), { places });
        expect({ ...after.standing, places: [] }).toEqual({ ...before.standing, places: [] });
        expect(after.analysis.explanation).toEqual(before.analysis.explanation);
        const unplaced = judged(withProfile({ ...facts.profile, location: "x" }));
        expect(after.analysis.confidence).toBe(unplaced.analysis.confidence);
      }),
      runs,
    );
  });

  test("the shown points of a tech stack with few skills add up to it", () => {
    fc.assert(
      fc.property(fc.array(anyEvidence({ min: 0, max: 30 }), { maxLength: 3 }), (evidence) => {
        const { analysis } = judged(someone({ evidence }));
        const points = analysis.explanation.techStack.reduce((sum, each) => sum + each.points, 0);
        expect(Math.abs(points - analysis.scores.scores.techStack)).toBeLessThanOrEqual(0.55);
      }),
      runs,
    );
  });
});

describe("more is never less", () => {
  const ages = { min: 0, max: 40 };
  const age = fc.integer(ages);

  test("more commits never lower activity as a whole, nor the level", () => {
    fc.assert(
      fc.property(anyCommits(ages), age, fc.integer({ min: 1, max: 50 }), (facts, at, more) => {
        const { first: _, last: __, ...dated } = facts;
        const month = monthBefore(at);
        const volume = { ...dated.volume, [month]: (dated.volume[month] ?? 0) + more };
        // Nobody was judged by more messages: what is not known before must not be known after.
        const before = { ...dated, total: Math.max(1, dated.total) };
        const after = { ...before, total: before.total + more, volume };
        const of = (each: CommitFacts) => judged(someone({ commits: each }));
        expect(of(after).standing.activity).toBeGreaterThanOrEqual(of(before).standing.activity);
        const level = (each: CommitFacts) => levels.indexOf(of(each).analysis.proficiency.level);
        expect(level(after)).toBeGreaterThanOrEqual(level(before));
      }),
      runs,
    );
  });

  test("more commits with a skill never lower that skill, whenever they were made", () => {
    fc.assert(
      fc.property(
        fc.array(anyEvidence(ages), { maxLength: 6 }),
        fc.constantFrom<[Evidence["kind"], string, string]>(
          ["import", "npm:react", "react"],
          ["language", "Go", "go"],
        ),
        age,
        fc.integer({ min: 1, max: 20 }),
        (others, [kind, name, concept], at, more) => {
          const extra = { kind, name, commits: more, months: { [monthBefore(at)]: more } };
          const before = strength(judged(someone({ evidence: others })), concept);
          const after = strength(judged(someone({ evidence: [...others, extra] })), concept);
          expect(after).toBeGreaterThanOrEqual(before);
        },
      ),
      runs,
    );
  });

  test("one more skill in months already worked, or one more repository, lowers no skill and no role's stack", () => {
    const pieces = fc.array(anyEvidence(ages), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        pieces,
        fc.nat(),
        fc.constantFrom("npm:pg", "npm:react"),
        (evidence, pick, name) => {
          const worked = evidence.flatMap(({ months }) => Object.keys(months));
          const month = worked[pick % Math.max(1, worked.length)];
          const extra: Evidence[] =
            month === undefined
              ? []
              : [{ kind: "import", name, commits: 9, months: { [month]: 9 } }];
          const about = { topics: ["kubernetes"], language: "Rust" };
          const repository = { name: "ann/new", owned: true, ...about };
          const before = someone({ evidence });
          const after = someone({ evidence: [...evidence, ...extra], repositories: [repository] });
          expectNoneLower(strengths(before), strengths(after));
          expectNoneLower(stacks(before), stacks(after));
        },
      ),
      runs,
    );
  });

  test("the name of a product that nobody knows changes no score, role or other skill", () => {
    const pieces = fc.array(anyEvidence(ages), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.nat(), (evidence, pick) => {
        const worked = evidence.flatMap(({ months }) => Object.keys(months));
        const month = worked[pick % Math.max(1, worked.length)];
        if (month === undefined) return;
        const commits = Math.max(0, ...evidence.map((each) => each.commits));
        const name = "repository:ann/nobody-knows-this";
        const months = commits > 0 ? { [month]: commits } : {};
        const product: Evidence = { kind: "product", name, commits, months };
        const before = judged(someone({ evidence })).standing;
        const after = judged(someone({ evidence: [...evidence, product] })).standing;
        const leaveOut = (concepts: typeof after.concepts) =>
          concepts.filter(({ concept }) => !concept.endsWith("nobody-knows-this"));
        const { concepts, weakConcepts } = after;
        const others = { concepts: leaveOut(concepts), weakConcepts: leaveOut(weakConcepts) };
        expect(before).toEqual({ ...after, ...others });
      }),
      runs,
    );
  });

  const stacks = (facts: Facts) =>
    Object.fromEntries(
      judged(facts)
        .standing.roles.filter(({ role }) => role !== "devops") // the one role with evidence against it
        .map(({ role, techStack }) => [role, techStack]),
    );
});

describe("a gap of nine months", () => {
  const older = (month: string) => formatMonth(toMonthIndex(month) - 9);
  /** The same history, nine months further back: its owner has done nothing since. */
  function paused(facts: Facts): Facts {
    const back = (months: Record<string, number>) =>
      Object.fromEntries(Object.entries(months).map(([month, amount]) => [older(month), amount]));
    return {
      ...facts,
      evidence: facts.evidence.map((piece) => ({ ...piece, months: back(piece.months) })),
      ...(facts.commits && { commits: { ...facts.commits, volume: back(facts.commits.volume) } }),
    };
  }

  test("lowers the volume term by at most a tenth, and nothing else", () => {
    const ages = { min: 1, max: 27 };
    const history = fc.record({
      facts: anyCommits(ages),
      evidence: fc.array(anyEvidence(ages), { maxLength: 8 }),
      now: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(history, ({ facts, evidence, now }) => {
        const { first: _first, last: _last, ...dated } = facts;
        const working = someone({
          profile: { createdAt: "2016-01-01T00:00:00Z" },
          // Everybody here worked last month, so the whole gap is nine months.
          evidence: [
            ...evidence,
            { kind: "language", name: "Go", commits: now, months: { [monthBefore(1)]: now } },
          ],
          commits: commits({
            ...dated,
            volume: { ...dated.volume, [monthBefore(1)]: now },
            total: 100,
          }),
        });
        const { volume: before = 0, ...others } = activityTerms(working);
        const { volume: after = 0, ...othersAfter } = activityTerms(paused(working));
        expect(after).toBeGreaterThanOrEqual(0.9 * before - 0.05);
        expect(after).toBeLessThanOrEqual(before);
        expect(othersAfter).toEqual(others);
        const [then, now2] = [judged(working).standing, judged(paused(working)).standing];
        expect({ ...now2, activity: 0 }).toEqual({ ...then, activity: 0 });
      }),
      runs,
    );
  });
});

/** The same facts with the keys of their records the other way round. */
function reordered(facts: Facts): Facts {
  const turned = (record: Record<string, number>) =>
    Object.fromEntries(Object.entries(record).reverse());
  return {
    ...facts,
    evidence: facts.evidence.map((piece) => ({ ...piece, months: turned(piece.months) })),
    ...(facts.commits && {
      commits: {
        ...facts.commits,
        volume: turned(facts.commits.volume),
        ...(facts.commits.excluded && { excluded: turned(facts.commits.excluded) }),
      },
    }),
  };
}
