/** Reads reviews in GitHub: one request for twenty changes with their files and verdicts. */
import type { ForgeAdapter, ReviewVerdict } from "../forge.ts";
import { type AnswerObject, listNodes, readFields } from "./answer-fields.ts";
import type { ForgeClient } from "./client.ts";
import { queryGithub } from "./github-graphql.ts";
import { readReviewedChange, readReviewPage } from "./review-answers.ts";

export const githubReviewsQuery = `query ($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(first: 20, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number updatedAt state changedFiles headRefOid
        mergeCommit { oid }
        author { ... on User { databaseId } }
        files(first: 100) { nodes { path } }
        reviews(last: 50, states: [APPROVED, CHANGES_REQUESTED]) {
          nodes { state submittedAt author { ... on User { databaseId } } }
        }
      }
    }
  }
}`;

const verdicts: Readonly<Record<string, ReviewVerdict>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changesRequested",
};

/** @package @param path path of GraphQL, relative to the API's address. */
export function readGithubReviews(client: ForgeClient, path: string): ForgeAdapter["readReviews"] {
  return async (repository, { cursor, since }) => {
    const [owner = "", name = ""] = repository.name.split("/");
    const answer = await queryGithub(client, path, {
      query: githubReviewsQuery,
      variables: { owner, name, after: cursor ?? null },
      what: `the changes of ${repository.name}`,
    });
    return readReviewPage(answer.data["repository"], "pullRequests", since, readChange);
  };
}

function readChange(change: AnswerObject) {
  return readReviewedChange({
    ...{ number: change["number"], updatedAt: change["updatedAt"], files: change["changedFiles"] },
    isOpenOrMerged: change["state"] === "OPEN" || change["state"] === "MERGED",
    author: readFields(change["author"])["databaseId"],
    commits: [change["headRefOid"], readFields(change["mergeCommit"])["oid"]],
    paths: listNodes(change["files"]).map(({ path }) => path),
    reviews: listNodes(change["reviews"]).map(({ author, state, submittedAt: at }) => ({
      reviewer: readFields(author)["databaseId"],
      ...{ verdict: verdicts[String(state)], at },
    })),
  });
}
