/** Two nodes on one database: a source that one of them reads is known to the other, whose hook takes a push. On the executable. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, launch, openTab, textOf } from "../browser.ts";
import { freePort } from "../faults/server-process.ts";
import { goodPassword } from "../interfaces/web/person.ts";
import { hasPostgres, newDatabase } from "../postgres/database.ts";
import { type Desk, isBuilt, openDesk, type RunningServer, seeSoon } from "./desk.ts";
import { openRepository, type Place } from "./source-place.ts";

const minutes = 60_000;
const email = "administrator@example.com";

describe.skipIf(!isBuilt || !hasBrowser || !hasPostgres)("an administrator of two nodes", () => {
  let desk: Desk;
  let browser: Browser;
  let place: Place;
  let nodes: readonly RunningServer[];
  const open = async (at: number): Promise<Page> =>
    (await openTab(browser, nodes[at]?.address ?? "")).tab;

  beforeAll(async () => {
    desk = openDesk({ ROSTER_DATABASE_URL: await newDatabase() });
    const serve = async (data: string) =>
      desk.serve("--data", data, "--port", `${await freePort()}`);
    nodes = [await serve("one"), await serve("two")];
    place = await openRepository(desk);
    browser = await launch();
  }, 5 * minutes);
  afterAll(async () => {
    await browser?.close();
    await place?.close();
    await desk?.clear();
  });

  test(
    "adds a source on one node, sees it on the other, and pushes to the other's hook",
    async () => {
      const one = await open(0);
      await one.goto(nodes[0]?.printed("sign in").split(" ")[0] ?? "");
      await one.getByLabel("E-mail").fill(email);
      await one.getByLabel("New password").fill(goodPassword);
      await one.getByRole("button", { name: "Set up and sign in" }).click();
      await one.waitForURL(/\/$/);
      await one.goto("/admin/sources");
      await one.getByLabel("Address").fill(place.address);
      await one.getByLabel("Token").fill(place.token);
      await one.getByRole("button", { name: "Check" }).click();
      await one.getByRole("button", { name: "Read now" }).click();
      await one.getByText(/read (just now|\d+ seconds ago)/).waitFor();

      const two = await open(1);
      await two.goto("/sign-in");
      await two.getByLabel("E-mail").fill(email);
      await two.getByLabel("Password", { exact: true }).fill(goodPassword);
      await two.getByRole("button", { name: "Sign in" }).click();
      await two.waitForURL(/\/$/);
      await two.goto("/admin/sources");
      expect(await textOf(two.locator("#sources"))).toContain("other node");
      await two.locator("[id^='open-']").first().click();
      await two.getByRole("button", { name: "Turn on" }).click();
      const secret = ((await two.locator("#secret").textContent()) ?? "").trim();
      const id = new URL(two.url()).pathname.split("/").at(-1);
      await place.setHook(`${nodes[1]?.address}/hooks/${id}`, secret);
      await place.push("Vera Pushed", "vera@example.com");
      const findAll = async () => {
        await two.goto("/find?text=Vera+Pushed");
        return two.locator('main a[href^="/developers/"]').allTextContents();
      };
      const see = () => seeSoon(findAll, (found) => found.some((name) => name.includes("Vera")));
      // Ten seconds are promised.
      await see().catch(see);
      await two.goto("/admin/runs");
      expect(await textOf(two.locator("main"))).toContain("a push");
    },
    3 * minutes,
  );
});
