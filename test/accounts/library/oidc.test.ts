/** Sign-in at a real OpenID provider: the browser is followed redirect by redirect, form by form. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import type { TestAppliance } from "../../appliance.ts";
import { type Browser, goodPassword, openBrowser, takeCookies } from "../sign-in/browser.ts";
import { type House, hasProvider, openHouse } from "./identity-provider.ts";

describe.skipIf(!hasProvider)("single sign-on by OpenID Connect", () => {
  let roster: TestAppliance;
  let house: House;
  let address: string;
  let say: House["say"];
  const people = {
    ada: { email: "Ada@example.com", groups: ["staff", "roster-pro"] },
    bob: { email: "bob@example.com", groups: ["staff"] },
    eve: { email: "admin@elsewhere.example", groups: [] },
    root: { email: "root@example.com", groups: [] },
    sly: { email: "victim@example.com", email_verified: false, groups: [] },
    mia: { email: "mia@example.com", groups: [] },
  };

  beforeAll(async () => {
    house = await openHouse(people);
    ({ roster, address, say } = house);
  });
  afterAll(() => house.close());

  /** Follows redirects and fills in the provider's two forms, until the browser is back at a page of ours. */
  async function signInAs(
    person: string,
    browser: Browser,
    returnTo = "/account",
    onTheWay = (_: URLSearchParams) => {},
    at: Pick<House, "roster" | "address"> = house,
  ): Promise<URL> {
    const { roster, address } = at;
    const { location, cookies } = await roster.signIn.startProvider("house", returnTo);
    takeCookies(browser.jar, cookies);
    const there = new Map<string, string>();
    let url = new URL(location);
    onTheWay(url.searchParams);
    let form: URLSearchParams | undefined;
    for (let step = 0; step < 20; step++) {
      const isOurs = url.origin === address;
      if (isOurs && !url.pathname.startsWith("/sso/")) return url;
      const jar = isOurs ? browser.jar : there;
      const response = await fetch(url, {
        redirect: "manual",
        headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
        ...(form ? { method: "POST", body: form } : {}),
      });
      takeCookies(jar, response.headers.getSetCookie());
      const next = response.headers.get("location");
      if (next) {
        form = undefined;
        url = new URL(next, url);
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!action || !prompt) throw new Error(`${response.status} ${url} ${page.slice(0, 500)}`);
      form = new URLSearchParams({ prompt, login: person, password: "x" });
      url = new URL(action, url);
    }
    throw new Error("the sign-in goes round in circles");
  }

  /** Expects that this person is sent back to the sign-in with this error, and is not signed in. */
  async function expectRefused(
    person: string,
    error: string,
    onTheWay?: (_: URLSearchParams) => void,
  ) {
    const browser = openBrowser(roster);
    const { pathname, searchParams } = await signInAs(person, browser, "/account", onTheWay);
    expect([pathname, searchParams.get("error")]).toEqual(["/sign-in", error]);
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
  }

  /** @returns the account that this person is signed in to. */
  async function accountOf(person: string) {
    const browser = openBrowser(roster);
    await signInAs(person, browser);
    return (await roster.signIn.visitor(browser.request()))?.account;
  }

  test("offers the provider that the operator configured", () => {
    expect(roster.signIn.providers()).toEqual([{ id: "house", name: "House login" }]);
  });

  test("makes an account at the first sign-in, on the plan of the person's group", async () => {
    const browser = openBrowser(roster);
    const back = await signInAs("ada", browser, "/account/api");
    expect(back.pathname).toBe("/account/api");
    const visitor = await roster.signIn.visitor(browser.request());
    expect(visitor).toMatchObject({
      account: { email: "ada@example.com", plan: "pro", administrator: false, keyHint: undefined },
      hasPassword: false,
      isFresh: true,
    });
    const [session] = await roster.signIn.sessions(visitor as NonNullable<typeof visitor>);
    expect(session).toMatchObject({ isThis: true, address: "127.0.0.1" });
  });

  test("believes no token of another issuer, and logs nothing that it says of anybody", async () => {
    const other = await openHouse(people, "/");
    const browser = openBrowser(other.roster);
    const back = await signInAs("ada", browser, "/account", undefined, other).catch(String);
    expect(await other.roster.signIn.visitor(browser.request())).toBeUndefined();
    const log = other.roster.log();
    expect([String(back), log]).toEqual([expect.stringContaining("error"), expect.any(String)]);
    expect(log).toContain('"iss\\" claim');
    expect(log).not.toMatch(/example\.com|nonce/i);
    await other.close();
  });

  test("gives who is in several groups the largest of their plans, in whatever order they stand", async () => {
    const groups = ["roster-pro", "roster-team", "roster-pro"];
    say({ ...people, una: { email: "una@example.com", groups } });
    expect((await accountOf("una"))?.plan).toBe("enterprise");
  });

  test("finds the account again the next time, and leaves its plan to the administrator", async () => {
    await roster.modules.accounts.setPlan("ada@example.com", "enterprise", {});
    const email = "ada@example.com";
    expect(await accountOf("ada")).toMatchObject({ email, plan: "enterprise" });
    const same = (await roster.modules.accounts.list()).filter((one) => one.email === email);
    expect(same).toHaveLength(1);
  });

  test("signs in to an account that the operator made before", async () => {
    const made = await roster.modules.accounts.create({
      email: "bob@example.com",
      plan: "enterprise",
    });
    const { id } = made.account;
    expect(await accountOf("bob")).toMatchObject({ id, plan: "enterprise" });
  });

  test("12 takes the place of the session that the browser showed", async () => {
    const browser = openBrowser(roster);
    await signInAs("ada", browser);
    const before = browser.request();
    await signInAs("bob", browser);
    expect((await roster.signIn.visitor(browser.request()))?.account.email).toBe("bob@example.com");
    expect(await roster.signIn.visitor(before)).toBeUndefined();
  });

  test("refuses an e-mail of a domain that the provider may not speak for", async () => {
    const administrator = await roster.modules.accounts.createWithoutKey({
      ...{ email: "admin@elsewhere.example", plan: "enterprise", administrator: true },
    });
    await expectRefused("eve", "email_not_allowed");
    expect((await roster.modules.accounts.find(administrator.email))?.id).toBe(administrator.id);
  });

  test.each(["before", "after"])(
    "signs in no administrator, first in %s a password sign-in",
    async (when) => {
      const { accounts } = roster.modules;
      const { email } = people.root;
      if (when === "before") {
        await accounts.createWithoutKey({ email, plan: "enterprise", administrator: true });
      } else {
        const { token } = await accounts.makeLink(email, "invitation");
        const own = openBrowser(roster);
        own.take(await roster.signIn.redeem(token, { password: goodPassword }, own.from));
      }
      await expectRefused("root", "administrator");
    },
  );

  test("believes no e-mail that the provider itself has not verified", async () => {
    await roster.modules.accounts.createWithoutKey({ email: people.sly.email, plan: "enterprise" });
    await expectRefused("sly", "email_not_verified");
  });

  test("knows a person again under another e-mail, and makes no second account", async () => {
    const first = await accountOf("mia");
    say({ ...people, mia: { email: "mia.new@example.com", groups: [] } });
    expect(first?.email).toBe("mia@example.com");
    expect(await accountOf("mia")).toEqual(first as NonNullable<typeof first>);
    expect(await roster.modules.accounts.find("mia.new@example.com")).toBeUndefined();
  });

  test("signs in no administrator under another e-mail either, known from before", async () => {
    const database = new Database(join(roster.config.data, "control.db"));
    database.run("UPDATE account SET administrator = 1 WHERE email = 'mia@example.com'");
    await expectRefused("mia", "administrator");
    database.run("UPDATE account SET administrator = 0 WHERE email = 'mia@example.com'");
    database.close();
  });

  test("refuses a disabled account", async () => {
    await roster.modules.accounts.setDisabled("bob@example.com", true);
    await expectRefused("bob", "account_disabled");
  });

  test.each([
    ["none", (query: URLSearchParams) => query.delete("nonce")],
    ["another sign-in's", (query: URLSearchParams) => query.set("nonce", "n".repeat(43))],
  ] as const)("takes no token with %s nonce", async (_, change) => {
    say({ ...people, zoe: { email: "zoe@example.com", groups: [] } });
    for (const person of ["ada", "zoe"]) await expectRefused(person, "nonce_mismatch", change);
    expect(await accountOf("zoe")).toBeDefined();
  });

  test("a callback that nobody waits for, or another's, signs nobody in", async () => {
    for (const query of ["", "?code=x", "?code=x&state=y", "?error=access_denied&state=y"]) {
      const response = await fetch(`${address}/sso/callback/house${query}`, { redirect: "manual" });
      expect(response.status).toBeLessThan(500);
      expect(response.headers.getSetCookie().join()).not.toContain("session_token=");
    }
    const { location } = await roster.signIn.startProvider("house", "/");
    const state = new URL(location).searchParams.get("state");
    const stolen = await fetch(`${address}/sso/callback/house?code=x&state=${state}`, {
      redirect: "manual",
    });
    expect(stolen.headers.get("location")).toContain("error");
  });

  test("comes back to a path of ours only, and knows no other provider", async () => {
    for (const elsewhere of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
      const browser = openBrowser(roster);
      const back = await signInAs("ada", browser, elsewhere);
      expect([back.origin, back.pathname]).toEqual([address, "/"]);
    }
    const unknown = roster.signIn.startProvider("other", "/");
    await expect(unknown).rejects.toThrow('no provider "other" is configured');
  });

  test("2 keeps none of the provider's tokens, and tells the audit log who came", async () => {
    const folder = roster.config.data;
    const control = openSqliteControlStore(join(folder, "control.db"));
    const [opened] = (await control.auditEntries(50)).filter(
      ({ action }) => action === "session.opened",
    );
    expect(opened?.detail).toMatchObject({ by: "provider", address: "127.0.0.1" });
    await control.close();
    for (const file of readdirSync(folder)) {
      // The head of every signed token: `{"alg":"RS256"`.
      expect(readFileSync(join(folder, file)).includes("eyJhbGciOi")).toBe(false);
    }
  });
});
