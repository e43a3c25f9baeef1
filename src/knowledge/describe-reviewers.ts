import type { Knowledge, PersonKnowledge } from "./measure-knowledge.ts";
import type { Reviewer } from "./rank-reviewers.ts";

/** A file, and one person's share of the knowledge of it, 0 to 1. */
export interface KnownShare {
  readonly path: string;
  readonly share: number;
}

export interface NamedReviewer extends Reviewer {
  /** The reviewer's work on the files of the change. Undefined if there is none. */
  readonly knowledge: PersonKnowledge | undefined;
  /** Files of the change that the reviewer knows, the best known file first. */
  readonly known: readonly KnownShare[];
}

const knownMax = 3;
/** Smaller shares of knowledge are not shown. */
const shareMin = 0.01;

/** Adds to each reviewer their knowledge of the files of the change. */
export function describeReviewers(
  reviewers: readonly Reviewer[],
  { people, files, knowers }: Knowledge,
): readonly NamedReviewer[] {
  const numbers = new Map(people.map(({ login }, number) => [login, number]));
  const known = people.map((): KnownShare[] => []);
  for (const [file, { path }] of files.entries()) {
    for (const { person, share } of knowers[file]?.people ?? []) {
      if (share >= shareMin) known[person.number]?.push({ path, share });
    }
  }
  return reviewers.map((reviewer) => {
    const number = numbers.get(reviewer.login) ?? -1;
    const own = [...(known[number] ?? [])].sort((a, b) => b.share - a.share);
    return { ...reviewer, knowledge: people[number], known: own.slice(0, knownMax) };
  });
}
