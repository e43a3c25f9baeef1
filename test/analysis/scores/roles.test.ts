import { describe, expect, test } from "bun:test";
import { readShippedModel } from "../../../src/analysis/model.ts";
import type { Facts } from "../../../src/contract/people/facts.ts";
import { commits, evidence, judged, someone } from "../someone.ts";

const model = readShippedModel();

/** Of a skill: strength 100. */
const plenty = 1_000_000;
const enough = commits({ volume: { "2026-10": 40 } });
const go = evidence("language", "Go", { "2026-10": plenty });
const pg = evidence("import", "npm:pg", { "2026-10": plenty });
const react = evidence("import", "npm:react", { "2026-10": plenty });

const matches = (about: Partial<Facts>) =>
  Object.fromEntries(
    judged(someone({ commits: enough, ...about })).standing.roles.map(({ role, match }) => [
      role,
      match,
    ]),
  );
const u = (sum: number) => Math.round(100 * (1 - 2 ** (-sum / model.roles.medianDefault)));

describe("the match for a role", () => {
  test("is the unit curve over the log odds of what is there", () => {
    expect(matches({ evidence: [go] })).toEqual({ backend: u(2) });
    expect(matches({ evidence: [go, pg] })).toEqual({ backend: u(4) });
  });

  test("counts kinds of files by their commits", () => {
    const { pathMedian } = model.roles;
    const ci = evidence("path", "ci", { "2026-10": pathMedian });
    const few = commits({ volume: { "2026-10": 2 * pathMedian } });
    // Half there, and half of all commits; log odds 2.
    expect(matches({ evidence: [ci], commits: few })).toEqual({ devops: u(1) });
  });

  test("counts what is a small part of the work as small", () => {
    const { pathMedian, pathShareFull, skillShareFull } = model.roles;
    const ci = evidence("path", "ci", { "2026-10": pathMedian });
    const all = (part: number) =>
      commits({ volume: { "2026-10": pathMedian / (part * pathShareFull) } });
    expect(matches({ evidence: [ci], commits: all(0.5) })).toEqual({ devops: u(0.5) });
    expect(matches({ evidence: [ci], commits: all(0.25) })).toEqual({ devops: u(0.25) });
    const many = commits({ volume: { "2026-10": plenty / (0.5 * skillShareFull) } });
    expect(matches({ evidence: [pg], commits: many })).toEqual({ backend: u(1) });
  });

  test("counts what only words say by their strength, however little of the work it is", () => {
    const repositories = [{ name: "ann/shop", owned: true, topics: ["react"] }];
    const { topic } = model.skills.caps;
    const sum = (3 * Math.round(topic / 2)) / 100;
    expect(matches({ repositories })).toMatchObject({ frontend: u(sum) });
  });

  test("of leadership comes from the bio or the company line, and from nothing else", () => {
    const named = {
      profile: { name: "cto", blog: "https://cto.example", location: "cto" },
      repositories: [{ name: "ann/cto", owned: true, topics: ["cto"], description: "cto" }],
      evidence: [
        go,
        ...(["readme", "import", "path"] as const).map((kind) =>
          evidence(kind, "cto", { "2026-10": plenty }),
        ),
      ],
    };
    expect(matches(named)["cto"]).toBeUndefined();
    for (const profile of [{ bio: "cto" }, { company: "cto" }]) {
      expect(matches({ ...named, profile })["cto"]).toBe(u(model.roles.leadershipLogOdds));
    }
  });

  test("counts a further clue of the same reason half", () => {
    const typescript = evidence("language", "TypeScript", { "2026-10": plenty });
    expect(matches({ evidence: [react] })["frontend"]).toBe(u(3));
    expect(matches({ evidence: [react, typescript] })["frontend"]).toBe(u(3.5));
  });

  test("needs the role's own kind: what speaks for many roles adds at most as much again", () => {
    const python = evidence("language", "Python", { "2026-10": plenty });
    const kubernetes = evidence("import", "go:k8s.io/client-go", { "2026-10": plenty });
    expect(matches({ evidence: [python] })["devops"]).toBeUndefined();
    expect(matches({ evidence: [kubernetes] })["devops"]).toBe(u(2));
    // Log odds 3 of Python, held to the 2 of Kubernetes.
    expect(matches({ evidence: [kubernetes, python] })["devops"]).toBe(u(4));
    const facts = someone({ commits: enough, evidence: [kubernetes, python] });
    const { roleMatch } = judged(facts).analysis.explanation;
    const half = Math.round(u(4) / 2);
    expect(roleMatch.map(({ points }) => Math.round(points))).toEqual([half, half]);
  });

  test("falls by evidence against it, is left out at nothing, and does not move another's", () => {
    expect(matches({ evidence: [react] })["devops"]).toBeUndefined();
    expect(matches({ evidence: [go, react] })["backend"]).toBe(u(2));
  });

  test("of full stack is the weaker half's, raised, and nothing without both", () => {
    expect(matches({ evidence: [go] })["fullstack"]).toBeUndefined();
    const both = matches({ evidence: [go, react] });
    const weaker = 100 * (1 - 2 ** (-2 / model.roles.medianDefault));
    expect(both["fullstack"]).toBe(Math.round(model.roles.fullstackBalance * weaker));
  });

  test("stays at 9 below 10 commits, for every role", () => {
    const nine = commits({ volume: { "2026-10": 9 } });
    const about = { evidence: [go, pg, react], profile: { bio: "CTO" } };
    const thin = matches({ ...about, commits: nine });
    expect(Math.max(...Object.values(thin))).toBe(9);
    const ten = matches({ ...about, commits: commits({ volume: { "2026-10": 10 } }) });
    expect(Math.min(...Object.values(ten))).toBeGreaterThan(9);
  });

  test("explains itself by terms whose points add up to it", () => {
    const { analysis } = judged(someone({ commits: enough, evidence: [go, pg] }));
    const { roleMatch } = analysis.explanation;
    const points = roleMatch.reduce((sum, each) => sum + each.points, 0);
    expect(points).toBeCloseTo(analysis.roleMatch[0]?.score ?? 0, 1);
    expect(roleMatch.map(({ term }) => term).sort()).toEqual(["Go", "PostgreSQL"]);
  });
});

describe("the tech stack of a role", () => {
  test("counts the skills that speak for the role, and breadth", () => {
    const { standing } = judged(someone({ commits: enough, evidence: [go, pg, react] }));
    const of = (role: string) => standing.roles.find((each) => each.role === role)?.techStack;
    const breadth = (skills: number) => 10 * (1 - 2 ** (-skills / 6));
    expect(of("backend")).toBe(Math.round(40 + 20 + breadth(2)));
    expect(of("frontend")).toBe(Math.round(40 + breadth(1)));
    expect(of("fullstack")).toBe(Math.round(40 + 20 + 12 + breadth(3)));
  });

  test("without a role is over all skills, and the role is called none", () => {
    const rust = evidence("language", "Rust", { "2026-10": plenty });
    const { analysis, standing } = judged(someone({ evidence: [rust] }));
    expect(analysis.roleMatch).toEqual([]);
    expect(analysis.scores.role).toBe("none");
    expect(standing.techStack).toBe(Math.round(40 + 10 * (1 - 2 ** (-1 / 6))));
  });

  test("counts for breadth from strength 25 on", () => {
    const { breadthStrengthMin, fallingWeights } = model.techStack;
    // The amount at which the open curve gives this strength; all of it of a known month.
    const at = (strength: number) => {
      const amount = (model.skills.medians.framework * strength) / (100 - strength);
      return { ...evidence("import", "npm:react", { "2026-11": amount }), commits: 1 };
    };
    const stack = (strength: number) => judged(someone({ evidence: [at(strength)] })).standing;
    const exact = (strength: number, skills: number) =>
      Math.round((strength * (fallingWeights[0] ?? 0)) / 100 + 10 * (1 - 2 ** (-skills / 6)));
    expect(stack(breadthStrengthMin).techStack).toBe(exact(breadthStrengthMin, 1));
    expect(stack(breadthStrengthMin - 1).techStack).toBe(exact(breadthStrengthMin - 1, 0));
  });

  test("keeps keywords for roles that search takes", () => {
    const { card } = judged(someone({ commits: enough, evidence: [go, pg, react] }));
    expect(card.roleKeywords["backend"]).toEqual(["Go", "PostgreSQL"]);
    const ci = evidence("path", "ci", { "2026-10": 10 });
    const of = (total: number) =>
      judged(someone({ evidence: [ci], commits: commits({ volume: { "2026-10": total } }) }));
    expect(of(50).card.roleKeywords).toEqual({ devops: [] });
    expect(of(200).card.roleKeywords).toEqual({});
    const thin = judged(someone({ evidence: [evidence("import", "npm:pg", { "2026-10": 2 })] }));
    expect(thin.card.roleKeywords).toEqual({});
  });
});
