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
import { serveDouble } from "./double.ts";
import { openForgeData, setOrigin } from "./ingesting.ts";
import { type Mischief, spoilText } from "./mischief.ts";
import { answerHonestly, latest, logins, reviewedOrigin } from "./odd-answers.ts";

const field = (name: string, value: Json): Mischief => ({ kind: "field", field: name, value });
const everywhere = (names: readonly string[], value: Json) =>
  names.map((name) => field(name, value));

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
  ["a page of HTML", [{ kind: "other", body: "<html>Sign in</html>" }]],
  ["an error with status 200", [{ kind: "other", body: '{"message":"Bad credentials"}' }]],
  ["GraphQL's errors alone", [{ kind: "other", body: '{"errors":[{"message":{"a":1}}]}' }]],
];

/** `scripts/explore` gives each to every kind of forge; else they take turns. */
const casesOf = (kind: ForgeKind) =>
  wrong.filter((_, at) => isLong || at % forgeKinds.length === forgeKinds.indexOf(kind));

const folder = makeFolder("git");
const clone = inventRepository(join(folder, "app.git"), [{ author: "Dev 1 <dev1@corp.example>" }]);
setOrigin(clone, reviewedOrigin);

describe.each([...forgeKinds])("%s", (kind) => {
  test.each(casesOf(kind))(
    "answers %s",
    async (_, mischiefs) => {
      // `scripts/explore` spoils each field; else each kind of forge has another one.
      const turn = forgeKinds.indexOf(kind) % mischiefs.length;
      for (const mischief of isLong ? mischiefs : mischiefs.slice(turn, turn + 1)) {
        let isWrong = true;
        await using forge = serveDouble(async (request) => {
          const { pathname, search } = new URL(request.url);
          const honest = search.includes("page=2")
            ? []
            : answerHonestly(kind, pathname, await request.text());
          const body = spoilText(honest, isWrong ? mischief : undefined);
          const told = isWrong ? body : body.replaceAll(latest, "2026-11-21T13:00:00Z");
          return new Response(told, { status: honest === undefined ? 404 : 200 });
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
        expect(logins.filter((login) => !known.includes(login))).toEqual([]);
        const reviewed = people.filter(({ credits }) => credits?.approved?.count === 2);
        expect(reviewed.map(({ login }) => login).sort()).toEqual(["dev2", "dev3"]);
      }
    },
    120_000,
  );
});
