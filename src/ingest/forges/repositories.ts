/** The public repositories in forges.db. */
import { and, asc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { ForgeRepository } from "./forge.ts";
import type { ForgeLedger } from "./forge-ledger.ts";
import { dropReviews } from "./reviews.ts";
import { repositories } from "./tables.ts";
import type { Walk } from "./walks.ts";

/** @package Ordered by source and number. */
export function readRepositoryRows({ orm }: ForgeLedger) {
  return orm
    .select()
    .from(repositories)
    .orderBy(asc(repositories.source), asc(repositories.number))
    .all()
    .map(({ source, facts }) => ({ ...facts, source }));
}

const urlsMax = 20;

/** @package */
export function putRepository(
  { ledger: { orm }, source, number: seen }: Walk,
  facts: ForgeRepository,
): void {
  const { number } = facts;
  const isThis = and(eq(repositories.source, source), eq(repositories.number, number));
  const before = orm.select().from(repositories).where(isThis).get()?.facts;
  // Clones made before it was renamed know it under its former name.
  const urls = [...new Set([...facts.urls, ...(before?.urls ?? [])])].slice(0, urlsMax);
  const set = { facts: { ...facts, urls }, seen };
  orm
    .insert(repositories)
    .values({ source, number, ...set })
    .onConflictDoUpdate({ target: [repositories.source, repositories.number], set })
    .run();
}

/** The repositories that this walk has seen, by number; others may no longer be public. */
export function listWalked({ ledger, source, number }: Walk): readonly ForgeRepository[] {
  return ledger.orm
    .select()
    .from(repositories)
    .where(and(eq(repositories.source, source), eq(repositories.seen, number)))
    .orderBy(asc(repositories.number))
    .all()
    .map(({ facts }) => facts);
}

/** @package Removes repositories that the walk has not seen. */
export function dropOldRepositories({ ledger, source, number }: Walk): void {
  drop(ledger, source, lt(repositories.seen, number));
}

/** @package */
export function dropOwned(ledger: ForgeLedger, source: string, owner: string): void {
  drop(ledger, source, sql`${repositories.facts} ->> '$.owner' = ${owner}`);
}

function drop(ledger: ForgeLedger, source: string, which: SQL): void {
  ledger.orm
    .delete(repositories)
    .where(and(eq(repositories.source, source), which))
    .run();
  dropReviews(ledger, source);
}
