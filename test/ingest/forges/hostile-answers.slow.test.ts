/** Forges of every kind that answer one request wrongly: what gets into the pool is what a file of facts may hold. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../../scripts/fuzzing/json/values.ts";
import { Fault } from "../../../src/contract/fault.ts";
import { type ForgeKind, forgeKinds } from "../../../src/contract/forge-kinds.ts";
import { parseFacts } from "../../../src/ingest/parse-facts.ts";
import { isLong } from "../../long.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { inventRepository } from "../git/invented-repository.ts";
import { type Double, serveDouble } from "./double.ts";
import { serveGithub } from "./github-double.ts";
import { serveGitlab } from "./gitlab-double.ts";
import { openForgeData, setOrigin } from "./ingesting.ts";
import { inventForge } from "./invented-forge.ts";

/** Another value of a field wherever it occurs, or another text in place of the answer. */
type Mischief = { readonly field: string; readonly value: Json } | { readonly body: string };

function spoil(value: Json, by: { readonly field: string; readonly value: Json }): Json {
  if (Array.isArray(value)) return value.map((one: Json) => spoil(one, by));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]: [string, Json]) => {
    return [name, name === by.field ? by.value : spoil(inner, by)];
  });
  return Object.fromEntries(fields);
}

const everywhere = (names: readonly string[], value: Json): Mischief[] =>
  names.map((field) => ({ field, value }));

/** When the changes were updated, which dev1 made and dev2 and dev3 approved. */
const latest = "2026-11-03T04:05:06Z";
const commit = "5".repeat(40);

/** @returns a forge of five people, and the remote of a clone of the repository with two changes. */
const openers: Record<ForgeKind, () => { readonly honest: Double; readonly origin: string }> = {
  gitea: () => {
    const honest = inventForge();
    for (let id = 1; id <= 5; id++) {
      const email = `dev${id}@corp.example`;
      honest.accounts.set(id, { login: `dev${id}`, name: `Dev ${id}`, location: "Berlin", email });
    }
    honest.repositories.set(1, { owner: 1, name: "app", stars: 5 });
    const reviews = [2, 3].map((by) => ({ by, at: latest }));
    const about = { commits: [commit, commit], paths: ["queue.go"], reviews };
    const change = { author: 1, updated: latest, ...about };
    honest.changes.set(1, [change, change]);
    return { honest, origin: `${honest.url}/dev1/app.git` };
  },
  github: () => {
    const user = (databaseId: number) => ({ __typename: "User", databaseId });
    const review = { state: "APPROVED", submittedAt: latest };
    const nodes = [1002, 1003].map((number) => ({ ...review, author: user(number) }));
    const changes = [1, 2].map((number) => ({
      ...{ number, updatedAt: latest, state: "MERGED", changedFiles: 1, headRefOid: commit },
      ...{ mergeCommit: { oid: commit }, author: user(1001), reviews: { nodes } },
      files: { nodes: [{ path: "queue.go" }] },
    }));
    const honest = serveGithub({ people: 5, changes: new Map([["dev1/app0", changes]]) });
    return { honest, origin: "https://ghe.corp.example/dev1/app0.git" };
  },
  gitlab: () => {
    const user = (number: number) => ({ id: `gid://gitlab/User/${number}` });
    const changes = [1, 2].map((number) => ({
      ...{ iid: String(number), updatedAt: latest, mergedAt: latest, state: "merged" },
      ...{ diffHeadSha: commit, mergeCommitSha: commit, diffStats: [{ path: "queue.go" }] },
      ...{ author: user(501), reviewers: { nodes: [] } },
      approvedBy: { nodes: [user(502), user(503)] },
    }));
    const about = { people: 5, isAdministrator: true };
    const honest = serveGitlab({ ...about, changes: new Map([["dev1/app", changes]]) });
    return { honest, origin: "https://gitlab.corp.example/dev1/app.git" };
  },
};

const numbers = ["id", "databaseId"];
const names = ["login", "username"];
const texts = ["name", "full_name", "location", "bio", "description", "topics", "nameWithOwner"];
const dates = ["created", "created_at", "createdAt", "pushedAt", "updated_at", "last_activity_at"];
const lists = ["data", "nodes", "users", "repositories", "errors", "pageInfo", "emails", "group"];

const wrong: readonly (readonly [string, readonly Mischief[]])[] = [
  ["negative numbers", everywhere(numbers, -5)],
  ["numbers beyond any", everywhere(numbers, 1e300)],
  ["numbers that are texts", everywhere(numbers, "7; DROP TABLE")],
  ["one number for all", everywhere(numbers, 1)],
  ["one login for all", everywhere(names, "same")],
  ["logins that are paths", everywhere(names, "../../../etc/passwd")],
  ["logins that are huge", everywhere(names, "x".repeat(500_000))],
  ["logins of another case", everywhere(names, "DEV1")],
  ["control characters", everywhere([...names, ...texts], "a\u0000b\u001b[2J\u0007\u202e")],
  ["half characters", everywhere([...names, ...texts], "x\ud800y")],
  ["texts that are huge", everywhere(texts, "y".repeat(1_000_000))],
  ["years that no calendar has", everywhere(dates, "+275760-09-13T00:00:00Z")],
  ["dates before all", everywhere(dates, "-000001-01-01T00:00:00Z")],
  ["dates that are numbers", everywhere(dates, 1e21)],
  ["addresses of scripts", everywhere(["url", "html_url", "web_url", "website"], "javascript:1")],
  ["addresses that are none", everywhere(["email", "commit_email"], "no\u0000body@")],
  ["counts below nothing", everywhere(["followers_count", "stars_count", "totalCount"], -1)],
  ["objects for lists", everywhere([...lists, "topics"], { a: 1 })],
  ["lists for objects", everywhere([...lists, "owner"], [[]])],
  ["changes and reviews of nobody", everywhere(["number", "iid", "author", "user"], [7])],
  ["commits and paths that are none", everywhere(["sha", "oid", "path", "filename"], "../\u0000")],
  ["a change of the year 9999", everywhere(["updatedAt", "updated_at"], "9999-12-31T23:59:59Z")],
  ["lists of changes that are none", everywhere(["files", "reviews", "diffStats", "head"], "x")],
  ["nothing", everywhere([...lists, ...numbers, ...names, "owner"], null)],
  ["a page of HTML", [{ body: "<html>Sign in</html>" }]],
  ["an error with status 200", [{ body: '{"message":"Bad credentials"}' }]],
  ["GraphQL's errors alone", [{ body: '{"errors":[{"message":{"a":1}}]}' }]],
];

/** `scripts/explore` gives each to every kind of forge; else they take turns. */
const casesOf = (kind: ForgeKind) =>
  wrong.filter((_, at) => isLong || at % forgeKinds.length === forgeKinds.indexOf(kind));

const folder = makeFolder("git");
const clone = inventRepository(join(folder, "app.git"), [{ author: "Dev 1 <dev1@corp.example>" }]);

describe.each([...forgeKinds])("%s", (kind) => {
  test.each(casesOf(kind))(
    "answers %s",
    async (_, mischiefs) => {
      // `scripts/explore` spoils each field; else each kind of forge has another one.
      const turn = forgeKinds.indexOf(kind) % mischiefs.length;
      for (const mischief of isLong ? mischiefs : mischiefs.slice(turn, turn + 1)) {
        let isWrong = true;
        const { honest, origin } = openers[kind]();
        await using _ = honest;
        setOrigin(clone, origin);
        await using forge = serveDouble(async ({ url, method, body }) => {
          const { pathname, search } = new URL(url);
          const answer = await fetch(`${honest.url}${pathname}${search}`, { method, body });
          const headers = { link: answer.headers.get("link") ?? "" };
          const text = await answer.text();
          const right = text.replaceAll(latest, "2026-11-21T13:00:00Z");
          const json = (): Json => JSON.parse(text || '{"message":"Not found"}');
          const wrong = () =>
            "body" in mischief ? mischief.body : JSON.stringify(spoil(json(), mischief));
          return new Response(isWrong ? wrong() : right, { status: answer.status, headers });
        });
        const data = openForgeData();
        await data.ingestGit([clone]);
        const source = { id: "corp", kind, url: forge.url, selections: [{ kind: "all" as const }] };
        const ingest = () => data.ingestFrom(forge.url, { source });
        await ingest().catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error;
        });
        for (const facts of (await Array.fromAsync(data.pool.facts())).flat()) {
          expect(parseFacts(JSON.stringify(facts))).not.toHaveProperty("complaint");
        }
        // What was wrong once is right again: reviews are, once their change is updated.
        isWrong = false;
        await ingest();
        await ingest();
        const people = (await Array.fromAsync(data.pool.facts())).flat();
        const known = people.map(({ login }) => login);
        expect(known).toEqual(expect.arrayContaining(["dev1", "dev2", "dev3", "dev4"]));
        const reviewed = people.filter(({ credits }) => credits?.approved?.count === 2);
        expect(reviewed.map(({ login }) => login).sort()).toEqual(["dev2", "dev3"]);
      }
    },
    120_000,
  );
});
