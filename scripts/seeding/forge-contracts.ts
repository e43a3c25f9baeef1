/**
 * Writes test/ingest/forges/contracts/: parts of GitHub's published API descriptions, which the tests compare the GitHub
 * adapter and its double with. They contain the calls below, without descriptions and examples. Source: the npm packages
 * @octokit/openapi and @octokit/graphql-schema, MIT, installed beside `scripts/forges/contracts/package.json`. Gitea's
 * answers are recorded from a real Gitea if `scripts/forge build` has made one; their times differ each time.
 *
 *   scripts/seed forge-contracts
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DocumentNode, Kind, parse, print, type TypeNode } from "graphql";
import { findGitea } from "../forges/gitea-build.ts";
import { recordGitea } from "../forges/record-gitea.ts";

const root = join(import.meta.dir, "../..");
const packages = join(root, "scripts/forges/contracts");
const target = join(root, "test/ingest/forges/contracts");

const versions = ["api.github.com", "ghes-3.17", "ghes-3.18", "ghes-3.19"];
const paths = [
  "/user/{account_id}",
  "/users/{username}",
  "/users",
  "/orgs/{org}/members",
  "/orgs/{org}/teams/{team_slug}/members",
  "/search/users",
];
/** Fields with other types than these, enumerations and scalars are left out. */
const kept = [
  ...["Query", "Node", "Actor", "Profile", "ProfileOwner", "RepositoryOwner", "RateLimit"],
  ...["User", "Bot", "Mannequin", "Organization", "EnterpriseUserAccount", "FollowerConnection"],
  ...["Repository", "RepositoryConnection", "PageInfo", "Language", "GitObject", "Commit"],
  ...["GitActor", "RepositoryTopicConnection", "RepositoryTopic", "Topic"],
  ...["PullRequestConnection", "PullRequest", "PullRequestChangedFileConnection"],
  ...["PullRequestChangedFile", "PullRequestReviewConnection", "PullRequestReview"],
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Answer {
  readonly content: { readonly "application/json": { readonly schema: Json } };
}
interface Call {
  readonly parameters?: Json;
  readonly responses: Record<string, Answer>;
}
interface OpenapiSource {
  readonly info: { readonly version: string };
  readonly paths: Record<string, { readonly get: Call }>;
  readonly components: Record<string, Record<string, Json>>;
}

Bun.spawnSync(["bun", "install", "--frozen-lockfile"], { cwd: packages, stderr: "inherit" });
mkdirSync(target, { recursive: true });
const slices = new Map<string, string[]>();
for (const version of versions) {
  const path = join(packages, `node_modules/@octokit/openapi/generated/${version}.json`);
  const slice = sliceOpenapi(JSON.parse(readFileSync(path, "utf8")) as OpenapiSource);
  slices.set(slice, [...(slices.get(slice) ?? []), version]);
}
// Versions with the same description share a part.
const written = [...slices].map(([slice, names]) => ({ versions: names, ...JSON.parse(slice) }));
writeFileSync(join(target, "github.json"), JSON.stringify(written));
const schema = join(packages, "node_modules/@octokit/graphql-schema/schema.graphql");
writeFileSync(
  join(target, "github.graphql"),
  print(sliceGraphql(parse(readFileSync(schema, "utf8")))),
);
const gitea = findGitea();
if (gitea) await recordGitea(gitea);
else console.error("There is no Gitea to record: scripts/forge build makes one.");
// Formatted as the check requires.
Bun.spawnSync(["node_modules/.bin/biome", "format", "--write", target], {
  cwd: root,
  stderr: "inherit",
});

/** @returns JSON with the parameters and the schema of the answer by path; references point into `components`. */
function sliceOpenapi(source: OpenapiSource): string {
  const components: Record<string, Record<string, Json>> = {};
  const slicedPaths: Record<string, Json> = {};
  const waiting: string[] = [];
  const take = (value: Json): Json => {
    const bare = withoutProse(value);
    for (const [, reference] of JSON.stringify(bare).matchAll(
      /"\$ref":"#\/components\/([^"]+)"/g,
    )) {
      waiting.push(reference as string);
    }
    return bare;
  };
  for (const path of paths) {
    const call = source.paths[path]?.get;
    if (!call) throw new Error(`no GET ${path} in ${source.info.version}`);
    const parameters = call.parameters ?? [];
    const { "200": answer } = call.responses;
    const schema = take(answer?.content["application/json"].schema as Json);
    slicedPaths[path] = { get: { parameters: take(parameters), schema } };
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [section, name] = next.split("/") as [string, string];
    const place = components[section] ?? {};
    components[section] = place;
    if (place[name] === undefined) place[name] = take(source.components[section]?.[name] as Json);
  }
  return JSON.stringify({ paths: slicedPaths, components });
}

function withoutProse(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (value === null || typeof value !== "object") return value;
  const prose = /^(description|title|summary|examples?|externalDocs|x-.*)$/;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !prose.test(key))
      // A property may itself be named `description`.
      .map(([key, item]) => [key, withoutProse(item, key === "properties")]),
  );
}

function sliceGraphql(source: DocumentNode): DocumentNode {
  const all = new Map(
    source.definitions.flatMap((node) =>
      "name" in node && node.name ? [[node.name.value, node]] : [],
    ),
  );
  const isKept = (name: string) => {
    const kind = all.get(name)?.kind;
    const isLeaf = kind === undefined || kind === Kind.ENUM_TYPE_DEFINITION;
    return kept.includes(name) || isLeaf || kind === Kind.SCALAR_TYPE_DEFINITION;
  };
  const found = new Map<string, DocumentNode["definitions"][number]>();
  const take = (name: string): void => {
    const node = all.get(name);
    if (!node || found.has(name)) return;
    found.set(name, node);
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      for (const field of node.fields ?? []) take(nameOf(field.type));
    }
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return;
    // GitHub's file has one field twice, which is invalid in a schema.
    const seen = new Set<string>();
    const fields = (node.fields ?? []).filter(({ name, type }) => {
      const isFirst = !seen.has(name.value);
      seen.add(name.value);
      return isFirst && isKept(nameOf(type));
    });
    for (const field of fields) {
      take(nameOf(field.type));
      for (const given of field.arguments ?? []) take(nameOf(given.type));
    }
    const interfaces = (node.interfaces ?? []).filter(({ name }) => kept.includes(name.value));
    found.set(name, { ...node, fields, interfaces });
  };
  for (const name of kept) take(name);
  const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return withoutDescriptions({ kind: Kind.DOCUMENT, definitions: sorted.map(([, node]) => node) });
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** Also removes directives, which would have to be declared. */
function withoutDescriptions(document: DocumentNode): DocumentNode {
  const bare = JSON.stringify(document, (key, value) =>
    key === "description" || key === "directives" || key === "loc" ? undefined : value,
  );
  return JSON.parse(bare) as DocumentNode;
}
