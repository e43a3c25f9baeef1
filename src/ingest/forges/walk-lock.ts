import { Fault } from "../../contract/fault.ts";
import { lockWithNote, readLockNote } from "../../sqlite/folder/noted-lock.ts";
import type { ForgeLedger } from "./forge-ledger.ts";

/**
 * Locks a source, so that no other process reads the source at the same time. The lock ends with the process.
 * @returns a function that releases the lock. @throws Fault `source_busy`, which names the process that holds the lock.
 */
export function lockWalk({ path }: ForgeLedger, source: string, since: Date): () => void {
  if (path === ":memory:") return () => {};
  // The empty file is never removed. After a removal, two runs could lock two different files.
  const file = `${path}.walk.${source}.lock`;
  const words = `process ${process.pid}, since ${since.toISOString().slice(0, 19)}Z`;
  const lock = lockWithNote(file, words, 0);
  if (lock) return lock.release;
  const { holder } = readLockNote(file);
  const by = holder ? ` (${holder})` : "";
  throw new Fault("source_busy", `Another run is reading the source ${source}${by}.`);
}
