import type { Database } from "../../../sqlite/database.ts";

/** @package Tells whether a file has changed since it was read. */
export interface ChangeWatch {
  /**
   * Whether another connection has committed, or this one has written, anything since the last call.
   *
   * @param look `"once a turn"` looks for other connections' commits only once in a turn of the event loop, since it
   *   takes a lock; for what is decided again within a transaction.
   */
  hasChanged(look: "now" | "once a turn"): boolean;
  /** From now on, what this connection has written is no change. Call it within the transaction that wrote it. */
  acceptOwn(): void;
}

/**
 * SQLite counts both itself: `data_version` moves with the commits of other connections in any process, and
 * `total_changes()` with each row that this one writes, also when it is rolled back. Within a write transaction the
 * answer holds until its end.
 *
 * @package
 */
export function watchChanges({ sqlite }: Database): ChangeWatch {
  const versions = sqlite.query("PRAGMA data_version");
  const changes = sqlite.query("SELECT total_changes()");
  const read = (statement: typeof versions) => statement.values()[0]?.[0] as number;
  let [version, changed] = [-1, -1];
  let hasLooked = false;
  const endTurn = () => {
    hasLooked = false;
  };
  return {
    hasChanged(look) {
      const [versionBefore, changedBefore] = [version, changed];
      changed = read(changes);
      if (look === "now" || !hasLooked) version = read(versions);
      if (look === "once a turn" && !hasLooked) {
        hasLooked = true;
        setImmediate(endTurn);
      }
      return version !== versionBefore || changed !== changedBefore;
    },
    acceptOwn() {
      changed = read(changes);
    },
  };
}
