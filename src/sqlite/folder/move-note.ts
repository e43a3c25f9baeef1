/**
 * A data folder from which everything was moved keeps a note that says where to. What was counted and forgotten since is
 * known there alone, so nothing opens the folder again before somebody takes the note away.
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { removeFiles } from "./move-files.ts";

export interface MoveNote {
  /** Without user and password. */
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const getNotePath = (folder: string) => join(folder, "moved.json");

/** On the disk when it returns. */
export function writeMoveNote(folder: string, note: MoveNote): void {
  const file = openSync(getNotePath(folder), "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(note, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function removeMoveNote(folder: string): void {
  removeFiles(getNotePath(folder));
}

/** @returns undefined when nothing was moved; a note that cannot be read is one. */
export function readMoveNote(folder: string): MoveNote | undefined {
  try {
    const { to, at } = JSON.parse(readFileSync(getNotePath(folder), "utf8"));
    return { to: String(to), at: String(at) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return { to: "another place", at: "a time that moved.json no longer says" };
  }
}

/** For people. */
export function describeMove(place: string, { to, at }: MoveNote): string {
  return `what ${place} held was moved to ${to} at ${at}: keys, counts and erasures go on there`;
}

/**
 * @param to where it may have been moved already, since an interrupted move is repeated.
 * @throws Fault folder_moved.
 */
export function refuseMoved(folder: string, to?: string): void {
  const note = readMoveNote(folder);
  if (note && note.to !== to) throw new Fault("folder_moved", `${describeMove(folder, note)}.`);
}
