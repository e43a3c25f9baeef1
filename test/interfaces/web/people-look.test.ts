/**
 * The pages that show people, over the demo pool, in every state: as pictures, by keyboard alone, and read without a
 * script.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import {
  hasBrowser,
  hasFocus,
  launch,
  openTab,
  textOf,
  type Watched,
  waitForFocus,
} from "../../browser.ts";
import { isLong } from "../../long.ts";
import { acceptInvitation, glanced, looked, walkTo } from "./looks.ts";
import { goodPassword } from "./person.ts";

let roster: TestAppliance;
let address: string;
let browser: Browser;

beforeAll(async () => {
  const config = { demo: true };
  roster = await openTestAppliance({ now: new Date().toISOString(), people: [], config });
  address = roster.listen();
  if (hasBrowser) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await roster.close();
});

const inBrowser = test.skipIf(!hasBrowser);

async function invite({ tab }: Watched, email: string, administrator = false): Promise<void> {
  await roster.modules.accounts.createWithoutKey({ email, plan: "pro", administrator });
  await acceptInvitation(roster, tab, email);
}

/** States whose parts other states show. */
const alike =
  /^(search-(home|long|past-end|repository)|find-nobody|start|developer-(match|unknown|identity)|compare-match)$/;

async function lookAt(
  tab: Page,
  states: readonly (readonly [name: string, path: string])[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, path] of states) {
    await tab.setViewportSize({ width: 1440, height: 800 });
    await tab.goto(path);
    wrong.push(...(await (alike.test(name) ? glanced : looked)(tab, name)));
  }
  return wrong;
}

describe("pages of people look right", () => {
  inBrowser(
    "in a search",
    async () => {
      const watched = await openTab(browser, address);
      await invite(watched, "recruiter@corp.example");
      const wrong = await lookAt(watched.tab, [
        ["search-home", "/"],
        ["search", "/?location=Berlin&role=backend&skills=Go,k8s,Frobnicator"],
        ["search-long", "/?location=worldwide&page=3"],
        ["search-past-end", "/?location=Berlin&page=9"],
        ["search-nobody", "/?location=Berlin&skills=Go,COBOL&strict=yes"],
        ["search-place", "/?location=Berlinn"],
        ["search-repository", "/?repositories=acme/nothing-like-it&years=2"],
        ["search-refused", "/?location=Berlin&role=wizard"],
        ["find", "/find?text=ada"],
        ["find-nobody", "/find?text=zzzz"],
      ]);
      await watched.tab.goto("/");
      await watched.tab.locator("header summary").click();
      wrong.push(...(await looked(watched.tab, "menu")));
      expect([...wrong, ...watched.complaints]).toEqual([]);
    },
    300_000,
  );

  inBrowser(
    "of one person and of several",
    async () => {
      const watched = await openTab(browser, address);
      await invite(watched, "boss@corp.example", true);
      const [one, other, bot] = ["ada-example", "gokce-ciyduzu-example", await findBot()];
      const wrong = await lookAt(watched.tab, [
        ["start", "/"],
        ["developer", `/developers/${one}`],
        ["developer-match", `/developers/${one}?location=Berlin&role=backend&skills=Go`],
        ["developer-unmatched", `/developers/${one}?location=Munich&skills=Go,COBOL&strict=yes`],
        ["developer-bot", `/developers/${bot}`],
        ["developer-unknown", "/developers/nobody-at-all"],
        ["developer-identity", `/developers/${one}/identity`],
        ["compare-none", "/compare?login="],
        ["compare-match", `/compare?login=${one}&login=${other}&location=Berlin&skills=Go`],
        ["compare", `/compare?login=${one}&login=${other}&login=${bot}&login=nobody-at-all`],
      ]);
      expect([...wrong, ...watched.complaints]).toEqual([]);
    },
    300_000,
  );
});

describe("on paper", () => {
  inBrowser(
    "a person takes two sheets, whatever the screen's colours, and a search keeps its people",
    async () => {
      const { tab, complaints } = await openTab(browser, address, { colorScheme: "dark" });
      await invite({ tab, complaints }, "paper@corp.example");
      // The gate takes the shorter sheet, which has less room.
      for (const format of isLong ? ["A4", "Letter"] : ["Letter"]) {
        await tab.goto("/developers/ada-example");
        const sheets = (await tab.pdf({ format })).toString("latin1");
        expect([format, sheets.match(/\/Type \/Page\b/g)?.length]).toEqual([format, 2]);
      }
      await tab.emulateMedia({ media: "print" });
      expect(await tab.getByText("This page counted").isVisible()).toBe(false);
      await tab.goto("/?location=Berlin");
      expect(await tab.locator(".person").first().isVisible()).toBe(true);
      expect(await tab.getByRole("button", { name: "Search" }).isVisible()).toBe(false);
      expect(complaints).toEqual([]);
      await tab.context().close();
    },
    300_000,
  );
});

/** Somebody whom searches leave out. */
async function findBot(): Promise<string> {
  for (const login of await roster.modules.pool.logins()) {
    const [analysis] = await roster.modules.pool.findAnalyses([login]);
    if (analysis?.profile.class === "bot") return login;
  }
  throw new Error("the demo has no bot");
}

const countOf = async (tab: Page) => textOf(tab.locator("#found"));

describe("by keyboard alone", () => {
  inBrowser(
    "somebody signs in, searches, opens people, compares them and comes back",
    async () => {
      const email = "keys@corp.example";
      const there = await openTab(browser, address);
      await invite(there, email);
      await there.tab.context().close();
      const { tab, complaints } = await openTab(browser, address);
      const type = (text: string) => tab.keyboard.type(text);
      const press = (key: string) => tab.keyboard.press(key);
      /** Until the list is that of the whole text: on a busy machine those of its beginnings come first. */
      const complete = async (list: string, text: string) => {
        const answered = tab.waitForResponse(
          (response) => new URL(response.url()).searchParams.get("q") === text,
        );
        await type(text);
        const { terms } = (await (await answered).json()) as { terms: { name: string }[] };
        const isShown = async () => {
          const shown = await tab.locator(`${list} li`).allTextContents();
          return (
            shown.length === terms.length &&
            shown.every((one, at) => one.startsWith(terms[at]?.name ?? ""))
          );
        };
        while (!(await isShown())) await Bun.sleep(10);
      };
      await tab.goto("/sign-in");
      await waitForFocus(tab.getByLabel("E-mail"));
      await type(email);
      await walkTo(tab, "Password");
      await type(goodPassword);
      await press("Enter");
      await tab.waitForURL("/");
      await waitForFocus(tab.locator("#location"));
      await complete("#location-list", "Muni");
      await press("ArrowDown");
      expect(await tab.locator("#location").getAttribute("aria-activedescendant")).toBe(
        "location-list-0",
      );
      await press("Enter");
      expect(await tab.locator("#location").inputValue()).toStartWith("Munich");
      await walkTo(tab, "Skills");
      await complete("#skills-list", "gola");
      await press("ArrowDown");
      await press(",");
      expect(await tab.locator("#skills").inputValue()).toBe("Go, ");
      await type("kub");
      await tab.locator("#skills-list li").first().waitFor();
      await press("Escape");
      expect(await tab.locator("#skills-list li").count()).toBe(0);
      expect(await tab.locator("#skills").getAttribute("aria-expanded")).toBe("false");
      for (const _ of "kub") await press("Backspace");
      await press("Enter");
      await tab.locator("#found").waitFor();
      expect(new URL(tab.url()).search).toMatch(/^\?location=Munich.*&skills=Go$/);
      expect(await countOf(tab)).toContain("in Munich");
      const searched = tab.url();
      const [first = "", second = ""] = await tab.locator(".person h3 a").allTextContents();
      await walkTo(tab, first);
      await press("Enter");
      await tab.waitForURL("**/developers/**");
      expect(await textOf(tab.locator("h1"))).toBe(first);
      await tab.goBack();
      expect([tab.url(), await countOf(tab)]).toEqual([
        searched,
        expect.stringContaining("people"),
      ]);
      for (const name of [first, second]) {
        await tab.locator("#main").focus();
        const box = tab.locator(".person", { hasText: name }).getByRole("checkbox");
        for (let presses = 0; presses < 80 && !(await hasFocus(box)); presses++) await press("Tab");
        await press("Space");
      }
      await walkTo(tab, "Compare");
      await press("Enter");
      await tab.waitForURL("**/compare?login=*");
      const heads = await tab.locator("thead a:not(.small)").allTextContents();
      expect(heads).toEqual([first, second]);
      await walkTo(tab, "Search");
      await press("Enter");
      await tab.waitForURL(`${address}/`);
      expect(await textOf(tab.getByRole("link", { name: "Compare (2)" }))).toBe("Compare (2)");
      expect(complaints).toEqual([]);
    },
    300_000,
  );
});

describe("without a script", () => {
  inBrowser(
    "a search is typed, filtered, paged, and people are opened and compared",
    async () => {
      const watched = await openTab(browser, address, { javaScriptEnabled: false });
      await invite(watched, "no-script@corp.example");
      const { tab, complaints } = watched;
      await tab.goto("/");
      await tab.getByLabel("Where", { exact: true }).fill("Germany");
      await tab.getByLabel("Skills", { exact: true }).fill("k8s, golang");
      await tab.getByText("More filters").click();
      await tab.getByLabel("all skills, not any").check();
      await tab.getByRole("button", { name: "Search" }).click();
      expect(await countOf(tab)).toContain("in Germany");
      expect(await textOf(tab.getByRole("list", { name: "Filters" }))).toBe(
        "Germany ×Kubernetes ×Go ×all skills ×",
      );
      const all = await countOf(tab);
      await tab.getByRole("link", { name: "Remove Kubernetes" }).click();
      expect(await countOf(tab)).not.toBe(all);
      await tab.getByRole("button", { name: "Page 2" }).click();
      expect(await tab.locator("ol.people").getAttribute("start")).toBe("21");
      const names = await tab.locator(".person h3 a").allTextContents();
      expect(await tab.getByText("Around it:").count()).toBe(0);
      for (const at of [0, 1])
        await tab
          .getByRole("checkbox", { name: /compare/ })
          .nth(at)
          .check();
      await tab.getByRole("button", { name: "Compare", exact: true }).click();
      expect(await tab.locator("thead a:not(.small)").allTextContents()).toEqual(names.slice(0, 2));
      await tab.getByRole("link", { name: names[1] as string, exact: true }).click();
      expect(await textOf(tab.locator("h1"))).toBe(names[1] as string);
      await tab.goto("/?location=Munich&skills=Go&years=8");
      const few = await countOf(tab);
      await tab.getByRole("link", { name: "Bavaria, Germany", exact: true }).click();
      expect([few, await countOf(tab)]).toEqual([
        expect.stringContaining("in Munich"),
        expect.stringMatching(/^\d+ people in Bavaria/),
      ]);
      await tab.getByLabel("Find a person").fill("ada exam");
      await tab.keyboard.press("Enter");
      await tab.waitForURL("**/find?*");
      expect(await textOf(tab.locator("ol.people"))).toContain("Ada Example");
      expect(complaints).toEqual([]);
      await tab.context().close();
    },
    300_000,
  );
});
