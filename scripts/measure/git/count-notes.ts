/** Counts notes of git-ai by itself, line by line: what `src/ingest/git/notes/` and git-ai itself are compared with. */
import { findAgentByTool } from "../../../src/ingest/git/credit/agents.ts";
import { askGit } from "./ask-git.ts";

export interface CountedNote {
  /** Lines by the id of each agent. */
  readonly lines: ReadonlyMap<string, number>;
  /** Whether no file has more lines in the note than the commit added to it, and the note is of this commit. */
  readonly fits: boolean;
  /** Lines of agents that several entries name, lines of agents that the commit did not add, and those of people in old notes. */
  readonly repeated: number;
  readonly foreign: number;
  readonly old: number;
  /** Lines that the commit added to all files. */
  readonly added: number;
}

/** @throws UnusableInput where the commit cannot be compared. @throws SyntaxError for a text that is no note. */
export function countNote(path: string, commit: string): CountedNote {
  const text = askGit(path, ["notes", "--ref=ai", "show", commit]).toString("utf8");
  const at = text.startsWith("---\n") ? 0 : text.indexOf("\n---\n") + 1;
  const metadata = JSON.parse(text.slice(at + 4));
  const added = listAdded(path, commit);
  const byAgent = new Map<string, Set<string>>();
  const byFile = new Map<string, Set<number>>();
  const claimed = new Set<string>();
  let [claims, old] = [0, 0];
  let file = "";
  for (const line of text.slice(0, at).split("\n")) {
    if (line.trim() === "") continue;
    if (!line.startsWith("  ")) {
      file = line.replace(/^"(.*)"$/, "$1");
      continue;
    }
    const [key = "", ranges = ""] = line.trim().split(" ");
    const isHuman = key === "human" || key.startsWith("h_");
    const record = metadata.sessions?.[key.split("::")[0] ?? ""] ?? metadata.prompts?.[key];
    const agent = findAgentByTool(record?.agent_id?.tool ?? "");
    for (const number of ranges.split(",").flatMap(listNumbers)) {
      byFile.getOrInsertComputed(file, () => new Set()).add(number);
      if (key === "human") old += 1;
      if (isHuman) continue;
      byAgent.getOrInsertComputed(agent, () => new Set()).add(`${file}:${number}`);
      claimed.add(`${file}:${number}`);
      claims += 1;
    }
  }
  const parents = askGit(path, ["rev-parse", `${commit}^@`])
    .toString("latin1")
    .split("\n");
  const isOwn = [commit, ...parents.filter(Boolean)].includes(metadata.base_commit_sha);
  const isBounded = [...byFile].every(
    ([name, numbers]) => numbers.size <= (added.get(name)?.size ?? -1),
  );
  const isForeign = (line: string) => {
    const colon = line.lastIndexOf(":");
    return !added.get(line.slice(0, colon))?.has(Number(line.slice(colon + 1)));
  };
  return {
    lines: new Map([...byAgent].map(([agent, lines]) => [agent, lines.size])),
    fits: isOwn && isBounded,
    old,
    repeated: claims - claimed.size,
    foreign: [...claimed].filter(isForeign).length,
    added: [...added.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

function listNumbers(range: string): number[] {
  const [from = 0, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** @returns the numbers of the lines that a commit added, by path; none for a file that lost lines alone. */
function listAdded(path: string, commit: string): ReadonlyMap<string, ReadonlySet<number>> {
  const settings = ["-c", "core.quotePath=false", "-c", "diff.algorithm=myers"];
  const show = ["show", "--format=", "-M", "-U0", "--no-color", "--no-prefix", "--no-ext-diff"];
  const text = askGit(path, [...settings, ...show, commit]).toString("utf8");
  const names = askGit(path, [...settings, "show", "--format=", "-M", "-z", "--name-only", commit]);
  const files = new Map<string, Set<number>>(
    names
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((name) => [name, new Set()]),
  );
  let file = "";
  let left = 0;
  for (const line of text.split("\n")) {
    if (left > 0) {
      if (/^[-+]/.test(line)) left -= 1;
      continue;
    }
    const [, name] = /^\+\+\+ (.+?)\t?$/.exec(line) ?? [];
    if (name !== undefined) file = name;
    const [, gone = "1", from = "0", come = "1"] =
      /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (!line.startsWith("@@ ")) continue;
    left = Number(gone) + Number(come);
    const numbers = files.getOrInsertComputed(file, () => new Set());
    for (let at = 0; at < Number(come); at++) numbers.add(Number(from) + at);
  }
  return files;
}
