/** A note is believed if it is of the commit that it is on, and speaks only of lines that the commit added. */
import type { StoredCommit } from "../commit/stored-commit.ts";
import { findAgentByTool, isReleased } from "../credit/agents.ts";
import type { NoteText } from "./parse-note.ts";

/**
 * Only a `believed` note says anything. `contradicted`: its commit does not bear it out. `absent`: the history lacks its commit.
 * `merge`: its commit counts for nobody. `missing`: earlier versions could not read its text.
 */
export type NoteVerdict =
  | "believed"
  | "absent"
  | "merge"
  | "contradicted"
  | "malformed"
  | "large"
  | "missing";

/** A note, without anything of its text but counts. */
export interface StoredNote {
  /** The first half of the id of its text. */
  readonly content: string;
  readonly verdict: NoteVerdict;
  /** Lines by the id of each agent; empty when the note says that none wrote any, and when it is not believed. */
  readonly lines: Readonly<Record<string, number>>;
}

/** Notes by the fingerprint of their commit. */
export type StoredNotes = ReadonlyMap<bigint, StoredNote>;

/** What a commit must bear out. */
export interface NotedCommit extends Pick<StoredCommit, "seconds" | "isMerge" | "isIncomplete"> {
  readonly sha: string;
  /** Lines that it added to a file; undefined for a file that it did not change. */
  readonly addedTo: (path: string) => number | undefined;
}

/** @param parents of the commit: while history is rewritten, the standard has notes name the parent. */
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
