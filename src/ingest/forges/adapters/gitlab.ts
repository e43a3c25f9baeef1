/** The adapter of GitLab. Administrators read full profiles by REST. Other users read people by GraphQL. */

import { Fault } from "../../../contract/fault.ts";
import { readRecord } from "../../../contract/foreign-json.ts";
import { splitBatches } from "../../../contract/split-batches.ts";
import type {
  AccountFacts,
  CommitAuthor,
  CommitSample,
  ForgeAdapter,
  ForgePage,
  ForgeSelection,
  ForgeStep,
} from "../forge.ts";
import { emptyPage, ForgeDenial, ForgeOverload, MissingList } from "../forge.ts";
import {
  type AnswerObject,
  askInHalves,
  followList,
  listNodes,
  listObjects,
  readAuthor,
  readField,
  readFields,
  readNextCursor,
} from "./answer-fields.ts";
import type { ForgeClient, ForgeConnector } from "./client.ts";
import {
  composeGitlabAuthorsQuery,
  gitlabMembersQuery,
  gitlabPeopleQuery,
  readGitlabNumber,
  readGitlabPerson,
  readGitlabProjects,
  readGitlabUser,
} from "./gitlab-answers.ts";
import { readGitlabReviews } from "./gitlab-reviews.ts";

const pageSize = 100;
/** The most sample commits in one query. GitLab limits the complexity of a query. */
const samplesPerRequest = 15;

/** The forms of a step's `ask`, which is stored as JSON. */
type Ask =
  /** A list from REST. The path is relative to the API's address. */
  | {
      readonly kind: "users";
      readonly path: string;
      readonly isAll?: boolean;
      readonly limit?: number | undefined;
    }
  | { readonly kind: "projects"; readonly path: string }
  | { readonly kind: "members"; readonly group: string }
  | { readonly kind: "people"; readonly people: PeopleFilter; readonly isAll?: boolean };
type PeopleFilter = { readonly ids: readonly string[] } | { readonly usernames: readonly string[] };

function createAdapter(client: ForgeClient, url: string): ForgeAdapter {
  let learntHost: string | undefined;
  const learn = (page: ForgePage): ForgePage => {
    learntHost ??= page.accounts.map(findNoreplyHost).find((host) => host !== undefined);
    return page;
  };
  return {
    batch: { accounts: pageSize, samples: samplesPerRequest },
    noreplyHost: () => learntHost ?? `users.noreply.${new URL(url).hostname}`,
    steps: toSteps,
    async readPage(step) {
      const ask = JSON.parse(step.ask) as Ask;
      if (ask.kind === "projects") return readProjects(client, step, ask.path);
      if (ask.kind === "users") return learn(await readUsers(client, step, ask));
      if (ask.kind === "members") return learn(await readMembers(client, step, ask.group));
      const page = toPage(await askForPeople(client, step.name, ask.people), undefined);
      return learn(ask.isAll ? page : withProjects(page));
    },
    async readAccounts(numbers) {
      const ids = numbers.map((number) => `gid://gitlab/User/${number}`);
      const people = await askForPeople(client, "accounts by number", { ids });
      const { accounts } = toPage(people, undefined);
      return numbers.map((number) => accounts.find((account) => account.number === number));
    },
    findCommitAuthors: (samples) => askInHalves(samples, (some) => findAuthors(client, some)),
    readReviews: readGitlabReviews((...asked) => queryGitlab(client, ...asked)),
  };
}

export const gitlab: ForgeConnector = {
  getApi: (url) => `${url}/api/v4/`,
  createHeaders: (token) => (token ? { "private-token": token } : {}),
  createAdapter,
};

function toSteps(selections: readonly ForgeSelection[]): ForgeStep[] {
  const usernames = selections.flatMap((each) => (each.kind === "user" ? [each.name] : []));
  const named = [...splitBatches(usernames, pageSize)].map((some) => {
    const name = `named people: ${some[0]} to ${some.at(-1)}`;
    return toStep(name, { kind: "people", people: { usernames: some } });
  });
  return [...selections.flatMap(toListSteps), ...named];
}

function toListSteps(selection: ForgeSelection): ForgeStep[] {
  const users = `users?per_page=${pageSize}&active=true&exclude_internal=true&without_project_bots=true`;
  switch (selection.kind) {
    case "user":
      return [];
    case "all": {
      const projects = `projects?${projectFilter}&${byNumber}`;
      return [
        // Pages by user number, because GitLab's numbered pages end at 50,000 users.
        toStep("all accounts", { kind: "users", path: `${users}&${byNumber}`, isAll: true }),
        toStep("all projects", { kind: "projects", path: projects }),
      ];
    }
    case "group": {
      const { name } = selection;
      const path = `groups/${encodeURIComponent(name)}/projects?${projectFilter}&include_subgroups=true`;
      return [
        toStep(`members of ${name}`, { kind: "members", group: name }),
        toStep(`projects of ${name}`, { kind: "projects", path }),
      ];
    }
    case "search": {
      const { name, limit } = selection;
      const path = `${users}&${new URLSearchParams({ search: name })}`;
      return [toStep(`search ${name}`, { kind: "users", path, limit })];
    }
    default:
      throw new Fault(
        "usage",
        `GitLab cannot select ${selection.kind}:${selection.name}: its people are selected by group, user, search or all.`,
      );
  }
}

const byNumber = "pagination=keyset&order_by=id&sort=asc";
const projectFilter = `visibility=public&per_page=${pageSize}`;

function toStep(name: string, ask: Ask): ForgeStep {
  return { name, ask: JSON.stringify(ask) };
}

async function readUsers(
  client: ForgeClient,
  step: ForgeStep,
  { path, isAll = false, limit }: Extract<Ask, { kind: "users" }>,
): Promise<ForgePage> {
  const { name } = step;
  const { cursor, cut } = followList(step, limit);
  const { status, body, ...answer } = await client.ask({ path: cursor ?? path, what: name });
  if (status === 405) return askByPage(name, { path, isAll, isBegun: cursor !== undefined });
  if (status !== 200) throw new MissingList();
  const { items: users, next } = cut(listObjects(body), answer.next);
  // Only administrators get full profiles in lists.
  if (users.some((user) => "private_profile" in user)) {
    const page = toPage(users.map(readGitlabUser), next);
    return isAll ? page : withProjects(page);
  }
  const ids = users.flatMap(({ id }) => readGitlabNumber(id) ?? []);
  if (ids.length === 0) return { ...emptyPage, next };
  const people = { ids: ids.map((id) => `gid://gitlab/User/${id}`) };
  const some = toStep(`${name}: ${ids[0]} to ${ids.at(-1)}`, { kind: "people", people, isAll });
  return { ...emptyPage, next, steps: [some] };
}

/** Lists users by page number. An older GitLab has no other list of users. */
function askByPage(
  name: string,
  { path, isAll, isBegun }: { path: string; isAll: boolean; isBegun: boolean },
): ForgePage {
  const shorter = path.replace(`&${byNumber}`, "");
  if (isBegun || shorter === path) throw new ForgeDenial(`GitLab gives no more of ${name} (405).`);
  const step = toStep(`${name}, by page`, { kind: "users", path: shorter, isAll });
  return { ...emptyPage, steps: [step] };
}

async function readMembers(client: ForgeClient, { name, cursor }: ForgeStep, group: string) {
  const variables = { group, after: cursor ?? null };
  const data = await queryGitlab(client, name, gitlabMembersQuery, variables);
  const found = readRecord(data["group"]);
  if (!found) throw new MissingList();
  const list = readFields(found["groupMembers"]);
  const users = listNodes(list).map(({ user }) => readFields(user));
  return withProjects(toPage(users.map(readGitlabPerson), readNextCursor(list)));
}

async function askForPeople(client: ForgeClient, what: string, people: PeopleFilter) {
  const data = await queryGitlab(client, what, gitlabPeopleQuery, people);
  return listNodes(data["users"]).map(readGitlabPerson);
}

async function readProjects(client: ForgeClient, { name, cursor }: ForgeStep, path: string) {
  const { status, body, next } = await client.ask({ path: cursor ?? path, what: name });
  if (status !== 200) throw new MissingList();
  return { accounts: [], ...readGitlabProjects(body), next };
}

function toPage(
  people: readonly (AccountFacts | "hidden" | undefined)[],
  next: string | undefined,
): ForgePage {
  const accounts = people.filter((person) => person !== undefined && person !== "hidden");
  const hidden = people.filter((person) => person === "hidden").length;
  return { accounts, repositories: [], hidden, next };
}

/** Adds one step for each person on the page. The step reads the person's projects. */
function withProjects(page: ForgePage): ForgePage {
  const steps = page.accounts.map(({ number, login }) => {
    return toStep(`projects of ${login}`, {
      kind: "projects",
      path: `users/${number}/projects?${projectFilter}`,
    });
  });
  return { ...page, steps };
}

/** Finds HOST in an address such as `12-ada@users.noreply.HOST`. */
function findNoreplyHost({ number, login, addresses }: AccountFacts): string | undefined {
  const start = `${number}-${login}@`.toLowerCase();
  const hidden = addresses.find(({ address }) => address.toLowerCase().startsWith(start));
  return hidden?.address.slice(start.length).toLowerCase();
}

async function queryGitlab(
  client: ForgeClient,
  what: string,
  query: string,
  variables: AnswerObject,
): Promise<AnswerObject> {
  const { status, body } = await client.ask({
    path: "../graphql",
    body: { query, variables },
    what,
    bucket: "graphql",
  });
  const answer = readFields(body);
  const [error] = listObjects(answer["errors"]);
  const data = readRecord(answer["data"]);
  const hasData = Object.values(data ?? {}).some((value) => value !== null);
  if (!error || hasData) {
    if (status >= 300)
      throw new Fault("forge", `The forge has no GraphQL, which Roster needs for ${what}.`);
    return data ?? {};
  }
  const message = readField(error["message"]) ?? "no reason given";
  if (/complexity|timeout|timed out/i.test(message)) {
    throw new ForgeOverload(`The forge gave up on ${what}: ${message}`);
  }
  throw new ForgeDenial(`The token may not read ${what}: ${message}`);
}

async function findAuthors(client: ForgeClient, samples: readonly CommitSample[]) {
  const variables = Object.fromEntries(
    samples.flatMap(({ repository, commit }, at) => [
      [`p${at}`, repository],
      [`s${at}`, commit],
    ]),
  );
  const query = composeGitlabAuthorsQuery(samples.length);
  const data = await queryGitlab(client, "the authors of commits", query, variables);
  return samples.map(({ commit }, at) => toAuthor(readFields(data[`c${at}`]), commit));
}

function toAuthor(project: AnswerObject, commit: string): CommitAuthor {
  const tree = readFields(readFields(project["repository"])["tree"]);
  const last = readFields(tree["lastCommit"]);
  if (last["sha"] !== commit) return "unknown commit";
  const author = readFields(last["author"]);
  return readAuthor(readGitlabNumber(author["id"]), author["username"]);
}
