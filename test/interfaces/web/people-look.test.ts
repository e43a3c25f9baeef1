/** The pages that show people, over the demo pool: on paper, by keyboard alone, and without a script. */
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hasBrowser, hasFocus, textOf, waitForFocus } from "../../browser.ts";
import { isLong } from "../../long.ts";
import { openStage, walkTo } from "./looks.ts";

const now = new Date().toISOString();
const { address, openAs } = await openStage({ now, people: [], config: { demo: true } });
const inBrowser = test.skipIf(!hasBrowser);

describe("on paper", () => {
  inBrowser("a person takes two sheets, and a search keeps its people", async () => {
    const { tab, complaints } = await openAs("paper@corp.example", { colorScheme: "dark" });
    // The gate checks Letter only, which is shorter than A4.
    for (const format of isLong ? ["A4", "Letter"] : ["Letter"]) {
      await tab.goto("/developers/ada-example");
      const sheets = (await tab.pdf({ format })).toString("latin1");
      expect([format, sheets.match(/\/Type \/Page\b/g)?.length]).toEqual([format, 2]);
    }
    const messages = tab.getByText("Give a reason in words");
    expect(await messages.isVisible()).toBe(false);
    await tab.emulateMedia({ media: "print" });
    // On paper folded parts are open, and links and buttons are gone.
    expect(await messages.isVisible()).toBe(true);
    expect(await tab.getByRole("link", { name: "Compare", exact: true }).isVisible()).toBe(false);
    expect(await tab.getByText("This page counted").isVisible()).toBe(false);
    await tab.goto("/?location=Berlin");
    expect(await tab.locator(".result").first().isVisible()).toBe(true);
    expect(await tab.getByRole("button", { name: "Search" }).isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });
});

const countOf = async (tab: Page) => textOf(tab.locator("#found"));

describe("by keyboard alone", () => {
  inBrowser("somebody searches, opens people, compares them and comes back", async () => {
    const { tab, complaints } = await openAs("keys@corp.example");
    const type = (text: string) => tab.keyboard.type(text);
    const press = (key: string) => tab.keyboard.press(key);
    /** Types, and waits until the list shows the terms of the complete text. */
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
    await tab.goto("/");
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
    const [first = "", second = ""] = await tab.locator(".result h3 a").allTextContents();
    await walkTo(tab, first);
    await press("Enter");
    await tab.waitForURL("**/developers/**");
    expect(await textOf(tab.locator("h1"))).toBe(first);
    await tab.goBack();
    expect([tab.url(), await countOf(tab)]).toEqual([searched, expect.stringContaining("people")]);
    for (const name of [first, second]) {
      await tab.locator("#main").focus();
      const box = tab.locator(".result", { hasText: name }).getByRole("checkbox");
      for (let presses = 0; presses < 80 && !(await hasFocus(box)); presses++) await press("Tab");
      await press("Space");
    }
    const button = tab.locator(".tray").getByRole("button", { name: "Compare" });
    for (let presses = 0; presses < 90 && !(await hasFocus(button)); presses++) await press("Tab");
    await press("Enter");
    await tab.waitForURL("**/compare?*login=*");
    const heads = await tab.locator("thead a:not(.small)").allTextContents();
    expect(heads).toEqual([first, second]);
    await walkTo(tab, "Search");
    await press("Enter");
    await tab.waitForURL(`${address}/`);
    expect(await textOf(tab.getByRole("link", { name: "Compare (2)" }))).toBe("Compare (2)");
    expect(complaints).toEqual([]);
  });
});

describe("without a script", () => {
  inBrowser("a search is typed, filtered, paged, and people are opened and compared", async () => {
    const options = { javaScriptEnabled: false };
    const { tab, complaints } = await openAs("no-script@corp.example", options);
    await tab.goto("/");
    await tab.getByLabel("Where", { exact: true }).fill("Germany");
    await tab.getByLabel("Skills", { exact: true }).fill("k8s, golang");
    await tab.getByText("More filters").click();
    await tab.getByLabel("all skills, not any").check();
    await tab.getByRole("button", { name: "Search" }).click();
    expect(await countOf(tab)).toContain("in Germany");
    expect(await textOf(tab.getByRole("list", { name: "Skills that are set" }))).toBe(
      "Kubernetes ×Go ×",
    );
    const all = await countOf(tab);
    await tab.getByRole("link", { name: "Remove Kubernetes" }).click();
    expect(await countOf(tab)).not.toBe(all);
    await tab.getByRole("button", { name: "Page 2" }).click();
    expect(await tab.locator("ol.people").getAttribute("start")).toBe("21");
    const names = await tab.locator(".result h3 a").allTextContents();
    expect(await tab.getByText("Around it:").count()).toBe(0);
    for (const at of [0, 1])
      await tab
        .getByRole("checkbox", { name: /^Select/ })
        .nth(at)
        .check();
    await tab.locator(".tray").getByRole("button", { name: "Compare" }).click();
    expect(await tab.locator("thead a:not(.small)").allTextContents()).toEqual(names.slice(0, 2));
    await tab.getByRole("link", { name: names[1] as string, exact: true }).click();
    expect(await textOf(tab.locator("h1"))).toBe(names[1] as string);
    await tab.goto("/?location=Munich&skills=Go&years=8");
    const few = await countOf(tab);
    await tab.getByRole("link", { name: "Bavaria, Germany", exact: true }).click();
    expect([few, await countOf(tab)]).toEqual([
      "3 people with Go in Munich",
      "5 people with Go in Bavaria",
    ]);
    await tab.getByLabel("Find a person").fill("ada exam");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/find?*");
    expect(await textOf(tab.locator("ol.brief-people"))).toContain("Ada Example");
    expect(complaints).toEqual([]);
    await tab.context().close();
  });
});
