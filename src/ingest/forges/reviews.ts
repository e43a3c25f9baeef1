/** Reads and writes the reviews in forges.db, and how far they were read. */
import type { ChangeContent, ForgeReview, ReviewedChange } from "./forge.ts";
import { type ForgeLedger, writeForges } from "./forge-ledger.ts";
import type { Walk } from "./walks.ts";

export interface KnownReview extends ForgeReview {
  readonly source: string;
  readonly repository: string;
  readonly change: string;
  readonly content: ChangeContent;
}

/** How far the reviews of a repository were read. Instants are ISO 8601, UTC. */
export interface ReviewProgress {
  /** Number of the walk that read the reviews completely. */
  readonly walk?: number | undefined;
  /** Changes updated up to this instant are stored. */
  readonly until?: string | undefined;
  /** An unfinished reading: the next page, the number of changes read so far, and their latest update. */
  readonly open?:
    | { readonly cursor: string; readonly changes: number; readonly latest: string }
    | undefined;
}

/** @package Reads reviews, ordered by source, repository and change. */
export function readReviewRows({ sqlite }: ForgeLedger) {
  return sqlite.readRows<Omit<KnownReview, "content"> & Record<"content" | "forge", string>>`
    SELECT source, repository, change, verdict, day, content, number AS reviewer, forge
    FROM review JOIN source ON source.id = source
    ORDER BY source, repository, change, day, number`.map((review) => ({
    ...review,
    content: JSON.parse(review.content) as ChangeContent,
  }));
}

/** Returns how far the reviews of a repository were read; undefined once this walk has read them. */
export function findReviewProgress(
  { ledger: { sqlite }, source, number }: Walk,
  repository: string,
) {
  const row = sqlite.readRow<{ reviewed: string | null }>`
    SELECT reviewed FROM repository WHERE source = ${source} AND number = ${repository}`;
  const progress = row && (JSON.parse(row.reviewed ?? "{}") as ReviewProgress);
  return progress?.walk === number ? undefined : progress;
}

/** Stores one page of changes and the progress. Reviews by bots and by unknown accounts are left out. */
export function putReviews(
  { ledger, source, number: walk }: Walk,
  repository: string,
  changes: readonly ReviewedChange[],
  progress: Omit<ReviewProgress, "walk">,
): void {
  writeForges(ledger, (sqlite) => {
    for (const { number: change, commits, paths, files, reviews } of changes) {
      sqlite.execute`
        DELETE FROM review
        WHERE source = ${source} AND repository = ${repository} AND change = ${change}`;
      const content = JSON.stringify({ commits, paths, files });
      for (const { reviewer, verdict, day } of reviews) {
        sqlite.execute`
          INSERT INTO review (source, repository, change, number, verdict, day, content)
          SELECT source, ${repository}, ${change}, number, ${verdict}, ${day}, ${content}
          FROM account WHERE source = ${source} AND number = ${reviewer} AND NOT is_bot
          ON CONFLICT DO NOTHING`;
      }
    }
    const reviewed = JSON.stringify(progress.open ? progress : { ...progress, walk });
    sqlite.execute`
      UPDATE repository SET reviewed = ${reviewed}
      WHERE source = ${source} AND number = ${repository}`;
  });
}

/** @package Removes the reviews in repositories that are no longer known. */
export function dropReviews({ sqlite }: ForgeLedger, source: string): void {
  sqlite.execute`
    DELETE FROM review WHERE source = ${source}
      AND repository NOT IN (SELECT number FROM repository WHERE source = ${source})`;
}
