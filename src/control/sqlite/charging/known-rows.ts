import type { Database } from "../../../sqlite/database.ts";
import type { KeyHolder } from "../../control-store.ts";
import { getWindows, type Windows } from "../../windows.ts";
import type { ChargedAccountRow, ChargeRows, CredentialRow, InstanceRow } from "./charge-rows.ts";

/** @package A cache of the callers' rows. Counting calls updates the cache, and any other change empties it. */
export type KnownRows = ReturnType<typeof createKnownRows>;

/** @package */
export interface WrittenRows {
  readonly instance: InstanceRow;
  readonly accounts: readonly ChargedAccountRow[];
  readonly credentials: readonly CredentialRow[];
}

/** The most rows of one kind in the cache. When the cache is full, all rows of this kind are dropped. */
const rowsMax = 20_000;

/** @package */
export function createKnownRows(store: Database, rows: ChargeRows) {
  const watch = watchChanges(store);
  const holders = new Map<string, KeyHolder>();
  const accounts = new Map<string, ChargedAccountRow>();
  const credentials = new Map<string, CredentialRow>();
  const nameCredential = ({ kind, id }: Pick<CredentialRow, "kind" | "id">) => `${kind} ${id}`;
  let instance: InstanceRow | undefined;
  let windows: Windows | undefined;
  const forget = () => {
    instance = undefined;
    for (const known of [holders, accounts, credentials]) known.clear();
  };
  return {
    /** Empties the cache if rows may have changed. Call it before the cache is used. */
    check(look: "now" | "once a turn"): void {
      if (watch.hasChanged(look)) forget();
    },
    instance(): InstanceRow {
      instance ??= rows.instance();
      return instance;
    },
    /** Returns the month and the day of this instant. */
    windows(atMs: number): Windows {
      if (windows && atMs >= windows.day.startsMs && atMs < windows.day.endsMs) return windows;
      // The cached accounts contain counts of the previous windows.
      accounts.clear();
      windows = getWindows(atMs);
      return windows;
    },
    holder: (digest: Uint8Array) =>
      findOrRead(holders, digest.toBase64(), () => rows.holder(digest)),
    account: (id: string, of: Windows) => findOrRead(accounts, id, () => rows.account(id, of)),
    credential: (kind: CredentialRow["kind"], id: string) =>
      findOrRead(credentials, nameCredential({ kind, id }), () => rows.credential(kind, id)),
    /** Caches written rows. Call it at the end of the transaction, and call the returned function after the commit. */
    replace(written: WrittenRows): () => void {
      watch.acceptOwn();
      return () => {
        instance = written.instance;
        for (const account of written.accounts) accounts.set(account.id, account);
        for (const row of written.credentials) credentials.set(nameCredential(row), row);
      };
    },
  };
}

function findOrRead<Row>(
  known: Map<string, Row>,
  name: string,
  read: () => Row | undefined,
): Row | undefined {
  const row = known.get(name);
  if (row !== undefined) return row;
  const fresh = read();
  if (fresh === undefined) return undefined;
  if (known.size >= rowsMax) known.clear();
  known.set(name, fresh);
  return fresh;
}

/**
 * Detects changes with two counters of SQLite. `data_version` counts commits of other connections, and `total_changes()` counts
 * rows that this connection has written.
 */
function watchChanges({ sqlite }: Database) {
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
