import { createAccountRows } from "./account-rows.ts";
import { createAuditRows } from "./audit-rows.ts";
import { createDeliveryRows } from "./delivery-rows.ts";
import { createFolderRows } from "./folder-rows.ts";
import type { RowsContext } from "./rows-context.ts";
import { createRunRows } from "./run-rows.ts";
import { createSavedRows } from "./saved-rows.ts";
import { createSignInRows } from "./sign-in-rows.ts";
import { createSourceRows } from "./source-rows.ts";

/** What both databases store in the same way. */
export type ControlRows = ReturnType<typeof createControlRows>;

export function createControlRows(context: RowsContext) {
  return {
    ...createAccountRows(context),
    ...createAuditRows(context),
    /** What the store records about the other files of the data folder. */
    folder: createFolderRows(context),
    /** Lists of people and saved searches. */
    saved: createSavedRows(context),
    /** Sources that were added on a page, and the hooks and states of all sources. */
    sources: createSourceRows(context),
    /** Runs under way, and runs that have ended. */
    runs: createRunRows(context),
    /** Webhooks, and what waits for them. */
    deliveries: createDeliveryRows(context),
    /** Passwords, sessions, links, grants. */
    signIn: createSignInRows(context),
  };
}
