import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TestAppliance } from "../../appliance.ts";
import { goodPassword, openBrowser, openSignInAppliance, signedIn } from "./browser.ts";

let roster: TestAppliance;
beforeAll(async () => {
  roster = await openSignInAppliance();
});
afterAll(() => roster.close());

describe("signing in", () => {
  test("with the password of an invited account opens a session that says who it is", async () => {
    const email = "Ada@example.com";
    await signedIn(roster, email);
    const browser = openBrowser(roster);
    expect(await roster.signIn.visitor(browser.request())).toBeUndefined();
    browser.take(
      await roster.signIn.signIn(
        { email: "ada@EXAMPLE.com", password: goodPassword },
        browser.from,
      ),
    );
    const visitor = await roster.signIn.visitor(browser.request());
    expect(visitor).toMatchObject({
      account: { email, plan: "pro" },
      isFresh: true,
      hasPassword: true,
    });
  });
});
