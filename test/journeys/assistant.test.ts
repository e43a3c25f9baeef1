/**
 * A user connects an assistant in every way of docs/mcp.md and calls every tool: full and slim, hosted and local, protocols of
 * 2025 and 2026, with a key and by signing in. The account shows what each call cost.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { errorOf, hasBrowser, launch, openTab, textOf } from "../browser.ts";
import { createCallCount } from "../call-count.ts";
import { freePort } from "../faults/server-process.ts";
import { type Callback, openCallback } from "../interfaces/web/assistant.ts";
import { goodPassword } from "../interfaces/web/person.ts";
import { kinds, memory, type OpenClient } from "../official-clients.ts";
import { type Desk, expectDone, isBuilt, openDesk, type RunningServer, seeSoon } from "./desk.ts";

const minutes = 60_000;
const details = ["full", "slim"] as const;
type Detail = (typeof details)[number];

interface Quota {
  readonly used: number;
  readonly month: string;
}

interface Told {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>> & {
    readonly meta?: { readonly quota: Quota };
  };
  readonly isError?: boolean;
}

interface Question {
  readonly tool: string;
  readonly input: object;
  readonly isFree?: true;
  /** In the text, in either detail. */
  readonly says: readonly (string | RegExp)[];
  readonly holds: object;
  readonly more: readonly string[];
}

const listQuestions = (login: string): readonly Question[] => [
  {
    tool: "search_developers",
    input: { location: "Berlin", languages: ["TypeScript"] },
    says: ['Place understood: "Berlin, Germany".', "1 match, 1 of them here", login, "TypeScript"],
    holds: { totalCount: 1, place: "Berlin, Germany", results: [{ login, name: "Nora Example" }] },
    more: ["results.0.commits_per_month", "results.0.profile_score"],
  },
  {
    tool: "get_developer",
    input: { login },
    says: [`${login} "Nora Example" in "Berlin, Germany": score `, "strongest in"],
    holds: { username: login, name: "Nora Example" },
    more: [],
  },
  {
    tool: "analyze_profile",
    input: { username: login },
    says: [login, /\b(Roles|Skills): /, "Judged as of "],
    holds: { profile: { login } },
    more: ["activity.months", "explanation.roleMatch"],
  },
  {
    tool: "lookup_terms",
    input: { q: "Berl" },
    isFree: true,
    says: ["place Berlin, Germany: 1 person"],
    holds: {
      terms: expect.arrayContaining([{ kind: "place", name: "Berlin, Germany", people: 1 }]),
    },
    more: [],
  },
  {
    tool: "find_people",
    input: { text: "Nora Ex" },
    says: ["1 found, 1 of them here.", `${login} "Nora Example"`, "by name"],
    holds: { total: 1, results: [{ login, matched: "name" }] },
    more: [],
  },
  {
    tool: "who_knows",
    input: { repository: "shop", path: "pay" },
    says: [
      '1 person who worked on these 5 files in "shop", best first.',
      `1. ${login} "Nora Example": 100`,
      `Truck factor 1: without ${login}`,
      "5 files are known to one person only",
      /As of \d+ \w+ \d{4}/,
    ],
    holds: {
      people: [{ login, score: 100 }],
      files: 5,
      truckFactor: { people: 1, logins: [login] },
    },
    more: ["people.0.evidence", "folders", "modelVersion", "commits"],
  },
  {
    tool: "get_developers",
    input: { logins: [login, "nobody-here"] },
    says: [`${login} "Nora Example"`, "nobody-here", "Costs 1 call."],
    holds: { users: [{ username: login }], missing: ["nobody-here"], calls: 1 },
    more: [],
  },
];

const read = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((at, field) => (at as Record<string, unknown> | undefined)?.[field], value);

describe.skipIf(!isBuilt)("somebody's assistant", () => {
  let desk: Desk;
  let server: RunningServer;
  let browser: Browser | undefined;
  let tab: Page;
  let callback: Callback;
  let key = "";
  let questions: readonly Question[] = [];
  /** Calls that each account has made so far and that count. */
  const calls = { "keyed@example.com": createCallCount(), "person@example.com": createCallCount() };
  type Holder = keyof typeof calls;
  let callsAnswered = 0;

  /** Reads the quota by a question that costs nothing. */
  const readQuota = async () => {
    const headers = { "x-api-key": key };
    const response = await fetch(`${server.address}/v1/lookup?q=Berlin`, { headers });
    return ((await response.json()) as { meta: { quota: Quota } }).meta.quota;
  };

  /** Asks all questions once, and checks each answer and what it cost. */
  const converse = async (assistant: OpenClient, detail: Detail, holder: Holder) => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual(questions.map(({ tool }) => tool));
    for (const { tool, input, isFree, says, holds, more } of questions) {
      const told = (await assistant.callTool({ name: tool, arguments: input })) as Told;
      callsAnswered += 1;
      const text = told.content.map((part) => part.text).join("\n");
      expect({ tool, detail, isError: told.isError ?? false, text }).toMatchObject({
        isError: false,
      });
      for (const words of says) {
        if (typeof words === "string") expect(text).toContain(words);
        else expect(text).toMatch(words);
      }
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
      const { meta, ...data } = told.structuredContent ?? {};
      expect(data).toMatchObject(holds);
      const month = meta?.quota.month ?? "";
      const used = isFree ? calls[holder].in(month) : calls[holder].add(month);
      expect(meta).toMatchObject({ quota: { used, limit: 1000 } });
      expect(text).toEndWith(`Calls used in ${month}: ${used} of 1000.`);
      for (const path of more) {
        expect({ path, isThere: read(data, path) !== undefined }).toEqual({
          path,
          isThere: detail === "full",
        });
      }
    }
    await assistant.close();
  };

  beforeAll(() => {
    desk = openDesk();
    callback = openCallback();
  });
  afterAll(async () => {
    await browser?.close();
    callback.close();
    await desk.clear();
  });

  test(
    "has people to tell of: a repository that was read, and where they are",
    async () => {
      server = await desk.serve("--port", `${await freePort()}`);
      const commit = (author: string, file: string) =>
        `mkdir -p pay web && echo 'export const n = "${file}";' >${file} && git add . && ` +
        `git -c user.name='${author} Example' -c user.email=${author.toLowerCase()}@example.com ` +
        `commit -qm 'feat: add ${file}, since it was missing'`;
      const commits = [
        // A language is a skill from five commits of a day on.
        ...["money", "card", "bank", "tax", "refund"].map((name) =>
          commit("Nora", `pay/${name}.ts`),
        ),
        ...[commit("Ben", "web/page.ts"), commit("Ben", "web/form.ts")],
      ];
      expectDone(await desk.shell(`git init -q shop && cd shop && ${commits.join(" && ")}`));
      expectDone(await desk.roster("ingest", "git", "shop"));
      writeFileSync(
        join(desk.folder, "hr.csv"),
        'email,location\nnora@example.com,"Berlin, Germany"\n',
      );
      expectDone(await desk.roster("ingest", "people", "hr.csv"));
      const created = expectDone(
        await desk.roster("account", "create", "keyed@example.com", "--plan", "pro", "--json"),
      );
      ({ key } = JSON.parse(created));
      const found = JSON.parse(expectDone(await desk.roster("find", "Nora", "--json")));
      questions = listQuestions(found.data.results[0].login);
      const headers = { "x-api-key": key };
      // The free question tells when the server has all of it.
      await seeSoon(
        async () => (await fetch(`${server.address}/v1/lookup?q=Berlin`, { headers })).text(),
        (text) => text.includes('{"kind":"place","name":"Berlin, Germany","people":1}'),
      );
    },
    3 * minutes,
  );

  for (const detail of details) {
    for (const [era, { open, openLocal }] of Object.entries(kinds)) {
      test(
        `hosted, with a key: ${detail}, ${era}`,
        async () => {
          const url = `${server.address}/mcp?detail=${detail}`;
          await converse(await open(url, { key }), detail, "keyed@example.com");
        },
        minutes,
      );

      test(
        `local, with a key: ${detail}, ${era}`,
        async () => {
          const env = {
            ROSTER_API_KEY: key,
            ROSTER_URL: server.address,
            ROSTER_MCP_DETAIL: detail,
          };
          const command = join(desk.folder, "roster");
          const assistant = await openLocal({ command, args: ["mcp"], env });
          await converse(assistant, detail, "keyed@example.com");
        },
        minutes,
      );
    }
  }

  test.skipIf(!hasBrowser)(
    "its person takes an account by invitation, in a browser",
    async () => {
      const invited = expectDone(
        await desk.roster("account", "invite", "person@example.com", "--plan", "pro"),
      );
      const [link = ""] = /http\S+/.exec(invited) ?? [];
      browser = await launch();
      ({ tab } = await openTab(browser, server.address));
      await tab.goto(`${server.address}${new URL(link).pathname}${new URL(link).search}`);
      await tab.getByLabel("New password").fill(goodPassword);
      await tab.getByRole("button").last().click();
      await tab.waitForURL(`${server.address}/`);
    },
    2 * minutes,
  );

  for (const detail of details) {
    for (const [era, { open, finish }] of Object.entries(kinds)) {
      test.skipIf(!hasBrowser)(
        `hosted, by signing in: ${detail}, ${era}`,
        async () => {
          const url = `${server.address}/mcp?detail=${detail}`;
          const provider = memory(`Helper, ${era}, ${detail}`, callback.address);
          expect(await errorOf(open(url, provider))).toContain("Unauthorized");
          await tab.goto(String(provider.kept.sentTo));
          await tab.waitForURL("**/consent?*");
          const words = await textOf(tab.locator("main"));
          expect(words).toContain(`Let Helper, ${era}, ${detail} use your account?`);
          // What it may is what the tools do.
          for (const may of ["Search developers", "by name", "published e-mail", "analyse"])
            expect(words).toContain(may);
          await tab.getByRole("button", { name: "Allow" }).click();
          await tab.getByText("Connected.").waitFor();
          expect(await finish(url, provider, await callback.came())).toBe("AUTHORIZED");
          await converse(await open(url, provider), detail, "person@example.com");
        },
        2 * minutes,
      );
    }
  }

  test(
    "what a service of another release answers was counted there, so it is shown as it came",
    async () => {
      const older = Bun.serve({
        port: 0,
        fetch: async (request) => {
          const { pathname, search } = new URL(request.url);
          const answer = await fetch(server.address + pathname + search, request);
          const envelope = (await answer.json()) as { data: Record<string, unknown> };
          delete envelope.data["truckFactor"];
          return Response.json(envelope);
        },
      });
      for (const { openLocal } of Object.values(kinds)) {
        const env = { ROSTER_API_KEY: key, ROSTER_URL: older.url.origin };
        const command = join(desk.folder, "roster");
        const assistant = await openLocal({ command, args: ["mcp"], env });
        const input = { repository: "shop" };
        const told = (await assistant.callTool({ name: "who_knows", arguments: input })) as Told;
        expect(told.isError ?? false).toBe(false);
        expect(told.content[0]?.text).toContain("Nora Example");
        const month = told.structuredContent?.meta?.quota.month ?? "";
        expect(told.structuredContent).toMatchObject({
          meta: { quota: { used: calls["keyed@example.com"].add(month) } },
        });
        await assistant.close();
      }
      await older.stop(true);
    },
    minutes,
  );

  test(
    "each account was charged for what it was told, and the log says of each call what came of it",
    async () => {
      const { used, month } = await readQuota();
      expect(used).toBe(calls["keyed@example.com"].in(month));
      const lines = server
        .log()
        .split("\n")
        .filter((line) => line.includes('"msg":"tool call"'))
        .map((line) => JSON.parse(line) as { readonly status: number });
      const local = Object.keys(kinds).length * details.length * questions.length;
      const answered = lines.filter(({ status }) => status === 200);
      expect(answered.length).toBe(callsAnswered - local);
      expect(server.log()).not.toContain('"level":"error"');
      if (browser) {
        await tab.goto("/account");
        const shown = await textOf(tab.getByRole("region", { name: "Calls" }));
        expect(shown).toContain(`${1000 - calls["person@example.com"].in(month)} left of 1,000`);
      }
      expect(await server.stop()).toBe(0);
    },
    minutes,
  );
});
