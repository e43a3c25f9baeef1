import { asc, count, eq } from "drizzle-orm";
import { type Check, collectFindings } from "../../sqlite/check-database.ts";
import { requireClean } from "../../sqlite/cleaning/clean-file.ts";
import { type Database, type DatabaseKind, openDatabase } from "../../sqlite/database.ts";
import { readFileState } from "../../sqlite/file-state.ts";
import { openReadOnly } from "../../sqlite/read-only.ts";
import { guardMethods } from "../../sqlite/to-promises.ts";
import { eraseAccounts } from "./erase-accounts.ts";
import type { AddressOwner, ForgeContent, ForgeLedger, KnownSource } from "./forge-ledger.ts";
import { digestForgeContent } from "./freeze-forges.ts";
import first from "./migrations/0000_first.sql" with { type: "text" };
import reviewsSql from "./migrations/0001_reviews.sql" with { type: "text" };
import { readReviewRows } from "./review-rows.ts";
import {
  forgeAccounts as accounts,
  addresses,
  repositories,
  reviews,
  sources,
  spellings,
  steps,
} from "./tables.ts";
import { createWalkLocks } from "./walk-lock.ts";
import { createWalk } from "./walk-rows.ts";

/** Describes forges.db to `openDatabase`, backup and doctor. */
export const forgesFile: DatabaseKind = {
  name: "forges",
  // "RFRG" in ASCII.
  applicationId: 0x52465247,
  migrations: [first, reviewsSql],
};

/**
 * @param path a file, or ":memory:" for a temporary ledger.
 * @throws Fault when the file cannot be used.
 */
export function openForgeLedger(
  path: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): ForgeLedger & { close(): void } {
  const store = isReadOnly ? openReadOnly(path, forgesFile) : openDatabase(path, forgesFile);
  const readers = createReaders(store);
  const methods = {
    ...readers,
    ...createSourceRows(store),
    state: () => readFileState(store),
    ...createWalkLocks(path),
    content: () => readContent(store, readers),
    fingerprint: () => digestForgeContent(readContent(store, readers)),
    erase(people: Parameters<ForgeLedger["erase"]>[0]) {
      const erased = eraseAccounts(store, readers, people);
      // Freed pages and the log may still hold the bytes.
      if (erased > 0) requireClean(store, forgesFile);
      return erased;
    },
  };
  return { ...guardMethods(path, methods), close: () => store.close() };
}

/** Reads every row, which fails for rows of another form. Yields and returns as `Check` says. */
export function* checkForgeContent(store: Database): Check {
  const readers = createReaders(store);
  const faults: string[] = [];
  for (const read of [readers.sources, readers.accounts, readers.repositories, readers.reviews]) {
    yield;
    faults.push(
      ...collectFindings(() => {
        read();
        return [];
      }),
    );
  }
  return faults;
}

function createReaders(store: Database): ForgeContent {
  return {
    ...createSourceReader(store),
    ...createContentReader(store),
    reviews: () => readReviewRows(store),
  };
}

function createSourceReader({ orm }: Database): Pick<ForgeLedger, "sources"> {
  const countBySource = (table: typeof accounts | typeof repositories) =>
    new Map(
      orm
        .select({ source: table.source, rows: count() })
        .from(table)
        .groupBy(table.source)
        .all()
        .map(({ source, rows }) => [source, rows]),
    );
  const toKnown = (
    { walk: _, ...row }: typeof sources.$inferSelect,
    counts: Pick<KnownSource, "people" | "repositories" | "openSteps">,
  ): KnownSource => ({
    ...row,
    noreplyHost: row.noreplyHost ?? undefined,
    completedAt: row.completedAt ?? undefined,
    pausedUntil: row.pausedUntil ?? undefined,
    lastRun: row.lastRun ?? undefined,
    ...counts,
  });
  return {
    sources() {
      const [people, owned] = [countBySource(accounts), countBySource(repositories)];
      const open = orm.select().from(steps).where(eq(steps.isDone, false)).all();
      const rows = orm.select().from(sources).orderBy(asc(sources.id)).all();
      return rows.map((row) =>
        toKnown(row, {
          people: people.get(row.id) ?? 0,
          repositories: owned.get(row.id) ?? 0,
          openSteps: open.filter(({ source }) => source === row.id).length,
        }),
      );
    },
  };
}

function createContentReader({ orm }: Database) {
  return {
    accounts() {
      const known = orm.select().from(sources).all();
      const forges = new Map(known.map(({ id, forge }) => [id, forge]));
      const byAccount = Map.groupBy(
        orm.select().from(addresses).orderBy(asc(addresses.address)).all(),
        ({ source, number }) => `${source} ${number}`,
      );
      return orm
        .select()
        .from(accounts)
        .orderBy(asc(accounts.source), asc(accounts.number))
        .all()
        .map(({ seen: _, missed: __, ...account }) => ({
          ...account,
          forge: forges.get(account.source) ?? "",
          addresses: (byAccount.get(`${account.source} ${account.number}`) ?? []).map(
            ({ address, isPublished }) => ({ address, isPublished }),
          ),
        }));
    },
    repositories: () =>
      orm
        .select()
        .from(repositories)
        .orderBy(asc(repositories.source), asc(repositories.number))
        .all()
        .map(({ source, facts }) => ({ ...facts, source })),
    commitAuthors(source) {
      const rows = orm
        .select()
        .from(spellings)
        .where(eq(spellings.source, source))
        .orderBy(asc(spellings.address))
        .all();
      return new Map(
        rows.map(({ address, number, login, askedAt }): [string, AddressOwner] => [
          address,
          { owner: number && login ? { number, login } : "nobody", askedAt },
        ]),
      );
    },
  } satisfies Partial<ForgeLedger>;
}

/** Everything in one transaction, because walks of other processes write meanwhile. */
function readContent({ sqlite }: Database, readers: ForgeContent): ForgeContent {
  const read = (): ForgeContent => {
    const sources = readers.sources();
    const [accounts, repositories] = [readers.accounts(), readers.repositories()];
    const reviews = readers.reviews();
    const authors = new Map(sources.map(({ id }) => [id, readers.commitAuthors(id)]));
    return {
      sources: () => sources,
      accounts: () => accounts,
      repositories: () => repositories,
      reviews: () => reviews,
      commitAuthors: (source) => authors.get(source) ?? new Map(),
    };
  };
  return sqlite.transaction(read).deferred();
}

function createSourceRows(store: Database) {
  const { orm, sqlite } = store;
  return {
    addSource({ id, kind, url, forge, selections }) {
      const change = () => {
        const before = orm.select().from(sources).where(eq(sources.id, id)).get();
        const isSame = JSON.stringify(before?.selections) === JSON.stringify(selections);
        if (!isSame) {
          orm.delete(steps).where(eq(steps.source, id)).run();
          // Reviews of accounts that were not selected are not known.
          orm.update(repositories).set({ reviewed: null }).where(eq(repositories.source, id)).run();
        }
        orm
          .insert(sources)
          .values({ id, kind, url, forge, selections, walk: 0 })
          .onConflictDoUpdate({ target: sources.id, set: { kind, url, forge, selections } })
          .run();
      };
      sqlite.transact(change);
    },
    setNoreplyHost(source, noreplyHost) {
      orm.update(sources).set({ noreplyHost }).where(eq(sources.id, source)).run();
    },
    noteRun(source, lastRun, pausedUntil) {
      const set = { lastRun, pausedUntil: pausedUntil ?? null };
      orm.update(sources).set(set).where(eq(sources.id, source)).run();
    },
    walk: (source, first) => createWalk(store, source, first),
    saveCommitAuthors(source, owners) {
      const change = () => {
        for (const [address, { owner, askedAt }] of owners) {
          const known = typeof owner === "string" ? { number: null, login: null } : owner;
          orm
            .insert(spellings)
            .values({ source, address, ...known, askedAt })
            .onConflictDoUpdate({
              target: [spellings.source, spellings.address],
              set: { ...known, askedAt },
            })
            .run();
        }
      };
      sqlite.transact(change);
    },
    forgetSource(id) {
      const change = () => {
        for (const table of [steps, accounts, addresses, repositories, reviews, spellings]) {
          orm.delete(table).where(eq(table.source, id)).run();
        }
        return orm.delete(sources).where(eq(sources.id, id)).returning().all().length > 0;
      };
      const wasKnown = sqlite.transact(change);
      if (wasKnown) requireClean(store, forgesFile);
      return wasKnown;
    },
  } satisfies Partial<ForgeLedger>;
}
