/** Lists the reviews of a repository that a forge knows. The numbers of reviewers follow the numbers of the authors. */
import { type ForgePeople, toAccountKey } from "../../forges/forge-people.ts";
import type { KnownReview } from "../../forges/reviews.ts";
import type { IdentifiedPeople } from "../identify/identified-people.ts";
import type { KnownClone } from "../ledger/locations.ts";
import type { DayOfReviews } from "./build-authorship.ts";

/**
 * @param authors the number of authors in the repository.
 * @returns the days with reviews, oldest first; a digest of these days; and the logins of human reviewers by number.
 */
export function listReviewsIn(
  clones: readonly Pick<KnownClone, "forge" | "name">[],
  authors: number,
  { people, forges }: { readonly people: IdentifiedPeople; readonly forges: ForgePeople },
) {
  const [repository] = clones.flatMap(
    ({ forge, name }) => forges.findRepository(forge, name) ?? [],
  );
  const reviews = repository ? forges.reviewsIn(repository) : [];
  const logins = new Map<number, string>();
  if (!repository || reviews.length === 0) return { digest: undefined, days: [], logins };
  const reviewers = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
  const numberOf = new Map(reviewers.map((reviewer, at) => [reviewer, authors + at]));
  const days = listDays(reviews, numberOf);
  for (const [number, at] of numberOf) {
    const person = people.ofAccount(toAccountKey({ forge: repository.forge, number }));
    if (person?.class === "human") logins.set(at, person.login);
  }
  return { digest: Bun.hash(JSON.stringify(days)).toString(36), days, logins };
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
