/**
 * What the control store remembers of the other files of its folder, so that a file that is gone, older or another one
 * is noticed, and a person who was erased stays erased whatever becomes of the pool.
 */
import type { ErasureReceipt, SuppressionList } from "../contract/people/erasure-receipt.ts";
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
   * Remembers a file as it is now. A note of the same file never goes back, unless `replaces` says that another or
   * older one took its place.
   */
  noteFile(
    file: DataFile,
    state: DataFileState,
    options?: { readonly replaces: true },
  ): Promise<void>;
  /** No such file is expected any more. */
  dropFile(file: DataFile): Promise<void>;
  /** Receipts of all erasures, oldest first. */
  erasures(): Promise<readonly ErasureReceipt[]>;
  suppressionList(): Promise<SuppressionList>;
  /** Adds what is not known yet. An erasure that either side has undone is undone. */
  addSuppressionList(list: SuppressionList): Promise<void>;
  /** What was lost and nobody has accepted, in words, oldest first. */
  losses(): Promise<readonly string[]>;
  /** Remembers a loss until somebody accepts it; the audit log says it too. */
  recordLoss(what: string, at: Date): Promise<void>;
  /** @returns how many there were. */
  acceptLosses(by: NewAuditEntry): Promise<number>;
  /** Remembers a complete backup; `by.at` is when it was complete. */
  noteBackup(by: NewAuditEntry): Promise<void>;
  /** The one that was noted last: a clock that was ahead must not hide those that come after it. */
  lastBackup(): Promise<Date | undefined>;
}
