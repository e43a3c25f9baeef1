/** The adapter of GitHub and GitHub Enterprise Server. Reads lists by REST, and people and repositories by GraphQL. */
import { readRecord } from "../../../contract/foreign-json.ts";
import type { CommitAuthor, CommitSample, ForgeAdapter, ForgePage, ForgeStep } from "../forge.ts";
import { emptyPage, ForgeDenial, ForgeOverload, MissingList } from "../forge.ts";
import {
  type AnswerObject,
  askInHalves,
  followList,
  listObjects,
  readAuthor,
  readCount,
  readField,
  readFields,
  readLogin,
  readNextCursor,
  readNumber,
} from "./answer-fields.ts";
import { createBearer, type ForgeClient, type ForgeConnector } from "./client.ts";
import { readGithubPerson, readGithubRepositories, readGithubUser } from "./github-answers.ts";
import {
  composeGithubAuthorsQuery,
  composeGithubPeopleQuery,
  type GithubAnswer,
  githubRepositoriesQuery,
  queryGithub,
} from "./github-graphql.ts";
import { readGithubReviews } from "./github-reviews.ts";
import {
  type GithubAsk,
  type GithubPeopleAsk,
  splitGithubPeople,
  toGithubPeopleStep,
  toGithubStep,
  toGithubSteps,
} from "./github-steps.ts";

/** Derives the address of the REST API from the address of the forge. */
function getApi(url: string): string {
  const { protocol, host } = new URL(url);
  return isHosted(host) ? `${protocol}//api.${host}/` : `${url}/api/v3/`;
}

function isHosted(host: string): boolean {
  return host === "github.com" || host.endsWith(".ghe.com");
}

function createAdapter(client: ForgeClient, url: string): ForgeAdapter {
  const { host, hostname } = new URL(url);
  const graphql = isHosted(host) ? "graphql" : "../graphql";
  const asker: Asker = { client, graphql, hasEmail: true };
  return {
    batch: { accounts: 1, samples: 50 },
    noreplyHost: () => `users.noreply.${hostname}`,
    steps: (selections) => toGithubSteps(selections, hostname === "github.com"),
    readPage(step) {
      const ask = JSON.parse(step.ask) as GithubAsk;
      if (ask.kind === "people") return readPeople(asker, ask);
      if (ask.kind === "repositories") return readRepositories(asker, step, ask.login);
      return readList(asker, step, ask);
    },
    readAccounts: (numbers) => Promise.all(numbers.map((number) => readAccount(client, number))),
    findCommitAuthors: (samples) => askInHalves(samples, (some) => findAuthors(asker, some)),
    readReviews: readGithubReviews(client, graphql),
  };
}

export const github: ForgeConnector = {
  getApi,
  createHeaders: (token) => ({ accept: "application/vnd.github+json", ...createBearer(token) }),
  createAdapter,
};

interface Asker {
  readonly client: ForgeClient;
  /** Path of GraphQL, relative to the API's address. */
  readonly graphql: string;
  /** Whether to ask for e-mail addresses. Becomes false when the token's scopes forbid them. */
  hasEmail: boolean;
}

async function readList(
  { client }: Asker,
  step: ForgeStep,
  { kind, path, limit }: Extract<GithubAsk, { path: string }>,
): Promise<ForgePage> {
  const { name } = step;
  const { cursor, cut } = followList(step, limit);
  const bucket = kind === "search" ? "search" : undefined;
  const answer = await client.ask({ path: cursor ?? path, what: name, bucket });
  if (answer.status === 422) {
    const said = readField(readFields(answer.body)["message"]);
    throw new ForgeDenial(`The forge refuses ${name}: ${said}.`);
  }
  if (answer.status !== 200) throw new MissingList();
  const { body } = answer;
  const found = listObjects(Array.isArray(body) ? body : readFields(body)["items"]);
  const { items, next } = cut(found, answer.next);
  const people = items
    .filter(({ type }) => type !== "Organization")
    .flatMap((item) => {
      const [id, login] = [readField(item["node_id"]), readLogin(item["login"])];
      return id && login ? [[id, login] as const] : [];
    });
  const steps = splitGithubPeople({ list: name, by: "ids", people });
  const warnings = bucket && !cursor ? warnOfMore(name, readFields(body), limit) : [];
  return { ...emptyPage, next, steps, warnings };
}

/** The most results of one search that GitHub lists. */
const readableMax = 1000;

function warnOfMore(name: string, answer: AnswerObject, limit = Number.POSITIVE_INFINITY) {
  const found = readCount(answer["total_count"]) ?? 0;
  if (Math.min(found, limit) <= readableMax) return [];
  return [
    `GitHub finds ${found} people by ${name}, but shows only ${readableMax} of them. Use narrower searches, such as one with created:2020-01-01..2020-12-31 for each year.`,
  ];
}

async function readAccount(client: ForgeClient, number: string) {
  const path = `user/${encodeURIComponent(number)}`;
  const { status, body } = await client.ask({ path, what: `account ${number}` });
  return status === 200 ? readGithubUser(readFields(body)) : undefined;
}

async function readPeople(asker: Asker, ask: GithubPeopleAsk): Promise<ForgePage> {
  const { people, isBare = false } = ask;
  const isAlone = people.length === 1;
  const answer = await askForPeople(asker, ask).catch((error: unknown) => {
    if (error instanceof ForgeOverload && !(isAlone && isBare)) return undefined;
    throw error;
  });
  if (!answer) return { ...emptyPage, steps: askForLess(ask) };
  const found = people.map((person, at) => {
    const place = ask.by === "ids" ? `nodes.${at}` : `p${at}`;
    const nodes = answer.data["nodes"];
    const node = ask.by === "logins" ? answer.data[place] : Array.isArray(nodes) && nodes[at];
    // A missing person counts as gone only in a query for one person. In a larger query, another error may be the reason.
    const failure = answer.failures.get(place) ?? (isAlone ? "gone" : "failed");
    return { person, node: readRecord(node), failure };
  });
  const page = toPage(found.map(({ node }) => node).filter((node) => node !== undefined));
  const absent = found.filter(({ node }) => !node);
  const failed = absent.filter(({ failure }) => failure === "failed").map(({ person }) => person);
  const alone = failed.map((person) => toGithubPeopleStep({ ...ask, people: [person] }));
  const again = failed.length === people.length ? askForLess(ask) : alone;
  const apart = isBare ? page.accounts.map(({ login }) => repositoriesStep(login)) : [];
  const hidden = page.hidden + absent.filter(({ failure }) => failure === "hidden").length;
  return { ...page, hidden, steps: [...(page.steps ?? []), ...again, ...apart] };
}

async function askForPeople(asker: Asker, ask: GithubPeopleAsk): Promise<GithubAnswer> {
  const { people, by, isBare = false, list } = ask;
  const keys = people.map(([key]) => key);
  const byLogin = keys.map((key, at) => [`p${at}`, key]);
  const variables = by === "ids" ? { ids: keys } : Object.fromEntries(byLogin);
  for (;;) {
    const { hasEmail } = asker;
    const form = { by, count: people.length, hasEmail, hasRepositories: !isBare };
    const answer = await queryGithub(asker.client, asker.graphql, {
      query: composeGithubPeopleQuery(form),
      variables,
      what: list,
      isDivisible: people.length > 1,
    });
    if (!answer.lacksScope) return answer;
    if (!hasEmail) throw new ForgeDenial(`The token may not read ${list}: its scopes are too few.`);
    asker.hasEmail = false;
  }
}

/** Splits a query into two halves. A query for one person becomes a query for the profile only. */
function askForLess(ask: GithubPeopleAsk): ForgeStep[] {
  const { people } = ask;
  if (people.length === 1) {
    if (ask.isBare) throw new ForgeOverload(`The forge gave up on ${people[0]?.[1]}.`);
    return [toGithubPeopleStep({ ...ask, isBare: true })];
  }
  const middle = Math.ceil(people.length / 2);
  return [people.slice(0, middle), people.slice(middle)].map((half) =>
    toGithubPeopleStep({ ...ask, people: half }),
  );
}

function toPage(nodes: readonly AnswerObject[]): ForgePage {
  const pages = nodes.map((node) => {
    const list = readFields(node["repositories"]);
    const next = readNextCursor(list);
    const login = readLogin(node["login"]);
    return {
      ...readGithubRepositories(list, readNumber(node["databaseId"])),
      steps: next && login ? [{ ...repositoriesStep(login), cursor: next }] : [],
    };
  });
  return {
    accounts: nodes.flatMap((node) => readGithubPerson(node) ?? []),
    repositories: pages.flatMap(({ repositories }) => repositories),
    hidden: pages.reduce((sum, { hidden }) => sum + hidden, 0),
    next: undefined,
    steps: pages.flatMap(({ steps }) => steps),
  };
}

function repositoriesStep(login: string): ForgeStep {
  return toGithubStep(`repositories of ${login}`, { kind: "repositories", login });
}

async function readRepositories(
  { client, graphql }: Asker,
  { name, cursor }: ForgeStep,
  login: string,
): Promise<ForgePage> {
  const answer = await queryGithub(client, graphql, {
    query: githubRepositoriesQuery,
    variables: { login, after: cursor ?? null },
    what: name,
  });
  const owner = readRecord(answer.data["repositoryOwner"]);
  if (!owner) throw new MissingList();
  const list = readFields(owner["repositories"]);
  const page = readGithubRepositories(list, readNumber(owner["databaseId"]));
  return { accounts: [], ...page, next: readNextCursor(list) };
}

async function findAuthors(asker: Asker, samples: readonly CommitSample[]) {
  const variables = Object.fromEntries(
    samples.flatMap(({ repository, commit }, at) => {
      const [owner = "", name = ""] = repository.split("/");
      return Object.entries({ [`o${at}`]: owner, [`n${at}`]: name, [`s${at}`]: commit });
    }),
  );
  const answer = await queryGithub(asker.client, asker.graphql, {
    query: composeGithubAuthorsQuery(samples.length),
    variables,
    what: "the authors of commits",
    isDivisible: samples.length > 1,
  });
  const authors: CommitAuthor[] = [];
  for (const [at, sample] of samples.entries()) {
    const hasFailed = answer.failures.get(`c${at}`) === "failed";
    if (hasFailed && samples.length > 1) authors.push(...(await findAuthors(asker, [sample])));
    else authors.push(toAuthor(readFields(answer.data[`c${at}`])));
  }
  return authors;
}

function toAuthor(repository: AnswerObject): CommitAuthor {
  const commit = readFields(repository["object"]);
  if (!("author" in commit)) return "unknown commit";
  const user = readFields(readFields(commit["author"])["user"]);
  return readAuthor(user["databaseId"], user["login"]);
}
