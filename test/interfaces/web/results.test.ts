/** Results as a list: how many people a screen has, whose reasons are shown, and what keys do. */
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hasBrowser, hasFocus, textOf, waitForFocus } from "../../browser.ts";
import { looked, openStage } from "./looks.ts";
import { countCalls } from "./person.ts";

const now = new Date().toISOString();
const { roster, openAs } = await openStage({ now, people: [], config: { demo: true } });
const path = "/?location=Germany&role=backend&skills=Go,k8s,Frobnicator";
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const inBrowser = test.skipIf(!hasBrowser);

/** The rows, from the top of the page: where each begins and ends. */
const measureRows = async (tab: Page) =>
  (await tab.evaluate(
    "[...document.querySelectorAll('.result')].map((it) => it.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))",
  )) as { top: number; bottom: number }[];

/** Names of people whose row hides that a skill is missing. */
const findHidden = (tab: Page) =>
  tab.evaluate(`[...document.querySelectorAll(".result")].filter((row) => {
    const lack = row.querySelector(".lack")?.getBoundingClientRect();
    return !lack || lack.bottom > lack.height + row.querySelector(".result-skills").getBoundingClientRect().bottom - 1;
  }).map((row) => row.querySelector("h3").textContent)`);

const shownReasons = (tab: Page) => tab.locator(".why:visible h3").allTextContents();

describe.each([true, false])("with a script: %p", (javaScriptEnabled) => {
  inBrowser("ten people are whole on a large screen, and four on a phone", async () => {
    const email = `dense-${javaScriptEnabled}@corp.example`;
    const options = { administrator: true, javaScriptEnabled };
    const { tab, complaints } = await openAs(email, options);
    expect(await tab.getByRole("complementary", { name: "Demo" }).isVisible()).toBe(true);
    for (const [viewport, people, rowMax] of [
      [wide, 10, 64],
      [phone, 4, 106],
    ] as const) {
      await tab.setViewportSize(viewport);
      await tab.goto(path);
      const rows = await measureRows(tab);
      const whole = rows.filter(({ bottom }) => bottom <= viewport.height);
      expect([viewport.width, whole.length >= people]).toEqual([viewport.width, true]);
      expect(rows[0]?.top).toBeLessThan(320);
      expect(Math.max(...rows.map(({ top, bottom }) => bottom - top))).toBeLessThanOrEqual(rowMax);
      expect(await tab.getByText("No one here knows Frobnicator").isVisible()).toBe(true);
      expect(await findHidden(tab)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  inBrowser("the address shows one person's reasons, for no call", async () => {
    const email = `reasons-${javaScriptEnabled}@corp.example`;
    const { tab, complaints } = await openAs(email, { javaScriptEnabled, viewport: wide });
    await tab.goto(path);
    const [first = "", , third = ""] = await tab.locator(".result h3 a").allTextContents();
    expect(await shownReasons(tab)).toEqual([first]);
    const top = await tab.evaluate("scrollY");
    await tab.getByRole("link", { name: `why ${third}` }).click();
    expect(await shownReasons(tab)).toEqual([third]);
    // The list stays where it was.
    expect(await tab.evaluate("scrollY")).toBe(top);
    const reasons = tab.getByRole("region", { name: third });
    expect(await textOf(reasons)).toContain("No Frobnicator: costs up to 16 points");
    expect(await textOf(reasons)).toContain("number 3 of");
    const address = tab.url();
    await tab.reload();
    expect(await shownReasons(tab)).toEqual([third]);
    await reasons.getByRole("link", { name: /^Open/ }).click();
    await tab.waitForURL("**/developers/**");
    await tab.goBack();
    expect([tab.url(), await shownReasons(tab)]).toEqual([address, [third]]);
    // On a phone the reasons are a sheet that closes, and nothing is open at first.
    await tab.setViewportSize(phone);
    await tab.getByRole("link", { name: "Close" }).locator("visible=true").click();
    expect(await shownReasons(tab)).toEqual([]);
    await tab.getByRole("link", { name: `why ${first}` }).click();
    const sheet = await tab.locator(".why:visible").boundingBox();
    expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(phone.height);
    expect(await countCalls(roster, email)).toBe(2);
    const wrong = javaScriptEnabled ? await looked(tab, "results") : [];
    expect([...wrong, ...complaints]).toEqual([]);
  });
});

inBrowser("keys move, select, add, open and explain themselves", async () => {
  const { tab, complaints } = await openAs("keys@corp.example", { viewport: wide });
  await tab.goto("/docs");
  await tab.goto(path);
  const names = await tab.locator(".result h3 a").allTextContents();
  const press = (key: string) => tab.keyboard.press(key);
  const link = (at: number) => tab.locator(".result h3 a").nth(at);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) await press(key);
  expect(await hasFocus(link(1))).toBe(true);
  expect(await shownReasons(tab)).toEqual([names[1] ?? ""]);
  await press("x");
  await press("ArrowDown");
  await press("Space");
  await tab.locator(".tray").getByText("2 selected").waitFor();
  expect(new URL(tab.url()).searchParams.getAll("login")).toHaveLength(2);
  const status = tab.locator(".tray").getByRole("status");
  expect(await textOf(status)).toBe("2 selected");
  await press("?");
  expect(await textOf(tab.getByRole("dialog", { name: "Keys" }))).toContain("Add to list");
  await press("Escape");
  await press("a");
  const note = tab.getByLabel("Note");
  await waitForFocus(note);
  expect(await textOf(tab.locator("h1"))).toBe(`Add ${names[2]} to a list`);
  // Letters in a field are text.
  await note.pressSequentially("x a /");
  expect(await note.inputValue()).toBe("x a /");
  await tab.goBack();
  await tab.locator(".tray").getByText("2 selected").waitFor();
  await link(2).focus();
  const address = tab.url();
  await press("Enter");
  await tab.waitForURL("**/developers/**");
  // Going back keeps the place, the reasons and who is selected.
  await tab.goBack();
  expect([tab.url(), await shownReasons(tab)]).toEqual([address, [names[2] ?? ""]]);
  await tab.locator(".tray").getByText("2 selected").waitFor();
  await tab.locator("#main").focus();
  await press("/");
  expect(await hasFocus(tab.getByLabel("Find a person"))).toBe(true);
  // The arrow keys replace the address, so one step back leaves the results.
  await tab.goBack();
  expect(new URL(tab.url()).pathname).toBe("/docs");
  expect(complaints).toEqual([]);
});

inBrowser.each([true, false])(
  "a search without a filter says what to do (script: %p)",
  async (on) => {
    const { tab } = await openAs(`empty-${on}@corp.example`, { javaScriptEnabled: on });
    await tab.goto("/");
    await tab.getByRole("button", { name: "Search", exact: true }).click();
    await tab.getByText("Fill in at least one field").waitFor();
  },
);
