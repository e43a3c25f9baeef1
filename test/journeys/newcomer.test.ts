/**
 * Somebody downloads Roster, starts it in an empty folder with nothing set, and follows what it prints and what the README
 * says. Every step is one that a person takes, on the executable; a page stays open in a browser all the while.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { hasBrowser, launch, openTab, textOf } from "../browser.ts";
import { freePort, isFree } from "../faults/server-process.ts";
import { goodPassword } from "../interfaces/web/person.ts";
import {
  type Desk,
  expectDone,
  isBuilt,
  listDeletedFiles,
  openDesk,
  type RunningServer,
  seeSoon,
  watchReadiness,
} from "./desk.ts";

interface Found {
  readonly totalCount: number;
  readonly results: readonly { readonly login: string; readonly name: string }[];
  readonly notices?: readonly string[];
}

const hasCurl = Bun.which("curl") !== null;
if (!hasCurl) process.stderr.write("SKIPPED: the printed search, since there is no curl\n");

const minutes = 60_000;

describe.skipIf(!isBuilt)("a newcomer's first minutes, with default settings", () => {
  let desk: Desk;
  let server: RunningServer;
  let readiness: ReturnType<typeof watchReadiness>;
  let browser: Browser | undefined;
  let page: Page;
  let complaints: readonly string[];
  let key: string;
  /** From the printed link to the first result of their own repositories. */
  let clicks = 0;
  const click = async (what: Locator) => {
    clicks++;
    await what.click();
  };

  const ask = async (path: string, body?: object) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${server.address}${path}`, init);
    const { data } = (await response.json()) as { data?: unknown };
    return { status: response.status, data };
  };
  const search = async (query: object) =>
    (await ask("/v1/search", { maxResults: 100, ...query })).data as Found;
  const everybody = () => search({ location: "Worldwide" });
  const names = ({ results }: Found) => results.map(({ name }) => name).sort();

  /** Waits until the server's answers are as promised, then looks at the open page and at the server itself. */
  const seeEverybody = async (expected: readonly string[]) => {
    // Who was forgotten is hidden at once, and not counted any more with the next index.
    const isAsExpected = (found: Found) =>
      Bun.deepEquals(names(found), expected) && found.totalCount === expected.length;
    await seeSoon(everybody, isAsExpected);
    if (browser) {
      await page.reload();
      const shown = await textOf(page.locator("main"));
      for (const name of expected) expect(shown).toContain(name);
      expect(shown).toContain(`${expected.length} people`);
    }
    expect(listDeletedFiles(server.pid, desk.folder)).toEqual([]);
  };

  /** The open page says that people have come; a few clicks later one of them is found. */
  const followNews = async () => {
    const news = page.locator("[data-news]");
    await seeSoon(
      async () => {
        await page.evaluate("dispatchEvent(new Event('focus'))");
        return news.isVisible();
      },
      (isVisible) => isVisible,
    );
    expect(await textOf(news)).toBe(
      "The people here have changed since you opened this page: show",
    );
    await click(news.getByRole("link", { name: "show" }));
    await page.locator("#first-steps").getByText("Add your repositories: done").waitFor();
    await click(page.locator(".examples a").first());
    await page.locator(".result").first().waitFor();
    expect(await textOf(page.locator(".people"))).toContain("Nora Example");
    expect(clicks).toBeLessThanOrEqual(6);
  };

  beforeAll(() => {
    desk = openDesk();
  });
  afterAll(async () => {
    await browser?.close();
    await desk.clear();
  });

  test(
    "starts it, and is shown a key, a link to set a password, and a first search",
    async () => {
      // The only setting, and only where somebody has the port already.
      server = await desk.serve(...((await isFree(7171)) ? [] : ["--port", `${await freePort()}`]));
      readiness = watchReadiness(server.address);
      [key = ""] = server.printed("key").split(" ");
      expect(key).toMatch(/^rst_[0-9A-Za-z]{49}$/);
      expect(server.printed("sign in")).toContain(`${server.address}/set-up?token=`);
      expect(server.printed("next")).toContain("roster ingest git PATH");
    },
    2 * minutes,
  );

  test.skipIf(!hasCurl)(
    "pastes the first search as it was printed, and sees people of Berlin",
    async () => {
      const answer = JSON.parse(expectDone(await desk.shell(server.printed("try"))));
      expect(answer.success).toBe(true);
      expect(answer.data.results.length).toBe(5);
      for (const { location } of answer.data.results) expect(location).toContain("Berlin");
    },
    minutes,
  );

  test.skipIf(!hasBrowser)(
    "opens the link, sets a password, follows a suggested search, and leaves the page open",
    async () => {
      browser = await launch();
      const opened = await openTab(browser, server.address);
      ({ tab: page, complaints } = opened);
      await page.goto(server.printed("sign in").split(" ")[0] ?? "");
      await page.getByLabel("E-mail").fill("newcomer@example.com");
      await page.getByLabel("New password").fill(goodPassword);
      await click(page.getByRole("button", { name: "Set up and sign in" }));
      await page.waitForURL(`${server.address}/`);
      const steps = page.locator("#first-steps li");
      const titles = async () => (await steps.allTextContents()).join("; ").replaceAll("✓ ", "");
      // The printed search was one: its key belongs to the same account.
      const tried = hasCurl ? "Run a search: done" : "Run a search";
      expect(await titles()).toBe(`${tried}; Add your repositories; Invite someone`);
      await click(page.locator(".examples a").first());
      await page.locator("#found").waitFor();
      expect(await page.locator(".result").count()).toBeGreaterThan(0);
      await click(page.getByRole("link", { name: "Search", exact: true }));
      await page.waitForURL(`${server.address}/`);
      expect(await titles()).toBe("Run a search: done; Add your repositories; Invite someone");
    },
    3 * minutes,
  );

  test(
    "reads a repository in a second terminal: its people take the place of the invented ones",
    async () => {
      const authors = [
        ["Nora Example", "nora@example.com"],
        ["Ben Invented", "ben@example.com"],
        ["Cleo Fictional", "cleo@example.com"],
        // The same person at another machine, which nothing in the history says.
        ["benni", "benni@home.example"],
      ];
      const commits = authors.map(
        ([name, email], at) =>
          `echo 'export const n${at} = ${at};' >file${at}.ts && git add . && ` +
          `git -c user.name='${name}' -c user.email=${email} commit -qm 'feat: add file ${at}, since it was missing'`,
      );
      expectDone(await desk.shell(`git init -q shop && cd shop && ${commits.join(" && ")}`));
      const said = await desk.roster("ingest", "git", "shop");
      expect(expectDone(said)).toContain("shop");
      expect(said.stderr).toContain("4 added");
      expect(said.stderr).toContain("demo people removed");
      if (browser) {
        await followNews();
        await page.goto("/?location=Worldwide");
      }
      await seeEverybody(["Ben Invented", "Cleo Fictional", "Nora Example", "benni"]);
    },
    2 * minutes,
  );

  test(
    "says that two of them are one, and one is left",
    async () => {
      expectDone(await desk.roster("identity", "merge", "ben@example.com", "benni@home.example"));
      await seeEverybody(["Ben Invented", "Cleo Fictional", "Nora Example"]);
    },
    minutes,
  );

  test(
    "lays a list of people over them, and finds one of them in Berlin",
    async () => {
      // Until then, no place finds anybody, and every door says why.
      const { notices } = await search({ location: "Germany" });
      expect(notices).toEqual([expect.stringContaining("Nobody in this pool has a known place")]);
      const { stderr } = await desk.roster("search", "--location", "Germany");
      expect(stderr).toContain(
        "Nobody in this pool has a known place: git history does not contain it",
      );
      const rows = ["email,location,company", 'nora@example.com,"Berlin, Germany",Invented Ltd'];
      writeFileSync(join(desk.folder, "hr.csv"), `${rows.join("\n")}\n`);
      const dryRun = expectDone(await desk.roster("ingest", "people", "hr.csv", "--dry-run"));
      expect(dryRun).toMatch(/^line 2 +added +nora-\w{6} \(Nora Example\)$/m);
      expect((await search({ location: "Berlin" })).totalCount).toBe(0);
      expectDone(await desk.roster("ingest", "people", "hr.csv"));
      const found = await seeSoon(
        () => search({ location: "Berlin" }),
        ({ totalCount }) => totalCount === 1,
      );
      expect(found.results[0]?.name).toBe("Nora Example");
    },
    minutes,
  );

  test(
    "imports facts of somebody else, who appears beside them",
    async () => {
      const facts = {
        ...{ login: "dana-example", source: "forge.example" },
        profile: { name: "Dana Example", location: "Lisbon, Portugal" },
        ...{ emails: [], repositories: [], evidence: [] },
      };
      writeFileSync(join(desk.folder, "facts.jsonl"), `${JSON.stringify(facts)}\n`);
      expectDone(await desk.roster("import", "facts.jsonl"));
      await seeEverybody(["Ben Invented", "Cleo Fictional", "Dana Example", "Nora Example"]);
    },
    minutes,
  );

  test(
    "forgets one: no search, no page and no address leads there any more",
    async () => {
      const cleo = (await everybody()).results.find(({ name }) => name === "Cleo Fictional");
      expect((await ask(`/v1/users/${cleo?.login}`)).status).toBe(200);
      const said = await desk.roster("forget", "cleo@example.com");
      expect(expectDone(said)).not.toMatch(/cleo/i);
      for (const shown of [String(cleo?.login), "cleo@example.com", "Cleo Fictional"]) {
        expect(said.stderr).toContain(shown);
      }
      const gone = await seeSoon(
        () => ask(`/v1/users/${cleo?.login}`),
        ({ status }) => status === 404,
      );
      expect(gone.data).toBeUndefined();
      await seeEverybody(["Ben Invented", "Dana Example", "Nora Example"]);
      if (!browser) return;
      const response = await page.goto(`/developers/${cleo?.login}`);
      expect(response?.status()).toBe(404);
      await page.goBack();
    },
    minutes,
  );

  test(
    "saw a server that was ready all the time, and a page without a complaint",
    async () => {
      expect(await readiness.end()).toEqual([]);
      expect(complaints).toEqual([]);
      expect(expectDone(await desk.roster("doctor"))).not.toMatch(/^fault/m);
    },
    minutes,
  );

  test(
    "stops it and starts it again: no new key, the same answers",
    async () => {
      const before = await everybody();
      const port = new URL(server.address).port;
      expect(await server.stop()).toBe(0);
      server = await desk.serve(...(port === "7171" ? [] : ["--port", port]));
      expect(server.output()).not.toContain("rst_");
      expect(await everybody()).toEqual(before);
      expect(listDeletedFiles(server.pid, desk.folder)).toEqual([]);
      expect(await server.stop()).toBe(0);
    },
    2 * minutes,
  );
});
