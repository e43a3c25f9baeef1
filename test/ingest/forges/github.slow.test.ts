import { describe, expect, test } from "bun:test";
import { parse, validate } from "graphql";
import type { ForgeClientOptions } from "../../../src/ingest/forges/adapters/client.ts";
import { github } from "../../../src/ingest/forges/adapters/github.ts";
import {
  composeGithubAuthorsQuery,
  composeGithubPeopleQuery,
  githubRepositoriesQuery,
} from "../../../src/ingest/forges/adapters/github-graphql.ts";
import { githubReviewsQuery } from "../../../src/ingest/forges/adapters/github-reviews.ts";
import { MissingList } from "../../../src/ingest/forges/forge.ts";
import { createTestClient } from "./double.ts";
import { type GithubDoubleOptions, githubSchema, serveGithub } from "./github-double.ts";
import { walk } from "./walk.ts";

function open(options: GithubDoubleOptions, clientOptions: Partial<ForgeClientOptions> = {}) {
  const forge = serveGithub(options);
  const api = github.getApi(forge.url);
  const { client, clock } = createTestClient(api, {
    createHeaders: github.createHeaders,
    ...clientOptions,
  });
  return {
    forge,
    client,
    clock,
    adapter: github.createAdapter(client, forge.url),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  };
}
const acme = { kind: "org", name: "acme" } as const;
const graphql = "/api/graphql";
const site = "https://ghe.corp.example";

describe("GitHub's people", () => {
  test("of an organisation come with their public repositories, 20 in a request", async () => {
    await using hub = open({ people: 45 });
    const { accounts, repositories, hidden } = await walk(hub.adapter, [acme]);
    expect(accounts.map(({ login }) => login)).toEqual(hub.forge.people.map(({ login }) => login));
    expect(accounts[1]).toEqual({
      ...{ number: "1001", login: "dev1", isBot: false },
      profile: {
        ...{ name: "Dev 1", bio: "Queues", company: "@acme", location: "Berlin" },
        ...{ socialUsername: "tweet1", hireable: true, followers: 1 },
        ...{ createdAt: "2020-01-02T03:04:05Z", updatedAt: "2026-01-02T03:04:05Z" },
        ...{ profileUrl: `${site}/dev1`, avatarUrl: `${site}/dev1.png` },
      },
      addresses: [{ address: "dev1@public.example", isPublished: true }],
    });
    // Nobody who did not say so is marked as unavailable.
    expect(accounts[0]?.profile).not.toHaveProperty("hireable");
    expect(accounts[0]?.addresses).toEqual([]);
    expect(repositories).toHaveLength(91);
    expect(repositories[0]).toMatchObject({ name: "acme/app0", owner: undefined, stars: 70 });
    expect(repositories[2]).toEqual({
      ...{ number: "2", name: "dev0/app1", owner: "1000", isFork: true, stars: 1, forks: 0 },
      urls: [`${site}/dev0/app1`, `${site}/dev0/app1.git`, "git@ghe.corp.example:dev0/app1.git"],
      ...{ topics: ["queue"], description: "An app.", language: "Go", megabytes: 2 },
      pushedAt: "2026-02-03T04:05:06Z",
    });
    expect(JSON.stringify(repositories)).not.toContain("secret-plans");
    expect(hidden).toBe(45);
    // One list, three batches, and the organisation's own repositories.
    expect(hub.forge.paths.filter((path) => path === graphql)).toHaveLength(4);
    expect(hub.client.requests()).toBe(5);
  });

  test("come by team, by name, by search and, of a server of one's own, all at once", async () => {
    await using hub = open({ people: 130 });
    const named = ["dev3", "dev7"].map((name) => ({ kind: "user", name }) as const);
    const byName = await walk(hub.adapter, named);
    expect(byName.accounts.map(({ number }) => number)).toEqual(["1003", "1007"]);
    for (const selection of [
      { kind: "team", name: "acme/core" },
      { kind: "search", name: "location:Berlin" },
      { kind: "all" },
    ] as const) {
      const { accounts } = await walk(hub.adapter, [selection]);
      expect(accounts).toHaveLength(130);
    }
    expect(hub.forge.paths).toContain("/orgs/acme/teams/core/members");
    const search = hub.forge.asked.find(({ url }) => url.includes("/search/users"));
    expect(new URL(search?.url ?? "").searchParams.get("q")).toBe("location:Berlin type:user");
  });

  test("of a search are the first ones when so many are wanted", async () => {
    await using hub = open({ people: 260, found: 1200 });
    for (const limit of [1, 100, 150, 260, 5000]) {
      const { accounts, warnings } = await walk(hub.adapter, [
        { kind: "search", name: "location:Berlin", limit },
      ]);
      const first = hub.forge.people.slice(0, limit);
      expect(accounts.map(({ login }) => login)).toEqual(first.map(({ login }) => login));
      expect(warnings).toHaveLength(limit > 1000 ? 1 : 0);
    }
    const before = hub.client.requests();
    await walk(hub.adapter, [{ kind: "search", name: "location:Berlin", limit: 100 }]);
    // One page of the list, and five batches.
    expect(hub.client.requests() - before).toBe(6);
  });

  test("of a search beyond what GitHub gives are missed aloud", async () => {
    await using hub = open({ people: 130, found: 1200 });
    const search = { kind: "search", name: "location:Berlin" } as const;
    const { warnings } = await walk(hub.adapter, [search]);
    expect(warnings).toEqual([
      expect.stringMatching(/1200 people by search location:Berlin.* 1000 .*created:/),
    ]);
    await using small = open({ people: 3, found: 1000 });
    expect((await walk(small.adapter, [search])).warnings).toEqual([]);
  });

  test("with many repositories are read to the last page", async () => {
    await using hub = open({ people: 1, repositories: 230 });
    const { repositories } = await walk(hub.adapter, [{ kind: "user", name: "dev0" }]);
    expect(new Set(repositories.map(({ name }) => name)).size).toBe(230);
  });

  test("are asked for by number too, and those who are gone are an answer", async () => {
    await using hub = open({ people: 3, gone: ["dev1"] });
    const accounts = await hub.adapter.readAccounts(["1000", "1001", "1002", "77"]);
    const logins = accounts.map((account) => account?.login);
    expect(logins).toEqual(["dev0", undefined, "dev2", undefined]);
    const { accounts: listed } = await walk(hub.adapter, [{ kind: "user", name: "dev2" }]);
    expect(accounts[2]).toEqual(listed[0]);
  });

  test("all of github.com, groups and half a team are refused", () => {
    const { client } = createTestClient("https://api.github.com/");
    const adapter = github.createAdapter(client, "https://github.com");
    const refused = [{ kind: "all" }, { kind: "group", name: "a" }, { kind: "team", name: "a" }];
    for (const selection of refused as Parameters<typeof adapter.steps>[0]) {
      expect(() => adapter.steps([selection])).toThrow(/github.com|GitHub/);
    }
    expect(github.getApi("https://github.com")).toBe("https://api.github.com/");
    expect(github.getApi("https://acme.ghe.com/")).toBe("https://api.acme.ghe.com/");
    const own = "https://git.corp.example:8443";
    expect(github.getApi(own)).toBe(`${own}/api/v3/`);
  });
});

describe("GitHub's failures", () => {
  test("one dead account of 20 costs nobody", async () => {
    await using hub = open({ people: 20, gone: ["dev7"] });
    const { accounts } = await walk(hub.adapter, [acme]);
    expect(accounts).toHaveLength(19);
    expect(hub.client.requests()).toBe(3);
    const named = hub.forge.people.map(({ login: name }) => ({ kind: "user", name }) as const);
    expect((await walk(hub.adapter, named)).accounts).toHaveLength(19);
  });

  test("a null beside an error that is no absence is asked for alone", async () => {
    await using hub = open({
      people: 20,
      intervene({ path, body }) {
        const ids = body?.variables["ids"];
        if (path !== graphql || !Array.isArray(ids) || ids.length < 20) return undefined;
        const error = { type: "SERVICE_UNAVAILABLE", path: ["nodes", 3], message: "Try later." };
        const nodes = hub.forge.people.map((person, at) =>
          at === 3 ? null : { ...person, repositories: { nodes: [] } },
        );
        return Response.json({ data: { nodes }, errors: [error] });
      },
    });
    const { accounts } = await walk(hub.adapter, [acme]);
    expect(new Set(accounts.map(({ login }) => login)).size).toBe(20);
    expect(hub.client.requests()).toBe(4);
  });

  test("what is too much is asked for in halves", async () => {
    await using hub = open({ people: 20, peopleMax: 3 });
    const { accounts } = await walk(hub.adapter, [acme]);
    expect(new Set(accounts.map(({ login }) => login)).size).toBe(20);
    // 20, 10, 5, 3 and 2: 1 + 2 + 4 + 8 questions, a list, and the organisation's repositories.
    expect(hub.client.requests()).toBe(17);
  });

  test("502 is asked once more, and then in halves, down to the profile alone", async () => {
    await using hub = open({
      people: 2,
      intervene: ({ body }) =>
        body?.query.includes("nodes(ids") && body.query.includes("repositories(")
          ? new Response("Bad gateway", { status: 502 })
          : undefined,
    });
    const { accounts, repositories } = await walk(hub.adapter, [acme]);
    expect(accounts.map(({ login }) => login)).toEqual(["dev0", "dev1"]);
    expect(repositories).toHaveLength(5);
  });

  test("a limit that GraphQL names with status 200 is waited for", async () => {
    const reset = String(Date.parse("2026-11-22T12:10:00Z") / 1000);
    await using hub = open({
      people: 2,
      intervene: ({ path }, times) =>
        path === graphql && times === 1
          ? Response.json(
              { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded." }] },
              { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } },
            )
          : undefined,
    });
    expect((await walk(hub.adapter, [acme])).accounts).toHaveLength(2);
    expect(Math.max(...hub.clock.slept)).toBeGreaterThan(590_000);
  });

  test("a token without the scope for addresses reads the rest", async () => {
    const error = { type: "INSUFFICIENT_SCOPES", message: "The 'email' field requires more." };
    await using hub = open({
      people: 3,
      intervene: ({ body }) =>
        body && / email\b/.test(body.query)
          ? Response.json({ data: null, errors: [error] })
          : undefined,
    });
    const { accounts } = await walk(hub.adapter, [acme]);
    expect(accounts.map(({ profile }) => profile.location)).toEqual(["Berlin", "Berlin", "Berlin"]);
    expect(accounts.flatMap(({ addresses }) => addresses)).toEqual([]);
  });

  test("a refusal of the whole question is no absence of everybody", async () => {
    const error = { type: "FORBIDDEN", message: "Resource protected by organization SAML." };
    await using hub = open({
      people: 20,
      intervene: ({ path }) =>
        path === graphql ? Response.json({ data: null, errors: [error] }) : undefined,
    });
    const [members] = hub.adapter.steps([acme]);
    const { steps = [] } = await hub.adapter.readPage(members as never);
    const asked = hub.adapter.readPage(steps[0] as never);
    const denial = { name: "ForgeDenial", message: expect.stringContaining("SAML") };
    await expect(asked).rejects.toMatchObject(denial);
  });

  test("an organisation that is not there is told from one without members", async () => {
    await using hub = open({ people: 3 });
    const [members] = hub.adapter.steps([{ kind: "org", name: "missing" }]);
    expect(hub.adapter.readPage(members as never)).rejects.toMatchObject({ name: "MissingList" });
  });
});

describe("GitHub's commits", () => {
  test("name the accounts of their authors, 50 in a request", async () => {
    await using hub = open({ people: 2 });
    const sample = (repository: string, commit: string) => ({ repository, commit });
    const known = [..."abc"].map((letter) => sample("dev1/app0", letter.repeat(40)));
    const samples = [...known, sample("dev1/removed", "a".repeat(40))];
    expect(await hub.adapter.findCommitAuthors(samples)).toEqual([
      { number: "1001", login: "dev1" },
      "nobody",
      "unknown commit",
      "unknown commit",
    ]);
    expect(hub.client.requests()).toBe(1);
    expect(hub.adapter.batch.samples).toBe(50);
  });
});

describe("GitHub's reviews", () => {
  test("are verdicts of people about changes of others, twenty changes in a request", async () => {
    const user = (databaseId: number) => ({ __typename: "User", databaseId });
    const review = (author: object | null, state: string, day: string) => {
      return { author, state, submittedAt: `2026-11-${day}T10:00:00Z` };
    };
    const change = (number: number, updatedAt: string, more: object) => ({
      ...{ number, updatedAt, state: "MERGED", changedFiles: 120, author: user(1001) },
      ...{ headRefOid: "a".repeat(40), mergeCommit: { oid: "b".repeat(40) } },
      files: { nodes: [{ path: "pay/a.ts" }, { path: "pay/b.ts" }] },
      reviews: { nodes: [review(user(1002), "APPROVED", "03")] },
      ...more,
    });
    const bot = { __typename: "Bot" };
    const nodes = [
      change(30, "2026-11-05T00:00:00Z", {
        reviews: {
          nodes: [
            review(user(1002), "CHANGES_REQUESTED", "01"),
            ...[review(user(1002), "APPROVED", "02"), review(user(1002), "APPROVED", "03")],
            ...[review(user(1001), "APPROVED", "03"), review(bot, "APPROVED", "03")],
            review(null, "APPROVED", "03"),
          ],
        },
      }),
      change(29, "2026-11-04T00:00:00Z", { state: "CLOSED", mergeCommit: null }),
      ...Array.from({ length: 20 }, (_, at) => change(28 - at, "2026-10-01T00:00:00Z", {})),
      change(1, "2025-01-01T00:00:00Z", {}),
    ];
    await using hub = open({ people: 3, changes: new Map([["dev1/app0", nodes]]) });
    const read = (cursor: string | undefined, since: string) =>
      hub.adapter.readReviews({ name: "dev1/app0" }, { cursor, since });
    const first = await read(undefined, "2026-01-01T00:00:00Z");
    expect(first.changes).toHaveLength(20);
    expect(first.changes[0]).toEqual({
      ...{ number: "30", updatedAt: "2026-11-05T00:00:00Z", paths: ["pay/a.ts", "pay/b.ts"] },
      ...{ commits: ["a".repeat(40), "b".repeat(40)], files: 120 },
      reviews: [{ reviewer: "1002", verdict: "approved", day: "2026-11-03" }],
    });
    expect(first.changes[1]?.reviews).toEqual([]);
    const last = await read(first.next, "2026-01-01T00:00:00Z");
    expect([last.changes.length, last.next]).toEqual([2, undefined]);
    // What is not newer ends the list.
    const newest = await read(undefined, "2026-11-04T00:00:00Z");
    expect([newest.changes.length, newest.next]).toEqual([1, undefined]);
    const from = { cursor: undefined, since: "" };
    const gone = hub.adapter.readReviews({ name: "dev1/removed" }, from);
    await expect(gone).rejects.toBeInstanceOf(MissingList);
  });
});

describe("GitHub's schema", () => {
  const people = (["ids", "logins"] as const).flatMap((by) =>
    [true, false].flatMap((hasEmail) =>
      [true, false].map((hasRepositories) => ({ by, count: 20, hasEmail, hasRepositories })),
    ),
  );
  const queries = [
    ...people.map((form) => [JSON.stringify(form), composeGithubPeopleQuery(form)] as const),
    ["repositories", githubRepositoriesQuery] as const,
    ["authors", composeGithubAuthorsQuery(50)] as const,
    ["reviews", githubReviewsQuery] as const,
  ];
  test.each(queries)("takes the query of %s", (_, query) => {
    expect(validate(githubSchema, parse(query))).toEqual([]);
  });

  test("takes no other field, so that the slice is a test at all", () => {
    const [, right = ""] = queries[0] ?? [];
    expect(validate(githubSchema, parse(right.replace("bio", "age")))).toHaveLength(1);
  });
});
