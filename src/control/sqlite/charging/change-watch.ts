import type { Database } from "../../../sqlite/database.ts";

/** @package Detects whether a file has changed since it was read. */
export type ChangeWatch = ReturnType<typeof watchChanges>;

/**
 * Detects changes with two of SQLite's counters: `data_version` changes with commits of other connections in any process, and
 * `total_changes()` with each row that this connection writes, even if it is rolled back. Within a write transaction, no other
 * connection can change anything, so the answer remains valid until the transaction ends. @package
 */
export function watchChanges({ sqlite }: Database) {
  const versions = sqlite.query<{ data_version: number }, []>("PRAGMA data_version");
  const changes = sqlite.query<{ made: number }, []>("SELECT total_changes() AS made");
  const readChanges = () => changes.get()?.made ?? -1;
  let version = -1;
  let changed = -1;
  let isSameTurn = false;
  let seenOwn = -1;
  const endTurn = () => {
    isSameTurn = false;
  };
  return {
    /**
     * Whether another connection has committed, or this one has written, since the last call.
     * @param look `"once a turn"` asks SQLite only once in a turn of the event loop, or again after this connection has reported
     *   a change (`Connection.changes`). Use it for reads whose result a transaction checks again.
     */
    hasChanged(look: "now" | "once a turn"): boolean {
      if (look === "once a turn") {
        if (isSameTurn && sqlite.changes === seenOwn) return false;
        seenOwn = sqlite.changes;
        if (!isSameTurn) setImmediate(endTurn);
        isSameTurn = true;
      }
      const versionBefore = version;
      const changedBefore = changed;
      changed = readChanges();
      version = versions.get()?.data_version ?? -1;
      return version !== versionBefore || changed !== changedBefore;
    },
    /** Ignores what this connection has written so far. Call it inside the transaction that made these changes. */
    acceptOwn(): void {
      changed = readChanges();
    },
  };
}
