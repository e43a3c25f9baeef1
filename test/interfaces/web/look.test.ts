/**
 * Every page in every state that a person meets, narrow and wide, light and dark: nothing to scroll sideways, no
 * rule of accessibility broken, nothing that jumps, no complaint. The pictures are left in a folder to be looked at.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { hasBrowser, launch, openTab, type Watched, waitForFocus } from "../../browser.ts";
import { freePort } from "../../faults/server-process.ts";
import { openAssistant, type TestAssistant } from "./assistant.ts";
import { acceptInvitation, createWalk, glanced, looked } from "./looks.ts";
import { goodPassword } from "./person.ts";

const longEmail = "a.holder.with.a.long.name@department.of-many-words.example.com";

/** Nobody goes there: only its button is looked at. */
const provider = {
  id: "corp",
  name: "Example Corporation",
  domains: ["corp.example"],
  administrators: false,
  plan: "free",
  planClaim: undefined,
  plans: {},
  protocol: { kind: "oidc", issuer: "https://idp.corp.example", clientId: "x", clientSecret: "y" },
} as const;

/** States whose parts other states show. */
const alike =
  /^(sign-in(-cancelled)?|set-up|dead-link|usage|api-none|accounts-(none|later)|account-(disabled|own|later)|audit)$/;

let roster: TestAppliance;
let address: string;
let browser: Browser;
let assistant: TestAssistant;

beforeAll(async () => {
  const port = await freePort();
  const config = {
    port,
    publicUrl: `http://127.0.0.1:${port}`,
    signIn: { signUp: "open", assistantsRegister: true, providers: [provider] },
    quota: { countInvalid: false, trialDays: 30, lookupsPerMinute: 120 },
  } as const;
  roster = await openTestAppliance({ now: new Date().toISOString(), config });
  address = roster.listen();
  if (!hasBrowser) return;
  assistant = openAssistant(address, `Editor <b>"Pro"</b> & co`);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  assistant?.callback.close();
  await roster.close();
});

const inBrowser = test.skipIf(!hasBrowser);
async function signIn({ tab }: Watched, email: string): Promise<void> {
  await acceptInvitation(roster, tab, email);
}

const send = async (tab: Page, button: string) => {
  await tab.getByRole("button", { name: button, exact: true }).click();
  await tab.waitForLoadState();
};

/** After the time in which a password need not be given again. */
async function later(tab: Page, path: string): Promise<void> {
  roster.clock.advance(11 * 60);
  await tab.goto(path);
}

describe("pages look right", () => {
  inBrowser(
    "to visitors",
    async () => {
      const { tab, complaints } = await openTab(browser, address);
      const { accounts } = roster.modules;
      const setUp = (await accounts.makeLink("admin@localhost", "set-up")).token;
      await accounts.createWithoutKey({ email: longEmail, plan: "free", callsPerMonth: 40 });
      const invitation = (await accounts.makeLink(longEmail, "invitation")).token;
      const wrong: string[] = [];
      for (const [name, path] of [
        ["home", "/"],
        ["sign-in", "/sign-in"],
        ["sign-in-cancelled", "/sign-in?error=access_denied"],
        ["sign-up", "/sign-up"],
        ["set-up", `/set-up?token=${setUp}`],
        ["invitation", `/invitation?token=${invitation}`],
        ["dead-link", "/reset-password?token=used"],
        ["dead-end", "/oauth2/error?error_description=invalid redirect"],
        ["not-found", "/nothing/here"],
      ] as const) {
        await tab.goto(path);
        wrong.push(...(await (alike.test(name) ? glanced : looked)(tab, name)));
      }
      await tab.goto("/sign-in");
      await tab.getByLabel("E-mail").fill("somebody@example.com");
      await tab.getByLabel("Password").fill("not the password");
      await send(tab, "Sign in");
      wrong.push(...(await looked(tab, "sign-in-refused")));
      expect([...wrong, ...complaints]).toEqual([]);
    },
    300_000,
  );

  inBrowser(
    "to whoever is signed in",
    async () => {
      const watched = await openTab(browser, address, { viewport: { width: 1440, height: 800 } });
      const { tab, complaints } = watched;
      await signIn(watched, longEmail);
      const wrong = await looked(tab, "welcome");
      const states: readonly (readonly [name: string, go: () => Promise<unknown>])[] = [
        ["api-none", () => tab.goto("/account/api")],
        ["api-shown-once", () => send(tab, "Make the key")],
        ["usage", () => useUp(tab, 37)],
        ["usage-spent", () => useUp(tab, 3)],
        ["api", () => tab.goto("/account/api")],
        ["api-refused", () => replaceKeyWith(tab, "not my password")],
        ["assistants-none", () => tab.goto("/account/assistants")],
        ["consent", () => tab.goto(assistant.authorizationUrl())],
        ["assistants", () => allow(tab)],
        ["security", () => tab.goto("/account/security")],
        ["sign-out", () => tab.goto("/sign-out")],
        ["forbidden", () => tab.goto("/admin/accounts")],
      ];
      await assistant.register();
      for (const [name, go] of states) {
        await go();
        wrong.push(...(await (alike.test(name) ? glanced : looked)(tab, name)));
      }
      const foreign = complaints.filter(
        (line) => !line.startsWith(`asked ${assistant.callback.address}`),
      );
      expect([...wrong, ...foreign]).toEqual([]);
    },
    300_000,
  );

  inBrowser(
    "to administrators",
    async () => {
      const watched = await openTab(browser, address, { viewport: { width: 1440, height: 800 } });
      const { tab, complaints } = watched;
      const { accounts } = roster.modules;
      const email = "boss@example.com";
      await accounts.createWithoutKey({ email, plan: "enterprise", administrator: true });
      const gone = await accounts.setDisabled((await roster.newAccount("pro")).email, true);
      await signIn(watched, email);
      const wrong: string[] = [];
      const states: readonly (readonly [name: string, go: () => Promise<unknown>])[] = [
        ["accounts", () => tab.goto("/admin/accounts")],
        ["accounts-none", () => tab.goto("/admin/accounts?q=nobody")],
        ["accounts-refused", () => makeAccount(tab, "no-e-mail@")],
        ["accounts-invited", () => makeAccount(tab, "somebody.new@example.com")],
        [
          "account",
          async () => tab.goto(`/admin/accounts/${(await accounts.find(longEmail))?.id}`),
        ],
        ["account-link", () => send(tab, "Make a reset link")],
        ["account-disabled", () => tab.goto(`/admin/accounts/${gone.id}`)],
        [
          "account-own",
          async () => tab.goto(`/admin/accounts/${(await accounts.find(email))?.id}`),
        ],
        ["sources-none", () => tab.goto("/admin/sources")],
        ["audit", () => tab.goto("/admin/audit")],
        ["audit-checked", () => tab.goto("/admin/audit?check")],
        ["accounts-later", () => later(tab, "/admin/accounts")],
        [
          "account-later",
          async () => later(tab, `/admin/accounts/${(await accounts.find(longEmail))?.id}`),
        ],
      ];
      for (const [name, go] of states) {
        await go();
        wrong.push(...(await (alike.test(name) ? glanced : looked)(tab, name)));
      }
      expect([...wrong, ...complaints]).toEqual([]);
    },
    300_000,
  );
});

async function useUp(tab: Page, calls: number): Promise<void> {
  const { accounts } = roster.modules;
  const key = await accounts.regenerateKey(longEmail);
  for (let n = 0; n < calls; n++) {
    await fetch(`${address}/v1/users/nobody-at-all`, { headers: { "x-api-key": key } });
  }
  await tab.goto("/account");
}

async function replaceKeyWith(tab: Page, password: string): Promise<void> {
  await tab.goto("/account/api");
  await tab.getByText("Make a new key").click();
  await tab.getByLabel("Password").fill(password);
  await send(tab, "Replace the key");
}

async function allow(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "Allow" }).click();
  await tab.getByText("Connected.").waitFor();
  await assistant.redeem();
  await tab.goto("/account/assistants");
}

async function makeAccount(tab: Page, email: string): Promise<void> {
  await tab.goto("/admin/accounts");
  await tab.getByText("Make an account and its invitation").click();
  await tab.getByLabel("E-mail", { exact: true }).fill(email);
  // Past the browser's own check, to see ours.
  await tab.evaluate("document.querySelectorAll('form').forEach((it) => it.noValidate = true)");
  await send(tab, "Make the account");
}

describe("by keyboard alone", () => {
  const findLabel = "Find a person by name, login or e-mail";
  inBrowser(
    "somebody signs in and replaces the key, and always sees where the focus is",
    async () => {
      const { tab, complaints } = await openTab(browser, address);
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
        "Skip to the page",
        "Roster, start page",
        "Search",
        "Who knows",
        "Compare",
        "Saved",
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
      await walk("Make a new key");
      await tab.keyboard.press("Enter");
      await walk("Your password");
      await tab.keyboard.type(goodPassword);
      await tab.keyboard.press("Enter");
      await tab.locator("#secret").waitFor();
      await waitForFocus(tab.getByRole("status").first());
      await walk("Copy API key, shown this once");
      expect(complaints).toEqual([]);
    },
    300_000,
  );
});
