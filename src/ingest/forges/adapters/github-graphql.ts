/** The queries to GitHub's GraphQL, and the function that sends them. */
import { Fault } from "../../../contract/fault.ts";
import { ForgeDenial, ForgeOverload } from "../forge.ts";
import { type AnswerObject, listObjects, readField, readFields } from "./answer-fields.ts";
import type { ForgeClient } from "./client.ts";

interface GithubQuestion {
  readonly query: string;
  readonly variables: AnswerObject;
  readonly what: string;
  /** Whether the caller can split the query. The client repeats a divisible query less often. */
  readonly isDivisible?: boolean;
}

export interface GithubAnswer {
  readonly data: AnswerObject;
  /** Why a field is null. The key is the beginning of the field's path, such as `nodes.3` or `p3`. */
  readonly failures: ReadonlyMap<string, "gone" | "hidden" | "failed">;
  /** Whether the token's scopes forbid one of the fields. GitHub then refuses the entire query. */
  readonly lacksScope: boolean;
}

/** The most times that a query is sent. A query is repeated when its rate limit is used up. */
const limitsMet = 3;

/** Sends a query. Throws as `client.ask` does. @throws ForgeOverload for a query that is too large or slow. */
export async function queryGithub(
  client: ForgeClient,
  path: string,
  { query, variables, what, isDivisible }: GithubQuestion,
): Promise<GithubAnswer> {
  for (let met = 0; met < limitsMet; met++) {
    const { body, status } = await client.ask({
      path,
      body: { query, variables },
      what,
      bucket: "graphql",
      ...(isDivisible && { attempts: 2 }),
    });
    if (status >= 300) {
      const message = `The forge has no GraphQL (${status}), which Roster needs for ${what}.`;
      throw new Fault("forge", message);
    }
    const answer = readFields(body);
    const errors = listObjects(answer["errors"]);
    const types = errors.map(({ type }) => type);
    if (types.includes("RATE_LIMITED")) continue;
    const hasData = Object.values(readFields(answer["data"])).some((value) => value != null);
    const lacksScope = types.includes("INSUFFICIENT_SCOPES") && !hasData;
    // A query that exceeds the time limit has an error without a type, and no data.
    const isOverloaded = types.includes("RESOURCE_LIMITS_EXCEEDED") || types.includes(undefined);
    if (!hasData && isOverloaded) {
      throw new ForgeOverload(`The forge gave up on ${what}: ${readField(errors[0]?.["message"])}`);
    }
    // An error without a path means that the entire query was refused.
    if (!hasData && !lacksScope && errors.some(({ path }) => path === undefined)) {
      throw new ForgeDenial(`The token may not read ${what}: ${readField(errors[0]?.["message"])}`);
    }
    return { data: readFields(answer["data"]), failures: placeFailures(errors), lacksScope };
  }
  const message = `The forge refuses ${what} because of a rate limit, although it reports that the limit is not reached.`;
  throw new Fault("forge", message);
}

function placeFailures(errors: readonly AnswerObject[]): GithubAnswer["failures"] {
  return new Map(
    errors.map(({ type, path }) => {
      const steps: unknown[] = Array.isArray(path) ? path : [];
      const place = steps.slice(0, steps[0] === "nodes" ? 2 : 1).join(".");
      if (type === "NOT_FOUND") return [place, "gone"];
      return [place, type === "FORBIDDEN" ? "hidden" : "failed"];
    }),
  );
}

interface GithubPeopleForm {
  /** Whether people are named by node ids or by logins. */
  readonly by: "ids" | "logins";
  readonly count: number;
  /** Whether to ask for e-mail addresses. The token then needs the scope `read:user` or `user:email`. */
  readonly hasEmail: boolean;
  readonly hasRepositories: boolean;
}

const repositories = `
  pageInfo { hasNextPage endCursor }
  nodes {
    databaseId nameWithOwner url sshUrl visibility isFork stargazerCount forkCount description pushedAt diskUsage
    primaryLanguage { name }
    repositoryTopics(first: 10) { nodes { topic { name } } }
  }`;
const ofOwner = "ownerAffiliations: [OWNER], privacy: PUBLIC";

function personFragment({ hasEmail, hasRepositories }: GithubPeopleForm): string {
  return `fragment person on User {
  __typename id databaseId login url avatarUrl name bio company location websiteUrl twitterUsername isHireable createdAt updatedAt
  followers { totalCount }
  ${hasEmail ? "email" : ""}
  ${hasRepositories ? `repositories(first: 100, ${ofOwner}) {${repositories}}` : ""}
}`;
}

/** Composes a query for people. The answer has `nodes` for node ids; for logins, `p0`, `p1` and so on. */
export function composeGithubPeopleQuery(form: GithubPeopleForm): string {
  if (form.by === "ids") {
    return `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ...person ... on Bot { __typename id databaseId login url avatarUrl createdAt updatedAt } }
}
${personFragment(form)}`;
  }
  const at = Array.from({ length: form.count }, (_, index) => index);
  return `query (${at.map((index) => `$p${index}: String!`).join(", ")}) {
${at.map((index) => `  p${index}: user(login: $p${index}) { ...person }`).join("\n")}
}
${personFragment(form)}`;
}

/** Reads the public repositories of one person or organization, page by page. */
export const githubRepositoriesQuery = `query ($login: String!, $after: String) {
  repositoryOwner(login: $login) {
    ... on User { databaseId }
    repositories(first: 50, after: $after, ${ofOwner}) {${repositories}}
  }
}`;

/** Composes a query for the authors of commits. The answer has `c0`, `c1` and so on. */
export function composeGithubAuthorsQuery(count: number): string {
  const at = Array.from({ length: count }, (_, index) => index);
  const variables = at.map((i) => `$o${i}: String!, $n${i}: String!, $s${i}: GitObjectID!`);
  const fields = at.map(
    (i) => `  c${i}: repository(owner: $o${i}, name: $n${i}) { object(oid: $s${i}) { ...author } }`,
  );
  return `query (${variables.join(", ")}) {
${fields.join("\n")}
}
fragment author on Commit { author { user { databaseId login } } }`;
}
