/** A lead asks who knows, and every click is counted; with a script and without one. */
import { describe, expect, test } from "bun:test";
import { hasBrowser, textOf, waitForFocus } from "../../browser.ts";
import { inventAuthorship } from "../../knowledge/invent-authorship.ts";
import { isLong } from "../../long.ts";
import { openStage } from "./looks.ts";
import { countCalls } from "./person.ts";

const { roster, address, openAs } = await openStage({
  ...{ now: "2026-11-22T12:00:00Z", people: [], config: { demo: true } },
});

const repository = "demo-guild/onyx-vault";
let leads = 0;

/** A lead on the front page, whose clicks are counted. */
async function openLead(javaScriptEnabled: boolean) {
  const email = `lead-${++leads}@corp.example`;
  const watched = await openAs(email, { javaScriptEnabled });
  let clicks = 0;
  const click = async (what: { click(): Promise<void> }) => {
    clicks += 1;
    await what.click();
  };
  const count = () => countCalls(roster, email);
  return { ...watched, click, clicks: () => clicks, countCalls: count };
}

const change = [
  ...["diff --git a/services/payments/README.md b/services/payments/README.md"],
  ...["--- a/services/payments/README.md", "+++ b/services/payments/README.md", "@@ -1 +1 @@"],
  ...["-one", "+two", ""],
].join("\n");

/** How many pages the browser prints. */
const countSheets = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;

describe.skipIf(!hasBrowser).each([true, false])("with a script: %p", (isScripted) => {
  test("a hand-over is three clicks and two calls away, prints on two pages, and has its table", async () => {
    const { tab, click, clicks, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByRole("link", { name: repository }));
    const [first = ""] = await tab.locator(".knower h3").allTextContents();
    await click(tab.locator(".knower").first().getByRole("link", { name: "Hand-over" }));
    expect([clicks(), await countCalls()]).toEqual([3, 2]);
    expect(await textOf(tab.locator("h1"))).toBe(`Hand-over: ${first}, ${repository}`);
    const figures = await tab.locator(".figures dt").allTextContents();
    expect(figures).toEqual([
      ...["files only they know", "folders without a successor", "next people"],
    ]);
    const risk = tab.getByRole("region", { name: "What is at risk" });
    expect(await textOf(risk.getByRole("row").nth(1))).toMatch(
      /^services\/\d+ files, \d+ only theirs/,
    );
    // The long table is folded up.
    const folders = tab.getByRole("heading", { name: /^All \d+ folders$/ });
    const table = tab.getByLabel("Folders to hand over");
    expect(await table.isVisible()).toBe(false);
    const print = tab.getByRole("button", { name: "Print" });
    if (isScripted) {
      await tab.evaluate("window.print = () => { document.title = 'printed'; }");
      await print.click();
      expect(await tab.title()).toBe("printed");
    } else {
      // Without a script the button could not print, so it is hidden.
      expect(await print.isVisible()).toBe(false);
    }
    await tab.emulateMedia({ media: "print" });
    expect([await risk.isVisible(), await folders.isVisible()]).toEqual([true, false]);
    for (const unprinted of ["Change question", "CSV", "Print"]) {
      const it = tab.getByText(unprinted, { exact: true }).first();
      expect([unprinted, await it.isVisible()]).toEqual([unprinted, false]);
    }
    // The sheets are the same without a script, so the gate prints them once.
    if (isLong || isScripted) {
      expect(countSheets(await tab.pdf({ format: "A4" }))).toBeLessThanOrEqual(2);
    }
    await tab.emulateMedia({ media: "screen" });
    await folders.click();
    expect(await table.isVisible()).toBe(true);
    const csv = await tab
      .context()
      .request.get(`${address}/who/handover.csv?${new URL(tab.url()).searchParams}`);
    expect((await csv.text()).split("\r\n")[0]).toStartWith("folder,files,they know,nobody else");
    expect(await countCalls()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test("reviewers of a diff are three clicks away", async () => {
    const { tab, click, clicks, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByRole("link", { name: "Suggested reviewers" }));
    await tab.getByLabel("Diff, or one path").fill(change);
    await tab.keyboard.press("Tab");
    await waitForFocus(tab.locator("#review-repository"));
    await tab.keyboard.type(repository);
    // A complete name shows no list, which would cover the button.
    await click(tab.getByRole("button", { name: "Find reviewers" }));
    expect(await textOf(tab.getByRole("status").first())).toContain("1 known file");
    expect(await tab.locator(".knower").count()).toBeGreaterThan(0);
    expect([clicks(), await countCalls()]).toEqual([3, 1]);
    expect(complaints).toEqual([]);
  });

  test("who knows a folder, and who is active in a repository, are three clicks away", async () => {
    const { tab, click, clicks, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByRole("link", { name: repository }));
    const active = tab.locator(".figures dd a").first();
    const count = Number(await textOf(active));
    await click(active);
    expect(await textOf(tab.locator("main"))).toContain("by last activity");
    expect(await tab.getByRole("row").count()).toBeGreaterThan(count);
    expect([clicks(), await countCalls()]).toEqual([3, 1]);
    await tab.goBack();
    await tab.getByRole("link", { name: "docs/", exact: true }).click();
    expect(await textOf(tab.locator("h1"))).toBe("Who knows docs");
    expect(await countCalls()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test("a tree opens down to a file for the one call of the page, and all people are a click away", async () => {
    const { tab, click, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByRole("link", { name: repository }));
    for (const folder of ["services", "services/payments", "services/payments/api"]) {
      await click(tab.getByRole("link", { name: `Open ${folder}/`, exact: true }));
      const opened = tab.getByRole("link", { name: `Close ${folder}/`, exact: true });
      expect(await opened.getAttribute("aria-expanded")).toBe("true");
      expect(await opened.evaluate((link) => `#${encodeURIComponent(link.id)}`)).toBe(
        new URL(tab.url()).hash,
      );
    }
    const file = tab.getByRole("row").filter({ hasText: /client\.[a-z]+/ });
    const knowers = await textOf(file.getByRole("cell").last());
    expect(knowers).toMatch(/^([^%]+ \d+ %){3}$/);
    await click(tab.getByRole("link", { name: /^All \d+ people$/ }));
    expect(await tab.getByRole("row").count()).toBeGreaterThan(20);
    expect(await countCalls()).toBe(1);
    // The name of a folder asks who knows it, and its people are those of the bar.
    await tab.goBack();
    const name = tab.getByRole("link", { name: "services/payments/", exact: true });
    const folder = tab.getByRole("row").filter({ has: name });
    const barred = await folder.getByRole("cell").last().getByRole("link").allTextContents();
    await click(name);
    const listed = await tab.locator(".knower h3").allTextContents();
    expect(listed.slice(0, 3)).toEqual(barred);
    expect(await countCalls()).toBe(2);
    expect(complaints).toEqual([]);
  });
});

test.skipIf(!hasBrowser)("typing alone asks for a repository, a path and who leaves", async () => {
  const { tab, countCalls, complaints } = await openLead(true);
  await tab.goto("/who");
  const repositoryField = tab.locator("#repository");
  await waitForFocus(repositoryField);
  const choose = async (field: string, text: string, offered: string) => {
    await tab.keyboard.type(text);
    await tab.locator(`#${field}-list li:first-child`).filter({ hasText: offered }).waitFor();
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("Enter");
  };
  await choose("repository", "onyx", repository);
  expect(await repositoryField.inputValue()).toBe(repository);
  expect(await tab.locator("#repository-list li").count()).toBe(0);
  await tab.keyboard.press("Tab");
  await waitForFocus(tab.locator("#path"));
  await choose("path", "serv", "services/");
  expect(await tab.locator("#path").inputValue()).toBe("services/");
  // What is in the folder is offered at once.
  await tab.locator("#path-list li").first().waitFor();
  await choose("path", "pay", "services/payments/");
  expect(await tab.locator("#path").inputValue()).toBe("services/payments/");
  await tab.keyboard.press("Escape");
  await tab.keyboard.press("Tab");
  await waitForFocus(tab.getByRole("button", { name: "Show people" }));
  await tab.keyboard.press("Tab");
  await waitForFocus(tab.getByText("Package, date, people who leave"));
  await tab.keyboard.press("Enter");
  for (let presses = 0; presses < 8; presses++) {
    await tab.keyboard.press("Tab");
    if (await tab.locator("#without:focus").count()) break;
  }
  await choose("without", "valentina v", "Valentina");
  const without = await tab.locator("#without").inputValue();
  expect(without).toMatch(/^valentina-[a-z-]+, $/);
  expect(await countCalls()).toBe(0);
  await tab.keyboard.press("Enter");
  await tab.waitForURL("**/who?*");
  const query = new URL(tab.url()).searchParams;
  expect([query.get("path"), query.get("without")]).toEqual([
    ...["services/payments/", without.replace(", ", "")],
  ]);
  expect(await countCalls()).toBe(1);
  expect(complaints).toEqual([]);
});

test.skipIf(!hasBrowser)(
  "a hand-over of hundreds of files is short on a phone and on paper",
  async () => {
    const { search, pool } = roster.modules;
    const { hits } = await search.find({ location: "worldwide", maxResults: 14, offset: 0 });
    const cards = await pool.cards(hits.map(({ rowId }) => rowId));
    const people = hits.flatMap(({ rowId }) => cards.get(rowId)?.login ?? []);
    const name = "acme/payments";
    const { repository: large } = inventAuthorship({ name, commits: 3000, files: 900, people });
    await pool.authorship.replace(large);
    await pool.authorship.nameAuthors(large.key, people);
    const { tab, complaints } = await openLead(true);
    await tab.setViewportSize({ width: 390, height: 844 });
    await tab.goto(`/who?repository=${name}&without=${people[0]}`);
    expect(await textOf(tab.locator(".figures"))).toMatch(/of [2-9]\d\d they know/);
    expect(await tab.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(4000);
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(countSheets(await tab.pdf({ format: "A4" }))).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
  },
);

test.skipIf(!hasBrowser)(
  "a person's page leads to the hand-over of each repository that was read",
  async () => {
    const { tab, click, clicks, complaints } = await openLead(true);
    await tab.goto(`/who?repository=${repository}`);
    await click(tab.locator(".knower h3 a").first());
    const name = await textOf(tab.locator("h1"));
    await click(tab.getByRole("link", { name: `Hand-over of ${repository}` }));
    expect(await textOf(tab.locator("h1"))).toBe(`Hand-over: ${name}, ${repository}`);
    expect([clicks(), complaints]).toEqual([2, []]);
  },
);
