import type { Database } from "../../../sqlite/database.ts";

/** @package Detects whether a file has changed since it was read. */
export type ChangeWatch = ReturnType<typeof watchChanges>;

/**
 * Detects changes with two counters of SQLite. `data_version` counts commits of other connections, and `total_changes()` counts
 * rows that this connection has written. @package
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
     * Whether the file was changed since the last call.
     * @param look `"once a turn"` asks SQLite only once in a turn of the event loop. Use it for reads that are checked again
     * later.
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
    /** Ignores the changes of this connection until now. Call it inside the transaction that made these changes. */
    acceptOwn(): void {
      changed = readChanges();
    },
  };
}
