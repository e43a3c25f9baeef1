import { describe, expect, test } from "bun:test";
import { createAssessor, readShippedModel } from "../../../src/analysis/analysis.ts";
import type { Evidence } from "../../../src/contract/people/facts.ts";
import { createVocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { commits, someone } from "../someone.ts";

const { skills: model } = readShippedModel();
const vocabulary = createVocabulary();
const assess = createAssessor(vocabulary);

function strengthOf(id: string, evidence: readonly Evidence[]): number {
  const facts = someone({ evidence: [...evidence] });
  const { skills } = assess({ facts, places: [] }, "2026-11-21").analysis.repositories;
  const name = vocabulary.skillById(id)?.name;
  return skills.find(({ skill }) => skill === name)?.strength ?? 0;
}

const piece = (kind: Evidence["kind"], name: string, commits: number): Evidence => ({
  ...{ kind, name, commits, months: { "2026-11": commits } },
});
const used = (name: string, commits: number, lines: number, linesAround: number): Evidence => ({
  ...piece("import", name, commits),
  ...{ lines, linesAround },
});

describe("a package", () => {
  test("in one file of a thousand has a hundredth of its commits counted", () => {
    for (const counted of [1, 3, 8]) {
      const rare = used("npm:react", counted * 100, 20, 20_000);
      expect(strengthOf("react", [rare])).toBe(
        strengthOf("react", [piece("import", "npm:react", counted)]),
      );
    }
  });

  test("counts whole from a share on, and where lines are unknown", () => {
    const whole = strengthOf("react", [piece("import", "npm:react", 20)]);
    const full = model.importShareFull * 1000;
    expect(strengthOf("react", [used("npm:react", 20, full, 1000)])).toBe(whole);
    expect(strengthOf("react", [used("npm:react", 20, full / 2, 1000)])).toBeLessThan(whole);
  });

  test("never counts less for work in another repository", () => {
    const here = used("npm:react", 20, 100, 1000);
    const elsewhere = { ...piece("language", "C", 500), lines: 90_000 };
    expect(strengthOf("react", [here, elsewhere])).toBe(strengthOf("react", [here]));
  });
});

test("a project is not listed beside its package that everybody knows", () => {
  const repositories = ["ann/slim"];
  const names = ["repository:slim", "composer:slim/slim"];
  const evidence = names.map((name) => ({ ...piece("product", name, 40), repositories }));
  expect(strengthOf("slim-php", evidence)).toBeGreaterThan(60);
  const { keywords } = assess({ facts: someone({ evidence }), places: [] }, "2026-11-21").card;
  expect(keywords).not.toContain("slim");
});

test("plumbing is half as strong, but for its authors", () => {
  const written = piece("import", "cargo:serde", 40);
  expect(strengthOf("pytest", [piece("import", "pypi:pytest", 400)])).toBeLessThan(50);
  expect(strengthOf("serde", [written])).toBeGreaterThan(model.matchStrengthMin);
  expect(strengthOf("serde", [written, piece("product", "repository:serde", 1)])).toBeGreaterThan(
    70,
  );
});

describe("a field", () => {
  const fields = vocabulary.skills.filter(({ id }) => vocabulary.isField(id));

  test("is known to the vocabulary, each of them", () => {
    expect(fields.length).toBeGreaterThan(60);
  });

  test("stays below what a search takes with one kind of evidence, whatever and however much", () => {
    const random = createRandom(drawSeed("fields"));
    const packages = ["pypi:nltk", "pypi:spacy", "cargo:nalgebra", "npm:cheerio", "cargo:aes"];
    packages.push("cargo:log", "npm:yargs", "go:golang.org/x/sys");
    for (let round = 0; round < 200; round++) {
      const evidence = packages.flatMap((name) =>
        random() < 0.5 ? [piece(random() < 0.5 ? "import" : "manifest", name, 500)] : [],
      );
      for (const id of "nlp mathematics web-scraping cryptography logging cli".split(" ")) {
        expect(strengthOf(id, evidence)).toBeLessThanOrEqual(model.oneKindCap);
      }
    }
  });

  test("takes two kinds of evidence, and is weak where one of them is", () => {
    const packages = piece("import", "cargo:nom", 200);
    const few = strengthOf("compilers", [packages, piece("path", "compiler", 1)]);
    const many = strengthOf("compilers", [packages, piece("path", "compiler", 200)]);
    expect(few).toBeLessThan(50);
    expect(many).toBeGreaterThan(90);
  });

  test("is had by who writes a project that is about it", () => {
    expect(strengthOf("gis", [piece("product", "subject:gis", 60)])).toBeGreaterThan(85);
    expect(strengthOf("gis", [piece("product", "subject:gis", 1)])).toBeLessThan(
      model.matchStrengthMin,
    );
  });
});

test("whoever plainly has a role has the skill of its field, at least as strong", () => {
  const facts = someone({
    commits: commits({ volume: { "2026-11": 300 } }),
    evidence: [
      piece("path", "firmware", 300),
      piece("language", "C", 300),
      piece("product", "subject:embedded", 12),
    ],
  });
  const { roleMatch, repositories } = assess({ facts, places: [] }, "2026-11-21").analysis;
  const match = roleMatch.find(({ role }) => role === "embedded")?.score ?? 0;
  expect(match).toBeGreaterThanOrEqual(model.fieldRoleMin);
  const field = repositories.skills.find(({ skill }) => skill === "Embedded Systems");
  expect(field?.strength).toBeGreaterThanOrEqual(match);
});
