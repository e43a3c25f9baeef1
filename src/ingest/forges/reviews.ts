/** The reviews in forges.db, and how far they were read. */
import { and, asc, eq, notInArray } from "drizzle-orm";
import type { ChangeContent, ForgeReview, ReviewedChange } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";
import { forgeAccounts as accounts, type ReviewPlace, repositories, reviews } from "./tables.ts";
import type { Walk } from "./walks.ts";

/** A review by an account of its source. */
export interface KnownReview extends ForgeReview {
  readonly source: string;
  /** Number of the repository. */
  readonly repository: string;
  /** Number of the change in the repository. */
  readonly change: string;
  readonly content: ChangeContent;
}

/** @package Ordered by source, repository and change. */
export function readReviewRows({ orm }: ForgeLedger): readonly KnownReview[] {
  const { source, repository, change, day, number } = reviews;
  return orm
    .select()
    .from(reviews)
    .orderBy(...[source, repository, change, day, number].map(asc))
    .all()
    .map(({ number, ...review }) => ({ ...review, reviewer: number }));
}

const isIn = ({ source }: Walk, repository: string) =>
  and(eq(repositories.source, source), eq(repositories.number, repository));

/** How far the reviews of a repository were read; undefined once this walk has read them. */
export function findReviewPlace(walk: Walk, repository: string): ReviewPlace | undefined {
  const { orm } = walk.ledger;
  const known = orm.select().from(repositories).where(isIn(walk, repository)).get();
  if (!known || known.reviewed?.walk === walk.number) return undefined;
  return known.reviewed ?? {};
}

/** Stores one page of changes, in place of what was known of them, and how far that is. Only accounts of the source count. */
export function putReviews(
  walk: Walk,
  repository: string,
  changes: readonly ReviewedChange[],
  place: Omit<ReviewPlace, "walk">,
): void {
  const { ledger, source } = walk;
  const { orm } = ledger;
  const isPerson = (number: string): boolean => {
    const isTheirs = and(eq(accounts.source, source), eq(accounts.number, number));
    return orm.select().from(accounts).where(isTheirs).get()?.isBot === false;
  };
  writeForges(ledger, () => {
    for (const { number: change, commits, paths, files, reviews: found } of changes) {
      const isOld = and(eq(reviews.repository, repository), eq(reviews.change, change));
      orm
        .delete(reviews)
        .where(and(eq(reviews.source, source), isOld))
        .run();
      const content = { commits, paths, files };
      for (const { reviewer, verdict, day } of found) {
        if (!isPerson(reviewer)) continue;
        const row = { source, repository, change, number: reviewer, verdict, day, content };
        orm.insert(reviews).values(row).onConflictDoNothing().run();
      }
    }
    const reviewed = place.open ? place : { ...place, walk: walk.number };
    orm.update(repositories).set({ reviewed }).where(isIn(walk, repository)).run();
  });
}

/** @package Removes the reviews in repositories that are no longer known. */
export function dropReviews({ orm }: ForgeLedger, source: string): void {
  const known = orm
    .select({ number: repositories.number })
    .from(repositories)
    .where(eq(repositories.source, source));
  orm
    .delete(reviews)
    .where(and(eq(reviews.source, source), notInArray(reviews.repository, known)))
    .run();
}
