/** The reviews in forges.db, and how far they were read. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../../sqlite/database.ts";
import type { KnownReview, Walk } from "./forge-ledger.ts";
import { forgeAccounts as accounts, repositories, reviews } from "./tables.ts";

/** @package Ordered by source, repository and change. */
export function readReviewRows({ orm }: Database): readonly KnownReview[] {
  return orm
    .select()
    .from(reviews)
    .orderBy(
      ...[asc(reviews.source), asc(reviews.repository), asc(reviews.change)],
      ...[asc(reviews.day), asc(reviews.number)],
    )
    .all()
    .map(({ number, ...review }) => ({ ...review, reviewer: number }));
}

/** @package @param of the source, and the number of its walk. */
export function createReviewStorer(
  { orm, sqlite }: Database,
  { source, walk }: { readonly source: string; readonly walk: number },
): Pick<Walk, "findReviewPlace" | "saveReviews"> {
  const isIn = (number: string) =>
    and(eq(repositories.source, source), eq(repositories.number, number));
  const isPerson = (number: string): boolean =>
    orm
      .select({ isBot: accounts.isBot })
      .from(accounts)
      .where(and(eq(accounts.source, source), eq(accounts.number, number)))
      .get()?.isBot === false;
  const save: Walk["saveReviews"] = (repository, changes, place) => {
    for (const { number: change, commits, paths, files, reviews: found } of changes) {
      orm
        .delete(reviews)
        .where(
          and(
            ...[eq(reviews.source, source), eq(reviews.repository, repository)],
            eq(reviews.change, change),
          ),
        )
        .run();
      for (const { reviewer, verdict, day } of found) {
        if (!isPerson(reviewer)) continue;
        const row = { source, repository, change, number: reviewer, verdict, day };
        orm
          .insert(reviews)
          .values({ ...row, content: { commits, paths, files } })
          .onConflictDoNothing()
          .run();
      }
    }
    const reviewed = place.open ? place : { ...place, walk };
    orm.update(repositories).set({ reviewed }).where(isIn(repository)).run();
  };
  return {
    findReviewPlace(repository) {
      const known = orm.select().from(repositories).where(isIn(repository)).get();
      if (!known || known.reviewed?.walk === walk) return undefined;
      return known.reviewed ?? {};
    },
    saveReviews: (...page) => sqlite.transact(() => save(...page)),
  };
}

/** @package Removes the reviews in repositories that are no longer known. */
export function dropReviews({ orm }: Pick<Database, "orm">, source: string): void {
  const known = orm
    .select({ number: repositories.number })
    .from(repositories)
    .where(eq(repositories.source, source));
  orm
    .delete(reviews)
    .where(and(eq(reviews.source, source), sql`${reviews.repository} NOT IN ${known}`))
    .run();
}
