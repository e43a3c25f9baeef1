/** Holds docs/scoring.md to the model file: the page that explains a score must not lag behind it. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import file from "../../seed/model.json" with { type: "json" };
import { shippedModel } from "../../src/analysis/model.ts";

const model = shippedModel();

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

function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.join(", ");
  const entries = Object.entries(value).map(([name, each]) => `${name} ${each}`);
  return entries.join(", ") || "none";
}
