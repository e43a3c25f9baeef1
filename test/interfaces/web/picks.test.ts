/** People who are selected stay selected over pages and searches, and none is dropped unasked. */
import { describe, expect, test } from "bun:test";
import type { Page as Tab } from "playwright-core";
import { hasBrowser, textOf } from "../../browser.ts";
import { looked, openStage } from "./looks.ts";
import { importNewcomers } from "./newcomers.ts";
import { countCalls, invited, readable } from "./person.ts";

const { roster, openAs } = await openStage({ now: new Date().toISOString() });
/** Enough for three pages of results. */
const newcomers = Array.from({ length: 45 }, (_, n) => `newcomer-${n}`);
await importNewcomers(roster, { come: newcomers });
const email = "ada.picks@example.com";
const person = await invited(roster, email);

const loginsIn = (address: string) => new URL(address, "http://here").searchParams.getAll("login");

describe("the tray", () => {
  test("names who is selected, if a page has shown them, and every link takes them along", async () => {
    await person.open("/?location=Berlin");
    const page = await person.open("/?location=Berlin&page=2&login=ada-example&login=kira-bare");
    const tray = /<section class="tray".*?<\/section>/s.exec(page.text)?.[0] ?? "";
    // Only the login is shown of a person whom no page has shown.
    expect(readable(tray)).toContain("2 selected Ada Example kira-bare");
    expect(tray.match(/name="login" value="[\w-]+" checked/g)).toHaveLength(2);
    const links = [...page.text.matchAll(/href="(\/\?[^"]*)"/g)].map(([, to = ""]) =>
      to.replaceAll("&amp;", "&"),
    );
    expect(links.length).toBeGreaterThan(0);
    for (const to of links) expect([to, loginsIn(to)]).toEqual([to, ["ada-example", "kira-bare"]]);
    // Selected people are no part of the saved query or the download.
    expect(page.text).toContain('name="query" value="location=Berlin"');
    expect(page.text).toContain('href="/search/people.csv?location=Berlin&amp;page=2"');
    const calls = await countCalls(roster, email);
    await person.open("/?location=Berlin&page=2&login=ada-example");
    expect(await countCalls(roster, email)).toBe(calls);
  });

  test("takes any number; a comparison of more than four asks whom to leave out, for no call", async () => {
    const five = ["a", "b", "c", "d", "ada-example"].map((login) => `login=${login}`).join("&");
    const calls = await countCalls(roster, email);
    const results = await person.open(`/?location=Berlin&page=2&${five}`);
    expect(readable(results.text)).toContain("5 selected");
    const page = await person.open(`/compare?location=Berlin&${five}`);
    expect(page.at).toBe(`/compare?${five}&location=Berlin`);
    expect(readable(page.text)).toContain("5 people are ticked Compare takes four people at most.");
    expect(page.text.match(/type="checkbox" name="login" value="[\w-]+" checked/g)).toHaveLength(5);
    expect(await countCalls(roster, email)).toBe(calls);
    // Nor does "Compare" on a fifth person push out the first.
    await person.open(
      "/compare?login=ada-example&login=ben-sample&login=chloe-specimen&login=newcomer-1",
    );
    const fifth = await person.open("/compare?add=newcomer-2");
    expect(readable(fifth.text)).toContain("5 people are ticked");
  });
});

const inBrowser = test.skipIf(!hasBrowser);
const ticked = async (tab: Tab) => {
  const boxes = tab.locator("input[name=login][type=checkbox]:checked");
  return await boxes.evaluateAll((all) =>
    all.map((box) => (box as unknown as { value: string }).value),
  );
};

const compare = (tab: Tab) => tab.locator(".tray").getByRole("button", { name: "Compare" }).click();

/** Tick two, go on, tick two more, change the search, compare. */
async function walk(tab: Tab): Promise<string> {
  await tab.goto("/?location=Berlin");
  await tab.getByLabel("Select Ada Example").check();
  await tab.getByLabel("Select Ben Sample").check();
  await tab.getByRole("button", { name: "Page 2" }).click();
  await tab.waitForURL(/page=2/);
  await tab.getByLabel("Select newcomer-30").check();
  await tab.locator("#location").fill("Germany");
  await tab.getByRole("button", { name: "Search", exact: true }).click();
  await tab.waitForURL(/location=Germany/);
  expect(loginsIn(tab.url()).sort()).toEqual(["Ben-Sample", "ada-example", "newcomer-30"]);
  expect(tab.url()).not.toContain("page=");
  await compare(tab);
  await tab.waitForURL(/\/compare\?login/);
  return tab.url();
}

describe("in a browser", () => {
  inBrowser("without a script, ticks travel with the form, and show the tray", async () => {
    const { tab } = await openAs("plain@example.com", { javaScriptEnabled: false });
    expect(loginsIn(await walk(tab)).sort()).toEqual(["Ben-Sample", "ada-example", "newcomer-30"]);
    await tab.goto("/?location=Berlin");
    const boxes = tab.locator("input[data-pick]");
    expect(await tab.locator(".tray").isVisible()).toBe(false);
    for (const n of [0, 1, 2, 3, 4, 5]) await boxes.nth(n).check();
    await compare(tab);
    await tab.getByText("6 people are ticked").waitFor();
    for (const name of ["Ada Example", "Ben Sample"]) await tab.getByLabel(name).uncheck();
    await tab.getByRole("button", { name: "Compare", exact: true }).click();
    await tab.waitForURL((url) => url.searchParams.getAll("login").length === 4);
  });

  inBrowser("with a script, the tray counts, compares four, and survives going back", async () => {
    const { tab, complaints } = await openAs("scripted@example.com");
    expect(loginsIn(await walk(tab)).sort()).toEqual(["Ben-Sample", "ada-example", "newcomer-30"]);
    await tab.goBack();
    await tab.waitForURL(/location=Germany/);
    const tray = tab.getByRole("region", { name: "Selected people" });
    await tray.getByText("newcomer-30").waitFor();
    await tab.goto("/?location=Berlin");
    await tab.getByLabel("Select Ada Example").check();
    expect(loginsIn(tab.url())).toEqual(["ada-example"]);
    await tab.getByRole("button", { name: "Page 2" }).click();
    await tab.waitForURL(/page=2/);
    const boxes = tab.locator("input[data-pick]");
    for (const n of [0, 1, 2]) await boxes.nth(n).check();
    expect(await textOf(tray.getByRole("status"))).toBe("4 selected");
    // A fifth is no part of a comparison, and nobody is dropped for it.
    await boxes.nth(3).check();
    expect(await textOf(tray.getByRole("status"))).toBe("5 selected. Compare takes four at most");
    expect(await tray.getByRole("button", { name: "Compare" }).isDisabled()).toBe(true);
    expect(loginsIn(tab.url())).toHaveLength(5);
    const wrong = await looked(tab, "tray");
    // Back on the first page, those who were selected on the second are in the tray.
    await tab.goBack();
    await tab.waitForURL((url) => !url.search.includes("page=2"));
    await tray
      .getByRole("button", { name: /^Remove newcomer/ })
      .first()
      .waitFor();
    expect(await tray.getByRole("listitem").count()).toBe(4);
    expect(await ticked(tab)).toEqual(["ada-example"]);
    await tab.getByLabel("Select Ada Example").uncheck();
    expect(loginsIn(tab.url())).toHaveLength(4);
    const saved = tab.waitForEvent("download");
    await tray.getByRole("button", { name: "Export" }).click();
    expect((await saved).suggestedFilename()).toBe("selected.csv");
    // All of them go on a list at once, with one note.
    await tray.getByRole("button", { name: "Add to list" }).click();
    expect(await textOf(tab.locator("h1"))).toBe("Add 4 people to a list");
    await tab.getByLabel("Note").fill("met in May");
    await tab.getByRole("button", { name: "Add", exact: true }).click();
    await tab.getByText("Added 4 people.").waitFor();
    expect(await tab.getByText("met in May").count()).toBeGreaterThanOrEqual(4);
    expect([...wrong, ...complaints]).toEqual([]);
  });
});
