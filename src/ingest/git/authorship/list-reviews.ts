/** The reviews that a forge tells of a repository. Reviewers have the numbers after those of the repository's authors. */

import {
  type AccountKey,
  type ForgePeople,
  type OwnedRepository,
  toAccountKey,
} from "../../forges/forge-people.ts";
import type { KnownReview } from "../../forges/reviews.ts";
import type { IdentifiedPeople } from "../identify/identified-people.ts";
import type { KnownClone } from "../ledger/places.ts";
import type { DayOfReviews } from "./build-authorship.ts";

interface RepositoryReviews {
  /** Changes with everything but the logins; undefined where no review is known. */
  readonly digest: string | undefined;
  /** Oldest first. */
  readonly days: readonly DayOfReviews[];
  /** Of humans, by their numbers as authors. */
  readonly logins: ReadonlyMap<number, string>;
}

const noReviews: RepositoryReviews = { digest: undefined, days: [], logins: new Map() };

/** @param authors how many authors the repository has. */
export function listReviewsIn(
  clones: readonly Pick<KnownClone, "forge" | "name">[],
  authors: number,
  { people, forges }: { readonly people: IdentifiedPeople; readonly forges: ForgePeople },
): RepositoryReviews {
  const [repository] = clones.flatMap(
    ({ forge, name }) => forges.findRepository(forge, name) ?? [],
  );
  const reviews = repository ? forges.reviewsIn(repository) : [];
  if (!repository || reviews.length === 0) return noReviews;
  const reviewers = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
  const numberOf = new Map(reviewers.map((reviewer, at) => [reviewer, authors + at]));
  const days = listDays(reviews, numberOf);
  const logins = new Map<number, string>();
  for (const [reviewer, number] of numberOf) {
    const person = people.ofAccount(toReviewer(repository, reviewer));
    if (person?.class === "human") logins.set(number, person.login);
  }
  return { digest: Bun.hash(JSON.stringify(days)).toString(36), days, logins };
}

function toReviewer({ forge }: OwnedRepository, number: string): AccountKey {
  return toAccountKey({ forge, number });
}

function listDays(
  reviews: readonly KnownReview[],
  numberOf: ReadonlyMap<string, number>,
): readonly DayOfReviews[] {
  const byDay = Map.groupBy(reviews, ({ change, day }) => `${change} ${day}`);
  const days = [...byDay.values()].flatMap((some) =>
    some.slice(0, 1).map(({ content, day }) => ({
      ...{ ...content, day: Date.parse(day) / 86_400_000 },
      reviewers: some.map(({ reviewer }) => numberOf.get(reviewer) ?? 0),
    })),
  );
  return days.sort((a, b) => a.day - b.day);
}
