/** The adapter of Gitea and Forgejo. Lists contain full profiles, 50 a page. An administrator's token also shows addresses. */

import { Fault } from "../../../contract/fault.ts";
import { readRecord } from "../../../contract/foreign-json.ts";
import type {
  AccountFacts,
  CommitAuthor,
  CommitSample,
  ForgeAdapter,
  ForgePage,
  ForgeRepository,
  ForgeSelection,
  ForgeStep,
} from "../forge.ts";
import { emptyPage, ForgeDenial, MissingList } from "../forge.ts";
import {
  type AnswerObject,
  followList,
  listObjects,
  readAccountFacts,
  readAddress,
  readAuthor,
  readField,
  readFields,
  readNumber,
  readRepositoryFacts,
} from "./answer-fields.ts";
import type { ForgeAnswer, ForgeClient, ForgeConnector } from "./client.ts";
import { getGiteaRepositoryPath, readGiteaReviews } from "./gitea-reviews.ts";

const pageSize = 50;

function createAdapter(client: Pick<ForgeClient, "ask">): ForgeAdapter {
  const api = openApi(client);
  return {
    batch: { accounts: 1, samples: 1 },
    noreplyHost: api.noreplyHost,
    steps: (selections) => selections.flatMap(listSteps),
    readPage: (step) => readPage(api, step),
    readAccounts: (numbers) => Promise.all(numbers.map((number) => readAccount(api, number))),
    findCommitAuthors: (samples) =>
      Promise.all(samples.map((sample) => findCommitAuthor(client, sample))),
    readReviews: readGiteaReviews(client),
  };
}

export const gitea: ForgeConnector = { getApi: (url) => `${url}/api/v1`, createAdapter };

type GiteaApi = ReturnType<typeof openApi>;

/** Creates the functions that read a page of a list, and the people on the page. */
function openApi(client: Pick<ForgeClient, "ask">) {
  let noreplyHost: string | undefined;
  return {
    noreplyHost: () => noreplyHost,
    toPeople(found: readonly AnswerObject[]) {
      const open = found.filter(isPublic);
      const accounts = open.flatMap((user) => {
        const email = readAddress(user["email"]);
        noreplyHost ??= email && findNoreplyHost(email, user);
        return toAccount(user, email) ?? [];
      });
      return { accounts, hidden: found.length - open.length };
    },
    ask: (path: string, what: string, query: Record<string, string | number> = {}) =>
      client.ask({ path, what, query: { limit: pageSize, page: 1, ...query } }),
  };
}

/** Lists the steps of a selection. The `ask` of a step is `list:name`, such as `team-members:12`. */
function listSteps(selection: ForgeSelection): readonly ForgeStep[] {
  if (selection.kind === "all") {
    return [
      { name: "the people", ask: "people" },
      { name: "the addresses of people", ask: "addresses" },
      { name: "the repositories", ask: "repositories" },
    ];
  }
  const { kind, name } = selection;
  if (kind === "search") {
    const list = selection.limit === undefined ? kind : `${kind}/${selection.limit}`;
    return [{ name: `the people found by ${name}`, ask: `${list}:${name}` }];
  }
  if (kind === "org") {
    return [
      { name: `the members of ${name}`, ask: `members:${name}` },
      { name: `the repositories of ${name}`, ask: `repositories-of-org:${name}` },
    ];
  }
  if (kind === "team") return [{ name: `the team ${name}`, ask: `team:${name}` }];
  if (kind === "user") return [{ name: `the account ${name}`, ask: `user:${name}` }];
  const message = "Gitea has no groups: its people are selected by org, team, user, search or all";
  throw new Fault("usage", message);
}

async function readPage(api: GiteaApi, step: ForgeStep): Promise<ForgePage> {
  const { ask, name: what } = step;
  const [, list, limit, name = ""] = /^([a-z-]+)(?:\/(\d+))?(?::(.*))?$/s.exec(ask) ?? [];
  const { cursor, cut } = followList(step, limit === undefined ? undefined : Number(limit));
  const page = Number(cursor ?? 1);
  const path = encodeURIComponent(name);
  const readPeople = async (people: string, query = {}) =>
    toPage(api, await api.ask(people, what, { page, ...query }), page);
  switch (list) {
    case "people":
      return readPeople("users/search");
    case "search": {
      const found = await readPeople("users/search", { q: name });
      const { items: accounts, next } = cut(found.accounts, found.next);
      return withRepositories({ ...found, accounts, next });
    }
    case "members":
      return withRepositories(await readPeople(`orgs/${path}/members`));
    case "team-members":
      return withRepositories(await readPeople(`teams/${path}/members`));
    case "user":
      return withRepositories(await readPeople(`users/${path}`));
    case "team":
      return readTeam(api, name, what);
    case "addresses":
      return readAddresses(api, what, page);
    case "repositories-of-org":
      return toRepositoryPage(await api.ask(`orgs/${path}/repos`, what, { page }), page);
    default: {
      // Sorts by number, because a repository that is renamed during the walk keeps its number.
      const query = { page, private: "false", sort: "id", order: "asc" };
      const owner = list === "repositories-of" ? { uid: name, exclusive: "true" } : {};
      return toRepositoryPage(await api.ask("repos/search", what, { ...query, ...owner }), page);
    }
  }
}

/** Returns the number of the next page; undefined at the end of the list. */
function findCursor({ next }: ForgeAnswer, page: number): string | undefined {
  return next === undefined ? undefined : String(page + 1);
}

function toPage(api: GiteaApi, answer: ForgeAnswer, page: number): ForgePage {
  requireFound(answer);
  const one = readRecord(answer.body);
  const found = one && !("data" in one) ? [one] : listObjects(one ? one["data"] : answer.body);
  return { ...api.toPeople(found), repositories: [], next: findCursor(answer, page) };
}

/** Adds one step for each person on the page. The step reads the person's repositories. */
function withRepositories(page: ForgePage): ForgePage {
  const steps = page.accounts.map(({ number }) => ({
    name: `the repositories of account ${number}`,
    ask: `repositories-of:${number}`,
  }));
  return { ...page, steps };
}

async function readTeam(api: GiteaApi, name: string, what: string): Promise<ForgePage> {
  const [organisation = "", team = ""] = name.split("/");
  const path = `orgs/${encodeURIComponent(organisation)}/teams/search`;
  const answer = await api.ask(path, what, { q: team });
  requireFound(answer);
  const found = listObjects(readRecord(answer.body)?.["data"]).find(
    (one) => readField(one["name"])?.toLowerCase() === team.toLowerCase(),
  );
  const id = readNumber(found?.["id"]);
  if (id === undefined) throw new MissingList();
  const steps = [{ name: `the members of ${name}`, ask: `team-members:${id}` }];
  return { ...emptyPage, steps };
}

/** Reads the verified addresses of all people. Needs the token of an administrator. */
async function readAddresses(api: GiteaApi, what: string, page: number): Promise<ForgePage> {
  const answer = await api.ask("admin/emails", what, { page }).catch((error) => {
    if (error instanceof ForgeDenial) return undefined;
    throw error;
  });
  if (!answer) return emptyPage;
  const addresses = new Map<string, { address: string; isPublished: boolean }[]>();
  for (const each of listObjects(answer.body)) {
    const [number, address] = [readNumber(each["user_id"]), readAddress(each["email"])];
    if (number === undefined || address === undefined || each["verified"] !== true) continue;
    addresses.set(number, [...(addresses.get(number) ?? []), { address, isPublished: false }]);
  }
  return { ...emptyPage, addresses, next: findCursor(answer, page) };
}

function toRepositoryPage(answer: ForgeAnswer, page: number): ForgePage {
  requireFound(answer);
  const body = readRecord(answer.body);
  const found = listObjects(body ? body["data"] : answer.body);
  const open = found.filter(
    ({ private: isPrivate, internal, owner }) =>
      isPrivate === false && internal !== true && isPublic(readFields(owner)),
  );
  return {
    accounts: [],
    repositories: open.flatMap((one) => toRepository(one) ?? []),
    hidden: found.length - open.length,
    next: findCursor(answer, page),
  };
}

async function readAccount(api: GiteaApi, number: string): Promise<AccountFacts | undefined> {
  const answer = await api.ask("users/search", "an account by its number", { uid: number });
  const found = listObjects(readRecord(answer.body)?.["data"]);
  return api.toPeople(found).accounts.find((account) => account.number === number);
}

async function findCommitAuthor(
  client: Pick<ForgeClient, "ask">,
  { repository, commit }: CommitSample,
): Promise<CommitAuthor> {
  const path = `${getGiteaRepositoryPath(repository)}/git/commits/${commit}`;
  const query = { stat: "false", verification: "false", files: "false" };
  const answer = await client.ask({ path, query, what: "the author of a commit" });
  if (answer.status !== 200) return "unknown commit";
  const author = readRecord(readRecord(answer.body)?.["author"]);
  return readAuthor(author?.["id"], author?.["login"]);
}

function requireFound({ status }: ForgeAnswer): void {
  if (status >= 400) throw new MissingList();
}

/** Whether everybody may see the account. Limited and private accounts are visible to some people only. */
function isPublic(user: AnswerObject): boolean {
  return (user["visibility"] ?? "public") === "public" && user["prohibit_login"] !== true;
}

function toAccount(user: AnswerObject, email: string | undefined): AccountFacts | undefined {
  const isOwn = email !== undefined && findNoreplyHost(email, user) === undefined;
  return readAccountFacts({
    ...{ number: user["id"], login: user["login"], isBot: false },
    ...{ name: user["full_name"], bio: user["description"], location: user["location"] },
    ...{ blog: user["website"], avatarUrl: user["avatar_url"], profileUrl: user["html_url"] },
    ...{ followers: user["followers_count"], createdAt: user["created"] },
    // The forge shows this address only to requests with a token, so it is not public.
    addresses: isOwn ? [{ address: email, isPublished: false }] : [],
  });
}

/** Finds HOST in a noreply address such as `12+ada@noreply.HOST`. The forge shows it instead of a hidden address. */
function findNoreplyHost(email: string, user: AnswerObject): string | undefined {
  const at = email.lastIndexOf("@");
  const [local, host] = [email.slice(0, at).toLowerCase(), email.slice(at + 1).toLowerCase()];
  const login = String(user["login"]).toLowerCase();
  if (local === `${user["id"]}+${login}`) return host;
  return local === login && host.includes("noreply") ? host : undefined;
}

function toRepository(one: AnswerObject): ForgeRepository | undefined {
  return readRepositoryFacts({
    ...{ number: one["id"], name: one["full_name"], isFork: one["fork"] === true },
    owner: readRecord(one["owner"])?.["id"],
    urls: [one["clone_url"], one["ssh_url"], one["html_url"]],
    ...{ stars: one["stars_count"], forks: one["forks_count"], topics: one["topics"] },
    ...{ description: one["description"], language: one["language"], kilobytes: one["size"] },
    // Gitea does not give the date of the last push, so the date of the last update is used.
    pushedAt: one["empty"] === true ? undefined : one["updated_at"],
  });
}
