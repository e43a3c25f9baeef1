import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { goodPassword, openBrowser, openSignInAppliance, signedIn } from "./browser.ts";

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "Ada@example.com");
// Else the wrong guesses of one test would count in the next.
beforeEach(() => roster.clock.advance(901));
afterAll(() => roster.close());

const enter = (email: string, password: string, from = ada.from) =>
  roster.signIn.signIn({ email, password }, from);

describe("signing in", () => {
  test("opens a session that says who it is, however the e-mail is spelt", async () => {
    const browser = openBrowser(roster);
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
    browser.take(await enter("ada@EXAMPLE.com", goodPassword));
    expect(await roster.signIn.visitor(browser.request())).toMatchObject({
      account: { email: "Ada@example.com", plan: "pro" },
      isFresh: true,
      hasPassword: true,
    });
  });

  test("a wrong password, an unknown e-mail, an account without a password and a disabled one get one answer", async () => {
    await roster.modules.accounts.createWithoutKey({ email: "none@example.com", plan: "free" });
    await signedIn(roster, "off@example.com");
    await roster.modules.accounts.setDisabled("off@example.com", true);
    const refused = { ok: false, message: "The e-mail or the password is wrong." } as const;
    expect(await enter("ada@example.com", "not the password")).toEqual(refused);
    expect(await enter("nobody@example.com", goodPassword)).toEqual(refused);
    expect(await enter("no e-mail at all", goodPassword)).toEqual(refused);
    expect(await enter("none@example.com", goodPassword)).toEqual(refused);
    expect(await enter("off@example.com", goodPassword)).toEqual(refused);
    expect(await enter("operator", "")).toEqual(refused);
  });
});

describe("19 passwords", () => {
  const reset = async (password: string) => {
    const { token } = await roster.modules.accounts.makeLink("ada@example.com", "reset");
    return roster.signIn.redeem(token, { password }, ada.from);
  };

  test.each([
    ["1234567", "at least 8 characters"],
    ["x".repeat(257), "at most 256 characters"],
    ["password1", "most common passwords"],
    ["PassWord1", "most common passwords"],
    ["iloveyou", "most common passwords"],
    ["ada@example.com", "your e-mail address"],
    ["ADA@example.com2026", "your e-mail address"],
    ["ada-2026", "your e-mail address"],
    ["Roster2026", "name of this product"],
    ["roster-ada-roster", "name of this product"],
    ["aaaaaaaa", "repeats itself"],
    ["x".repeat(256), "repeats itself"],
    ["abababab", "repeats itself"],
    ["aabbccaabbcc", "repeats itself"],
    ["🦊🐍🦀🐝🦊🐍🦀🐝", "repeats itself"],
    ["rosterroster", "repeats itself"],
  ])("%p is refused in a sentence", async (password, sentence) => {
    const outcome = await reset(password);
    expect(outcome).toMatchObject({ ok: false, field: "password" });
    expect(outcome.ok ? "" : outcome.message).toContain(sentence);
  });

  test.each([
    "correct horse battery staple",
    "a roster of quiet otters",
    "otter-and-otter",
    "лисица-в-снегу",
    "🦊🦉🐍🐙🦀🐝🐞🦋",
    `${"wxyz".repeat(63)}ends`,
  ])("%p is taken, and signs in", async (password) => {
    expect(await reset(password)).toMatchObject({ ok: true });
    expect(await enter("ada@example.com", password)).toMatchObject({ ok: true });
    expect(await enter("ada@example.com", `${password}.`)).toMatchObject({ ok: false });
  });

  test("an accented letter signs in whichever way the keyboard composes it", async () => {
    expect(await reset("café-crème-brûlée".normalize("NFD"))).toMatchObject({ ok: true });
    const outcome = await enter("ada@example.com", "café-crème-brûlée".normalize("NFC"));
    expect(outcome).toMatchObject({ ok: true });
  });

  test("what is stored is argon2id with 19 MiB and two passes", async () => {
    const { hashPassword } = await import("../../../src/accounts/sign-in/passwords.ts");
    expect(await hashPassword(goodPassword)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("the offline list holds more than the 3,000 most common that are long enough", async () => {
    const { findPasswordWeakness } = await import("../../../src/accounts/sign-in/passwords.ts");
    const file = await Bun.file(`${import.meta.dir}/../../../seed/common-passwords.zst`).bytes();
    const list = Bun.zstdDecompressSync(file).toString().trimEnd().split("\n");
    expect(list.length).toBeGreaterThanOrEqual(3000);
    const accepted = list.filter((password) => !findPasswordWeakness(password, { email: "a@b.c" }));
    expect(accepted).toEqual([]);
  });
});
