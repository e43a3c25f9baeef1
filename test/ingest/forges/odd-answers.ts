/**
 * Answers as a small, honest forge of each kind would, to REST and to GraphQL: five people with two repositories each, of which
 * the first of all has changes that others reviewed.
 */

import type { Json } from "../../../scripts/fuzzing/json/values.ts";
import type { ForgeKind } from "../../../src/contract/forge-kinds.ts";

const numbers = [1, 2, 3, 4, 5];
export const logins = numbers.map((number) => `dev${number}`);
const instant = "2024-05-06T07:08:09Z";
const site = "https://git.corp.example";
/** The remote of a clone of the repository with the changes. */
export const reviewedOrigin = `${site}/dev1/app.git`;

interface GraphqlQuestion {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** @returns undefined for a path that such a forge does not have. */
export function answerHonestly(kind: ForgeKind, path: string, body: string): Json | undefined {
  if (path.endsWith("/graphql")) {
    const question = JSON.parse(body) as GraphqlQuestion;
    const data = kind === "github" ? answerGithub(question) : answerGitlab(question);
    return { data };
  }
  const below = path.replace(/^\/api\/v\d\//, "");
  if (kind === "github") return answerGithubRest(below);
  return kind === "gitlab" ? answerGitlabRest(below) : answerGitea(below);
}

function answerGitea(path: string): Json | undefined {
  if (path === "users/search") return { ok: true, data: numbers.map(giteaUser) };
  if (path === "orgs/acme/members") return numbers.map(giteaUser);
  if (path === "orgs/acme/repos") return numbers.flatMap(giteaRepositories);
  const [, list, ofChange] = /^repos\/dev1\/app\/(pulls)(?:\/\d+\/(\w+))?$/.exec(path) ?? [];
  if (ofChange === "files") return [{ filename: "queue.go" }];
  if (ofChange === "reviews") return reviewers.map(giteaReview);
  if (list) return changeNumbers.map(giteaChange);
  if (path === "repos/search") return { ok: true, data: numbers.flatMap(giteaRepositories) };
  if (path !== "admin/emails") return undefined;
  return numbers.map((number) => {
    return { user_id: number, email: `dev${number}@home.example`, verified: number % 2 === 0 };
  });
}

const giteaUser = (number: number): Json => ({
  ...{ id: number, login: `dev${number}`, full_name: `Dev ${number}`, location: "Berlin" },
  ...{ email: `dev${number}@corp.example`, visibility: "public", description: "Queues" },
  ...{ website: "https://dev.example/", avatar_url: `${site}/a.png`, followers_count: 3 },
  ...{ created: instant, html_url: `${site}/dev${number}`, prohibit_login: false },
});

const giteaRepositories = (number: number): Json[] =>
  ["app", "notes"].map((name, at) => ({
    ...{ id: number * 10 + at, full_name: `dev${number}/${name}`, name, private: false },
    ...{ fork: at === 1, owner: giteaUser(number), stars_count: 5, forks_count: 1, size: 12 },
    ...{ clone_url: `${site}/dev${number}/${name}.git`, html_url: `${site}/dev${number}/${name}` },
    ...{ ssh_url: `git@git.corp.example:dev${number}/${name}.git`, topics: ["queue"] },
    ...{ description: "An app.", language: "Go", updated_at: instant, empty: false },
  }));

/** Of the changes, which dev1 made. */
const changeNumbers = [1, 2];
const reviewers = [2, 3];
/** When the changes were updated. */
export const latest = "2026-11-03T04:05:06Z";
const commit = "5".repeat(40);

const giteaReview = (number: number): Json => ({
  ...{ id: number, user: giteaUser(number), state: "APPROVED", dismissed: false },
  ...{ submitted_at: latest, body: "Fine." },
});

const giteaChange = (number: number): Json => ({
  ...{ number, state: "closed", merged: true, updated_at: latest, user: giteaUser(1) },
  ...{ head: { sha: commit }, merge_commit_sha: commit, changed_files: 1 },
});

const githubChange = (number: number): Json => ({
  ...{ number, updatedAt: latest, state: "MERGED", changedFiles: 1, headRefOid: commit },
  ...{ mergeCommit: { oid: commit }, author: { databaseId: 1 } },
  files: { nodes: [{ path: "queue.go" }] },
  reviews: {
    nodes: reviewers.map((one) => {
      return { state: "APPROVED", submittedAt: latest, author: { databaseId: one } };
    }),
  },
});

const gitlabChange = (number: number): Json => ({
  ...{ iid: String(number), updatedAt: latest, mergedAt: latest, state: "merged" },
  ...{ diffHeadSha: commit, mergeCommitSha: commit, diffStats: [{ path: "queue.go" }] },
  ...{ author: { id: "gid://gitlab/User/1" }, reviewers: { nodes: [] } },
  approvedBy: { nodes: reviewers.map((one) => ({ id: `gid://gitlab/User/${one}` })) },
});

const onlyPage: Json = { hasNextPage: false, endCursor: null };

function answerGithubRest(path: string): Json | undefined {
  if (path === "users" || path === "orgs/acme/members") {
    return numbers.map((number) => ({ node_id: `U_${number}`, login: `dev${number}`, id: number }));
  }
  const [, number] = /^user\/(\d+)$/.exec(path) ?? [];
  if (number === undefined || !numbers.includes(Number(number))) return undefined;
  return { id: Number(number), login: `dev${number}`, type: "User", name: `Dev ${number}` };
}

function answerGithub({ query, variables }: GraphqlQuestion): Json {
  if (query.includes("pullRequests")) {
    const pullRequests = { pageInfo: onlyPage, nodes: changeNumbers.map(githubChange) };
    return { repository: { pullRequests } };
  }
  if (query.includes("repositoryOwner")) {
    const number = Number(String(variables["login"]).slice(3));
    return { repositoryOwner: { databaseId: number, repositories: githubRepositories(number) } };
  }
  if (query.includes("nodes(ids")) {
    const ids = (variables["ids"] ?? []) as readonly string[];
    return { nodes: ids.map((id) => githubUser(Number(id.slice(2)))) };
  }
  const asked = Object.entries(variables).filter(([name]) => /^p\d+$/.test(name));
  return Object.fromEntries(
    asked.map(([name, login]) => [name, githubUser(Number(String(login).slice(3)))]),
  );
}

const githubUser = (number: number): Json =>
  numbers.includes(number)
    ? {
        ...{ __typename: "User", id: `U_${number}`, databaseId: number, login: `dev${number}` },
        ...{ url: `${site}/dev${number}`, avatarUrl: `${site}/a.png`, name: `Dev ${number}` },
        ...{ bio: "Queues", company: "Acme", location: "Berlin", websiteUrl: null },
        ...{ twitterUsername: "@dev", isHireable: true, createdAt: instant, updatedAt: instant },
        ...{ followers: { totalCount: 3 }, email: `dev${number}@corp.example` },
        repositories: githubRepositories(number),
      }
    : null;

const githubRepositories = (number: number): Json => ({
  pageInfo: onlyPage,
  nodes: ["app", "notes"].map((name, at) => ({
    ...{ databaseId: number * 10 + at, nameWithOwner: `dev${number}/${name}` },
    ...{ url: `${site}/dev${number}/${name}`, sshUrl: `git@git.corp.example:dev${number}/${name}` },
    ...{ visibility: "PUBLIC", isFork: at === 1, stargazerCount: 5, forkCount: 1, diskUsage: 12 },
    ...{ description: "An app.", pushedAt: instant, primaryLanguage: { name: "Go" } },
    repositoryTopics: { nodes: [{ topic: { name: "queue" } }] },
  })),
});

function answerGitlabRest(path: string): Json | undefined {
  if (path === "users") {
    return numbers.map((number) => ({
      ...{ id: number, username: `dev${number}`, name: `Dev ${number}`, state: "active" },
      ...{ private_profile: false, location: "Berlin", bio: "Queues", confirmed_at: instant },
      ...{ email: `dev${number}@corp.example`, commit_email: null, public_email: "" },
      ...{ created_at: instant, web_url: `${site}/dev${number}`, bot: false, followers: 3 },
    }));
  }
  const [, owner] = /^users\/(\d+)\/projects$/.exec(path) ?? [];
  if (path === "projects" || path === "groups/acme/projects") return numbers.flatMap(projects);
  return owner === undefined ? undefined : projects(Number(owner));
}

const projects = (number: number): Json[] =>
  ["app", "notes"].map((name, at) => ({
    ...{ id: number * 10 + at, path_with_namespace: `dev${number}/${name}`, visibility: "public" },
    ...{ web_url: `${site}/dev${number}/${name}`, owner: { id: number }, star_count: 5 },
    ...{ http_url_to_repo: `${site}/dev${number}/${name}.git`, topics: ["queue"], forks_count: 1 },
    ...{ description: "An app.", last_activity_at: instant, empty_repo: false },
  }));

function answerGitlab({ query, variables }: GraphqlQuestion): Json {
  if (query.includes("mergeRequests")) {
    const mergeRequests = { pageInfo: onlyPage, nodes: changeNumbers.map(gitlabChange) };
    return { project: { mergeRequests } };
  }
  if (query.includes("groupMembers")) {
    const nodes = numbers.map((number) => ({ user: gitlabUser(number) }));
    return { group: { groupMembers: { pageInfo: onlyPage, nodes } } };
  }
  const ids = (variables["ids"] ?? []) as readonly string[];
  const asked = ids.map((id) => Number(id.split("/").at(-1)));
  return { users: { nodes: asked.filter((one) => numbers.includes(one)).map(gitlabUser) } };
}

const gitlabUser = (number: number): Json => ({
  ...{ id: `gid://gitlab/User/${number}`, username: `dev${number}`, name: `Dev ${number}` },
  ...{ bot: false, human: true, state: "active", location: "Berlin", bio: "Queues" },
  ...{ organization: "Acme", jobTitle: "", twitter: "", createdAt: instant, avatarUrl: null },
  ...{ webUrl: `${site}/dev${number}`, publicEmail: null, commitEmail: null },
  emails: { nodes: [{ email: `dev${number}@corp.example`, confirmedAt: instant }] },
});
