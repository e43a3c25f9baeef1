import { describe, expect, test } from "bun:test";
import { readShippedModel } from "../../../src/analysis/model.ts";
import { interpolateOpenCurve } from "../../../src/analysis/scores/curve.ts";
import type { Evidence, Facts } from "../../../src/contract/people/facts.ts";
import { evidence, judged, monthsUpTo, someone, strength } from "../someone.ts";

const model = readShippedModel();

const strengthOf = (concept: string, about: Partial<Facts>) =>
  strength(judged(someone(about)), concept);
const withEvidence = (...pieces: Evidence[]) => ({ evidence: pieces });
const median = model.skills.medians;

describe("the strength of a skill", () => {
  test("is 50 at the median of its kind, of commits this month", () => {
    const now = { "2026-11": median.framework };
    expect(strengthOf("react", withEvidence(evidence("import", "npm:react", now)))).toBe(50);
    const twice = { "2026-11": 2 * median.framework };
    expect(strengthOf("react", withEvidence(evidence("import", "npm:react", twice)))).toBe(67);
  });

  test("follows the order of evidence: import, manifest, topic, README, bio", () => {
    const months = { "2026-11": 60 };
    const order = [
      strengthOf("react", withEvidence(evidence("import", "npm:react", months))),
      strengthOf("react", withEvidence(evidence("manifest", "npm:react", months))),
      strengthOf("react", {
        repositories: [..."abcde"].map((name) => ({ name, owned: true, topics: ["react"] })),
      }),
      strengthOf("react", withEvidence(evidence("readme", "react", months))),
      strengthOf("react", { profile: { bio: "I like React" } }),
    ];
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(new Set(order).size).toBe(5);
    expect(order[2]).toBeLessThanOrEqual(model.skills.caps.topic);
    expect(order[4]).toBe(model.skills.caps.bio);
  });

  test("does not add up two packages touched by the same commits", () => {
    const months = { "2026-11": 10 };
    const imported = evidence("import", "npm:react", months);
    const other = evidence("import", "npm:react-dom", months);
    const stated = evidence("manifest", "npm:react", months);
    const one = strengthOf("react", withEvidence(imported));
    expect(strengthOf("react", withEvidence(imported, other, stated))).toBe(one);
    expect(strengthOf("react", withEvidence(stated, imported))).toBe(one);
  });

  test("is that of the strongest source: what words say adds nothing to commits", () => {
    const work = withEvidence(evidence("import", "npm:react", { "2026-11": 10 }));
    const said = { ...work, profile: { bio: "I like React" } };
    expect(strengthOf("react", said)).toBe(strengthOf("react", work));
  });

  test("halves its commits over two years of other work, and stops at the floor", () => {
    const other = evidence("language", "Go", monthsUpTo("2026-11", 24, 1));
    const react = evidence("import", "npm:react", { "2024-11": 2 * median.framework });
    expect(strengthOf("react", withEvidence(other, react))).toBe(50);
    const long = evidence("language", "Go", monthsUpTo("2026-11", 120, 1));
    const old = evidence("import", "npm:react", { "2016-11": median.framework });
    const floor = Math.round(interpolateOpenCurve(model.recency.floor, 1));
    expect(strengthOf("react", withEvidence(long, old))).toBe(floor);
  });

  test("is not touched by up to a year's rest, and is by more", () => {
    const piece = (months: Record<string, number>): Evidence => {
      return { kind: "import", name: "npm:react", commits: median.framework, months };
    };
    const used = (last: string) =>
      strengthOf("react", withEvidence(piece({ [last]: median.framework })));
    expect([used("2026-11"), used("2025-11")]).toEqual([50, 50]);
    expect(used("2025-10")).toBeLessThan(50);
    const floor = Math.round(interpolateOpenCurve(model.recency.floor, 1));
    expect(used("2010-01")).toBe(floor);
    // So are commits of no known month.
    expect(strengthOf("react", withEvidence(piece({})))).toBe(floor);
  });

  test("takes nothing from an unknown package, a later month, a fork without commits, or another's topic", () => {
    const { standing } = judged(
      someone({
        evidence: [
          evidence("import", "npm:left-pad", { "2026-11": 50 }),
          evidence("import", "npm:react", { "2026-12": 50 }),
        ],
        repositories: [
          { name: "ann/fork", owned: true, fork: true, topics: ["react"], language: "Go" },
          { name: "bo/site", owned: false, commits: 3, topics: ["react"], language: "Go" },
        ],
      }),
    );
    expect(standing.concepts).toEqual([]);
  });
});

describe("a product's authors", () => {
  const { product } = model.skills.factors;
  const of = (name: string, months = { "2026-11": model.skills.medians.library / product }) =>
    judged(someone({ evidence: [evidence("product", name, months)] }));

  test("have it as a skill: the known one, or one of its own name", () => {
    expect(strength(of("repository:ann/billing"), "product:billing")).toBe(50);
    expect(of("repository:ann/billing").card.keywords).toEqual(["billing"]);
    expect(strength(of("npm:react", { "2026-11": 12 }), "react")).toBeGreaterThanOrEqual(50);
    expect(
      strength(of("repository:ann/billing", { "2026-11": 2 }), "product:billing"),
    ).toBeLessThan(10);
  });

  test("have it once, if the repository and its package are known by one name", () => {
    const months = { "2026-11": 30 };
    const at = (name: string, ...repositories: string[]) => ({
      ...evidence("product", name, months),
      repositories: repositories.length > 0 ? repositories : ["ann/billing"],
    });
    const work = (...pieces: Evidence[]) => judged(someone({ evidence: pieces }));
    const made = (...names: string[]) => work(...names.map((name) => at(name)));
    const both = made("repository:ann/react", "npm:react");
    expect(strength(both, "product:react")).toBe(0);
    expect(strength(both, "react")).toBeGreaterThan(70);
    // Or the repository has a package of another name.
    const named = (...names: string[]) => made(...names).card.keywords;
    expect(named("repository:billing", "npm:invoices-workspace")).toEqual(["billing"]);
    const elsewhere = work(at("repository:billing"), at("npm:invoices", "ann/invoices"));
    expect(elsewhere.card.keywords).toHaveLength(2);
    expect(named("repository:billing-core", "repository:billing")).toHaveLength(2);
  });

  test("are not better at anything by an unknown name", () => {
    const { standing, analysis } = of("repository:ann/billing", { "2026-11": 1000 });
    expect([standing.techStack, standing.roles]).toEqual([0, []]);
    expect(analysis.badges).toEqual([]);
    expect(analysis.summary.text).toContain(
      "Most work: billing: 1,000 commits to its source code.",
    );
  });
});

test("skills are listed strongest first, with what speaks for them", () => {
  const { analysis, card } = judged(
    someone({
      evidence: [
        { ...evidence("import", "npm:pg", { "2026-10": 2 }), repositories: ["ann/shop"] },
        { ...evidence("language", "Go", { "2026-10": 90 }), lines: 4000 },
      ],
    }),
  );
  expect(card.keywords).toEqual(["Go", "PostgreSQL"]);
  expect(analysis.repositories.skills.map(({ evidence: said }) => said)).toEqual([
    ["90 commits, 4,000 lines"],
    ["2 commits to files that use it in ann/shop", "packages npm:pg"],
  ]);
  expect(analysis.repositories.languages).toEqual([
    { language: "Go", lines: 4000, commits: 90, share: 1 },
  ]);
});

describe("files that one tool alone has", () => {
  const months = { "2026-11": 20 };

  test("show it as an edit of a manifest does", () => {
    const ofPath = strengthOf("kubernetes", withEvidence(evidence("path", "kubernetes", months)));
    const piece = evidence("manifest", "go:k8s.io/client-go", months);
    expect(ofPath).toBe(strengthOf("kubernetes", withEvidence(piece)));
    expect(ofPath).toBeGreaterThan(50);
  });

  test("speak once for a role, not as files and as a skill", () => {
    const devops = (...pieces: Evidence[]) =>
      judged(someone(withEvidence(...pieces))).analysis.roleMatch.find(
        ({ role }) => role === "devops",
      )?.score ?? 0;
    expect(devops(evidence("path", "kubernetes", months))).toBe(0);
  });
});
