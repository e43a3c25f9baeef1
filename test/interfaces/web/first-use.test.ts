/** The whole way of two people through the pages, in a real browser, as the first minute of a new Roster goes. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hasBrowser, textOf, type Watched, waitForFocus } from "../../browser.ts";
import { openStage } from "./looks.ts";
import { goodPassword } from "./person.ts";

const { roster, address, open } = await openStage({ now: new Date().toISOString() });
let admin: Watched;
let holder: Watched;
beforeAll(async () => {
  if (hasBrowser) [admin, holder] = [await open(), await open()];
});

const inBrowser = test.skipIf(!hasBrowser);
const secretOn = (tab: Page) => textOf(tab.locator("#secret"));
const openMenu = (tab: Page) => tab.locator("header summary").click();
const statusWith = async (key: string) =>
  (await fetch(`${address}/v1/users/nobody-at-all`, { headers: { "x-api-key": key } })).status;

let invitation: string;
let key: string;

describe("from the set-up link to a key that works", () => {
  inBrowser("the link of the first start makes its holder the administrator, once", async () => {
    const { tab } = admin;
    const { token } = await roster.modules.accounts.makeLink("admin@localhost", "set-up");
    await tab.goto(`/set-up?token=${token}`);
    await waitForFocus(tab.getByLabel("E-mail"));
    await tab.getByLabel("E-mail").fill("boss@example.com");
    await tab.getByLabel("New password").fill(goodPassword);
    await tab.getByRole("button", { name: "Set up and sign in" }).click();
    await tab.waitForURL(`${address}/`);
    expect(await textOf(tab.locator("main"))).toContain("set up");
    expect(await textOf(tab.locator("#first-steps"))).toContain("Run a search");
    await tab.reload();
    await waitForFocus(tab.getByLabel("Where", { exact: true }));
    await openMenu(tab);
    expect(await tab.getByRole("link", { name: "Administration" }).count()).toBe(1);
    await tab.goto(`/set-up?token=${token}`);
    expect(await textOf(tab.locator("h1"))).toBe("This link no longer works");
  });

  inBrowser("makes an account, whose invitation is shown once and in no address", async () => {
    const { tab } = admin;
    await tab.goto("/admin/accounts");
    await tab.getByText("Invite someone").click();
    await tab.getByLabel("E-mail", { exact: true }).fill("ada@example.com");
    await tab.getByLabel("Plan").selectOption("pro");
    await tab.getByRole("button", { name: "Create the invitation" }).click();
    await tab.waitForURL(`${address}/admin/accounts`);
    invitation = await secretOn(tab);
    expect(invitation).toStartWith(`${address}/invitation?token=`);
    expect(tab.url()).toBe(`${address}/admin/accounts`);
    await tab.reload();
    expect(await tab.content()).not.toContain(new URL(invitation).searchParams.get("token"));
    expect(await tab.getByRole("link", { name: "ada@example.com" }).count()).toBe(1);
  });

  inBrowser("which lets somebody else in, with a weak password refused first", async () => {
    const { tab } = holder;
    await tab.goto(invitation);
    await waitForFocus(tab.getByLabel("New password"));
    await tab.getByLabel("New password").fill("password123");
    await tab.getByRole("button", { name: "Accept and sign in" }).click();
    const problem = tab.getByRole("alert");
    await problem.waitFor();
    await waitForFocus(problem);
    await problem.getByRole("link").click();
    const box = tab.getByLabel("New password");
    await waitForFocus(box);
    expect(await box.getAttribute("aria-invalid")).toBe("true");
    await box.fill(goodPassword);
    await tab.keyboard.press("Enter");
    await tab.waitForURL(`${address}/`);
    expect(await textOf(tab.locator("header"))).toContain("ada@example.com");
    await openMenu(tab);
    expect(await tab.getByRole("link", { name: "My account" }).count()).toBe(1);
    expect(await tab.getByRole("link", { name: "Administration" }).count()).toBe(0);
  });

  inBrowser("who makes a key, sees it once, and calls with it", async () => {
    const { tab } = holder;
    await tab.goto("/account/api");
    await tab.getByRole("button", { name: "Create a key" }).click();
    await tab.locator("#secret").waitFor();
    key = await secretOn(tab);
    expect(key).toMatch(/^rst_[0-9A-Za-z]{49}$/);
    expect(tab.url()).toBe(`${address}/account/api`);
    expect(await statusWith(key)).toBe(404);
    await tab.reload();
    const reloaded = await tab.content();
    expect(reloaded).not.toContain(key);
    expect(reloaded).toContain(`${key.slice(0, 8)}...${key.slice(-4)}`);
  });

  inBrowser("and replaces it with the password, which ends the old key", async () => {
    const { tab } = holder;
    await tab.getByText("Replace the key").click();
    await tab.getByLabel("Password").fill("not my password");
    await tab.getByRole("button", { name: "Replace", exact: true }).click();
    await tab.getByRole("alert").waitFor();
    expect(await statusWith(key)).toBe(404);
    await tab.getByLabel("Password").fill(goodPassword);
    await tab.getByRole("button", { name: "Replace", exact: true }).click();
    await tab.locator("#secret").waitFor();
    const fresh = await secretOn(tab);
    expect(await textOf(tab.getByRole("status").first())).toContain(
      "The old key has stopped working",
    );
    expect([await statusWith(key), await statusWith(fresh)]).toEqual([401, 404]);
  });

  inBrowser("and sees what was used, with the instant it resets", async () => {
    const { tab } = holder;
    await tab.goto("/account");
    const month = tab.getByRole("region", { name: "Calls" }).locator("dl > div").first();
    expect(await textOf(month)).toMatch(/^this month3997 left of 1,000, resets in /);
    const now = roster.clock.now();
    const resets = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(await month.locator("time").getAttribute("datetime")).toBe(resets.toISOString());
    const bar = month.getByRole("progressbar");
    expect([await bar.getAttribute("value"), await bar.getAttribute("max")]).toEqual(["3", "1000"]);
  });

  inBrowser("until the administrator disables the account, everywhere at once", async () => {
    const { tab } = admin;
    await tab.goto("/admin/accounts?q=ada");
    await tab.getByRole("link", { name: "ada@example.com" }).click();
    await tab.getByText("Disable the account").click();
    await tab.getByRole("button", { name: "Disable" }).click();
    await tab.getByText("com is disabled.").waitFor();
    await holder.tab.goto("/account");
    expect(holder.tab.url()).toBe(`${address}/sign-in?next=%2Faccount`);
  });

  inBrowser("and nothing complained, and nobody else was asked", () => {
    expect([...admin.complaints, ...holder.complaints]).toEqual([]);
  });
});

describe("without a script", () => {
  inBrowser("everything works: signing in, searching accounts, signing out", async () => {
    const { tab, complaints } = await open({ javaScriptEnabled: false });
    await tab.goto("/account");
    await tab.getByLabel("E-mail").fill("boss@example.com");
    await tab.getByLabel("Password").fill(goodPassword);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.waitForURL(`${address}/account`);
    await tab.goto("/admin/accounts");
    await tab.getByLabel("E-mail contains").fill("ada");
    await tab.getByRole("button", { name: "Search" }).click();
    expect(await tab.getByRole("row").count()).toBe(2);
    expect(await tab.locator(".needs-script:visible").count()).toBe(0);
    await openMenu(tab);
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.waitForURL(`${address}/sign-in`);
    expect(await textOf(tab.getByRole("status"))).toBe("You are signed out.");
    expect(complaints).toEqual([]);
    await tab.context().close();
  });
});

describe("with a script", () => {
  inBrowser("the list of accounts follows what is typed, and the key can be copied", async () => {
    const { tab } = admin;
    await tab.goto("/admin/accounts");
    expect(await tab.getByRole("row").count()).toBeGreaterThan(2);
    await tab.getByLabel("E-mail contains").pressSequentially("ada@");
    await tab.getByText("1 of").waitFor();
    expect(await tab.getByRole("row").count()).toBe(2);
    await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await tab.goto("/account/assistants");
    await tab.getByRole("button", { name: "Copy MCP server" }).click();
    await tab.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await tab.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(`${address}/mcp`);
    expect(admin.complaints).toEqual([]);
  });
});
