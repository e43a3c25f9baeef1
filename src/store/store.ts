/** The SQLite files: open, migrate, transact, group commit, lock. */

export { controlFile, openControlStore } from "./control/control.ts";
export {
  type AccountUsage,
  type AddRefusal,
  type AuditEntry,
  type Call,
  type ChargeOutcome,
  type ControlEvents,
  type ControlStore,
  type HeldAccount,
  limitInForce,
  type NewAuditEntry,
  type NewKey,
  type Terms,
  type WindowCount,
} from "./control/control-store.ts";
export type {
  Assistant,
  Client,
  Grant,
  HeldLink,
  HeldSession,
  LinkPurpose,
  RefreshToken,
  RegisteredClient,
  Session,
  SignInRecords,
  SignInStore,
} from "./control/sign-in/sign-in-store.ts";
export { type FileKind, openStore, prepareOnce, type Store, StoreFault } from "./database.ts";
export { type GroupCommit, groupCommit } from "./group-commit.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
