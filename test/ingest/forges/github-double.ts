/**
 * GitHub on loopback with invented people. What it answers fits the vendor's own description, or it throws: REST by the
 * OpenAPI slices, GraphQL since graphql-js itself answers from the vendor's schema.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { buildSchema, execute, GraphQLError, parse, validate } from "graphql";
import { serveDouble } from "./double.ts";

export interface GithubDoubleOptions {
  readonly people: number;
  /** Answers in place of the double; undefined lets it answer. @param times of this path, from 1. */
  readonly intervene?: (asked: GithubAsked, times: number) => Response | undefined;
  /** Limits as GitHub sends them; a GHES sends none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Logins of people who are gone since the lists were made. */
  readonly gone?: readonly string[];
  /** More people than this in one GraphQL query are too many. */
  readonly peopleMax?: number;
  /** Logins of commits' authors, by the commit; others are by what the id begins with. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Of everybody's public repositories; each has a private one beside them. */
  readonly repositories?: number;
  /** How many people a search says it found; default: everybody. */
  readonly found?: number;
  /** Pull requests by owner/name, as GraphQL has them. */
  readonly changes?: ReadonlyMap<string, readonly object[]>;
}

export interface GithubAsked {
  readonly path: string;
  readonly body:
    | { readonly query: string; readonly variables: Record<string, unknown> }
    | undefined;
}

export type GithubDouble = ReturnType<typeof serveGithub>;

const contracts = join(import.meta.dir, "contracts");
export const githubSchema = buildSchema(readFileSync(join(contracts, "github.graphql"), "utf8"), {
  assumeValidSDL: true,
});
interface Slice {
  readonly versions: readonly string[];
  readonly paths: Record<string, { readonly get: { readonly parameters: readonly unknown[] } }>;
}
const slices = JSON.parse(readFileSync(join(contracts, "github.json"), "utf8")) as Slice[];
/** GHES is held to all of its versions, and github.com to its own. */
const checks = slices.map((slice) => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(slice, "github");
  const check = (path: string, body: unknown) => {
    const schema = `github#/paths/${path.replaceAll("/", "~1").replace(/[{}]/g, encodeURIComponent)}/get/schema`;
    const fits = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema });
    if (!fits(body)) throw new Error(`${path}: ${ajv.errorsText(fits.errors)}`);
  };
  return { check, paths: Object.keys(slice.paths) };
});

export function serveGithub(options: GithubDoubleOptions) {
  const people = Array.from({ length: options.people }, (_, at) => inventPerson(at, options));
  const paths: string[] = [];
  const times = new Map<string, number>();
  const double = serveDouble(async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/api\/v3/, "");
    const body: GithubAsked["body"] =
      request.method === "POST" ? JSON.parse(await request.text()) : undefined;
    paths.push(path);
    times.set(path, (times.get(path) ?? 0) + 1);
    const own = options.intervene?.({ path, body }, times.get(path) ?? 1);
    if (own) return own;
    const { headers = {} } = options;
    if (body) return Response.json(await answerGraphql(body, people, options), { headers });
    return answerRest(path, url, people, options);
  });
  /** Paths are all that were asked. */
  return { ...double, people, paths };
}

const acme = {
  __typename: "Organization",
  repositories: {
    nodes: [{ ...inventRepository(900, "acme", 0, "PUBLIC"), stargazerCount: 70 }],
    pageInfo: { hasNextPage: false },
  },
};

type Person = ReturnType<typeof inventPerson>;

function inventPerson(at: number, { gone = [], repositories = 2 }: GithubDoubleOptions) {
  const login = `dev${at}`;
  const url = `https://ghe.corp.example/${login}`;
  const own = Array.from({ length: repositories }, (_, index) =>
    inventRepository(at, login, index, "PUBLIC"),
  );
  const hidden = inventRepository(at, login, repositories, "PRIVATE");
  return {
    ...{ __typename: "User", id: `U_${at}`, databaseId: 1000 + at, login, url },
    ...{ avatarUrl: `${url}.png`, name: `Dev ${at}`, bio: at % 2 ? "Queues" : null },
    ...{ company: "@acme", location: "Berlin", websiteUrl: null, twitterUsername: `tweet${at}` },
    ...{ isHireable: at % 2 === 1, email: at % 2 ? `dev${at}@public.example` : "" },
    ...{ createdAt: "2020-01-02T03:04:05Z", updatedAt: "2026-01-02T03:04:05Z" },
    followers: { totalCount: at },
    isGone: gone.includes(login),
    // The vendor's filter leaves private ones out; what comes despite of it must be dropped.
    repositories: ({ first, after }: { first: number; after?: string | null }) => {
      const from = Number(after ?? 0);
      const page = [...own, hidden].slice(from, from + first);
      const hasNextPage = from + first < own.length + 1;
      return { nodes: page, pageInfo: { hasNextPage, endCursor: String(from + first) } };
    },
  };
}

function inventRepository(at: number, owner: string, index: number, visibility: string) {
  const name = visibility === "PUBLIC" ? `app${index}` : "secret-plans";
  const url = `https://ghe.corp.example/${owner}/${name}`;
  return {
    ...{ __typename: "Repository", databaseId: at * 1000 + index + 1, url, visibility },
    ...{ nameWithOwner: `${owner}/${name}`, isFork: index === 1 },
    sshUrl: `git@ghe.corp.example:${owner}/${name}.git`,
    ...{ stargazerCount: index, forkCount: 0, description: "An app.", diskUsage: 2048 },
    ...{ pushedAt: "2026-02-03T04:05:06Z", primaryLanguage: { name: "Go" } },
    repositoryTopics: { nodes: [{ topic: { name: "queue" } }] },
  };
}

async function answerGraphql(
  { query, variables }: NonNullable<GithubAsked["body"]>,
  people: readonly Person[],
  { peopleMax = Number.POSITIVE_INFINITY, authors, changes }: GithubDoubleOptions,
) {
  const document = parse(query);
  const wrong = validate(githubSchema, document);
  if (wrong.length > 0) throw new Error(`GitHub's schema refuses the query: ${wrong[0]?.message}`);
  const asked = Array.isArray(variables["ids"]) ? variables["ids"].length : 0;
  if (asked > peopleMax) return tooMuch(query);
  const missing = (what: string) =>
    new GraphQLError(`Could not resolve to a ${what}.`, { extensions: { type: "NOT_FOUND" } });
  const find = (is: (person: Person) => boolean) =>
    people.find((person) => is(person) && !person.isGone) ?? missing("User");
  const answer = await execute({
    schema: githubSchema,
    document,
    variableValues: variables,
    rootValue: {
      nodes: ({ ids }: { ids: string[] }) => ids.map((id) => find((person) => person.id === id)),
      user: ({ login }: { login: string }) => find((person) => person.login === login),
      repositoryOwner: ({ login }: { login: string }) =>
        login === "acme" ? acme : (people.find((person) => person.login === login) ?? null),
      repository: ({ owner, name }: { owner: string; name: string }) =>
        name.startsWith("app")
          ? {
              ...findCommits(people, owner, authors),
              pullRequests: listPage(changes?.get(`${owner}/${name}`)),
            }
          : missing("Repository"),
    },
  });
  const errors = answer.errors?.map(({ message, path, extensions }) => {
    return { type: extensions["type"], path, message };
  });
  return { data: answer.data, ...(errors && { errors }) };
}

/** A connection of GraphQL, as both forges have them. */
export function listPage(nodes: readonly object[] = []) {
  return ({ first, after }: { first: number; after?: string | null }) => {
    const from = Number(after ?? 0);
    const hasNextPage = from + first < nodes.length;
    return {
      nodes: nodes.slice(from, from + first),
      pageInfo: { hasNextPage, endCursor: String(from + first) },
    };
  };
}

/** Commit `a…` is by the owner, `b…` by an address that nobody has, any other unknown. */
function findCommits(
  people: readonly Person[],
  owner: string,
  authors: GithubDoubleOptions["authors"],
) {
  return {
    object({ oid }: { oid: string }) {
      const by = authors?.get(oid);
      const { login, databaseId } = people.find((person) => person.login === (by ?? owner)) ?? {};
      if (!by && !/^[ab]/.test(oid)) return null;
      const user = by || oid.startsWith("a") ? { __typename: "User", login, databaseId } : null;
      return { __typename: "Commit", author: { user } };
    },
  };
}

function tooMuch(query: string) {
  const path = /nodes\(/.test(query) ? ["nodes"] : [];
  return {
    data: null,
    errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", path, message: "Resource limits exceeded." }],
  };
}

function answerRest(
  path: string,
  { searchParams: query, origin }: URL,
  people: readonly Person[],
  { headers: given, found = people.length }: GithubDoubleOptions,
): Response {
  const headers: Record<string, string> = { ...given };
  const number = /^\/user\/(\d+)$/.exec(path)?.[1];
  if (number) {
    const person = people.find(({ databaseId }) => databaseId === Number(number));
    if (!person || person.isGone) return Response.json({ message: "Not Found" }, { status: 404 });
    return describe("/user/{account_id}", toUser(person), headers);
  }
  const pattern = ["/orgs/{org}/members", "/orgs/{org}/teams/{team_slug}/members", "/users"].find(
    (each) => new RegExp(`^${each.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  const slice = people.slice((page - 1) * size, page * size);
  if (page * size < people.length) {
    query.set("page", String(page + 1));
    headers["link"] = `<${origin}/api/v3${path}?${query}>; rel="next"`;
  }
  const users = slice.map((person) => toSimpleUser(person));
  if (path === "/search/users") {
    const items = users.map((user) => ({ ...user, score: 1 }));
    const body = { total_count: found, incomplete_results: false, items };
    return describe("/search/users", body, headers);
  }
  if (!pattern || path.startsWith("/orgs/missing/")) {
    return Response.json({ message: "Not Found" }, { status: 404 });
  }
  return describe(pattern, users, headers);
}

function describe(path: string, body: unknown, headers: Record<string, string>): Response {
  for (const { check } of checks) check(path, body);
  return Response.json(body, { headers });
}

function toSimpleUser({ login, id, databaseId, url, avatarUrl }: Person) {
  const api = `https://ghe.corp.example/api/v3/users/${login}`;
  const lists = ["events", "followers", "following", "gists", "organizations"];
  const more = ["received_events", "repos", "starred", "subscriptions"];
  return {
    ...{ login, id: databaseId, node_id: id, html_url: url, avatar_url: avatarUrl, url: api },
    ...Object.fromEntries([...lists, ...more].map((list) => [`${list}_url`, `${api}/${list}`])),
    ...{ gravatar_id: "", type: "User", site_admin: false },
  };
}

function toUser(person: Person) {
  const { name, bio, company, location, createdAt, updatedAt, twitterUsername } = person;
  return {
    ...toSimpleUser(person),
    ...{ name, bio, company, location, blog: "", twitter_username: twitterUsername },
    ...{ email: person.email || null, hireable: person.isHireable || null },
    ...{ followers: person.followers.totalCount, following: 0, public_gists: 0, public_repos: 2 },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}
