/** The sources in forges.db: which forges are read, and how the last run went. */
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type { ForgeSelection } from "./forge.ts";
import { cleanForges, type ForgeLedger, readForges, writeForges } from "./forge-ledger.ts";

/** One forge as the operator named it. */
export interface ForgeSource {
  /** Small letters, digits, dots and dashes. */
  readonly id: string;
  readonly kind: ForgeKind;
  /** Where people open it, without a trailing slash. */
  readonly url: string;
  readonly selections: readonly ForgeSelection[];
}

export interface KnownSource extends ForgeSource {
  /** Host, with port and path where it has them: the first half of an account's key. */
  readonly forge: string;
  readonly noreplyHost: string | undefined;
  /** ISO 8601, UTC; undefined before the first walk that came to its end. */
  readonly completedAt: string | undefined;
  /** When a limit lets the walk go on; undefined when it is not paused. */
  readonly pausedUntil: string | undefined;
  readonly lastRun: SourceRun | undefined;
  readonly people: number;
  readonly repositories: number;
  /** Lists that the last walk has still to read. */
  readonly openSteps: number;
}

/** Figures of a run: a walk, or as much of one as was possible. */
export interface SourceRun {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly requests: number;
  /** What the forge says is left of its limit; undefined when it says nothing. */
  readonly remaining?: number | undefined;
  /** Accounts and repositories left out because they are not public. */
  readonly hidden: number;
  readonly suppressed: number;
  /** What stopped it, in words. */
  readonly fault?: string | undefined;
}

export function findSource(ledger: ForgeLedger | undefined, source: string) {
  return listSources(ledger).find(({ id }) => id === source);
}

/** What is known of a source, whatever walk brought it. */
export function countSource(ledger: ForgeLedger, source: string) {
  const { people = 0, repositories = 0 } = findSource(ledger, source) ?? {};
  return { people, repositories };
}

interface SourceRow extends Omit<KnownSource, "selections" | "lastRun"> {
  readonly selections: string;
  readonly lastRun: string | null;
}

/** Ordered by id. @param ledger undefined when no forge was ever read. */
export function listSources(ledger: ForgeLedger | undefined): readonly KnownSource[] {
  if (!ledger) return [];
  const rows = readForges(
    ledger,
    () => ledger.sqlite.readRows<SourceRow>`
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

/** Adds a source, or changes how it is asked; with other selections the next walk begins anew. */
export function addSource(
  ledger: ForgeLedger,
  { id, kind, url, forge, ...source }: ForgeSource & Pick<KnownSource, "forge">,
): void {
  const { sqlite } = ledger;
  const selections = JSON.stringify(source.selections);
  writeForges(ledger, () => {
    const before = sqlite.readValue<string>`SELECT selections FROM source WHERE id = ${id}`;
    if (before !== selections) {
      sqlite.execute`DELETE FROM step WHERE source = ${id}`;
      // Reviews of accounts that were not selected are not known.
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
    () => ledger.sqlite.execute`UPDATE source SET noreply_host = ${host} WHERE id = ${source}`,
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
    () => ledger.sqlite.execute`
      UPDATE source SET last_run = ${JSON.stringify(run)}, paused_until = ${pausedUntil ?? null}
      WHERE id = ${source}`,
  );
}

/** Removes a source, everything that it said, and their bytes from the file. */
export function forgetSource(ledger: ForgeLedger, id: string): void {
  const { sqlite } = ledger;
  writeForges(ledger, () => {
    for (const table of ["step", "account", "address", "repository", "review", "spelling"]) {
      sqlite.execute(`DELETE FROM ${table} WHERE source = ?`, id);
    }
    sqlite.execute`DELETE FROM source WHERE id = ${id}`;
  });
  cleanForges(ledger);
}

/** `https://git.corp.example:3000/forge/` is `git.corp.example:3000/forge`. */
export function toForgeName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/(?<!\/)\/+$/, "").toLowerCase();
}
