/**
 * What the control store remembers about the other files of its folder. It notices when a file is missing, older, or another
 * one; and a person who was erased stays erased, whatever happens to the pool.
 */
import type { SuppressionList } from "../contract/people/erasure-receipt.ts";
import type { NewAuditEntry } from "./account-records.ts";

export type DataFile = "pool" | "ledger" | "forges";

/** Which file it is, and how often it has changed: an older copy has changed less often. */
export interface DataFileState {
  readonly name: string;
  readonly changes: number;
}

export interface FolderRecords {
  /** The files as they were when last noted. */
  knownFiles(): Promise<Readonly<Partial<Record<DataFile, DataFileState>>>>;
  /**
   * Remembers the state of a file. The number of changes of one file never decreases, unless `replaces` says that another or
   * an older file took its place.
   */
  noteFile(
    file: DataFile,
    state: DataFileState,
    options?: { readonly replaces: true },
  ): Promise<void>;
  /** From now on, expects no such file. */
  dropFile(file: DataFile): Promise<void>;
  suppressionList(): Promise<SuppressionList>;
  /** Adds what is not known yet. An erasure that was undone here or in the list is undone. */
  addSuppressionList(list: SuppressionList): Promise<void>;
  /** Losses that no administrator has accepted, as texts for people, oldest first. */
  losses(): Promise<readonly string[]>;
  /** Remembers a loss until an administrator accepts it, and adds it to the audit log. */
  recordLoss(what: string, at: Date): Promise<void>;
  /** @returns how many losses were accepted. */
  acceptLosses(by: NewAuditEntry): Promise<number>;
  /** Remembers a complete backup; `by.at` is when it was complete. */
  noteBackup(by: NewAuditEntry): Promise<void>;
  /** The backup that was noted last, not the one with the latest time: a clock that was ahead must not hide later backups. */
  lastBackup(): Promise<Date | undefined>;
}
