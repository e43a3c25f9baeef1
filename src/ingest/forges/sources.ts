/** Reads and writes the sources in forges.db: which forges are read, and the result of the last run. */
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type { ForgeSelection } from "./forge.ts";
import { cleanForges, type ForgeLedger, readForges, writeForges } from "./forge-ledger.ts";

export interface ForgeSource {
  /** The source's id: lower-case letters, digits, dots and dashes. */
  readonly id: string;
  readonly kind: ForgeKind;
  /** The address where people open the forge, without a trailing slash. */
  readonly url: string;
  readonly selections: readonly ForgeSelection[];
}

export interface KnownSource extends ForgeSource {
  /** The forge's name in account keys: its host, with port and path if there are any. */
  readonly forge: string;
  readonly noreplyHost: string | undefined;
  /** When a walk was last completed: ISO 8601, UTC; undefined before the first complete walk. */
  readonly completedAt: string | undefined;
  /** When the rate limit allows the walk to continue; undefined when the walk is not paused. */
  readonly pausedUntil: string | undefined;
  readonly lastRun: SourceRun | undefined;
  readonly people: number;
  readonly repositories: number;
  /** How many lists the last walk still has to read. */
  readonly openSteps: number;
}

/** Figures of one run. A walk may take several runs. */
export interface SourceRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: number;
  /** How many requests the rate limit still allows; undefined when the forge states no number. */
  readonly remaining?: number | undefined;
  /** How many accounts and repositories were left out because they are not public. */
  readonly hidden: number;
  readonly suppressed: number;
  readonly fault?: string | undefined;
}

export function findSource(ledger: ForgeLedger | undefined, source: string) {
  return listSources(ledger).find(({ id }) => id === source);
}

export function countSource(ledger: ForgeLedger, source: string) {
  const { people = 0, repositories = 0 } = findSource(ledger, source) ?? {};
  return { people, repositories };
}

interface SourceRow extends Omit<KnownSource, "selections" | "lastRun"> {
  readonly selections: string;
  readonly lastRun: string | null;
}

/** Lists the sources by id. @param ledger undefined when no forge was ever read. */
export function listSources(ledger: ForgeLedger | undefined): readonly KnownSource[] {
  if (!ledger) return [];
  const rows = readForges(
    ledger,
    (sqlite) => sqlite.readRows<SourceRow>`
    SELECT id, kind, url, forge, selections, noreply_host AS noreplyHost,
      completed_at AS completedAt, paused_until AS pausedUntil, last_run AS lastRun,
      (SELECT count(*) FROM account WHERE account.source = source.id) AS people,
      (SELECT count(*) FROM repository WHERE repository.source = source.id) AS repositories,
      (SELECT count(*) FROM step WHERE step.source = source.id AND NOT is_done) AS openSteps
    FROM source ORDER BY id`,
  );
  return rows.map((row) => ({
    ...row,
    selections: JSON.parse(row.selections),
    noreplyHost: row.noreplyHost ?? undefined,
    completedAt: row.completedAt ?? undefined,
    pausedUntil: row.pausedUntil ?? undefined,
    lastRun: row.lastRun === null ? undefined : JSON.parse(row.lastRun),
  }));
}

/** Adds a source, or changes its configuration. If the selections change, the next walk starts from the beginning. */
export function addSource(
  ledger: ForgeLedger,
  { id, kind, url, forge, ...source }: ForgeSource & Pick<KnownSource, "forge">,
): void {
  const selections = JSON.stringify(source.selections);
  writeForges(ledger, (sqlite) => {
    const before = sqlite.readValue<string>`SELECT selections FROM source WHERE id = ${id}`;
    if (before !== selections) {
      sqlite.execute`DELETE FROM step WHERE source = ${id}`;
      // Marks all reviews as unread, because reviews by newly selected accounts were not stored.
      sqlite.execute`UPDATE repository SET reviewed = NULL WHERE source = ${id}`;
    }
    sqlite.execute`
      INSERT INTO source (id, kind, url, forge, selections, walk)
      VALUES (${id}, ${kind}, ${url}, ${forge}, ${selections}, 0)
      ON CONFLICT DO UPDATE SET kind = excluded.kind, url = excluded.url,
        forge = excluded.forge, selections = excluded.selections`;
  });
}

export function setNoreplyHost(ledger: ForgeLedger, source: string, host: string): void {
  writeForges(
    ledger,
    (sqlite) => sqlite.execute`UPDATE source SET noreply_host = ${host} WHERE id = ${source}`,
  );
}

/** @param pausedUntil ISO 8601, UTC. */
export function noteRun(
  ledger: ForgeLedger,
  source: string,
  run: SourceRun,
  pausedUntil: string | undefined,
): void {
  writeForges(
    ledger,
    (sqlite) => sqlite.execute`
      UPDATE source SET last_run = ${JSON.stringify(run)}, paused_until = ${pausedUntil ?? null}
      WHERE id = ${source}`,
  );
}

/** Removes a source and everything that was stored from it. */
export function forgetSource(ledger: ForgeLedger, id: string): void {
  writeForges(ledger, (sqlite) => {
    for (const table of ["step", "account", "address", "repository", "review", "spelling"]) {
      sqlite.execute(`DELETE FROM ${table} WHERE source = ?`, id);
    }
    sqlite.execute`DELETE FROM source WHERE id = ${id}`;
  });
  cleanForges(ledger);
}

/** Derives the forge's name: `https://git.corp.example:3000/forge/` becomes `git.corp.example:3000/forge`. */
export function toForgeName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/(?<!\/)\/+$/, "").toLowerCase();
}
