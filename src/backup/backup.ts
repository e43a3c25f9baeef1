/** Backups. Each backup is one archive of a data folder. */

export type { CopyState } from "./copies.ts";
export { type BackupReceipt, backUp, recordBackup } from "./make-backup.ts";
export type { BackupManifest } from "./manifest.ts";
export { openPlace } from "./places/open-place.ts";
export { findInS3 } from "./places/s3-place.ts";
export { listPlaced } from "./places/send-archive.ts";
export type { BackupHearing, BackupProgress, ReadOptions } from "./read-archive.ts";
export { openArchive, unpackArchive } from "./read-archive.ts";
export { createServerBackups, type ServerBackups } from "./server-backups.ts";
export { removeGently } from "./staging-folder.ts";
export { listAllBackups } from "./stored-backups.ts";
export { type VerifyReport, verifyArchive } from "./verify-archive.ts";
export type { WrittenFile } from "./write-archive.ts";
export { encryptFile } from "./write-in-worker.ts";
