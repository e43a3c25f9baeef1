/** What changes while a password is looked at, which takes long enough for somebody to try. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { CookieLines, SignInOutcome } from "../../../src/accounts/accounts.ts";
import type { TestAppliance } from "../../appliance.ts";
import {
  type Browser,
  goodPassword,
  openBrowser,
  openSignInAppliance,
  signedIn,
  visitorOf,
} from "./browser.ts";

describe("while a password is looked at", () => {
  let roster: TestAppliance;
  let ada: Browser;
  let email: string;
  let accounts = 0;
  beforeAll(async () => {
    roster = await openSignInAppliance();
  });
  afterAll(() => roster.close());
  beforeEach(async () => {
    email = `ada${++accounts}@example.com`;
    ada = await signedIn(roster, email, `192.0.2.${accounts}`);
  });

  const signingIn = () => roster.signIn.signIn({ email, password: goodPassword }, ada.from);
  const isIn = async (outcome: SignInOutcome<{ cookies: CookieLines }>) => {
    const browser = openBrowser(roster);
    if (outcome.ok) browser.take(outcome);
    return (await roster.signIn.visitor(browser.request())) !== undefined;
  };

  test("13 the account is disabled: nobody comes in, and that is no fault of ours", async () => {
    const under = signingIn();
    await roster.modules.accounts.setDisabled(email, true);
    const outcome = await under;
    expect(outcome).toMatchObject({ ok: false, message: "The e-mail or the password is wrong." });
    await roster.modules.accounts.setDisabled(email, false);
    expect(await isIn(outcome)).toBe(false);
  });

  test("13 the password changes: no session of the old one is left", async () => {
    const { token } = await roster.modules.accounts.makeLink(email, "reset");
    const redeeming = roster.signIn.redeem(
      token,
      { password: "another-otter-climbs-43" },
      ada.from,
    );
    // Sign-ins that begin before the change and are checked before, during and after it.
    const under = Array.from({ length: 9 }, async (_, place) => {
      await Bun.sleep(place * 4);
      return signingIn();
    });
    expect((await redeeming).ok).toBe(true);
    for (const outcome of await Promise.all(under)) expect(await isIn(outcome)).toBe(false);
  });

  test("13 two changes at once: the first counts, and the other's session is dead", async () => {
    const thief = openBrowser(roster);
    thief.take(await signingIn());
    const change = async (browser: Browser, next: string) =>
      roster.signIn.changePassword(
        await visitorOf(roster, browser),
        { current: goodPassword, next },
        browser.from,
      );
    const nexts = ["adas-otter-climbs-43", "thiefs-otter-climbs-43"];
    const outcomes = await Promise.all([
      change(ada, nexts[0] as string),
      change(thief, nexts[1] as string),
    ]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    for (const [place, outcome] of outcomes.entries()) {
      expect(await isIn(outcome)).toBe(outcome.ok);
      const password = nexts[place] as string;
      const again = await roster.signIn.signIn({ email, password }, ada.from);
      expect(again.ok).toBe(outcome.ok);
    }
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ field: "current" });
  });
});
