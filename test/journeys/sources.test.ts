/**
 * An administrator connects what the company has, on pages alone: signs in for the first time, types an address and a token, and
 * sees real people. Then a push appears by itself. On the executable, with a repository of git's own server, and with a Gitea.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { hasBrowser, launch, openTab, textOf } from "../browser.ts";
import { freePort, isFree } from "../faults/server-process.ts";
import { hasGitea, openGitea } from "../ingest/forges/gitea/real-gitea.ts";
import { goodPassword } from "../interfaces/web/person.ts";
import { type Desk, expectDone, isBuilt, openDesk, type RunningServer, seeSoon } from "./desk.ts";
import { openRepository, type Place } from "./source-place.ts";

const minutes = 60_000;
const clicksMax = 6;

async function openForge(): Promise<Place> {
  const gitea = await openGitea();
  let files = 0;
  return {
    address: gitea.url,
    ...{ token: gitea.ordinaryToken, wrongToken: "0".repeat(40), somebody: "Ada Forge" },
    async setHook(url, secret) {
      const config = { url, content_type: "json", secret };
      const hook = { type: "gitea", active: true, events: ["push"], config };
      await gitea.call("POST", "/repos/acme/queue/hooks", hook);
    },
    async push(name, email) {
      const [content, message] = [btoa(`export const n${files} = 1;\n`), "feat: add a file"];
      const people = { author: { name, email }, committer: { name, email } };
      const path = `/repos/acme/queue/contents/new-${files++}.ts`;
      await gitea.call("POST", path, { content, message, ...people });
    },
    close: gitea.stop,
  };
}

const places = [
  ["a private repository", openRepository, true],
  ["a Gitea", openForge, hasGitea],
] as const;

describe.skipIf(!isBuilt || !hasBrowser).each(places)("%s", (_, openPlace, isThere) => {
  describe.skipIf(!isThere)("from the first sign-in", () => {
    let desk: Desk;
    let server: RunningServer;
    let browser: Browser;
    let page: Page;
    let complaints: readonly string[];
    let place: Place;
    let clicks = 0;
    /** What the server has shown in pages. */
    const shown: string[] = [];
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    const findAll = async (name: string) => {
      await page.goto(`/find?text=${encodeURIComponent(name)}`);
      return page.locator("main a[href^='/developers/']").allTextContents();
    };
    const see = (name: string) =>
      seeSoon(
        () => findAll(name),
        (found) => found.some((heading) => heading.includes(name)),
      );

    beforeAll(async () => {
      desk = openDesk();
      server = await desk.serve(...((await isFree(7171)) ? [] : ["--port", `${await freePort()}`]));
      place = await openPlace(desk);
      browser = await launch();
      ({ tab: page, complaints } = await openTab(browser, server.address));
      page.on("response", async (response) => shown.push(await response.text().catch(() => "")));
    }, 5 * minutes);
    afterAll(async () => {
      await browser?.close();
      await place?.close();
      await desk?.clear();
    });

    test(
      "real people stand on the page after at most six clicks",
      async () => {
        await page.goto(server.printed("sign in").split(" ")[0] ?? "");
        await page.getByLabel("E-mail").fill("administrator@example.com");
        await page.getByLabel("New password").fill(goodPassword);
        await click(page.getByRole("button", { name: "Set up and sign in" }));
        await page.waitForURL(`${server.address}/`);
        await click(page.locator("a[href^='/admin/sources']").first());
        await page.getByLabel("Address").fill(place.address);
        await page.getByLabel("Token").fill(place.token);
        await click(page.getByRole("button", { name: "Check" }));
        await page.getByRole("heading", { name: "Add a source" }).waitFor();
        await click(page.getByRole("button", { name: "Read now" }));
        await page.waitForURL(/\/admin\/sources$/);
        await page.getByText(/read (just now|\d+ seconds ago)/).waitFor();
        await click(page.getByRole("link", { name: "Search", exact: true }));
        expect(clicks).toBeLessThanOrEqual(clicksMax);
        await see(place.somebody);
      },
      3 * minutes,
    );

    test(
      "a push is found by itself",
      async () => {
        await page.goto("/admin/sources");
        await page.locator("[id^='open-']").first().click();
        await page.getByRole("button", { name: "Turn on" }).click();
        const secret = ((await page.locator("#secret").textContent()) ?? "").trim();
        const address = ((await page.locator("#hook-address").textContent()) ?? "").trim();
        await place.setHook(address, secret);
        await place.push("Vera Pushed", "vera@example.com");
        // Ten seconds are promised.
        await see("Vera Pushed").catch(() => see("Vera Pushed"));
        await page.goto("/admin/runs");
        expect(await textOf(page.locator("main"))).toContain("a push");
      },
      minutes,
    );

    test(
      "nonsense is refused before anything is kept",
      async () => {
        await page.goto("/admin/sources");
        const before = await page.locator("[id^='open-']").count();
        const tried = [
          [place.address, place.wrongToken, /token/i],
          [server.address, "", /no GitHub, GitLab, Gitea or Forgejo/],
          [`http://127.0.0.1:${await freePort()}/acme`, "", /cannot be reached/],
          ["http://169.254.169.254/latest", "", /link-local/],
          ["https://ada:secret-word@git.example/acme", "", /no password/],
          ["ext::sh -c date", "", /must/],
        ] as const;
        for (const [address, token, words] of tried) {
          await page.getByLabel("Address").fill(address);
          await page.getByLabel("Token").fill(token);
          await page.getByRole("button", { name: "Check" }).click();
          await page.getByText(words).first().waitFor();
          expect(page.url()).toContain("/admin/sources");
          expect(await page.content()).not.toContain("secret-word");
        }
        await page.goto("/admin/sources");
        expect(await page.locator("[id^='open-']").count()).toBe(before);
      },
      2 * minutes,
    );

    test(
      "no page, log, file or backup has the token, but its own file",
      async () => {
        const data = join(desk.folder, "roster-data");
        expectDone(await desk.roster("backup", "kept.tar.zst"));
        const archive = Bun.zstdDecompressSync(readFileSync(join(desk.folder, "kept.tar.zst")));
        const texts = [...shown, server.log(), server.output(), archive.toString("latin1")];
        expect(shown.length).toBeGreaterThan(10);
        for (const text of texts) expect(text).not.toContain(place.token);
        const files = readdirSync(data, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name));
        const holders = files.filter((path) =>
          readFileSync(path).toString("latin1").includes(place.token),
        );
        expect(holders.map((path) => path.replace(/[^/]+$/, "*.token"))).toEqual([
          join(data, "secrets/*.token"),
        ]);
        expect(statSync(holders[0] ?? "").mode & 0o777).toBe(0o600);
        expect(complaints).toEqual([]);
        expect(await server.stop()).toBe(0);
      },
      minutes,
    );
  });
});
