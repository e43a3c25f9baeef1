/** The GraphQL queries that GitHub is asked; tests hold them to the schema that it publishes. */

export interface GithubPeopleForm {
  /** By node id, which a change of login does not change; or by login, each with an alias of its own. */
  readonly by: "ids" | "logins";
  readonly count: number;
  /** Needs the scope read:user or user:email. */
  readonly hasEmail: boolean;
  /** Without them the question is small. */
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

/** The answer has `nodes`, or `p0`, `p1` and so on. */
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

/** Public repositories of one person or organization, page by page. */
export const githubRepositoriesQuery = `query ($login: String!, $after: String) {
  repositoryOwner(login: $login) {
    ... on User { databaseId }
    repositories(first: 50, after: $after, ${ofOwner}) {${repositories}}
  }
}`;

/** The answer has `c0`, `c1` and so on. */
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
