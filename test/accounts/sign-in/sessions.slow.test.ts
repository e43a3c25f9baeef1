import { afterAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  goodPassword,
  openBrowser,
  openSignInAppliance,
  signedIn,
  visitorOf,
} from "./browser.ts";

const roster = await openSignInAppliance();
afterAll(() => roster.close());

const isIn = async (browser: Browser) =>
  (await roster.signIn.visitor(browser.request())) !== undefined;
const again = async (email: string, from: Browser["from"]) =>
  roster.signIn.signIn({ email, password: goodPassword }, from);
const tokenOf = (browser: Browser) => browser.jar.get("roster.session_token");

describe("12 a new session at each sign-in", () => {
  test("takes the place of the one that the browser showed, which is dead", async () => {
    const browser = await signedIn(roster, "fix@example.com");
    const planted = openBrowser(roster);
    for (const [name, value] of browser.jar) planted.jar.set(name, value);
    const before = await visitorOf(roster, browser);
    browser.take(await again("fix@example.com", { ...browser.from, request: browser.request() }));
    const after = await visitorOf(roster, browser);
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(tokenOf(browser)).not.toBe(tokenOf(planted));
    expect(await isIn(planted)).toBe(false);
  });

  test("a token that somebody chose opens nothing", async () => {
    const browser = openBrowser(roster);
    for (const value of [
      "",
      "x",
      "a".repeat(32),
      `${"a".repeat(32)}.${"b".repeat(44)}`,
      "%",
      "%00.x",
    ]) {
      browser.jar.set("roster.session_token", value);
      expect(await isIn(browser)).toBe(false);
    }
  });
});

describe("13 the end of sessions", () => {
  test("signing out kills the cookie, here and wherever it was copied to", async () => {
    const browser = await signedIn(roster, "out@example.com");
    const copy = new Map(browser.jar);
    const [removal] = await roster.signIn.signOut(browser.request());
    expect(removal).toStartWith("roster.session_token=; Max-Age=0; Path=/");
    for (const [name, value] of copy) browser.jar.set(name, value);
    expect(await isIn(browser)).toBe(false);
    expect(await roster.signIn.signOut(browser.request())).toHaveLength(1);
  });

  test("disabling ends every session for good, also when the account is enabled again", async () => {
    const browser = await signedIn(roster, "gone@example.com");
    await roster.modules.accounts.setDisabled("gone@example.com", true);
    expect(await isIn(browser)).toBe(false);
    await roster.modules.accounts.setDisabled("gone@example.com", false);
    expect(await isIn(browser)).toBe(false);
    expect((await again("gone@example.com", browser.from)).ok).toBe(true);
  });
});

describe("14 sessions expire", () => {
  const day = 24 * 3600;

  test("after a week without use, and not while they are used", async () => {
    const browser = await signedIn(roster, "rest@example.com");
    roster.clock.advance(7 * day - 1);
    expect(await isIn(browser)).toBe(true);
    roster.clock.advance(7 * day - 1);
    expect(await isIn(browser)).toBe(true);
    roster.clock.advance(7 * day);
    expect(await isIn(browser)).toBe(false);
  });

  test("after a week, however often an open page looks by itself", async () => {
    const browser = await signedIn(roster, "open-page@example.com");
    const look = () => {
      const request = browser.request();
      request.headers.set("hx-request", "true");
      return roster.signIn.visitor(request);
    };
    for (let spent = 0; spent < 6; spent++) {
      roster.clock.advance(day);
      expect(await look()).toBeDefined();
    }
    roster.clock.advance(day);
    expect(await look()).toBeUndefined();
  });

  test("after thirty days, however much they are used", async () => {
    const browser = await signedIn(roster, "busy@example.com");
    for (let spent = 0; spent < 29; spent++) {
      roster.clock.advance(day);
      expect(await isIn(browser)).toBe(true);
    }
    roster.clock.advance(day - 1);
    expect(await isIn(browser)).toBe(true);
    roster.clock.advance(1);
    expect(await isIn(browser)).toBe(false);
  });
});

describe("22 dangerous acts ask for the password again", () => {
  test("ten minutes after it was asked for; confirming opens a fresh session in place of the old", async () => {
    const browser = await signedIn(roster, "fresh@example.com");
    const before = await visitorOf(roster, browser);
    expect(before.isFresh).toBe(true);
    roster.clock.advance(601);
    const stale = await visitorOf(roster, browser);
    expect(stale.isFresh).toBe(false);
    const copy = new Map(browser.jar);
    expect(await roster.signIn.confirm(stale, "wrong", browser.from)).toMatchObject({ ok: false });
    expect((await visitorOf(roster, browser)).isFresh).toBe(false);
    browser.take(await roster.signIn.confirm(stale, goodPassword, browser.from));
    const after = await visitorOf(roster, browser);
    expect([after.isFresh, after.sessionId === before.sessionId]).toEqual([true, false]);
    const old = openBrowser(roster);
    for (const [name, value] of copy) old.jar.set(name, value);
    expect(await isIn(old)).toBe(false);
  });
});
