import { readFileSync } from "node:fs";
import path from "../../../seed/linguist.json.zst" with { type: "file" };
import { groupByKeys } from "../group-by-keys.ts";
import type { Heuristic } from "./heuristics.ts";

/** Linguist's data as `scripts/seeding/linguist.ts` writes it. Extensions and aliases are in lower case. @package */
export interface LinguistData {
  readonly version: string;
  readonly languages: Record<string, [type: string, group: string]>;
  readonly extensions: Record<string, string[]>;
  readonly filenames: Record<string, string[]>;
  readonly interpreters: Record<string, string[]>;
  readonly aliases: Record<string, string>;
  /** Extensions that many formats share. They do not determine a language. */
  readonly generic: readonly string[];
  readonly heuristics: readonly Heuristic[];
  readonly popular: readonly string[];
  readonly vendored: readonly string[];
  readonly documentation: readonly string[];
  readonly generated: readonly (readonly [pattern: string, flags: string])[];
}

/** @package */
export type LinguistRules = ReturnType<typeof readLinguistRules>;

/** Reads the shipped data. This takes a few milliseconds. @package */
export function readLinguistRules() {
  const data = JSON.parse(Bun.zstdDecompressSync(readFileSync(path)).toString()) as LinguistData;
  // Uses maps, because an object already has properties such as `constructor`.
  return {
    data,
    extensions: new Map(Object.entries(data.extensions)),
    filenames: new Map(Object.entries(data.filenames)),
    interpreters: new Map(Object.entries(data.interpreters)),
    aliases: new Map(Object.entries(data.aliases)),
    heuristics: groupByKeys(data.heuristics, ({ extensions }) => extensions),
    // A name of a file is in its last part: `react-router/index.js` is not `react-….js`.
    vendored: anyOf(data.vendored.map((pattern) => pattern.replaceAll("[^.]", "[^./]"))),
    documentation: anyOf(data.documentation),
    generated: data.generated.map(([pattern, flags]) => new RegExp(pattern, flags)),
  };
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join("|"));
}
