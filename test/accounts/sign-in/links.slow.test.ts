import { afterAll, describe, expect, test } from "bun:test";
import { openAppliance } from "../../../src/appliance/appliance.ts";
import { silentAround, TestClock, testConfig } from "../../appliance.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { goodPassword, openBrowser, openSignInAppliance, signedIn } from "./browser.ts";

const roster = await openSignInAppliance();
afterAll(() => roster.close());

const newFolder = temporaryFolders();
const given = { password: goodPassword };
const dead = {
  ok: false,
  message: "This link is not valid, or no longer valid. Ask for a new one.",
} as const;

async function invited(email: string) {
  await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
  return roster.modules.accounts.makeLink(email, "invitation");
}

describe("a one-time link", () => {
  test("tells what it is for, gives the account its password and signs in, once", async () => {
    const { token, expiresAt } = await invited("once@example.com");
    const shown = { purpose: "invitation", email: "once@example.com", expiresAt } as const;
    expect(await roster.signIn.findLink(token)).toEqual(shown);
    const browser = openBrowser(roster);
    browser.take(await roster.signIn.redeem(token, given, browser.from));
    expect(await roster.signIn.visitor(browser.request())).toMatchObject({
      account: { email: "once@example.com", plan: "pro", keyHint: undefined },
    });
    expect(await roster.signIn.findLink(token)).toBeUndefined();
    expect(await roster.signIn.redeem(token, given, browser.from)).toEqual(dead);
  });

  test("ends the link before it, and ends when its account is disabled", async () => {
    const first = await invited("newer@example.com");
    const second = await roster.modules.accounts.makeLink("newer@example.com", "invitation");
    expect(await roster.signIn.findLink(first.token)).toBeUndefined();
    expect(await roster.signIn.findLink(second.token)).toBeDefined();
    await roster.modules.accounts.setDisabled("newer@example.com", true);
    expect(await roster.signIn.findLink(second.token)).toBeUndefined();
    await roster.modules.accounts.setDisabled("newer@example.com", false);
    expect(await roster.signIn.findLink(second.token)).toBeUndefined();
  });

  test.each([
    ["set-up", 30 * 60],
    ["invitation", 7 * 24 * 3600],
    ["reset", 24 * 3600],
  ] as const)("for %s ends after %d seconds", async (purpose, seconds) => {
    const email = `${purpose}@example.com`;
    await roster.modules.accounts.createWithoutKey({ email, plan: "free" });
    const { token, expiresAt } = await roster.modules.accounts.makeLink(email, purpose);
    expect(expiresAt.getTime() - roster.clock.now().getTime()).toBe(seconds * 1000);
    roster.clock.advance(seconds - 1);
    expect(await roster.signIn.findLink(token)).toBeDefined();
    roster.clock.advance(1);
    expect(await roster.signIn.findLink(token)).toBeUndefined();
    expect(await roster.signIn.redeem(token, given, openBrowser(roster).from)).toEqual(dead);
  });

  test("unknown, malformed and empty tokens get the answer of a dead one", async () => {
    const { from } = openBrowser(roster);
    for (const token of [
      "",
      "x",
      "a".repeat(43),
      "'; DROP TABLE link; --",
      "\0",
      "é".repeat(1000),
    ]) {
      expect(await roster.signIn.findLink(token)).toBeUndefined();
      expect(await roster.signIn.redeem(token, given, from)).toEqual(dead);
    }
  });

  test("for a reset ends what the account had open, and keeps its e-mail", async () => {
    const before = await signedIn(roster, "lost@example.com");
    const { token } = await roster.modules.accounts.makeLink("lost@example.com", "reset");
    const { from } = openBrowser(roster);
    const taken = { password: "another-good-one", email: "thief@example.com" };
    expect(await roster.signIn.redeem(token, taken, from)).toMatchObject({ ok: true });
    expect(await roster.signIn.visitor(before.request())).toBeUndefined();
    expect(await roster.modules.accounts.find("thief@example.com")).toBeUndefined();
  });
});

describe("21 the first start", () => {
  const start = async (folder: string, clock: TestClock) =>
    openAppliance(
      testConfig({ data: folder, publicUrl: "http://127.0.0.1:7171" }),
      silentAround(clock.now),
    );

  test("has no default account: its one-time link alone gives the administrator a password", async () => {
    const folder = newFolder();
    const clock = new TestClock("2026-11-21T12:00:00Z");
    const first = await start(folder, clock);
    const link = first.first?.setUpLink;
    if (!link) throw new Error("no link");
    const from = { address: "192.0.2.1", userAgent: undefined };
    for (const password of ["", "admin", "password", "roster", "admin@localhost"]) {
      const guess = await first.signIn.signIn({ email: "admin@localhost", password }, from);
      expect(guess.ok).toBe(false);
    }
    const shown = await first.signIn.findLink(link.token);
    expect(shown).toMatchObject({ purpose: "set-up", email: "admin@localhost" });
    const own = { password: goodPassword, email: "root@example.com" };
    expect(await first.signIn.redeem(link.token, own, from)).toMatchObject({ ok: true });
    expect(await first.modules.accounts.find("root@example.com")).toMatchObject({
      administrator: true,
    });
    expect(await first.modules.accounts.find("admin@localhost")).toBeUndefined();
    const entered = await first.signIn.signIn(
      { email: "root@example.com", password: goodPassword },
      from,
    );
    expect(entered.ok).toBe(true);
    await first.close();
    const second = await start(folder, clock);
    expect(second.first).toBeUndefined();
    expect(await second.signIn.findLink(link.token)).toBeUndefined();
    await second.close();
  });

  test("its link ends after half an hour, and another account's e-mail cannot be taken", async () => {
    const folder = newFolder();
    const clock = new TestClock("2026-11-21T12:00:00Z");
    const { first, signIn, modules, close } = await start(folder, clock);
    const token = first?.setUpLink.token ?? "";
    await modules.accounts.createWithoutKey({ email: "ada@example.com", plan: "free" });
    const from = { address: "192.0.2.1", userAgent: undefined };
    for (const email of ["ADA@example.com", "no e-mail"]) {
      expect(await signIn.redeem(token, { ...given, email }, from)).toMatchObject({
        ok: false,
        field: "email",
      });
    }
    clock.advance(1800);
    expect(await signIn.findLink(token)).toBeUndefined();
    expect(await signIn.redeem(token, given, from)).toEqual(dead);
    await close();
  });
});
