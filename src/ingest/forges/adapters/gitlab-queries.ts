/** The GraphQL queries to GitLab. Tests check them against GitLab's source. */

/** The fields of a person. GitLab shows addresses only to administrators. */
const person = `
  id username name bot human state location bio organization jobTitle twitter createdAt webUrl avatarUrl
  publicEmail commitEmail emails { nodes { email confirmedAt } }`;

export const gitlabPeopleQuery = `query ($ids: [ID!], $usernames: [String!]) {
  users(ids: $ids, usernames: $usernames, first: 100) { nodes {${person} } }
}`;

export const gitlabMembersQuery = `query ($group: ID!, $after: String) {
  group(fullPath: $group) {
    groupMembers(relations: [DIRECT, INHERITED, DESCENDANTS], first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { user {${person} } }
    }
  }
}`;

/** Composes a query for the authors of commits. Each commit is read as the last commit of its own tree. */
export function composeGitlabAuthorsQuery(count: number): string {
  const at = Array.from({ length: count }, (_, index) => index);
  const fields = at.map(
    (i) =>
      `  c${i}: project(fullPath: $p${i}) { repository { tree(ref: $s${i}) { ...authored } } }`,
  );
  return `query (${at.map((i) => `$p${i}: ID!, $s${i}: String!`).join(", ")}) {
${fields.join("\n")}
}
fragment authored on Tree { lastCommit { sha author { id username } } }`;
}
