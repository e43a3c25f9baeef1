/** The sources in forges.db: which forges are read, and how the last run went. */
import { and, asc, eq, getTableColumns } from "drizzle-orm";
import type { ForgeKind } from "../../contract/forge-kinds.ts";
import type { ForgeSelection } from "./forge.ts";
import { cleanForges, type ForgeLedger, readForges, writeForges } from "./forge-ledger.ts";
import {
  forgeAccounts as accounts,
  addresses,
  repositories,
  reviews,
  type SourceRun,
  sources,
  spellings,
  steps,
} from "./tables.ts";

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

/** Ordered by id. @param ledger undefined when no forge was ever read. */
export function listSources(ledger: ForgeLedger | undefined): readonly KnownSource[] {
  return ledger ? readForges(ledger, () => readSourceRows(ledger)) : [];
}

export function findSource(
  ledger: ForgeLedger | undefined,
  source: string,
): KnownSource | undefined {
  return listSources(ledger).find(({ id }) => id === source);
}

/** What is known of a source, whatever walk brought it. */
export function countSource(ledger: ForgeLedger, source: string) {
  const { people = 0, repositories = 0 } = findSource(ledger, source) ?? {};
  return { people, repositories };
}

/** @package As `listSources` does, in the caller's transaction. */
export function readSourceRows({ orm }: ForgeLedger): readonly KnownSource[] {
  const { walk: _, ...columns } = getTableColumns(sources);
  const isOpen = and(eq(steps.source, sources.id), eq(steps.isDone, false));
  return orm
    .select({
      ...columns,
      people: orm.$count(accounts, eq(accounts.source, sources.id)),
      repositories: orm.$count(repositories, eq(repositories.source, sources.id)),
      openSteps: orm.$count(steps, isOpen),
    })
    .from(sources)
    .orderBy(asc(sources.id))
    .all()
    .map((row) => ({
      ...row,
      noreplyHost: row.noreplyHost ?? undefined,
      completedAt: row.completedAt ?? undefined,
      pausedUntil: row.pausedUntil ?? undefined,
      lastRun: row.lastRun ?? undefined,
    }));
}

/** Adds a source, or changes how it is asked; with other selections the next walk begins anew. */
export function addSource(
  ledger: ForgeLedger,
  { id, kind, url, forge, selections }: ForgeSource & Pick<KnownSource, "forge">,
): void {
  const { orm } = ledger;
  writeForges(ledger, () => {
    const before = orm.select().from(sources).where(eq(sources.id, id)).get();
    if (JSON.stringify(before?.selections) !== JSON.stringify(selections)) {
      orm.delete(steps).where(eq(steps.source, id)).run();
      // Reviews of accounts that were not selected are not known.
      orm.update(repositories).set({ reviewed: null }).where(eq(repositories.source, id)).run();
    }
    orm
      .insert(sources)
      .values({ id, kind, url, forge, selections, walk: 0 })
      .onConflictDoUpdate({ target: sources.id, set: { kind, url, forge, selections } })
      .run();
  });
}

export function setNoreplyHost(ledger: ForgeLedger, source: string, noreplyHost: string): void {
  update(ledger, source, { noreplyHost });
}

/** @param pausedUntil ISO 8601, UTC. */
export function noteRun(
  ledger: ForgeLedger,
  source: string,
  lastRun: SourceRun,
  pausedUntil: string | undefined,
): void {
  update(ledger, source, { lastRun, pausedUntil: pausedUntil ?? null });
}

function update(
  ledger: ForgeLedger,
  source: string,
  set: Partial<typeof sources.$inferInsert>,
): void {
  writeForges(ledger, () =>
    ledger.orm.update(sources).set(set).where(eq(sources.id, source)).run(),
  );
}

/** Removes a source, everything that it said, and their bytes from the file. */
export function forgetSource(ledger: ForgeLedger, id: string): void {
  const { orm } = ledger;
  writeForges(ledger, () => {
    for (const table of [steps, accounts, addresses, repositories, reviews, spellings]) {
      orm.delete(table).where(eq(table.source, id)).run();
    }
    orm.delete(sources).where(eq(sources.id, id)).run();
  });
  cleanForges(ledger);
}

/** `https://git.corp.example:3000/forge/` is `git.corp.example:3000/forge`. */
export function toForgeName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/(?<!\/)\/+$/, "").toLowerCase();
}
