/** Pages after an action, as a person meets them; the tests of the widths look at all others. And the walk by keyboard. */
import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { errorOf, hasBrowser, waitForFocus } from "../../browser.ts";
import { type Kind, kinds, memory } from "../../official-clients.ts";
import { openCallback } from "./assistant.ts";
import { createWalk, looked, openStage } from "./looks.ts";
import { goodPassword } from "./person.ts";

const longEmail = "a.holder.with.a.long.name@department.of-many-words.example.com";

const { roster, address, open, openAs } = await openStage({
  now: new Date().toISOString(),
  config: { signIn: { signUp: "open", assistantsRegister: true, providers: [] } },
});
const callback = openCallback();
afterAll(() => callback.close());
const [kind] = Object.values(kinds) as [Kind];
const provider = memory(`Editor <b>"Pro"</b> & co`, callback.address);

const inBrowser = test.skipIf(!hasBrowser);

const send = async (tab: Page, button: string) => {
  await tab.getByRole("button", { name: button, exact: true }).click();
  await tab.waitForLoadState();
};

type State = readonly [name: string, go: () => Promise<unknown>];

async function lookAt(tab: Page, states: readonly State[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, go] of states) {
    await go();
    wrong.push(...(await looked(tab, name)));
  }
  return wrong;
}

describe("pages look right after an action", () => {
  inBrowser("of whoever is signed in", async () => {
    const options = { viewport: { width: 1440, height: 800 } };
    const { tab, complaints } = await openAs("somebody@example.com", options);
    expect(await errorOf(kind.open(`${address}/mcp`, provider))).toContain("Unauthorized");
    const wrong = await lookAt(tab, [
      ["api-shown-once", () => tab.goto("/account/api").then(() => send(tab, "Create a key"))],
      ["api-refused", () => replaceKeyWith(tab, "not my password")],
      ["consent", () => tab.goto(String(provider.kept.sentTo))],
      ["assistants", () => allow(tab)],
      ["forbidden", () => tab.goto("/admin/accounts")],
      ["sign-in-refused", () => signInWith(tab, "not the password")],
    ]);
    const foreign = complaints.filter((line) => !line.startsWith(`asked ${callback.address}`));
    expect([...wrong, ...foreign]).toEqual([]);
  });

  inBrowser("of administrators", async () => {
    const options = { administrator: true, viewport: { width: 1440, height: 800 } };
    const { tab, complaints } = await openAs("boss@example.com", options);
    const { email } = await roster.newAccount("pro");
    const path = `/admin/accounts/${(await roster.modules.accounts.find(email))?.id}`;
    const wrong = await lookAt(tab, [
      ["accounts-refused", () => makeAccount(tab, "no-e-mail@")],
      ["accounts-invited", () => makeAccount(tab, "somebody.new@example.com")],
      ["account-link", () => tab.goto(path).then(() => send(tab, "Create a password link"))],
      ["account-later", () => later(tab, path)],
    ]);
    expect([...wrong, ...complaints]).toEqual([]);
  });
});

/** Opens the page when the password is needed again. */
async function later(tab: Page, path: string): Promise<void> {
  roster.clock.advance(11 * 60);
  await tab.goto(path);
}

async function signInWith(tab: Page, password: string): Promise<void> {
  await tab.context().clearCookies();
  await tab.goto("/sign-in");
  await tab.getByLabel("E-mail").fill("somebody@example.com");
  await tab.getByLabel("Password").fill(password);
  await send(tab, "Sign in");
}

async function replaceKeyWith(tab: Page, password: string): Promise<void> {
  await tab.goto("/account/api");
  await tab.getByText("Replace the key").click();
  await tab.getByLabel("Password").fill(password);
  await send(tab, "Replace");
}

async function allow(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "Allow" }).click();
  await tab.getByText("Connected.").waitFor();
  await kind.finish(`${address}/mcp`, provider, await callback.came());
  await tab.goto("/account/assistants");
}

async function makeAccount(tab: Page, email: string): Promise<void> {
  await tab.goto("/admin/accounts");
  await tab.getByText("Invite someone").click();
  await tab.getByLabel("E-mail", { exact: true }).fill(email);
  // Skips the browser's own check of the form.
  await tab.evaluate("document.querySelectorAll('form').forEach((it) => it.noValidate = true)");
  await send(tab, "Create the invitation");
}

describe("by keyboard alone", () => {
  const findLabel = "Find a person by name, login or e-mail";
  inBrowser("signing in and replacing the key always shows the focus", async () => {
    await (await openAs(longEmail)).tab.context().close();
    await roster.modules.accounts.regenerateKey(longEmail);
    const { tab, complaints } = await open();
    const walk = createWalk(tab);
    await tab.goto("/sign-in");
    await waitForFocus(tab.getByLabel("E-mail"));
    await tab.keyboard.type(longEmail);
    await walk("Password");
    await tab.keyboard.type(goodPassword);
    await walk("Show password");
    await tab.keyboard.press("Space");
    expect(await tab.locator("#sign-in-password").getAttribute("type")).toBe("text");
    await walk("Sign in");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("/");
    await waitForFocus(tab.getByLabel("Where", { exact: true }));
    // A page without a field to type in first: the walk begins at its top.
    await tab.goto("/saved");
    const frame = [
      ...["Skip to the page", "Roster, start page", "Search", "Who knows", "Compare", "Saved"],
    ];
    await walk(...frame, findLabel, `Menu: ${longEmail}`);
    await tab.keyboard.press("Enter");
    await walk("My account");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("/account");
    await walk(...frame, findLabel, `Menu: ${longEmail}`, "Usage", "API key");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("/account/api");
    await walk("Skip to the page");
    await tab.keyboard.press("Enter");
    await walk("Replace the key");
    await tab.keyboard.press("Enter");
    await walk("Your password");
    await tab.keyboard.type(goodPassword);
    await tab.keyboard.press("Enter");
    await tab.locator("#secret").waitFor();
    await waitForFocus(tab.getByRole("status").first());
    await walk("Copy API key");
    expect(complaints).toEqual([]);
  });
});
