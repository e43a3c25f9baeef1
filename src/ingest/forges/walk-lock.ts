import { Fault } from "../../contract/fault.ts";
import { lockWithNote, readLockNote } from "../../sqlite/folder/noted-lock.ts";
import type { ForgeLedger } from "./forge-ledger.ts";

/** @package Lets one run at a time read a source, across all processes that have this ledger. */
export function createWalkLocks(path: string): Pick<ForgeLedger, "lockWalk"> {
  return path === ":memory:" ? createOwnLocks() : { lockWalk: (...walk) => lockFileOf(path, walk) };
}

function lockFileOf(path: string, [source, since]: Parameters<ForgeLedger["lockWalk"]>) {
  // Empty, and kept: removing it would let two runs lock two files.
  const file = `${path}.walk.${source}.lock`;
  const words = `process ${process.pid}, since ${since.toISOString().slice(0, 19)}Z`;
  const lock = lockWithNote(file, words, 0);
  if (lock) return lock.release;
  const { holder } = readLockNote(file);
  throw createWalkingFault(source, holder && ` (${holder})`);
}

/** A ledger in memory has one owner. */
function createOwnLocks(): Pick<ForgeLedger, "lockWalk"> {
  const held = new Set<string>();
  return {
    lockWalk(source) {
      if (held.has(source)) throw createWalkingFault(source);
      held.add(source);
      return () => held.delete(source);
    },
  };
}

function createWalkingFault(source: string, holder = ""): Fault {
  return new Fault("source_busy", `Another run reads the source ${source} now${holder}.`);
}
