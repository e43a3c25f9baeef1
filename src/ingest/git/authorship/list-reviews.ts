/** The reviews that a forge tells of a repository. Reviewers have the numbers after those of the repository's authors. */

import {
  type AccountKey,
  type ForgePeople,
  type OwnedRepository,
  toAccountKey,
} from "../../forges/forge-people.ts";
import type { KnownReview } from "../../forges/reviews.ts";
import type { KnownClone, Ledger } from "../ledger/ledger.ts";
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

/** @returns a function for one repository after the other, by its clones. */
export function createReviewLookup(
  { spellings, people, mentions }: Pick<Ledger, "spellings" | "people" | "mentions">,
  forges: ForgePeople,
): (clones: readonly KnownClone[]) => RepositoryReviews {
  let accounts: ReadonlyMap<string, number> | undefined;
  const findLogin = (key: AccountKey): string | undefined => {
    accounts ??= new Map(spellings.personas().map(({ persona = "", id }) => [persona, id]));
    const spelling = accounts.get(key);
    const person = spelling === undefined ? undefined : people.findBySpelling(spelling);
    return person?.class === "human" ? person.login : undefined;
  };
  return (clones) => {
    const [repository] = clones.flatMap(
      ({ forge, name }) => forges.findRepository(forge, name) ?? [],
    );
    const reviews = repository ? forges.reviewsIn(repository) : [];
    if (!repository || reviews.length === 0) return noReviews;
    const numbers = mentions(clones.map(({ id }) => id)).map(({ number }) => number);
    const first = numbers.reduce((most, number) => Math.max(most, number), -1) + 1;
    const reviewers = [...new Set(reviews.map(({ reviewer }) => reviewer))].sort();
    const numberOf = new Map(reviewers.map((reviewer, at) => [reviewer, first + at]));
    const days = listDays(reviews, numberOf);
    const logins = new Map<number, string>();
    for (const [reviewer, number] of numberOf) {
      const login = findLogin(toReviewer(repository, reviewer));
      if (login !== undefined) logins.set(number, login);
    }
    return { digest: Bun.hash(JSON.stringify(days)).toString(36), days, logins };
  };
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
