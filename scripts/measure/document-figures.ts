/**
 * Writes the figures in dist/bench.json between the marks in docs/notes/figures.md, and those of engines at several
 * sizes into docs/notes/search-in-the-database.md: `scripts/bench document`.
 *
 * Options: `--from FILE`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BenchRun, figuresFile, readFigures } from "./figures-file.ts";
import { type Row, round, showBar } from "./rows.ts";

const docs = join(import.meta.dir, "../../docs/notes");
const marks = ["<!-- figures -->", "<!-- /figures -->"] as const;

export async function documentFigures(argv: readonly string[]): Promise<boolean> {
  const options = { from: { type: "string", default: figuresFile } } as const;
  const { from } = parseArgs({ args: [...argv], options }).values;
  const runs = readFigures(from);
  if (runs.length === 0) throw new Error(`${from} holds no figures: run scripts/bench first`);
  const write = (name: string, put: typeof putFigures) => {
    const file = join(docs, name);
    writeFileSync(file, put(readFileSync(file, "utf8"), runs));
  };
  write("figures.md", putFigures);
  write("search-in-the-database.md", putGrowth);
  return true;
}

/** @throws when the text has not both marks. */
export function putFigures(text: string, runs: readonly BenchRun[]): string {
  return putBetweenMarks(text, toMarkdown(runs));
}

/** Leaves the text alone if no growth was measured. @throws when the text lacks one of the marks. */
export function putGrowth(text: string, runs: readonly BenchRun[]): string {
  const measured = runs.filter(({ rows }) => rows.some(({ name }) => growthFigure.test(name)));
  if (measured.length === 0) return text;
  return putBetweenMarks(text, measured.map(toGrowthMarkdown).join(""));
}

function putBetweenMarks(text: string, figures: string): string {
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number];
  if (start === -1 || end < start) throw new Error(`the document lacks ${marks.join(" ... ")}`);
  return `${text.slice(0, start)}${marks[0]}\n${figures}${text.slice(end)}`;
}

const growthFigures = {
  build: "built in",
  "build-peak": "memory of the builder",
  disk: "on disk",
  p50: "p50",
  p99: "p99",
  "node-memory": "memory of the node",
};
const growthFigure = new RegExp(
  `^growth(?:-\\d+m)?\\.(\\w+)\\.(${Object.keys(growthFigures).join("|")})$`,
);

/** A line for each engine. */
function toGrowthMarkdown({ machine, load, rows }: BenchRun): string {
  const people = rows.find(({ unit }) => unit === "people")?.value ?? 0;
  const engines = new Map<string, Map<string, string>>();
  for (const { name, value, unit } of rows) {
    const [, engine, figure] = growthFigure.exec(name) ?? [];
    if (!engine || !figure) continue;
    engines
      .getOrInsertComputed(engine, () => new Map())
      .set(figure, `${round(value)} ${unit ?? ""}`);
  }
  const lines = [...engines].map(([engine, figures]) => [
    `\`${engine}\``,
    ...Object.keys(growthFigures).map((figure) => figures.get(figure) ?? ""),
  ]);
  const table = toTable(["engine", ...Object.values(growthFigures)], lines);
  const about = `${people.toLocaleString("en")} people; ${machine}; load before ${load}.`;
  return `\n${about}\n\n${table}\n\n`;
}

function toMarkdown(runs: readonly BenchRun[]): string {
  const rows = runs.flatMap((run) => run.rows);
  const held = rows.filter(({ bar }) => bar !== undefined);
  const behind = held.filter(({ met }) => !met);
  const shown = rows.filter(({ bar, ratio }) => bar === undefined && ratio !== undefined);
  const sections = [
    [
      "### Runs",
      toTable(["bench", "ended", "commit", "seconds", "load before"], runs.map(toRunCells)),
    ],
    [`### Bars: ${held.length - behind.length} of ${held.length} met`, toFigures(held)],
    ["### Where it is behind", behind.map(describeBehind).join("\n") || "Nowhere."],
    ["### Without a bar", toFigures(shown)],
  ];
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  return `\n${machines.join("; ")}.\n\n${sections.flat().join("\n\n")}\n\n`;
}

function toRunCells({ bench, at, commit, seconds, load, fault }: BenchRun): string[] {
  const took = fault ?? String(Math.round(seconds));
  return [`\`${bench}\``, at.slice(0, 16).replace("T", " "), commit, took, String(load)];
}

function toFigures(rows: readonly Row[]): string {
  const names = ["what", "figure", "beside it", "ratio", "bar", ""];
  return toTable(names, rows.map(toFigureCells));
}

function toFigureCells(row: Row): string[] {
  const { name, value, unit, ratio, against, met } = row;
  return [
    `\`${name}\``,
    `${round(value)} ${unit ?? ""}`,
    against ? `${against.what}: ${round(against.value)}` : "",
    ratio === undefined ? "" : round(ratio),
    showBar(row),
    met === undefined ? "" : met ? "met" : "**not met**",
  ];
}

function describeBehind({ name, value, unit, ratio, bar = 0, ...row }: Row): string {
  const figure = ratio ?? value;
  const factor = row.sense === "least" ? bar / figure : figure / bar;
  return `- \`${name}\`: ${round(figure)}${ratio === undefined ? ` ${unit}` : ""}, ${round(factor)} times from the bar`;
}

function toTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...rows.map(line)].join("\n");
}
