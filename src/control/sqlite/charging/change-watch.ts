import type { Database } from "../../../sqlite/database.ts";

/** @package Tells whether what was read from a file is still what it holds. */
export interface ChangeWatch {
  /** Whether another connection has committed, or this one has written, anything since the last call. */
  hasChanged(): boolean;
  /** Takes what this connection has written until now for known. Call it within the transaction that wrote it. */
  acceptOwn(): void;
}

/**
 * SQLite counts both itself: `data_version` moves with the commits of other connections in any process, and
 * `total_changes()` with each row that this one writes, also when it is rolled back. Asking costs a microsecond, a third of
 * reading an account. Within a write transaction the answer holds until its end.
 *
 * @package
 */
export function watchChanges({ sqlite }: Database): ChangeWatch {
  const versions = sqlite.query("PRAGMA data_version");
  const changes = sqlite.query("SELECT total_changes()");
  const read = (statement: typeof versions) => statement.values()[0]?.[0] as number;
  let [version, changed] = [-1, -1];
  return {
    hasChanged() {
      const [versionNow, changedNow] = [read(versions), read(changes)];
      const isSame = versionNow === version && changedNow === changed;
      [version, changed] = [versionNow, changedNow];
      return !isSame;
    },
    acceptOwn() {
      changed = read(changes);
    },
  };
}
