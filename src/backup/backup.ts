/** Backups. Each backup is one archive of a data folder. */

export { type BackupReceipt, type BackupRequest, backUp, recordBackup } from "./make-backup.ts";
export type { BackupManifest, BackupMember } from "./manifest.ts";
export { openArchive, type UnpackOptions, unpackArchive } from "./read-archive.ts";
export { createServerBackups, type ServerBackups } from "./server-backups.ts";
export type { StoredBackup } from "./stored-backups.ts";
export {
  type ArchiveCheck,
  type TrialReport,
  type VerifyOptions,
  type VerifyReport,
  verifyArchive,
} from "./verify-archive.ts";
export type { BackupProgress } from "./write-archive.ts";
