import { afterAll, describe, expect, test } from "bun:test";
import type { Visitor } from "../../../src/accounts/accounts.ts";
import {
  type Browser,
  goodPassword,
  openBrowser,
  openSignInAppliance,
  signedIn,
} from "./browser.ts";

const roster = await openSignInAppliance();
afterAll(() => roster.close());

const visitorOf = async (browser: Browser): Promise<Visitor> => {
  const visitor = await roster.signIn.visitor(browser.request());
  if (!visitor) throw new Error("not signed in");
  return visitor;
};
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
    const before = await visitorOf(browser);
    browser.take(await again("fix@example.com", { ...browser.from, request: browser.request() }));
    const after = await visitorOf(browser);
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

  test("a person sees their sessions, and ends one or all others", async () => {
    const one = await signedIn(roster, "many@example.com", "192.0.2.10");
    const [two, three] = [openBrowser(roster, "192.0.2.11"), openBrowser(roster, "192.0.2.12")];
    roster.clock.advance(120);
    for (const browser of [two, three]) {
      roster.clock.advance(1);
      browser.take(await again("many@example.com", browser.from));
    }
    const visitor = await visitorOf(three);
    const list = await roster.signIn.sessions(visitor);
    expect(list.map(({ address, isThis }) => [address, isThis])).toEqual([
      ["192.0.2.12", true],
      ["192.0.2.11", false],
      ["192.0.2.10", false],
    ]);
    expect(list[0]).toMatchObject({ userAgent: "Test browser", createdAt: roster.clock.now() });
    await roster.signIn.endSession(visitor, (await visitorOf(two)).sessionId);
    expect([await isIn(one), await isIn(two), await isIn(three)]).toEqual([true, false, true]);
    await roster.signIn.endOtherSessions(visitor);
    expect([await isIn(one), await isIn(three)]).toEqual([false, true]);
  });

  test("8 nobody ends, or sees, somebody else's", async () => {
    const [ada, eve] = [await signedIn(roster, "ada8@b.c"), await signedIn(roster, "eve8@b.c")];
    const [visitor, other] = [await visitorOf(ada), await visitorOf(eve)];
    await roster.signIn.endSession(other, visitor.sessionId);
    await roster.signIn.endOtherSessions(other);
    expect(await isIn(ada)).toBe(true);
    const seen = await roster.signIn.sessions(other);
    expect(seen.map(({ id }) => id)).toEqual([other.sessionId]);
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
    const before = await visitorOf(browser);
    expect(before.isFresh).toBe(true);
    roster.clock.advance(601);
    const stale = await visitorOf(browser);
    expect(stale.isFresh).toBe(false);
    const copy = new Map(browser.jar);
    expect(await roster.signIn.confirm(stale, "wrong", browser.from)).toMatchObject({ ok: false });
    expect((await visitorOf(browser)).isFresh).toBe(false);
    browser.take(await roster.signIn.confirm(stale, goodPassword, browser.from));
    const after = await visitorOf(browser);
    expect([after.isFresh, after.sessionId === before.sessionId]).toEqual([true, false]);
    const old = openBrowser(roster);
    for (const [name, value] of copy) old.jar.set(name, value);
    expect(await isIn(old)).toBe(false);
  });
});

describe("15 the session's cookie", () => {
  const cookieAt = async (publicUrl: string) => {
    const elsewhere = await openSignInAppliance({ config: { publicUrl } });
    await elsewhere.modules.accounts.createWithoutKey({ email: "a@b.c", plan: "free" });
    const { token } = await elsewhere.modules.accounts.makeLink("a@b.c", "invitation");
    const { from } = openBrowser(elsewhere);
    const outcome = await elsewhere.signIn.redeem(token, { password: goodPassword }, from);
    if (!outcome.ok) throw new Error(outcome.message);
    const removal = await elsewhere.signIn.signOut(new Request(publicUrl));
    await elsewhere.close();
    return { set: outcome.cookies, removal };
  };

  test("is __Host-, Secure, HttpOnly, SameSite=Lax and for the whole site, under https", async () => {
    const { set, removal } = await cookieAt("https://roster.example.com");
    // The other one makes the browser known.
    expect(set).toHaveLength(2);
    const [pair, ...attributes] = (set[0] as string).split("; ");
    expect(pair).toStartWith("__Host-roster.session_token=");
    expect(attributes.sort()).toEqual(
      ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax", "Secure"].sort(),
    );
    expect(removal).toEqual([
      "__Host-roster.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    ]);
  });

  test("has a plain name and no Secure on plain http, where browsers would refuse it", async () => {
    const { set } = await cookieAt("http://127.0.0.1:7171");
    const [pair, ...attributes] = (set[0] as string).split("; ");
    expect(pair).toStartWith("roster.session_token=");
    expect(attributes.sort()).toEqual(
      ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"].sort(),
    );
  });
});
