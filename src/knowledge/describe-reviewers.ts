import type { Knowledge, PersonKnowledge } from "./measure-knowledge.ts";
import type { Reviewer } from "./rank-reviewers.ts";

/** A file, and the part of what is known of it that is one person's, 0 to 1. */
export interface KnownShare {
  readonly path: string;
  readonly share: number;
}

export interface NamedReviewer extends Reviewer {
  /** What they did in the files of the change; undefined if nothing. */
  readonly knowledge: PersonKnowledge | undefined;
  /** Files of the change that they know, best known first. */
  readonly known: readonly KnownShare[];
}

const knownMax = 3;
/** Less is nothing to ask for. */
const shareMin = 0.01;

/** Adds to each reviewer what they know of the files of the change. */
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
