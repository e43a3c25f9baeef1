/** Administration with data in it: runs, pairs, a model that moves people, calls, an erasure, as somebody clicks it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readConfig } from "../../../src/config/config.ts";
import { hasBrowser, textOf, type Watched } from "../../browser.ts";
import { program, readFolder } from "../../faults/server-process.ts";
import { ben, inventRepository } from "../../ingest/git/invented-repository.ts";
import { glanced, looked, openStage } from "./looks.ts";

const boss = "boss@example.com";
const cara = (address: string) => `Cara Invented <${address}>`;
const inBrowser = test.skipIf(!hasBrowser);

const mirrors = mkdtempSync(join(tmpdir(), "roster-mirrors-"));
afterAll(() => rmSync(mirrors, { recursive: true, force: true }));
inventRepository(join(mirrors, "team", "payments.git"), [
  { author: cara("cara@example.com"), at: "2026-03-02", files: { "a.go": "package a\n" } },
  { author: cara("cara@old.example.org"), at: "2025-03-02", files: { "b.go": "package b\n" } },
  { author: ben, at: "2026-05-04", files: { "c.go": "package c\n" } },
  { author: "Dora Made <dora@example.com>", at: "2026-05-05", files: { "d.go": "package d\n" } },
  { author: "Dora Made <dora@example.net>", at: "2026-05-06", files: { "e.go": "package e\n" } },
]);
const { roster, openAs } = await openStage({
  ...{ folder: true, self: program, now: new Date(Date.now() - 70 * 86_400_000).toISOString() },
  config: {
    identity: {
      ...{ aliasFile: undefined, classFile: undefined, names: "off" },
      publishCommitEmails: false,
    },
    described: readConfig({ port: "7171" }, { ROSTER_ADMIN_KEY: "rst_unseen" }).config.described,
  },
});
let watched: Watched;
let tab: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  await useSomeCalls();
  const options = { administrator: true, viewport: { width: 1440, height: 800 } };
  watched = await openAs(boss, options);
  tab = watched.tab;
});

/** Makes calls over two months, oldest first: no call can be counted on an earlier day. */
async function useSomeCalls(): Promise<void> {
  const accounts = [];
  for (let n = 0; n < 8; n++) {
    accounts.push(await roster.newAccount("enterprise", { callsPerDay: "unlimited" }));
  }
  const today = Date.now();
  for (let day = 60; day >= 0; day -= 6) {
    roster.clock.set(new Date(today - day * 86_400_000).toISOString());
    for (const [n, { key }] of accounts.entries()) {
      if (day % (n + 2) !== 0) continue;
      for (let call = 0; call <= n; call++) await roster.client.get("nobody", key);
    }
  }
}

const send = async (button: string) => {
  await tab.getByRole("button", { name: button, exact: true }).click();
  await tab.waitForLoadState();
};
const see = (text: string | RegExp) => tab.getByText(text).first().waitFor();

describe("an administrator", () => {
  inBrowser("sees how a command ended, reads again, and sees that move and end", async () => {
    const wrong: string[] = [];
    await tab.goto("/admin");
    await see("Backup: none was ever made.");
    wrong.push(...(await glanced(tab, "admin")));
    await tab.goto("/admin/runs");
    await see("Nothing is running. New runs");
    wrong.push(...(await glanced(tab, "runs-none")));
    await readFolder(mirrors, roster.config.data, "--identity-names", "off");
    await see(/1 repository read, 0 unchanged; 5 people added/);
    await send("Read new commits");
    await see("Started: Read new commits");
    wrong.push(...(await glanced(tab, "runs-started")));
    await see(/0 repositories read, 1 unchanged/);
    wrong.push(...(await looked(tab, "runs-done")));
    expect([...wrong, ...watched.complaints]).toEqual([]);
  });

  inBrowser("sees who runs an import elsewhere", async () => {
    const { pool } = roster.modules;
    const progress = { done: 1200, total: 5000, unit: "commits", label: "3 of 9 done, at x" };
    const wrong: string[] = [];
    for (const [path, name] of [
      ["/admin/runs", "runs-foreign"],
      ["/admin", "admin-moving"],
    ] as const) {
      await tab.goto(path);
      await see("Nothing is running.");
      // The open page shows the run by itself.
      const lock = await pool.lockImports("git");
      await pool.noteProgress(progress);
      await see("1,200 of 5,000 commits");
      await see("An ingest of git histories");
      await see(/started by a command on this machine, .* press Ctrl-C in its terminal/);
      await tab.getByTitle(`Process ${process.pid}`).first().waitFor();
      await see("time left unknown");
      wrong.push(...(await looked(tab, name)));
      await lock.release();
      await see("Nothing is running.");
      expect(await textOf(tab.locator("main"))).not.toMatch(/\d{4}-\d\d-\d\dT/);
    }
    expect([...wrong, ...watched.complaints]).toEqual([]);
  });

  inBrowser("decides about pairs, by button and by letter", async () => {
    await tab.goto("/admin/identity");
    await see("Possible duplicates (1 of 2)");
    const wrong = await looked(tab, "identity");
    await tab.goto("/admin/identity");
    // The script that listens to letters has the focus once the page is loaded.
    const press = async (letter: string) => {
      await tab.waitForLoadState();
      await tab.locator("[data-keys]:focus").waitFor();
      await tab.keyboard.press(letter);
    };
    await press("s");
    await see("Possible duplicates (2 of 2)");
    await press("k");
    await see("Kept separate.");
    await see("Possible duplicates (1 of 1)");
    await send("Merge (M)");
    await see("Merged. Updating scores");
    await see("No possible duplicates.");
    wrong.push(...(await glanced(tab, "identity-none")));
    await tab.goto("/admin/runs");
    await see(/Merged: .* 1 removed/);
    const decisions = await roster.modules.pool.decisions.list();
    expect(decisions.map(({ kind }) => kind).sort()).toEqual(["different", "same"]);
    expect([...wrong, ...watched.complaints]).toEqual([]);
  });

  inBrowser("looks at usage, settings, the model and the audit log", async () => {
    const wrong: string[] = [];
    await tab.goto("/admin/usage");
    wrong.push(...(await looked(tab, "usage-of-all")));
    await tab.goto("/admin/settings");
    expect(await textOf(tab.locator("main"))).toContain("****");
    wrong.push(...(await looked(tab, "settings")));
    await tab.goto("/admin/model");
    wrong.push(...(await glanced(tab, "model-none")));
    await send("Preview changes");
    await see(/No scores would change\. All \d+ people have/);
    wrong.push(...(await looked(tab, "model")));
    await tab.goto("/admin/audit?action=run");
    wrong.push(...(await looked(tab, "audit-filtered")));
    expect(await textOf(tab.locator(".log li").last())).toContain("started to read git histories");
    expect(await tab.locator("main").textContent()).not.toContain("created the account");
    const file = tab.waitForEvent("download");
    await tab.getByRole("link", { name: "CSV" }).click();
    const text = await Bun.file(await (await file).path()).text();
    expect(text.split("\r\n")[0]).toBe(
      "sequence,at,action,subject,subject_name,actor,actor_name,detail",
    );
    expect(text).toContain(boss);
    expect([...wrong, ...watched.complaints]).toEqual([]);
  });

  inBrowser("forgets somebody who asked for it, in a few clicks", async () => {
    const [person = ""] = (await roster.modules.pool.logins()).filter((one) =>
      one.startsWith("ben"),
    );
    await tab.goto("/admin/forget");
    const wrong = await glanced(tab, "forget");
    await tab.goto("/admin/identity");
    await tab.getByRole("link", { name: "Forget a person" }).click();
    await tab.getByLabel("Login or e-mail address").fill("nobody-at-all");
    await send("Continue");
    await see("no person has this login or address");
    wrong.push(...(await looked(tab, "forget-nobody")));
    await tab.goto(`/developers/${person}`);
    await send("Forget this person");
    await see("What will be deleted");
    expect(tab.url()).not.toContain("ben");
    wrong.push(...(await looked(tab, "forget-found")));
    await tab.getByLabel("Reason").fill("request 17");
    await send("Forget this person");
    await see(/Forgotten: receipt ers_/);
    wrong.push(...(await looked(tab, "forgotten")));
    expect(await roster.modules.pool.findCards([person])).toEqual([undefined]);
    expect([...wrong, ...watched.complaints]).toEqual([]);
  });
});
