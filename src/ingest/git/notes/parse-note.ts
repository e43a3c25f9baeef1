/** Reads from a note of git-ai (standard 3.0.0) how many lines each agent wrote. Ignores prompts, sessions, models and people. */
import { readRecord, tryParseJson } from "../../../contract/foreign-json.ts";

export interface NoteText {
  /** The commit for which the note was written, or that commit's parent. */
  readonly base: string;
  /** How many lines of each file the note attributes to agents and people, by path. */
  readonly files: ReadonlyMap<string, number>;
  /** How many lines each agent wrote, by the name of the tool; empty if no agent wrote a line. */
  readonly agents: ReadonlyMap<string, number>;
}

/** The tool for a session that the note does not describe. */
export const unknownTool = "";

/** The most paths and ranges of lines, counted together. `valuesMax` is the most values of the metadata. */
const itemsMax = 50_000;
const valuesMax = 100_000;

/** @returns undefined if the text has another form or exceeds the limits. */
export function parseNote(text: string): NoteText | undefined {
  const divider = /^---\r?$/m.exec(text);
  if (!divider) return undefined;
  const metadata = readMetadata(text.slice(divider.index + divider[0].length));
  const attested = metadata && readFiles(text, divider.index, metadata.toolOf);
  if (!attested) return undefined;
  const files = new Map<string, number>();
  const agents = new Map<string, number>();
  for (const [path, byTool] of attested) {
    files.set(path, countLines([...byTool.values()].flat()));
    for (const [tool, ranges] of byTool) {
      if (tool !== human) agents.set(tool, (agents.get(tool) ?? 0) + countLines(ranges));
    }
  }
  return { base: metadata.base, files, agents };
}

/** The value that marks people in the list of tools. */
const human = "\0human";

type Range = readonly [first: number, last: number];

/** @returns ranges by path and tool; undefined if a line has another form, or if there are too many ranges. */
function readFiles(text: string, end: number, toolOf: (key: string) => string) {
  const files = new Map<string, Map<string, Range[]>>();
  let byTool: Map<string, Range[]> | undefined;
  let items = 0;
  for (let from = 0, to: number; from < end; from = to + 1) {
    to = text.indexOf("\n", from);
    const line = text.slice(from, to).trimEnd();
    if (line === "") continue;
    if (++items > itemsMax) return undefined;
    if (!line.startsWith("  ")) {
      const path = /^".+"$/.test(line) ? line.slice(1, -1) : line;
      byTool = files.getOrInsertComputed(path, () => new Map());
      continue;
    }
    const [, key, list = ""] = /^ {2}(\S+) (\S+)$/.exec(line) ?? [];
    const ranges = list.split(",", itemsMax).map(readRange);
    items += ranges.length - 1;
    if (!byTool || key === undefined || items > itemsMax) return undefined;
    if (!ranges.every((range) => range !== undefined)) return undefined;
    const tool = /^(h_|human$)/.test(key) ? human : toolOf(key);
    byTool.getOrInsertComputed(tool, () => []).push(...ranges);
  }
  return files;
}

function readRange(text: string): Range | undefined {
  const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && last >= first ? [first, last] : undefined;
}

/** Counts the lines in ranges. A line in several ranges counts once. */
function countLines(ranges: readonly Range[]): number {
  let [lines, end] = [0, 0];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    lines += Math.max(0, last - Math.max(first - 1, end));
    end = Math.max(end, last);
  }
  return lines;
}

/** @returns undefined if the text is not metadata of version 3. */
function readMetadata(text: string) {
  const { schema_version, base_commit_sha, prompts, sessions } =
    readRecord(tryParseJson(text, valuesMax)) ?? {};
  const isKnown = typeof schema_version === "string" && /^authorship\/3\.\d/.test(schema_version);
  const isNamed = typeof base_commit_sha === "string" && /^[0-9a-f]{40,64}$/.test(base_commit_sha);
  const old = readRecord(prompts);
  if (!isKnown || !isNamed || !old) return undefined;
  const records = new Map([...Object.entries(old), ...Object.entries(readRecord(sessions) ?? {})]);
  return {
    base: base_commit_sha,
    toolOf: (key: string): string => {
      const [id = ""] = key.split("::", 1);
      const tool = readRecord(readRecord(records.get(id))?.["agent_id"])?.["tool"];
      return typeof tool === "string" ? tool : unknownTool;
    },
  };
}
