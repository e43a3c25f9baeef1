/** Turns answers about changes and their reviews into facts. */
import { readRecord } from "../../../contract/foreign-json.ts";
import {
  type ForgeReview,
  MissingList,
  type ReviewedChange,
  type ReviewPage,
  type ReviewVerdict,
} from "../forge.ts";
import {
  type AnswerObject,
  listNodes,
  readCount,
  readField,
  readFields,
  readInstant,
  readNextCursor,
  readNumber,
} from "./answer-fields.ts";

/** @package A review in a forge's answer. */
export interface GivenReview {
  readonly reviewer: unknown;
  /** The verdict; undefined if the review is only a comment, or if its verdict no longer applies. */
  readonly verdict: ReviewVerdict | undefined;
  readonly at: unknown;
}

/** A change as the forge answers it. Its fields are not checked yet. */
interface GivenChange extends Pick<AnswerObject, "number" | "updatedAt" | "author" | "files"> {
  readonly isOpenOrMerged: boolean;
  readonly commits: readonly unknown[];
  readonly paths: readonly unknown[];
  readonly reviews: readonly GivenReview[];
}

const pathsMax = 100;
const pathLengthMax = 4096;
const reviewsMax = 100;

/** @package Turns an answer into a change. @returns undefined for a change without a number or a time. */
export function readReviewedChange(given: GivenChange): ReviewedChange | undefined {
  const [number, updatedAt] = [readNumber(given.number), readInstant(given.updatedAt)];
  if (number === undefined || updatedAt === undefined) return undefined;
  const reviews = given.isOpenOrMerged ? listReviews(given) : [];
  if (reviews.length === 0) {
    return { number, updatedAt, commits: [], paths: [], files: 0, reviews };
  }
  const commits = given.commits.filter(
    (commit): commit is string => typeof commit === "string" && /^[0-9a-f]{40,64}$/.test(commit),
  );
  const paths = given.paths.flatMap((path) => {
    const text = readField(path);
    return text === undefined || text.length > pathLengthMax ? [] : [text];
  });
  return {
    ...{ number, updatedAt, commits: [...new Set(commits)], reviews },
    paths: [...new Set(paths)].slice(0, pathsMax),
    files: Math.max(paths.length, readCount(given.files) ?? 0),
  };
}

/**
 * @package Reads a page of changes from a GraphQL answer. The list ends at the first change that is not newer than `since`.
 * @param list the field that contains the changes. @throws MissingList when the repository does not exist.
 */
export function readReviewPage(
  repository: unknown,
  list: string,
  since: string,
  read: (change: AnswerObject) => ReviewedChange | undefined,
): ReviewPage {
  const found = readRecord(repository);
  if (!found) throw new MissingList();
  const connection = readFields(found[list]);
  const known = listNodes(connection).flatMap((change) => read(change) ?? []);
  const changes = known.filter(({ updatedAt }) => updatedAt > since);
  return { changes, next: changes.length < known.length ? undefined : readNextCursor(connection) };
}

/** Keeps the latest review of each reviewer. A person's review of their own change does not count. */
function listReviews({ reviews, author }: GivenChange): readonly ForgeReview[] {
  const writer = readNumber(author);
  const found = new Map<string, { readonly verdict: ReviewVerdict; readonly at: string }>();
  for (const { verdict, ...given } of reviews) {
    const [reviewer, at] = [readNumber(given.reviewer), readInstant(given.at)];
    if (!reviewer || !verdict || !at || reviewer === writer) continue;
    if ((found.get(reviewer)?.at ?? "") <= at) found.set(reviewer, { verdict, at });
  }
  return [...found].slice(0, reviewsMax).map(([reviewer, { verdict, at }]) => {
    return { reviewer, verdict, day: at.slice(0, 10) };
  });
}
