/** A lead asks who knows, and every click is counted; with a script and without one. */
import { describe, expect, test } from "bun:test";
import { hasBrowser, textOf, waitForFocus } from "../../browser.ts";
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

describe.skipIf(!hasBrowser).each([true, false])("with a script: %p", (isScripted) => {
  test("a hand-over plan is printed in four clicks, for two calls, and has its table", async () => {
    const { tab, click, clicks, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByRole("link", { name: repository }));
    const [first, second] = await tab.locator(".knower h2").allTextContents();
    await click(tab.locator(".knower").first().getByRole("link", { name: "hand-over" }));
    const plan = tab.getByRole("region", { name: /^Hand-over of/ });
    expect(await textOf(plan)).toContain("known to nobody else");
    expect(await tab.locator(".knower h2").first().textContent()).toBe(second ?? "");
    const headings = await plan.getByRole("columnheader").allTextContents();
    expect(headings).toEqual([
      ...["Successor", "Folders", "Files", "Nobody else"],
      ...["Folder", "Files", "They know", "Nobody else", "Their part", "Next"],
    ]);
    const print = plan.getByRole("button", { name: "Print the plan" });
    if (isScripted) {
      await tab.evaluate("window.print = () => { document.title = 'printed'; }");
      await click(print);
      expect(await tab.title()).toBe("printed");
    } else {
      // Without a script the button could not print, so it is hidden.
      expect(await print.isVisible()).toBe(false);
    }
    expect(clicks()).toBeLessThanOrEqual(4);
    expect(await countCalls()).toBe(2);
    await tab.emulateMedia({ media: "print" });
    for (const table of await plan.getByRole("table").all()) {
      expect(await table.isVisible()).toBe(true);
    }
    // People who are folded up on a phone are on paper.
    expect(await tab.locator(".knower").last().isVisible()).toBe(true);
    for (const unprinted of ["Add to list", "Who should look at a change", "Ask", "CSV of all"]) {
      const it = tab.getByText(unprinted, { exact: true }).first();
      expect([unprinted, await it.isVisible()]).toEqual([unprinted, false]);
    }
    // The sheet is the same without a script, so the gate prints it once.
    if (isLong || isScripted) expect((await tab.pdf()).length).toBeGreaterThan(10_000);
    await tab.emulateMedia({ media: "screen" });
    const csv = await tab
      .context()
      .request.get(`${address}/who/handover.csv?${new URL(tab.url()).searchParams}`);
    expect((await csv.text()).split("\r\n")[0]).toStartWith("folder,files,they know,nobody else");
    expect(await countCalls()).toBe(2);
    // The plan of two people leaves both out.
    await tab.locator(".knower").first().getByRole("link", { name: "hand-over" }).click();
    expect(await tab.locator(".knower h2").allTextContents()).not.toContain(first);
    expect((await tab.locator("#without").inputValue()).split(",").length).toBe(2);
    expect(complaints).toEqual([]);
  });

  test("who should review a diff is answered in three clicks", async () => {
    const { tab, click, clicks, countCalls, complaints } = await openLead(isScripted);
    await click(tab.getByRole("link", { name: "Who knows" }));
    await click(tab.getByText("Who should look at a change"));
    await tab.getByLabel("Diff, or paths").fill(change);
    await tab.keyboard.press("Tab");
    await waitForFocus(tab.locator("#review-repository"));
    await tab.keyboard.type(repository);
    // A complete name shows no list, which would cover the button.
    await click(tab.getByRole("button", { name: "Find reviewers" }));
    const answer = tab.getByRole("region", { name: "Who should look at it" });
    expect(await textOf(answer)).toContain("1 file that history knows");
    expect(await tab.locator(".knower").count()).toBeGreaterThan(0);
    expect([clicks(), await countCalls()]).toEqual([3, 1]);
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
    const knowers = (await textOf(file.getByRole("cell").last())).split(", ");
    expect(knowers.length).toBe(3);
    for (const one of knowers) expect(one).toMatch(/\d %( has left)?$/);
    await click(tab.getByRole("link", { name: /^All \d+ people$/ }));
    expect(await tab.getByRole("row").count()).toBeGreaterThan(20);
    expect(await countCalls()).toBe(1);
    // The name of a folder asks who knows it, and its people are those of the bar.
    await tab.goBack();
    const name = tab.getByRole("link", { name: "services/payments/", exact: true });
    const folder = tab.getByRole("row").filter({ has: name });
    const barred = await folder.getByRole("cell").last().getByRole("link").allTextContents();
    await click(name);
    const listed = await tab.locator(".knower h2").allTextContents();
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
  await waitForFocus(tab.getByText("More: a package, a day, who leaves"));
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
