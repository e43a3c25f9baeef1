/** Decides whether to believe a note: it must belong to its commit, and cover only lines that the commit added. */
import type { StoredCommit } from "../commit/stored-commit.ts";
import { findAgentByTool, isReleased } from "../credit/agents.ts";
import type { NoteText } from "./parse-note.ts";

/**
 * Only a `believed` note counts. `contradicted`: its commit disagrees. `absent`: the history lacks its commit. `merge`: its
 * commit is a merge. `missing`: an earlier version could not read the note's text.
 */
export type NoteVerdict =
  | "believed"
  | "absent"
  | "merge"
  | "contradicted"
  | "malformed"
  | "large"
  | "missing";

/** What is stored of a note: the verdict and counts, but not its text. */
export interface StoredNote {
  /** The first half of the object id of the text. */
  readonly content: string;
  readonly verdict: NoteVerdict;
  /** Lines by id of the agent; empty if the note is not believed, or if it says that no agent wrote any line. */
  readonly lines: Readonly<Record<string, number>>;
}

export type StoredNotes = ReadonlyMap<bigint, StoredNote>;

export interface NotedCommit extends Pick<StoredCommit, "seconds" | "isMerge" | "isIncomplete"> {
  readonly sha: string;
  /** How many lines the commit added to a file; undefined for a file that the commit did not change. */
  readonly addedTo: (path: string) => number | undefined;
}

/** @param parents the parents of the commit. A note may name a parent in place of its commit. */
export function judgeNote(
  { base, files, agents }: NoteText,
  { sha, seconds, addedTo, isMerge, isIncomplete }: NotedCommit,
  parents: readonly string[],
): Pick<StoredNote, "verdict" | "lines"> {
  if (isMerge) return { verdict: "merge", lines: {} };
  const isItsOwn = base === sha || parents.includes(base);
  const isBorneOut =
    isIncomplete || [...files].every(([path, lines]) => lines <= (addedTo(path) ?? -1));
  const lines: Record<string, number> = {};
  for (const [tool, some] of agents) {
    const id = findAgentByTool(tool);
    lines[id] = (lines[id] ?? 0) + some;
  }
  const isInTime = Object.keys(lines).every((id) => isReleased(id, seconds));
  return isItsOwn && isBorneOut && isInTime
    ? { verdict: "believed", lines }
    : { verdict: "contradicted", lines: {} };
}
