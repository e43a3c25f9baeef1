/** The same judge with the vocabulary that is shipped, on the people of the tests and on generated ones. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAssessor, readShippedModel } from "../../src/analysis/analysis.ts";
import { interpolateOpenCurve } from "../../src/analysis/scores/curve.ts";
import { readLexicon } from "../../src/analysis/scores/lexicon.ts";
import { Card } from "../../src/contract/people/developer.ts";
import { ProfileAnalysis } from "../../src/contract/people/profile-analysis.ts";
import { Value } from "../../src/contract/schema.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { rounds } from "../long.ts";
import { anyone } from "./anyone.ts";
import { asOf, berlin, commits, evidence, monthsUpTo, someone } from "./someone.ts";

const vocabulary = createVocabulary();
const assess = createAssessor(vocabulary);

test("every assessment fits its schemas, with every figure in its bounds", () => {
  fc.assert(
    fc.property(anyone(), (facts) => {
      const { analysis, card, standing } = assess({ facts, places: [berlin] }, asOf);
      expect([...Value.Errors(ProfileAnalysis, analysis)]).toEqual([]);
      expect([...Value.Errors(Card, card)]).toEqual([]);
      for (const { strength } of standing.concepts) {
        expect(strength >= 1 && strength <= 100).toBe(true);
      }
      for (const { match } of standing.roles) expect(match >= 1 && match <= 100).toBe(true);
      const matches = standing.roles.map(({ match }) => match);
      expect(matches).toEqual([...matches].sort((a, b) => b - a));
    }),
    { numRuns: rounds(200) },
  );
});

test("one commit, of whatever kind, makes nobody match a search, and what one says of oneself does", () => {
  const { factors, medians, matchStrengthMin } = readShippedModel().skills;
  const strongest = Math.max(...Object.values(factors));
  for (const median of Object.values(medians)) {
    expect(Math.round(interpolateOpenCurve(strongest, median))).toBeLessThan(matchStrengthMin);
  }
  const once = { "2026-11": 1 };
  const names = vocabulary.skills.map(({ name }) => name);
  const pieces = [
    ...names.map((name) => evidence("product", `repository:${name}`, once)),
    ...names.map((name) => evidence("language", name, once)),
    ...vocabulary.pathClassNames.map((name) => evidence("path", name, once)),
  ];
  const facts = someone({ evidence: pieces, commits: commits({ volume: once }) });
  const { standing, analysis } = assess({ facts, places: [] }, asOf);
  expect(standing.concepts).toEqual([]);
  expect(standing.weakConcepts.length).toBe(analysis.repositories.skills.length);
  expect(standing.weakConcepts.length).toBeGreaterThan(100);
  const byBio = someone({ profile: { bio: "I work with Kubernetes" } });
  expect(assess({ facts: byBio, places: [] }, asOf).standing.concepts).toContainEqual({
    ...{ concept: "kubernetes", strength: matchStrengthMin },
  });
});

test("every technical role has skills that count for its tech stack", () => {
  const { relevant } = readLexicon(vocabulary);
  for (const { id, kind } of vocabulary.roles) {
    if (kind !== "leadership")
      expect(`${id} ${(relevant.get(id)?.size ?? 0) > 0}`).toBe(`${id} true`);
  }
});

test("every technical role has skills of its own kind", () => {
  for (const { id, kind } of vocabulary.roles) {
    const own = vocabulary.roleLexicon(id).filter(({ isOwn }) => isOwn);
    if (kind === "technical")
      expect(`${id} ${own.some((each) => each.kind === "skill")}`).toBe(`${id} true`);
    expect(own.filter(({ weight }) => weight <= 0)).toEqual([]);
  }
});

describe("a year's work in one field is recognised", () => {
  const work = (perMonth: number) => monthsUpTo("2026-10", 12, perMonth);
  const best = (...pieces: [Parameters<typeof evidence>[0], string][]) => {
    const facts = someone({
      commits: commits({ volume: work(8) }),
      evidence: pieces.map(([kind, name]) => evidence(kind, name, work(4))),
    });
    return assess({ facts, places: [] }, asOf).analysis.scores.role;
  };

  test("React, styles and components: frontend", () => {
    expect(best(["import", "npm:react"], ["language", "TypeScript"], ["language", "CSS"])).toBe(
      "frontend",
    );
  });

  test("Django and PostgreSQL: backend", () => {
    expect(
      best(["import", "pypi:django"], ["language", "Python"], ["import", "pypi:psycopg2"]),
    ).toBe("backend");
  });

  test("both of them: full stack", () => {
    expect(
      best(
        ["import", "npm:react"],
        ["language", "TypeScript"],
        ["import", "npm:express"],
        ["import", "npm:pg"],
      ),
    ).toBe("fullstack");
  });

  test("Terraform and pipelines: devops", () => {
    expect(best(["language", "HCL"], ["path", "terraform"], ["path", "ci"])).toBe("devops");
  });

  const named = (role: string, ...pieces: [Parameters<typeof evidence>[0], string][]) => {
    const facts = someone({
      commits: commits({ volume: work(8) }),
      evidence: pieces.map(([kind, name]) => evidence(kind, name, work(4))),
    });
    const { roleMatch } = assess({ facts, places: [] }, asOf).analysis;
    return (roleMatch.find((each) => each.role === role)?.score ?? 0) >= 25;
  };

  test.each<[string, ...[Parameters<typeof evidence>[0], string][]]>([
    ["devops", ["path", "ci"], ["manifest", "actions:actions/checkout"], ["language", "Shell"]],
    ["cloud", ["path", "ansible"], ["language", "HCL"]],
    ["security", ["manifest", "actions:github/codeql-action"], ["language", "Python"]],
    ["qa-engineer", ["import", "pypi:pytest"], ["path", "test"]],
    ["gamedev", ["path", "shader"], ["language", "GLSL"], ["language", "C++"]],
    ["data-scientist", ["import", "pypi:numpy"], ["import", "pypi:sympy"], ["language", "Python"]],
    ["desktop-developer", ["language", "C++"], ["path", "i18n"], ["path", "desktop"]],
    ["database-engineer", ["import", "pypi:psycopg2"], ["import", "pypi:pymongo"]],
    ["compiler-engineer", ["language", "C"], ["path", "compiler"], ["language", "Yacc"]],
    ["release-engineer", ["path", "ci"], ["path", "build"], ["manifest", "actions:actions/cache"]],
  ])("general words carry nobody: not %s", (role, ...pieces) => {
    expect(named(role, ...pieces)).toBe(false);
  });

  test("a scanner's authors are security engineers, its users in pipelines are not", () => {
    expect(named("security", ["product", "repository:acme/trivy"], ["language", "Go"])).toBe(true);
    expect(named("security", ["manifest", "docker:aquasec/trivy"], ["path", "ci"])).toBe(false);
  });

  test("some browser tests beside other work make no tester, and mostly these do", () => {
    const tester = (perMonth: number) => {
      const pieces = [evidence("path", "e2e-test", work(perMonth))];
      const facts = someone({ commits: commits({ volume: work(10) }), evidence: pieces });
      return assess({ facts, places: [] }, asOf).analysis.roleMatch[0]?.score ?? 0;
    };
    expect(tester(3)).toBeLessThan(25);
    expect(tester(8)).toBeGreaterThanOrEqual(35);
  });

  test("Qt or Electron: desktop, beside what the windows are written in", () => {
    expect(named("desktop-developer", ["import", "npm:electron"])).toBe(true);
    expect(best(["import", "nuget:Avalonia"], ["language", "C#"])).toBe("desktop-developer");
  });

  test("procedures inside a database: database engineer; a compiler's source: compiler engineer", () => {
    expect(best(["language", "PLpgSQL"], ["language", "SQL"])).toBe("database-engineer");
    expect(named("compiler-engineer", ["product", "subject:compilers"])).toBe(true);
  });

  test.each([
    ["release-engineer", "packages and release scripts", ["path packaging", "path release"]],
    ["database-engineer", "migrations", ["path database", "language SQL"]],
  ])("not %s by some %s beside other work, and by mostly these", (role, _, pieces) => {
    const matchOf = (perMonth: number) => {
      const found = pieces.map((piece) => {
        const [kind, name] = piece.split(" ") as ["path" | "language", string];
        return evidence(kind, name, work(perMonth));
      });
      const facts = someone({ commits: commits({ volume: work(10) }), evidence: found });
      const { roleMatch } = assess({ facts, places: [] }, asOf).analysis;
      return roleMatch.find((one) => one.role === role)?.score ?? 0;
    };
    expect(matchOf(1)).toBeLessThan(25);
    expect(matchOf(8)).toBeGreaterThanOrEqual(35);
  });

  test("prose: technical writer, with a tech stack", () => {
    const pieces = [evidence("path", "prose", work(8)), evidence("path", "docs", work(8))];
    const facts = someone({ commits: commits({ volume: work(8) }), evidence: pieces });
    const { analysis } = assess({ facts, places: [] }, asOf);
    expect(analysis.scores.role).toBe("technical-writer");
    expect(analysis.roleMatch[0]?.score).toBeGreaterThanOrEqual(40);
    expect(analysis.scores.scores.techStack).toBeGreaterThan(35);
    expect(analysis.repositories.skills.map(({ skill }) => skill)).toEqual(["Technical Writing"]);
  });

  test("C close to the machine: systems", () => {
    expect(best(["language", "C"], ["path", "low-level"])).toBe("systems-engineer");
  });
});

test("work with a part is work with the whole that it belongs to", () => {
  const part = vocabulary.skills.find(
    ({ id, type }) => type !== "language" && vocabulary.broader(id).length > 0,
  );
  const [whole] = part ? vocabulary.broader(part.id) : [];
  if (!part || !whole) throw new Error("No skill is part of another.");
  const readme = evidence("readme", part.id, { "2026-10": 10 });
  const { standing } = assess({ facts: someone({ evidence: [readme] }), places: [] }, asOf);
  const strengths = new Map(standing.concepts.map((each) => [each.concept, each.strength]));
  expect(strengths.get(part.id)).toBeGreaterThan(0);
  expect(strengths.get(whole.id)).toBe(strengths.get(part.id));
});

test("a product and the known skill of its name are one, and no repository's name makes a language or a field", () => {
  const months = { "2026-10": 30 };
  const strengths = (...pieces: [Parameters<typeof evidence>[0], string, number][]) => {
    const found = pieces.map(([kind, name, count]) => evidence(kind, name, { "2026-10": count }));
    const facts = someone({ evidence: found, commits: commits({ volume: months }) });
    const { analysis } = assess({ facts, places: [] }, asOf);
    return analysis.repositories.skills.map(({ skill, strength }) => `${skill} ${strength}`);
  };
  // Alone, an ambiguous name is the product's own.
  expect(strengths(["product", "repository:flask", 30])).toEqual(["flask 66"]);
  const flask = strengths(["product", "repository:flask", 30], ["import", "pypi:flask", 1]);
  expect(flask.filter((one) => /flask/i.test(one))).toEqual(["Flask 72"]);
  expect(strengths(["product", "repository:rust", 30], ["language", "Rust", 1])).toEqual([
    "Rust 5",
  ]);
  const testing = strengths(["product", "repository:testing", 30], ["path", "test", 1]);
  expect(testing.filter((one) => /^testing/i.test(one)).length).toBeLessThan(2);
});
