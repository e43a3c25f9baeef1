import { Fault } from "../../contract/fault.ts";
import { lockWithNote, readLockNote } from "../../sqlite/folder/noted-lock.ts";
import type { ForgeLedger } from "./forge-ledger.ts";

/**
 * Keeps other runs from reading this source, across all processes that have this ledger. The system frees it when this process
 * dies. A ledger in memory has one owner, and no lock.
 *
 * @returns what releases it. @throws Fault source_busy, which names the holder.
 */
export function lockWalk({ path }: ForgeLedger, source: string, since: Date): () => void {
  if (path === ":memory:") return () => {};
  // The empty file stays: removing it would let two runs lock two files.
  const file = `${path}.walk.${source}.lock`;
  const words = `process ${process.pid}, since ${since.toISOString().slice(0, 19)}Z`;
  const lock = lockWithNote(file, words, 0);
  if (lock) return lock.release;
  const { holder } = readLockNote(file);
  const by = holder ? ` (${holder})` : "";
  throw new Fault("source_busy", `Another run reads the source ${source} now${by}.`);
}
