import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readShippedModel } from "../../../src/analysis/model.ts";
import { leadersMin, type Measured, settledCommits } from "./measure.ts";
import type { Population, Spread } from "./population.ts";

const root = join(import.meta.dir, "../../..");

interface Constant {
  value: unknown;
  why: string;
}
type ModelFile = Record<string, Record<string, Constant>> & { modelVersion: string };

/** Puts measured constants with their sources into seed/model.json, and all into the table of docs/scoring.md. */
export function writeModel(
  measured: Measured,
  of: { readonly version: string; readonly asOf: string; readonly population: Population },
): void {
  const path = join(root, "seed/model.json");
  const model = JSON.parse(readFileSync(path, "utf8")) as ModelFile;
  model.modelVersion = of.version;
  for (const [name, set] of Object.entries(constantsOf(measured, sourceOf(measured, of)))) {
    const [group = "", key = ""] = name.split(".");
    const held = model[group]?.[key];
    if (!held) throw new Error(`seed/model.json has no ${name}.`);
    held.value = set.value === undefined ? held.value : merged(held.value, set.value);
    held.why = set.why;
  }
  writeFileSync(path, `${JSON.stringify(model, null, 2)}\n`);
  writePage(model);
}

function sourceOf(
  { settled }: Measured,
  { asOf, population }: { readonly asOf: string; readonly population: Population },
) {
  const authors = population.people.length.toLocaleString("en");
  const where = `${population.repositories} public repositories (${authors} human authors, ${asOf})`;
  return {
    where,
    settled: `${settled} authors with ${settledCommits} commits or more in ${where}`,
  };
}

/** Roles for which the reference is our own choice, and all of them together. */
const unmeasured = new Set(["any", "qa-engineer", "technical-writer"]);

function constantsOf(
  { quality, semantic, activeMonths, skills, paths, roles }: Measured,
  { where, settled }: { readonly where: string; readonly settled: string },
): Record<string, { readonly value?: unknown; readonly why: string }> {
  const median = (spread: Spread | undefined) => rounded(spread?.quartiles[1] ?? 0);
  const { medianDefault } = readShippedModel().roles;
  const ofRoles = [...roles].filter(([role, { n }]) => !unmeasured.has(role) && n >= leadersMin);
  const ns = [...skills].map(([type, each]) => `${type} ${median(each)} (n ${each.n})`).join(", ");
  return {
    "skills.medians": {
      why: `Commits times the factor of their evidence that give strength 50: the medians of the first population, 130 authors of 13 libraries. Of ${settled}, medians over (author, skill), of code that uses a package and lines of a language, are ${ns} (scripts/seed model-population measures them); with these more people would stand at 100 and not be told apart, so the first are kept; own choice, stated as such.`,
    },
    "roles.medianDefault": {
      why: `Sum of log odds that gives match 50. The best role of ${settled} has a median of ${median(roles.get("any"))}; roles with twenty people have medians of their own, and the default is for the others, who show less; own choice, stated as such.`,
    },
    "roles.medians": {
      value: Object.fromEntries(
        ofRoles.map(([role, each]) => [role, rounded(Math.sqrt(median(each) * medianDefault))]),
      ),
      why: `Roles with a median of their own: of those of ${settled} whose best role it is and may be named, relatives together, where they are ${leadersMin} or more, the median sum of log odds, drawn half-way (geometric mean) to the default, so that what is easily shown is not hard to be called: ${ofRoles.map(([role, each]) => `${role} ${median(each)} (n ${each.n})`).join(", ")}. qa-engineer and technical-writer: everybody writes some tests and documents, so the reference is somebody who mostly does; own choice, stated as such.`,
    },
    "roles.pathMedian": {
      value: Math.round(paths.quartiles[1]),
      why: `Recency-weighted commits to a kind of file that count as half; median over (author, kind of file) of ${settled}: ${median(paths)} (n ${paths.n}).`,
    },
    "population.quality": {
      value: rounded(quality.mean),
      why: `Mean share of good messages of the ${quality.n} authors with 20 messages or more in ${where}.`,
    },
    "population.semantic": {
      value: rounded(semantic.mean),
      why: `Mean share of conventional subjects of the ${semantic.n} authors with 10 eligible commits or more, there.`,
    },
    "population.activeMonths": {
      value: rounded(activeMonths.mean),
      why: "Mean share of active months within the best year of all authors, there; two in three have one commit.",
    },
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function merged(held: unknown, value: unknown): unknown {
  const isGroup = typeof value === "object" && typeof held === "object";
  return isGroup ? { ...held, ...value } : value;
}

function writePage(model: ModelFile): void {
  const path = join(root, "docs/scoring.md");
  const lines = readFileSync(path, "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith("| constant |")) + 2;
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith("|"));
  const rows = Object.entries(model).flatMap(([group, constants]) =>
    typeof constants === "string"
      ? []
      : Object.entries(constants).map(
          ([name, { value, why }]) => `| \`${group}.${name}\` | ${shown(value)} | ${why} |`,
        ),
  );
  lines.splice(start, (end === -1 ? lines.length : end) - start, ...rows);
  writeFileSync(path, lines.join("\n"));
}

function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.join(", ");
  const entries = Object.entries(value).map(([name, each]) => `${name} ${each}`);
  return entries.join(", ") || "none";
}
