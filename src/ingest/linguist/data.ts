import { readFileSync } from "node:fs";
import path from "../../../seed/linguist.json.zst" with { type: "file" };
import type { Heuristic } from "./heuristics.ts";

/** Linguist's data as written by scripts/seeding/linguist.ts; extensions and aliases are in lower case. @package */
export interface LinguistData {
  readonly version: string;
  readonly languages: Record<string, [type: string, group: string]>;
  readonly extensions: Record<string, string[]>;
  readonly filenames: Record<string, string[]>;
  readonly interpreters: Record<string, string[]>;
  readonly aliases: Record<string, string>;
  /** Extensions too common to determine a language without the content. */
  readonly generic: readonly string[];
  readonly heuristics: readonly Heuristic[];
  readonly popular: readonly string[];
  readonly vendored: readonly string[];
  readonly documentation: readonly string[];
  readonly generated: readonly (readonly [pattern: string, flags: string])[];
}

/** @package */
export interface LinguistRules {
  readonly data: LinguistData;
  readonly extensions: ReadonlyMap<string, readonly string[]>;
  readonly filenames: ReadonlyMap<string, readonly string[]>;
  readonly interpreters: ReadonlyMap<string, readonly string[]>;
  readonly aliases: ReadonlyMap<string, string>;
  /** By extension; where several heuristics have one, the first in Linguist's order. */
  readonly heuristics: ReadonlyMap<string, Heuristic>;
  readonly vendored: RegExp;
  readonly documentation: RegExp;
  readonly generated: readonly RegExp[];
}

/** Reads the shipped data, which takes a few milliseconds. @package */
export function readLinguistRules(): LinguistRules {
  const data = JSON.parse(Bun.zstdDecompressSync(readFileSync(path)).toString()) as LinguistData;
  const heuristics = new Map<string, Heuristic>();
  for (const heuristic of data.heuristics) {
    for (const extension of heuristic.extensions) {
      if (!heuristics.has(extension)) heuristics.set(extension, heuristic);
    }
  }
  return {
    data,
    extensions: new Map(Object.entries(data.extensions)),
    filenames: new Map(Object.entries(data.filenames)),
    interpreters: new Map(Object.entries(data.interpreters)),
    aliases: new Map(Object.entries(data.aliases)),
    heuristics,
    vendored: anyOf(data.vendored),
    documentation: anyOf(data.documentation),
    generated: data.generated.map(([pattern, flags]) => new RegExp(pattern, flags)),
  };
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join("|"));
}
