import { describe, expect, test } from "bun:test";
import { parse, validate } from "graphql";
import { gitlab } from "../../../src/ingest/forges/adapters/gitlab.ts";
import {
  composeGitlabAuthorsQuery,
  gitlabMembersQuery,
  gitlabPeopleQuery,
} from "../../../src/ingest/forges/adapters/gitlab-answers.ts";
import { gitlabReviewsQuery } from "../../../src/ingest/forges/adapters/gitlab-reviews.ts";
import { MissingList } from "../../../src/ingest/forges/forge.ts";
import { createTestClient } from "./double.ts";
import { type GitlabDoubleOptions, gitlabSchema, serveGitlab } from "./gitlab-double.ts";
import { walk } from "./walk.ts";

function open(options: GitlabDoubleOptions) {
  const forge = serveGitlab(options);
  const { client } = createTestClient(gitlab.getApi(forge.url), {
    createHeaders: gitlab.createHeaders,
  });
  return {
    forge,
    client,
    adapter: gitlab.createAdapter(client, forge.url),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  };
}
const all = { kind: "all" } as const;
const core = { kind: "group", name: "acme/core" } as const;

describe("GitLab's people", () => {
  test("come whole to an administrator, with addresses that serve identity only", async () => {
    await using lab = open({ people: 250, isAdministrator: true });
    const { accounts, repositories, hidden } = await walk(lab.adapter, [all]);
    // Without the blocked one and the private profile.
    expect(accounts).toHaveLength(248);
    expect(accounts[1]).toEqual({
      ...{ number: "501", login: "dev1", isBot: false },
      profile: {
        ...{ name: "Dev 1", bio: "Engineer. Queues", company: "Acme", location: "Berlin" },
        ...{ blog: "https://dev.example/", socialUsername: "tweet1", followers: 3 },
        ...{ profileUrl: "https://gitlab.corp.example/dev1", createdAt: "2024-05-06T07:08:09Z" },
      },
      addresses: [
        { address: "dev1@corp.example", isPublished: true },
        { address: "501-dev1@users.noreply.gitlab.corp.example", isPublished: false },
      ],
    });
    expect(accounts[0]?.addresses[0]).toEqual({ address: "dev0@corp.example", isPublished: false });
    const everything = JSON.stringify([accounts, repositories]);
    for (const word of ["secret", "192.0.2.77", "they", "dev8@", "dev9@"]) {
      expect(everything).not.toContain(word);
    }
    expect(repositories[0]).toEqual({
      ...{ number: "5000", name: "dev0/app", owner: "500", isFork: false, stars: 5, forks: 1 },
      urls: [
        "https://gitlab.corp.example/dev0/app",
        "https://gitlab.corp.example/dev0/app.git",
        "git@gitlab.corp.example:dev0/app.git",
      ],
      ...{ topics: ["queue"], description: "An app.", pushedAt: "2024-05-06T07:08:09Z" },
    });
    expect(hidden).toBe(2 + 250);
    // Three pages of people and five of projects.
    expect(lab.client.requests()).toBe(8);
    expect(lab.adapter.noreplyHost()).toBe("users.noreply.gitlab.corp.example");
  });

  test("are all read where a list by pages ends before them, and go on where a run ended", async () => {
    await using lab = open({ people: 450, isAdministrator: true, offsetMax: 200 });
    expect((await walk(lab.adapter, [all])).accounts).toHaveLength(448);
    // As a run does that goes on: from what was stored, with nothing else known.
    const [step] = lab.adapter.steps([all]);
    if (!step) throw new Error("There is no list.");
    const first = await lab.adapter.readPage(step);
    const another = gitlab.createAdapter(lab.client, lab.forge.url);
    const cursor = first.next;
    if (cursor === undefined) throw new Error("The list has one page.");
    const second = await another.readPage(JSON.parse(JSON.stringify({ ...step, cursor })));
    expect(second.accounts[0]?.number).toBe("600");
    await using old = open({ people: 450, isAdministrator: true, offsetMax: 600, isOld: true });
    expect((await walk(old.adapter, [all])).accounts).toHaveLength(448);
    await using oldest = open({ people: 450, isAdministrator: true, offsetMax: 200, isOld: true });
    const rest = walk(oldest.adapter, [all]);
    await expect(rest).rejects.toThrow("GitLab gives no more of all accounts, by page (405).");
  });

  test("come by GraphQL to everybody else, 100 in a request and without addresses", async () => {
    await using lab = open({ people: 250 });
    const { accounts } = await walk(lab.adapter, [all]);
    expect(accounts).toHaveLength(249);
    expect(accounts[1]?.profile).toMatchObject({ location: "Berlin", bio: "Engineer. Queues" });
    expect(accounts[1]?.addresses).toEqual([{ address: "dev1@corp.example", isPublished: true }]);
    expect(accounts[0]?.addresses).toEqual([]);
    expect(accounts[7]?.isBot).toBe(true);
    expect(lab.forge.paths.filter((path) => path === "/api/graphql")).toHaveLength(3);
  });

  test("of a group, by name and by search come with their projects", async () => {
    await using lab = open({ people: 3 });
    for (const selection of [core, { kind: "search", name: "dev" }] as const) {
      const { accounts, repositories } = await walk(lab.adapter, [selection]);
      expect(accounts.map(({ login }) => login)).toEqual(["dev0", "dev1", "dev2"]);
      expect(new Set(repositories.map(({ name }) => name)).size).toBe(3);
    }
    const named = await walk(lab.adapter, [{ kind: "user", name: "dev2" }]);
    expect(named.accounts.map(({ number }) => number)).toEqual(["502"]);
    expect(named.repositories.map(({ name }) => name)).toEqual(["dev2/app"]);
  });

  test.each([true, false])(
    "of a search are the first ones (administrator: %p)",
    async (isAdministrator) => {
      await using lab = open({ people: 250, isAdministrator });
      const everybody = await walk(lab.adapter, [{ kind: "search", name: "dev" }]);
      for (const limit of [1, 130]) {
        const { accounts } = await walk(lab.adapter, [{ kind: "search", name: "dev", limit }]);
        const some = everybody.accounts.slice(0, accounts.length);
        expect(accounts.map(({ login }) => login)).toEqual(some.map(({ login }) => login));
        // A hidden and a blocked one count as well.
        expect(accounts.length).toBeGreaterThanOrEqual(limit - 2);
        expect(accounts.length).toBeLessThanOrEqual(limit);
      }
    },
  );

  test("of a large group come to the last page", async () => {
    await using lab = open({ people: 230 });
    expect((await walk(lab.adapter, [core])).accounts).toHaveLength(229);
  });

  test("confirmed addresses only prove who somebody is", async () => {
    await using lab = open({ people: 2, isAdministrator: true });
    const { accounts } = await walk(lab.adapter, [core]);
    expect(accounts[0]?.addresses.map(({ address }) => address)).toEqual([
      "500-dev0@users.noreply.gitlab.corp.example",
      "dev0@corp.example",
    ]);
  });

  test("are asked for by number too, and those who are gone or blocked are an answer", async () => {
    await using lab = open({ people: 12 });
    const accounts = await lab.adapter.readAccounts(["503", "508", "77", "500"]);
    const logins = accounts.map((account) => account?.login);
    expect(logins).toEqual(["dev3", undefined, undefined, "dev0"]);
    expect(lab.client.requests()).toBe(1);
  });

  test("a group that is not there is told from one without members; GitLab has no teams", async () => {
    await using lab = open({ people: 2 });
    const [members] = lab.adapter.steps([{ kind: "group", name: "missing" }]);
    expect(lab.adapter.readPage(members as never)).rejects.toMatchObject({ name: "MissingList" });
    expect(() => lab.adapter.steps([{ kind: "team", name: "a/b" }])).toThrow(/by group, user/);
  });
});

describe("GitLab's commits", () => {
  const sample = (repository: string, commit: string) => ({ repository, commit });

  test("name the accounts of their authors", async () => {
    await using lab = open({ people: 2 });
    const known = [..."abc"].map((letter) => sample("dev1/app", letter.repeat(40)));
    const samples = [...known, sample("dev1/removed", "a".repeat(40))];
    expect(await lab.adapter.findCommitAuthors(samples)).toEqual([
      { number: "501", login: "dev1" },
      "nobody",
      "unknown commit",
      "unknown commit",
    ]);
    expect(lab.client.requests()).toBe(1);
  });

  test("are asked for in halves where they weigh too much", async () => {
    await using lab = open({ people: 2, samplesMax: 4 });
    const samples = Array.from({ length: 15 }, (_, at) =>
      sample(`dev${at % 2}/app`, `a${at.toString(16).padStart(39, "0")}`),
    );
    const authors = samples.map((_, at) => ({ number: `50${at % 2}`, login: `dev${at % 2}` }));
    expect(await lab.adapter.findCommitAuthors(samples)).toEqual(authors);
  });
});

describe("GitLab's reviews", () => {
  test("are the states of reviewers, on the day of the merge or of the latest update", async () => {
    const user = (number: number) => ({ id: `gid://gitlab/User/${number}` });
    const reviewer = (number: number, reviewState: string) => ({
      ...user(number),
      mergeRequestInteraction: { reviewState },
    });
    const change = (iid: number, more: object) => ({
      ...{ iid: String(iid), updatedAt: "2026-11-05T00:00:00Z", author: user(501) },
      ...{ state: "merged", mergedAt: "2026-11-04T09:00:00Z", mergeCommitSha: "b".repeat(40) },
      ...{ diffHeadSha: "a".repeat(40), diffStats: [{ path: "pay/a.ts" }] },
      ...{ approvedBy: { nodes: [user(502), user(501)] }, reviewers: { nodes: [] } },
      ...more,
    });
    const stillOpen = { state: "opened", mergedAt: null, mergeCommitSha: null };
    const nodes = [
      change(3, {
        ...{ ...stillOpen, approvedBy: { nodes: [] } },
        reviewers: {
          nodes: [
            reviewer(503, "REQUESTED_CHANGES"),
            ...["REVIEWED", "UNREVIEWED", "UNAPPROVED"].map((state) => reviewer(502, state)),
          ],
        },
      }),
      change(2, {}),
      change(1, { state: "closed" }),
    ];
    await using lab = open({ people: 3, changes: new Map([["dev1/app", nodes]]) });
    const place = { cursor: undefined, since: "2026-01-01T00:00:00Z" };
    const { changes, next } = await lab.adapter.readReviews({ name: "dev1/app" }, place);
    expect(next).toBeUndefined();
    expect(changes.map(({ reviews }) => reviews)).toEqual([
      [{ reviewer: "503", verdict: "changesRequested", day: "2026-11-05" }],
      [{ reviewer: "502", verdict: "approved", day: "2026-11-04" }],
      [],
    ]);
    expect(changes[1]).toMatchObject({
      ...{ number: "2", commits: ["a".repeat(40), "b".repeat(40)], paths: ["pay/a.ts"], files: 1 },
    });
    const gone = lab.adapter.readReviews({ name: "dev1/removed" }, place);
    await expect(gone).rejects.toBeInstanceOf(MissingList);
    expect(lab.client.requests()).toBe(2);
  });
});

describe("GitLab's schema", () => {
  test.each([
    ["people", gitlabPeopleQuery],
    ["members", gitlabMembersQuery],
    ["authors", composeGitlabAuthorsQuery(15)],
    ["reviews", gitlabReviewsQuery],
  ])("takes the query of %s", (_, query) => {
    expect(validate(gitlabSchema, parse(query))).toEqual([]);
  });
});
