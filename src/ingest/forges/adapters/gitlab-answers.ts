/** Asks GitLab, and turns its answers into facts, field by field. Tests check the queries against GitLab's source. */
import type { AccountAddress, AccountFacts, ForgePage, ForgeRepository } from "../forge.ts";
import {
  type AnswerObject,
  listNodes,
  listObjects,
  readAccountFacts,
  readAddress,
  readField,
  readFields,
  readInstant,
  readNumber,
  readRepositoryFacts,
} from "./answer-fields.ts";

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

/** @param user a user from GraphQL. @returns "hidden" for an account that is not public. */
export function readGitlabPerson(user: AnswerObject): AccountFacts | "hidden" | undefined {
  const others = listNodes(user["emails"])
    .filter(({ confirmedAt }) => readInstant(confirmedAt) !== undefined)
    .map(({ email }) => email);
  return toAccount({ ...user, addresses: [user["commitEmail"], ...others] });
}

/** @param user a user from REST, as an administrator sees the user. */
export function readGitlabUser(user: AnswerObject): AccountFacts | "hidden" | undefined {
  if (user["private_profile"] === true) return "hidden";
  return toAccount({
    ...{ id: user["id"], username: user["username"], name: user["name"], state: user["state"] },
    ...{ location: user["location"], bio: user["bio"], organization: user["organization"] },
    ...{ jobTitle: user["job_title"], twitter: user["twitter"], websiteUrl: user["website_url"] },
    ...{ createdAt: user["created_at"], followers: user["followers"], bot: user["bot"] },
    ...{ webUrl: user["web_url"], avatarUrl: user["avatar_url"] },
    publicEmail: user["public_email"],
    // Unconfirmed addresses prove nothing, so they are left out.
    addresses: user["confirmed_at"] ? [user["email"], user["commit_email"]] : [],
  });
}

function toAccount(given: AnswerObject): AccountFacts | "hidden" | undefined {
  const title = [given["jobTitle"], given["bio"]].flatMap((text) => readField(text) ?? []);
  const account = readAccountFacts({
    ...{ number: readGitlabNumber(given["id"]), login: given["username"] },
    isBot: given["bot"] === true || given["human"] === false,
    ...{ name: given["name"], bio: title.join(". "), company: given["organization"] },
    ...{ location: given["location"], blog: given["websiteUrl"] },
    ...{ socialUsername: given["twitter"], avatarUrl: given["avatarUrl"] },
    ...{ profileUrl: given["webUrl"], followers: given["followers"] },
    createdAt: given["createdAt"],
    addresses: toAddresses(readAddress(given["publicEmail"]), given["addresses"]),
  });
  return account && given["state"] !== "active" ? "hidden" : account;
}

function toAddresses(published: string | undefined, others: unknown): AccountAddress[] {
  const own = (Array.isArray(others) ? others : []).flatMap((each) => readAddress(each) ?? []);
  const all = new Set([...(published ? [published] : []), ...own]);
  return [...all].map((address) => ({ address, isPublished: address === published }));
}

/** @param id a number, or an id of GraphQL such as `gid://gitlab/User/12`. */
export function readGitlabNumber(id: unknown): string | undefined {
  return readNumber(typeof id === "string" ? id.replace(/^gid:\/\/gitlab\/User\//, "") : id);
}

/** @param projects a list of projects from REST. */
export function readGitlabProjects(projects: unknown): Pick<ForgePage, "repositories" | "hidden"> {
  const all = listObjects(projects);
  const shown = all.filter(({ visibility }) => visibility === "public");
  return {
    repositories: shown.flatMap((project) => toRepository(project) ?? []),
    hidden: all.length - shown.length,
  };
}

function toRepository(given: AnswerObject): ForgeRepository | undefined {
  return readRepositoryFacts({
    ...{ number: given["id"], name: given["path_with_namespace"] },
    isFork: readFields(given["forked_from_project"])["id"] !== undefined,
    // Only a project in a personal namespace has an owner.
    owner: readFields(given["owner"])["id"],
    urls: [given["web_url"], given["http_url_to_repo"], given["ssh_url_to_repo"]],
    ...{ stars: given["star_count"], forks: given["forks_count"], topics: given["topics"] },
    description: given["description"],
    // GitLab does not give the date of the last push, so the date of the last activity is used.
    pushedAt: given["empty_repo"] === true ? undefined : given["last_activity_at"],
  });
}
