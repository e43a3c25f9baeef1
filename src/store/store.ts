/** The SQLite files: open, migrate, transact, group commit, lock. */

export { controlFile, openControlStore } from "../control/sqlite/sqlite-control-store.ts";
export {
  type AccountUsage,
  type AddRefusal,
  type AuditEntry,
  type ChargedCall,
  type ChargeOutcome,
  type ControlEvents,
  type ControlStore,
  type AccountRow,
  selectLimit,
  type NewAuditEntry,
  type NewKey,
  type ChargeTerms,
  type WindowCount,
} from "../control/control-store.ts";
export type {
  AssistantRow,
  ClientRow,
  GrantRow,
  LinkRow,
  LiveSession,
  LinkKind,
  RefreshToken,
  RegisteredClient,
  SessionRow,
  SignInRecords,
  SignInStore,
} from "../control/sign-in-store.ts";
export { type DatabaseKind, openDatabase, prepareOnce, type Database, StoreFault } from "../sqlite/database.ts";
export { type GroupCommit, createGroupCommit } from "../control/group-commit.ts";
export { type FolderLock, lockFolder } from "../sqlite/folder-lock.ts";
