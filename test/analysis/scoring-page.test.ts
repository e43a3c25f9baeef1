/** Holds docs/scoring.md to the model file: the page that explains a score must not lag behind it. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import file from "../../seed/model.json" with { type: "json" };
import { readShippedModel } from "../../src/analysis/model.ts";
import { interpolateUnitCurve } from "../../src/analysis/scores/curve.ts";
import { askedWeights, computeScore } from "../../src/contract/people/developer.ts";
import {
  assessMessage,
  bodyWordsMin,
  messageWordsMin,
} from "../../src/ingest/git/read/assess-message.ts";
import { mainShareMin } from "../../src/ingest/git/repository/newest-tree.ts";
import { perDayMax } from "../../src/ingest/git/tally/author-tally.ts";
import { rounds } from "../long.ts";

const model = readShippedModel();

const page = readFileSync(join(import.meta.dir, "../../docs/scoring.md"), "utf8");

/** The rows of the table under a heading cell, as lists of cells. */
function table(firstHeading: string): Map<string, string[]> {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} |`));
  const rows = new Map<string, string[]>();
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    const [name = "", ...cells] = line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim());
    rows.set(name, cells);
  }
  return rows;
}

function froms(rows: Map<string, string[]>, column = 0): Record<string, number> {
  const entries = [...rows].flatMap(([name, cells]) => {
    const from = /^from ([\d.]+)$/.exec(cells[column] ?? "")?.[1];
    return from === undefined ? [] : [[name, Number(from)] as const];
  });
  return Object.fromEntries(entries);
}

describe("docs/scoring.md", () => {
  test("has the label cut-points of the model", () => {
    expect(froms(table("commit_frequency_label"))).toEqual({ ...model.labels.frequency });
    expect(froms(table("commit_message_quality_label"))).toEqual({ ...model.labels.quality });
    expect(froms(table("tier_label"), 0)).toEqual({ ...model.labels.tierStars });
    expect(froms(table("tier_label"), 1)).toEqual({ ...model.labels.tierAuthors });
    expect(froms(table("level"))).toEqual({ ...model.labels.level });
  });

  test("lists every constant with its value and reason", () => {
    const listed = table("constant");
    const wanted = new Map<string, string[]>();
    for (const [group, constants] of Object.entries(file)) {
      if (typeof constants === "string") continue;
      for (const [name, { value, why }] of Object.entries(constants)) {
        wanted.set(`\`${group}.${name}\``, [shown(value), why]);
      }
    }
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
  });
});

const part = (points: number): string => (points / 100).toFixed(2);

const words: Record<number, string> = { 2: "two", 3: "three", 4: "four", 5: "five" };

describe("the formulas of docs/scoring.md", () => {
  const { activity, confidence, population, profile, recency, roles, skills, techStack } = model;
  const { weights } = activity;
  /** Each as the page writes it, with the figures of the code and the model. */
  const sentences = {
    caps: `At most ${perDayMax} commits per day and repository count.`,
    perMonth: `divided by ${activity.windowMonths}. If the first commit is younger, they are divided by the full months since the month of the first commit (that one included), but at least by ${activity.youngMonthsMin}.`,
    messages: `a body of ${words[bodyWordsMin]} words or more, and ${words[messageWordsMin]} words or more in all`,
    few: `fewer than ${model.labels.qualityMessagesMin} messages`,
    eligible: `left out below ${model.labels.semanticEligibleMin} eligible commits`,
    imports: `code that uses a package (factor ${skills.factors.import})`,
    manifests: `a workflow, a Dockerfile or a playbook (${skills.factors.manifest})`,
    products: `the source code of the product itself (${skills.factors.product})`,
    lines: `lines of a language (${skills.factors.language})`,
    said: `(at most ${skills.caps.topic}), the README of an own repository, as imported facts state it (${skills.caps.readme}), the bio (${skills.caps.bio})`,
    subjects: `files in a language with at least ${100 * mainShareMin} % of the source code`,
    claims: `it ranks below the person's ${words[skills.claimsAfter]} strongest`,
    fading: `a half-life of ${recency.halfLifeMonths} months, down to ${recency.floor}`,
    rest: `up to ${recency.restMonthsMax} of them in a row`,
    undated: `Commits of no known month count at ${recency.floor}.`,
    shares: `That share counts as whole from ${100 * roles.languageShareFull} % of the person's commits for languages and kinds of files, from ${100 * roles.skillShareFull} % for packages, and from ${100 * roles.sharedWorkFull} % for work that nearly everyone`,
    titles: `adds ${roles.titleLogOdds} log odds. **fullstack** is the weaker of frontend and backend times ${roles.fullstackBalance}`,
    leadership: `which gives ${Math.round(interpolateUnitCurve(roles.leadershipLogOdds, roles.medianDefault))}`,
    thin: `Below ${roles.commitsMin} commits no match is above ${roles.thinCap}`,
    score: `score = ${part(computeScore(100, 0, 0))} experience and breadth + ${part(computeScore(0, 100, 0))} tech stack + ${part(computeScore(0, 0, 100))} activity`,
    searched: `match = ${part(askedWeights.profile)} experience and breadth + ${part(askedWeights.techStack)} tech stack + ${part(askedWeights.activity)} activity`,
    floor: `from a strength of ${skills.matchStrengthMin} on`,
    described: `Bio ${profile.weights.bio}, a location that names a place ${profile.weights.location}, a link (blog or social handle) ${profile.weights.link}, skills \`u(number of skills, ${profile.skillsMedian})\` ${profile.weights.skills}`,
    tenure: `tenure \`u(years, ${profile.tenureYearsMedian})\` ${profile.weights.tenure}; followers ${profile.weights.followers} and stars of own repositories ${profile.weights.stars}`,
    stack: `weights ${techStack.fallingWeights.join(", ")}; breadth \`u(skills of strength ${techStack.breadthStrengthMin} or more, ${techStack.breadthMedian})\` ${techStack.breadthWeight}`,
    volume: `volume ${weights.volume}: \`log(1 + x) / log(1 + ${activity.volumeFull})\`, at most whole, x being the commits per month of the last ${activity.windowMonths} full months, or ${activity.bestWindowFactor} of those of the best ${activity.windowMonths} of the last ${activity.lookBackMonths}`,
    months: `active months ${weights.activeMonths}:`,
    collaboration: `reviews \`u(n, ${activity.reviewsMedian})\` ${weights.reviews}, changes merged into others' repositories \`u(n, ${activity.mergedMedian})\` ${weights.merged}, shared commits \`u(n, ${activity.coAuthoredMedian})\` ${weights.coAuthored}`,
    quality: `message quality ${weights.quality}:`,
    drawn: `\`(share n + mean ${population.weight}) / (n + ${population.weight})\``,
    confidence: `n / (n + ${confidence.halfCommits}) x coverage`,
    coverage: `Coverage is the sum of ${confidence.coverage.commits} for commits, ${confidence.coverage.evidence} for evidence of skills`,
    standing: `${100 * model.labels.levelTechStackShare} % the tech stack over all skills, the rest \`u(counted commits, ${model.labels.levelCommitsMedian})\``,
    levels: `Below confidence ${model.labels.levelConfidenceMin} the level is Little Evidence`,
    beginners: `if a forge knows the account, for at most ${model.labels.beginnerYearsMax} years`,
  };
  const running = page.replace(/\s+/g, " ");
  for (const [what, sentence] of Object.entries(sentences)) {
    test(`say of ${what} what the code does`, () => expect(running).toContain(sentence));
  }

  test("have the semantic form to the letter", () => {
    const [, form = ""] = /`(\^\(build\|.*)`/.exec(page) ?? [];
    const told = new RegExp(form);
    const types = "build chore ci docs feat fix perf refactor revert style test Feat wip".split(
      " ",
    );
    const piece = fc.constantFrom(...types, "(", ")", "a", "!", ":", " ", "\n");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
        const [subject = ""] = parts.join("").replace(/^\n+/, "").split("\n");
        expect(assessMessage(subject).semantic).toBe(told.test(subject.trimEnd()));
      }),
      { numRuns: rounds(2000) },
    );
  });
});

function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.join(", ");
  const entries = Object.entries(value).map(([name, each]) => `${name} ${each}`);
  return entries.join(", ") || "none";
}
