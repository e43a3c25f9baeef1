/** The same judge with the vocabulary that is shipped, on the people of the tests and on generated ones. */
import { describe, expect, test } from "bun:test";
import { createAssessor, readShippedModel } from "../../src/analysis/analysis.ts";
import { interpolateOpenCurve } from "../../src/analysis/scores/curve.ts";
import { readLexicon } from "../../src/analysis/scores/lexicon.ts";
import { createVocabulary } from "../../src/vocabulary/vocabulary.ts";
import { asOf, commits, evidence, monthsUpTo, someone } from "./someone.ts";

const vocabulary = createVocabulary();
const assess = createAssessor(vocabulary);

type Piece = readonly [Parameters<typeof evidence>[0], string];

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

test("what only a README claims is below three skills that files bear out", () => {
  const strengthOf = (name: string, ...pieces: Piece[]) => {
    const found = pieces.map(([kind, each], at) =>
      evidence(kind, each, { "2026-11": 40 - 9 * at }),
    );
    const { analysis } = assess({ facts: someone({ evidence: found }), places: [] }, asOf);
    const { skills } = analysis.repositories;
    expect(skills.flatMap(({ evidence: texts }) => texts).join()).not.toContain("claimed:");
    return skills.find(({ skill }) => skill === name)?.strength ?? 0;
  };
  const claim: Piece = ["product", "claimed:http"];
  const languages: Piece[] = ["Go", "Python", "C"].map((name) => ["language", name]);
  expect(strengthOf("HTTP", claim, ...languages)).toBe(strengthOf("C", claim, ...languages) - 1);
  const borneOut: Piece[] = [claim, ...languages, ["import", "cargo:h2"]];
  expect(strengthOf("HTTP", ...borneOut)).toBe(strengthOf("HTTP", claim));
});

test("the authors of a language build compilers, and its users do not", () => {
  const roleOf = (product: string) => {
    const found = [evidence("product", product, { "2026-11": 60 })];
    return assess({ facts: someone({ evidence: found }), places: [] }, asOf).analysis.roleMatch[0]
      ?.role;
  };
  expect(roleOf("repository:Lua")).toBe("compiler-engineer");
  expect(roleOf("maven:org.apache.commons:commons-lang3")).not.toBe("compiler-engineer");
});

test("Fortran with OpenMP is high-performance computing, and neither is alone", () => {
  const has = (...pieces: Piece[]) => {
    const found = pieces.map(([kind, name]) => evidence(kind, name, { "2026-11": 40 }));
    const { standing } = assess({ facts: someone({ evidence: found }), places: [] }, asOf);
    return standing.concepts.some(({ concept }) => concept === "hpc");
  };
  expect(has(["language", "Fortran"], ["import", "c:omp"])).toBe(true);
  expect([has(["language", "Fortran"]), has(["import", "c:omp"])]).toEqual([false, false]);
});

test("dialogs and assets of an Apple project show no iOS, which a Mac has too", () => {
  expect(vocabulary.pathClasses("App/Base.lproj/Main.storyboard")).toContain("ios");
  expect(vocabulary.pathSkill("ios")).toBeUndefined();
});

test("every technical role has skills of its own kind, and skills that count for its tech stack", () => {
  const { relevant } = readLexicon(vocabulary);
  for (const { id, kind } of vocabulary.roles) {
    const own = vocabulary.roleLexicon(id).filter(({ isOwn }) => isOwn);
    const hasSkill = own.some((each) => each.kind === "skill");
    expect([id, hasSkill || kind !== "technical"]).toEqual([id, true]);
    const counting = relevant.get(id)?.size ?? 0;
    expect([id, counting > 0 || kind === "leadership"]).toEqual([id, true]);
    expect(own.filter(({ weight }) => weight <= 0)).toEqual([]);
  }
});

describe("a year's work in one field is recognised", () => {
  const work = (perMonth: number) => monthsUpTo("2026-10", 12, perMonth);
  const judge = (all: number, each: number, pieces: readonly Piece[]) => {
    const found = pieces.map(([kind, name]) => evidence(kind, name, work(each)));
    const facts = someone({ commits: commits({ volume: work(all) }), evidence: found });
    return assess({ facts, places: [] }, asOf).analysis;
  };
  const matchOf = (role: string, { roleMatch }: ReturnType<typeof judge>) =>
    roleMatch.find((each) => each.role === role)?.score ?? 0;

  test.each<[string, ...Piece[]]>([
    ["frontend", ["import", "npm:react"], ["language", "TypeScript"], ["language", "CSS"]],
    ["backend", ["import", "pypi:django"], ["language", "Python"], ["import", "pypi:psycopg2"]],
    [
      "fullstack",
      ...([
        ["import", "npm:react"],
        ["language", "TypeScript"],
      ] as const),
      ...([
        ["import", "npm:express"],
        ["import", "npm:pg"],
      ] as const),
    ],
    ["devops", ["language", "HCL"], ["path", "terraform"], ["path", "ci"]],
    ["systems-engineer", ["language", "C"], ["path", "low-level"]],
    // Desktop, beside what the windows are written in.
    ["desktop-developer", ["import", "nuget:Avalonia"], ["language", "C#"]],
    ["desktop-developer", ["import", "swift:Cocoa"], ["language", "Swift"], ["path", "ios"]],
    ["desktop-developer", ["product", "subject:intellij"], ["language", "Kotlin"]],
    ["desktop-developer", ["product", "subject:emacs"], ["language", "Emacs Lisp"]],
    ["backend", ["product", "subject:networking"], ["language", "PHP"]],
    ["database-engineer", ["language", "PLpgSQL"], ["language", "SQL"]],
  ])("%s", (role, ...pieces) => expect(judge(8, 4, pieces).scores.role).toBe(role));

  const named = (role: string, ...pieces: Piece[]) => matchOf(role, judge(8, 4, pieces)) >= 25;

  test.each<[string, ...Piece[]]>([
    ["devops", ["path", "ci"], ["manifest", "actions:actions/checkout"], ["language", "Shell"]],
    ["cloud", ["path", "ansible"], ["language", "HCL"]],
    ["security", ["manifest", "actions:github/codeql-action"], ["language", "Python"]],
    ["qa-engineer", ["import", "pypi:pytest"], ["path", "test"]],
    ["gamedev", ["path", "shader"], ["language", "GLSL"], ["language", "C++"]],
    ["data-scientist", ["import", "pypi:numpy"], ["import", "pypi:sympy"], ["language", "Python"]],
    ["desktop-developer", ["language", "C++"], ["path", "i18n"], ["path", "desktop"]],
    ["database-engineer", ["import", "pypi:psycopg2"], ["import", "pypi:pymongo"]],
    ["release-engineer", ["path", "ci"], ["path", "build"], ["manifest", "actions:actions/cache"]],
  ])("general words carry nobody: not %s", (role, ...pieces) => {
    expect(named(role, ...pieces)).toBe(false);
  });

  test("a scanner's authors are security engineers, its users in pipelines are not", () => {
    expect(named("security", ["product", "repository:acme/trivy"], ["language", "Go"])).toBe(true);
    expect(named("security", ["manifest", "docker:aquasec/trivy"], ["path", "ci"])).toBe(false);
  });

  test("Electron is for desktops, and a compiler's source for compiler engineers", () => {
    expect(named("desktop-developer", ["import", "npm:electron"])).toBe(true);
    expect(named("compiler-engineer", ["product", "subject:compilers"])).toBe(true);
    const about: Piece = ["product", "subject:gis"];
    expect(named("data-scientist", about)).toBe(true);
    expect(named("data-scientist", about, ["language", "Python"])).toBe(true);
    expect(named("data-scientist", about, ["language", "Java"])).toBe(false);
    const genomes: Piece = ["product", "subject:bioinformatics"];
    expect(named("data-scientist", genomes, ["language", "Perl"])).toBe(true);
    const best = (...pieces: Piece[]) => judge(8, 8, pieces).scores.role;
    expect(best(["import", "c:qt"], ["language", "C++"], ["path", "low-level"])).toBe(
      "desktop-developer",
    );
    expect(best(["product", "repository:rspec"], ["import", "rubygems:rspec"])).toBe("qa-engineer");
    const both = ["accessibility", "test-automation"].map(
      (id): Piece => ["product", `subject:${id}`],
    );
    expect(best(...both)).toBe("frontend");
  });

  test.each<[string, number, ...Piece[]]>([
    ["release-engineer", 1, ["path", "packaging"], ["path", "release"]],
    ["database-engineer", 1, ["path", "database"], ["language", "SQL"]],
    ["qa-engineer", 3, ["path", "e2e-test"]],
    ["compiler-engineer", 1, ["path", "compiler"], ["language", "C"]],
  ])(
    "not %s by some such files beside other work, and by mostly these",
    (role, some, ...pieces) => {
      expect(matchOf(role, judge(10, some, pieces))).toBeLessThan(25);
      expect(matchOf(role, judge(10, 8, pieces))).toBeGreaterThanOrEqual(35);
    },
  );

  test("prose: technical writer, with a tech stack", () => {
    const analysis = judge(8, 8, [
      ["path", "prose"],
      ["path", "docs"],
    ]);
    expect(analysis.scores.role).toBe("technical-writer");
    expect(analysis.roleMatch[0]?.score).toBeGreaterThanOrEqual(40);
    expect(analysis.scores.scores.techStack).toBeGreaterThan(35);
    expect(analysis.repositories.skills.map(({ skill }) => skill)).toEqual(["Technical Writing"]);
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
