/**
 * Prints the rows of scripts/measure/linguist-exceptions.tsv that follow from the growth of Linguist: what the shipped
 * version says of an extension or a file name, and what an older version says instead.
 *
 *   scripts/seed linguist-exceptions PATH-OF-LINGUIST OLDER-LANGUAGES.yml OLDER-VERSION
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [source = "", olderPath = "", olderVersion = ""] = Bun.argv.slice(2);
if (!olderVersion) {
  throw new Error(
    "usage: bun scripts/seeding/linguist-exceptions.ts PATH-OF-LINGUIST OLDER-LANGUAGES.yml OLDER-VERSION",
  );
}

interface Entry {
  language_id: number;
  extensions?: string[];
  filenames?: string[];
}
type Languages = Record<string, Entry>;

const shown = spawnSync("git", ["-C", source, "show", "HEAD:lib/linguist/languages.yml"], {
  encoding: "utf8",
  maxBuffer: 1 << 26,
});
if (shown.status !== 0) throw new Error(shown.stderr);
const newer = Bun.YAML.parse(shown.stdout) as Languages;
const older = Bun.YAML.parse(readFileSync(olderPath, "utf8")) as Languages;
const olderName = new Map(Object.entries(older).map(([name, entry]) => [entry.language_id, name]));
const newerName = new Map(Object.entries(newer).map(([name, entry]) => [entry.language_id, name]));

/** @returns the patterns of a language: `*.ext`, or a file name in any folder. */
function patternsOf({ extensions = [], filenames = [] }: Entry): string[] {
  return [...extensions.map((extension) => `*${extension.toLowerCase()}`), ...filenames];
}

/** @returns the languages that a version has for a pattern, else for a shorter extension, else `-`. */
function answers(languages: Languages, pattern: string): string {
  const named = (one: string) =>
    Object.entries(languages).flatMap(([name, entry]) =>
      patternsOf(entry).includes(one) ? [name] : [],
    );
  const exact = named(pattern);
  if (exact.length > 0) return exact.join("|");
  for (let dot = pattern.indexOf(".", 2); dot !== -1; dot = pattern.indexOf(".", dot + 1)) {
    const shorter = named(`*${pattern.slice(dot).toLowerCase()}`);
    if (shorter.length > 0) return shorter.join("|");
  }
  return "-";
}

const rows = new Set<string>();
for (const [name, entry] of Object.entries(newer)) {
  const before = olderName.get(entry.language_id);
  if (before && before !== name) rows.add(`*\t${name}\t${before}\trenamed after ${olderVersion}`);
  const known = new Set(before ? patternsOf(older[before] as Entry) : []);
  for (const pattern of patternsOf(entry)) {
    if (known.has(pattern)) continue;
    const why = before ? `${pattern} is ${name} only after` : `${name} is unknown to`;
    rows.add(`${pattern}\t${name}\t${answers(older, pattern)}\t${why} ${olderVersion}`);
  }
}
for (const [name, entry] of Object.entries(older)) {
  const now = newerName.get(entry.language_id);
  const kept = new Set(now ? patternsOf(newer[now] as Entry) : []);
  for (const pattern of patternsOf(entry)) {
    if (kept.has(pattern)) continue;
    rows.add(
      `${pattern}\t${answers(newer, pattern)}\t${name}\t${pattern} was ${name} until after ${olderVersion}`,
    );
  }
}
console.log([...rows].sort().join("\n"));
