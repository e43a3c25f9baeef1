/** Reads reviews in GitLab. GitLab states no day of a review. The day of the merge, or of the latest update, is used instead. */
import type { ForgeAdapter, ReviewVerdict } from "../forge.ts";
import { type AnswerObject, listNodes, listObjects, readFields } from "./answer-fields.ts";
import { readGitlabNumber } from "./gitlab-answers.ts";
import { type GivenReview, readReviewedChange, readReviewPage } from "./review-answers.ts";

export const gitlabReviewsQuery = `query ($path: ID!, $after: String) {
  project(fullPath: $path) {
    mergeRequests(first: 20, after: $after, sort: UPDATED_DESC) {
      pageInfo { hasNextPage endCursor }
      nodes {
        iid updatedAt mergedAt state diffHeadSha mergeCommitSha
        author { id }
        diffStats { path }
        approvedBy { nodes { id } }
        reviewers { nodes { id mergeRequestInteraction { reviewState } } }
      }
    }
  }
}`;

/** @package @param query sends a GraphQL query. */
export function readGitlabReviews(
  query: (what: string, query: string, variables: AnswerObject) => Promise<AnswerObject>,
): ForgeAdapter["readReviews"] {
  return async ({ name }, { cursor, since }) => {
    const variables = { path: name, after: cursor ?? null };
    const data = await query(`the changes of ${name}`, gitlabReviewsQuery, variables);
    return readReviewPage(data["project"], "mergeRequests", since, readChange);
  };
}

function readChange(change: AnswerObject) {
  const { iid, updatedAt, mergedAt, state, diffHeadSha, mergeCommitSha } = change;
  const paths = listObjects(change["diffStats"]).map(({ path }) => path);
  const at = mergedAt ?? updatedAt;
  const review = (id: unknown, verdict: ReviewVerdict): GivenReview => {
    return { reviewer: readGitlabNumber(id), verdict, at };
  };
  const isOpen = state === "opened" || state === "locked";
  return readReviewedChange({
    ...{ number: iid, updatedAt, isOpenOrMerged: isOpen || state === "merged" },
    author: readGitlabNumber(readFields(change["author"])["id"]),
    ...{ commits: [diffHeadSha, mergeCommitSha], paths, files: paths.length },
    reviews: [
      ...listNodes(change["approvedBy"]).map(({ id }) => review(id, "approved")),
      ...listNodes(change["reviewers"]).flatMap(({ id, mergeRequestInteraction: shown }) =>
        readFields(shown)["reviewState"] === "REQUESTED_CHANGES"
          ? [review(id, "changesRequested")]
          : [],
      ),
    ],
  });
}
