/**
 * The space reserve: a file that a server holds back, and that is given up when a start or an erasure finds the disk
 * full. Both must work, and both write.
 */
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { getDraftPath, removeDeadDrafts } from "../draft.ts";
import { readFreeBytes } from "./disk-space.ts";

/** An erasure writes well under 1 MB before anybody stops finding the person; a start even less. */
const reserveBytes = 8 * 2 ** 20;
/** It is made only where it is a small part of what is free. */
const amplePerReserve = 8;
const fullBytes = 2 * 2 ** 20;

const getReservePath = (folder: string) => join(folder, "server.reserve");

/** Removes the reserve if the disk is full. */
export function releaseReserve(folder: string): void {
  if (readFreeBytes(folder) < fullBytes) rmSync(getReservePath(folder), { force: true });
}

/** Makes the reserve if there is none, and room for it. */
export function makeReserve(folder: string): void {
  const path = getReservePath(folder);
  removeDeadDrafts(path);
  if (statSync(path, { throwIfNoEntry: false })?.size === reserveBytes) return;
  if (readFreeBytes(folder) < amplePerReserve * reserveBytes) return;
  const draft = getDraftPath(path);
  const file = openSync(draft, "wx", 0o600);
  try {
    // Random, since some file systems store zeros in no space at all.
    const block = crypto.getRandomValues(new Uint8Array(65_536));
    for (let at = 0; at < reserveBytes; at += block.length) writeSync(file, block);
    renameSync(draft, path);
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
