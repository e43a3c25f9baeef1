/**
 * Makes seed/linguist.json.zst from a checkout or mirror of GitHub Linguist: the language of a path, the tests of content
 * for ambiguous paths, and what is vendored, documentation or generated. It takes facts only, and none of Linguist's
 * code.
 *
 *   scripts/seed linguist PATH-OF-LINGUIST [OUTPUT]
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { LinguistData } from "../../src/ingest/linguist/data.ts";
import { type RubyHeuristics, readHeuristics } from "./linguist/heuristics.ts";

const [source, output = "seed/linguist.json.zst"] = Bun.argv.slice(2);
if (!source) throw new Error("usage: bun scripts/seeding/linguist.ts PATH-OF-LINGUIST [OUTPUT]");

interface Entry {
  type: string;
  group?: string;
  extensions?: string[];
  filenames?: string[];
  interpreters?: string[];
  aliases?: string[];
}

function read(path: string): string {
  const shown = spawnSync("git", ["-C", source ?? "", "show", `HEAD:lib/linguist/${path}`], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (shown.status !== 0) throw new Error(`${path}: ${shown.stderr}`);
  return shown.stdout;
}

function list(path: string): string[] {
  return Bun.YAML.parse(read(path)) as string[];
}

const languages: Record<string, [type: string, group: string]> = {};
const extensions: Record<string, string[]> = {};
const filenames: Record<string, string[]> = {};
const interpreters: Record<string, string[]> = {};
const aliases: Record<string, string> = {};
for (const [name, entry] of Object.entries(
  Bun.YAML.parse(read("languages.yml")) as Record<string, Entry>,
)) {
  languages[name] = [entry.type, entry.group ?? name];
  for (const extension of entry.extensions ?? []) {
    extensions[extension.toLowerCase()] ??= [];
    extensions[extension.toLowerCase()]?.push(name);
  }
  for (const filename of entry.filenames ?? []) {
    filenames[filename] ??= [];
    filenames[filename]?.push(name);
  }
  for (const interpreter of entry.interpreters ?? []) {
    interpreters[interpreter] ??= [];
    interpreters[interpreter]?.push(name);
  }
  for (const alias of [name.replace(/\s/g, "-"), ...(entry.aliases ?? [])]) {
    aliases[alias.toLowerCase()] ??= name;
  }
}
for (const names of Object.values(extensions)) {
  names.splice(0, names.length, ...new Set(names));
}

// Only rules for paths; the rules for content are code, in generated.ts.
const rule = /!!name\.match\(\/([^\n]+?)\/(i?)\)(?= \|\||$)/gm;
const generated = [...read("generated.rb").matchAll(rule)].map(([, pattern = "", flags = ""]) => [
  pattern,
  flags,
]) as [string, string][];

const data: LinguistData = {
  version: read("VERSION").trim(),
  languages,
  extensions,
  filenames,
  interpreters,
  aliases,
  generic: (Bun.YAML.parse(read("generic.yml")) as { extensions: string[] }).extensions,
  heuristics: readHeuristics(Bun.YAML.parse(read("heuristics.yml")) as RubyHeuristics),
  popular: list("popular.yml"),
  vendored: list("vendor.yml"),
  documentation: list("documentation.yml"),
  generated,
};
for (const pattern of [...data.vendored, ...data.documentation]) new RegExp(pattern);
for (const [pattern = "", flags = ""] of generated) new RegExp(pattern, flags);
writeFileSync(output, Bun.zstdCompressSync(Buffer.from(JSON.stringify(data)), { level: 19 }));
console.log(
  `Linguist ${data.version}: ${Object.keys(languages).length} languages, ` +
    `${Object.keys(extensions).length} extensions, ${generated.length} generated-path rules, ` +
    `${data.heuristics.length} heuristics.`,
);
