/** An administrator finds an event in the audit log, and splits a wrong join and undoes the split; every click is counted. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { hasBrowser, textOf } from "../../browser.ts";
import { program, readFolder } from "../../faults/server-process.ts";
import { ben, inventRepository } from "../../ingest/git/invented-repository.ts";
import { isLong } from "../../long.ts";
import { looked, openStage } from "./looks.ts";

const cara = (address: string) => `Cara Invented <${address}>`;
const clicksMax = 5;
/** The last test sends the same forms without a script. */
const withScripts = isLong ? [true, false] : [true];

const mirrors = mkdtempSync(join(tmpdir(), "roster-joined-"));
afterAll(() => rmSync(mirrors, { recursive: true, force: true }));
inventRepository(join(mirrors, "team", "payments.git"), [
  { author: cara("cara@example.com"), at: "2026-03-02", files: { "a.go": "package a\n" } },
  { author: cara("cara@old.example.org"), at: "2025-03-02", files: { "b.go": "package b\n" } },
  { author: ben, at: "2026-05-04", files: { "c.go": "package c\n" } },
  // A common name joins nobody.
  { author: "John Smith <js@example.com>", at: "2026-05-05", files: { "d.go": "package d\n" } },
  { author: "John Smith <j.s@example.net>", at: "2026-05-06", files: { "e.go": "package e\n" } },
]);
const { roster, openAs } = await openStage({
  ...{ folder: true, self: program, now: new Date().toISOString() },
});

interface Journey {
  readonly tab: Page;
  readonly complaints: readonly string[];
  readonly click: (what: Locator) => Promise<void>;
  readonly countClicks: () => number;
}

/** A new administrator on the front page, whose clicks are counted. */
async function enter(javaScriptEnabled: boolean): Promise<Journey> {
  const email = `boss-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { tab, complaints } = await openAs(email, { administrator: true, javaScriptEnabled });
  let clicks = 0;
  const click = async (what: Locator) => {
    clicks += 1;
    await what.click();
    await tab.waitForLoadState();
  };
  return { tab, complaints, click, countClicks: () => clicks };
}

/** Waits for what appears when a run has ended; without a script it reloads, which is no click. */
async function comes({ tab }: Journey, what: Locator): Promise<void> {
  const until = Date.now() + 90_000;
  while ((await what.count()) === 0) {
    if (Date.now() > until) {
      throw new Error(`${what} does not come: ${await textOf(tab.locator("main"))}`);
    }
    await Bun.sleep(300);
    if (!(await tab.evaluate("typeof htmx !== 'undefined'"))) await tab.reload();
  }
}

/** @returns the rows of the log about identities, the newest first. */
async function filterLog({ tab, click }: Journey): Promise<readonly string[]> {
  await tab.getByLabel("What").selectOption("Identities");
  await click(tab.getByRole("button", { name: "Filter" }));
  const rows = await tab.locator(".log li").allInnerTexts();
  expect(rows.length).toBeGreaterThanOrEqual(2);
  const two = "Cara Invented .* and Cara Invented .*";
  expect(rows[0]).toMatch(new RegExp(`boss-\\w+@example.com undid the decision about ${two}`));
  expect(rows[1]).toMatch(new RegExp(`split ${two} \\(since undone\\)`));
  return rows;
}

const listKinds = async () => (await roster.modules.pool.decisions.list()).map(({ kind }) => kind);

describe.skipIf(!hasBrowser)("an administrator", () => {
  beforeAll(async () => {
    if (!hasBrowser) return;
    const { tab } = await enter(true);
    await readFolder(mirrors, roster.config.data);
    await tab.goto("/admin/runs");
    await tab.getByText(/1 repository read, 0 unchanged; 4 people added/).waitFor();
    await tab.context().close();
  });

  test.each(withScripts)("splits a join and undoes it; script: %p", async (javaScriptEnabled) => {
    const journey = await enter(javaScriptEnabled);
    const { tab, complaints, click, countClicks } = journey;
    await tab.getByLabel("Find a person").first().fill("Cara Invented");
    await tab.keyboard.press("Enter");
    await click(tab.locator("main").getByRole("link", { name: "Cara Invented" }));
    await click(tab.getByRole("link", { name: "See and split identities" }));
    await comes(journey, tab.getByText("same name: cara invented"));
    await click(tab.getByText("Split", { exact: true }));
    await click(tab.getByRole("button", { name: "Split into two people" }));
    await comes(journey, tab.getByText("Undo makes them one person again"));
    await comes(journey, tab.getByText("Only one identity."));
    expect(await listKinds()).toEqual(["different"]);
    const wrong = javaScriptEnabled ? await looked(tab, "joined-undo") : [];
    await click(tab.getByRole("button", { name: "Undo" }));
    await comes(journey, tab.getByText("same name: cara invented"));
    expect(countClicks()).toBe(clicksMax);
    expect(await listKinds()).toEqual([]);
    const found = await roster.modules.search.findPeople({
      ...{ text: "cara@old.example.org", canSeeUnpublished: true, limit: 5, offset: 0 },
    });
    expect(found.total).toBe(1);
    expect([...wrong, ...complaints]).toEqual([]);
    await tab.context().close();
  });

  test.each(withScripts)("finds in the log who split; script: %p", async (javaScriptEnabled) => {
    const journey = await enter(javaScriptEnabled);
    const { tab, complaints, click, countClicks } = journey;
    await click(tab.locator("header summary").first());
    await click(tab.locator("header").getByRole("link", { name: "Administration" }));
    await click(tab.getByRole("link", { name: "Audit log" }));
    await click(tab.getByLabel("What"));
    const rows = await filterLog(journey);
    expect(countClicks()).toBe(clicksMax);
    const wrong = javaScriptEnabled ? await looked(tab, "audit-of-decisions") : [];
    // The log is filtered by person too.
    const [, split = ""] = /(boss-\w+@example.com) split/.exec(rows[1] ?? "") ?? [];
    await tab.getByLabel("Who").fill(split);
    await tab.keyboard.press("Enter");
    await tab.getByText("undid the decision").first().waitFor();
    const found = await tab.locator(".log li").allInnerTexts();
    expect(found.every((row) => row.includes(split))).toBe(true);
    expect([...wrong, ...complaints]).toEqual([]);
    await tab.context().close();
  });

  test("sees what was decided, by whom, and undoes it, without a script too", async () => {
    const journey = await enter(isLong);
    const { tab, complaints } = journey;
    if (!isLong) {
      await tab.goto("/admin/audit");
      await filterLog(journey);
    }
    await tab.goto("/admin/identity");
    await tab.getByText("Possible duplicates (1 of 1)").waitFor();
    await tab.getByRole("button", { name: "Merge (M)" }).click();
    await tab.getByText("No possible duplicates.").waitFor();
    await tab.getByRole("link", { name: /^[01] decisions?$/ }).click();
    await comes(journey, tab.getByText("Undo makes them two people again"));
    const decisions = await textOf(tab.locator("#decisions"));
    expect(decisions).toMatch(/John Smith .* and John Smith .* are one person/);
    expect(decisions).toMatch(/decided by boss-\w+@example.com/);
    const wrong = isLong ? await looked(tab, "decisions") : [];
    await tab.locator("#decisions").getByRole("link").first().click();
    await tab.getByRole("link", { name: "See and split identities" }).click();
    await comes(journey, tab.getByText("Split", { exact: true }));
    await tab.getByText("Split", { exact: true }).click();
    await tab.getByRole("button", { name: "Split into two people" }).click();
    // The split undoes the decision that joined them, so no decision is left.
    await comes(journey, tab.getByText("Split just now"));
    expect(await listKinds()).toEqual([]);
    if (isLong) wrong.push(...(await looked(tab, "parted")));
    await tab.getByRole("button", { name: "Join again" }).click();
    await comes(journey, tab.getByText("Split", { exact: true }));
    expect(await listKinds()).toEqual(["same"]);
    expect(await tab.getByRole("button", { name: "Join again" }).count()).toBe(0);
    await tab.goto("/admin/identity/decisions");
    await tab.getByRole("button", { name: "Undo" }).click();
    await comes(journey, tab.getByText("Decisions will appear here."));
    await tab.getByRole("link", { name: "Back to identities" }).click();
    await comes(journey, tab.getByText("Possible duplicates (1 of 1)"));
    expect(await listKinds()).toEqual([]);
    expect([...wrong, ...complaints]).toEqual([]);
    await tab.context().close();
  });
});
