/**
 * A note in a data folder. It says that the data was moved to another place. No program opens the folder again until an operator
 * removes the note.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { removeFiles } from "./move-files.ts";

export interface MoveNote {
  /** The new place: an address without user and password, or a folder. */
  readonly to: string;
  /** The time of the move: ISO 8601, UTC. */
  readonly at: string;
}

const getNotePath = (folder: string) => join(folder, "moved.json");

/** The note is durable when this returns. */
export function writeMoveNote(folder: string, note: MoveNote): void {
  const text = `${JSON.stringify(note, null, 2)}\n`;
  writeFileSync(getNotePath(folder), text, { mode: 0o600, flush: true });
}

export function removeMoveNote(folder: string): void {
  removeFiles(getNotePath(folder));
}

/** @returns undefined if the folder was not moved. With an unreadable note, the folder counts as moved. */
export function readMoveNote(folder: string): MoveNote | undefined {
  try {
    const { to, at } = JSON.parse(readFileSync(getNotePath(folder), "utf8"));
    return { to: String(to), at: String(at) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return { to: "another place", at: "a time that moved.json no longer says" };
  }
}

export function describeMove(place: string, { to, at }: MoveNote): string {
  return `what ${place} held was moved to ${to} at ${at}: keys, counts and erasures continue there`;
}

/**
 * Refuses a folder with data that was moved.
 * @param to the target of the current move. The folder is not refused if its note has the same target.
 * @throws Fault `folder_moved`.
 */
export function refuseMoved(folder: string, to?: string): void {
  const note = readMoveNote(folder);
  if (note && note.to !== to) throw new Fault("folder_moved", `${describeMove(folder, note)}.`);
}
