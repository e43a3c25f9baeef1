/** The account pages of somebody whom a provider signs in and who has no password here, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, launch, openTab, textOf } from "../../browser.ts";
import { type House, hasProvider, openHouse } from "./identity-provider.ts";

describe.skipIf(!hasProvider || !hasBrowser)("an account without a password", () => {
  let house: House;
  let browser: Browser;
  let tab: Page;

  beforeAll(async () => {
    house = await openHouse({ ada: { email: "ada@example.com", groups: [] } });
    browser = await launch();
    ({ tab } = await openTab(browser, house.address));
  });
  afterAll(async () => {
    await browser.close();
    await house.close();
  });

  /** Fills in the provider's own forms: the login, and the consent to share it. */
  async function proveIt(): Promise<void> {
    await tab.getByPlaceholder("Enter any login").fill("ada");
    await tab.getByPlaceholder("and password").fill("x");
    await tab.getByRole("button", { name: "Sign-in" }).click();
    const onward = tab.getByRole("button", { name: "Continue" });
    const here = tab.getByRole("heading", { name: "API key", exact: true });
    await onward.or(here).waitFor();
    if (await onward.isVisible()) await onward.click();
    await here.waitFor();
  }
  const main = () => textOf(tab.locator("main"));

  test("is made at the first sign-in, and makes its key there and then", async () => {
    await tab.goto("/account/api");
    await tab.getByRole("button", { name: "Sign in with House login" }).click();
    await proveIt();
    await tab.getByRole("button", { name: "Create a key" }).click();
    await tab.getByRole("button", { name: "Copy API key" }).waitFor();
    expect(await main()).toMatch(/rst_\w{49}/);
  });

  test("says of its password that the organisation keeps it", async () => {
    await tab.goto("/account/security");
    expect(await main()).toContain("You sign in with the account of your organization");
    expect(await tab.locator("input[type=password]").count()).toBe(0);
  });

  test("replaces its key after the provider has asked again who is there", async () => {
    const key = (await house.roster.modules.accounts.find("ada@example.com"))?.keyHint;
    house.roster.clock.advance(11 * 60);
    await tab.goto("/account/api");
    await tab.getByText("Replace the key").click();
    expect(await tab.getByRole("button", { name: "Replace", exact: true }).count()).toBe(0);
    await tab.getByRole("button", { name: "Sign in again with House login" }).click();
    // The provider remembers this browser, but asks again.
    await proveIt();
    await tab.getByText("Replace the key").click();
    await tab.getByRole("button", { name: "Replace", exact: true }).click();
    await tab.getByText("The old key has stopped working").waitFor();
    expect((await house.roster.modules.accounts.find("ada@example.com"))?.keyHint).not.toBe(key);
  });

  test("leaves the session of before behind when it signs in again", async () => {
    await tab.goto("/account/security");
    expect(await tab.getByRole("listitem").filter({ hasText: "Signed in" }).count()).toBe(1);
  });

  test("a form that was opened in time and sent too late says what to do", async () => {
    await tab.goto("/account/api");
    await tab.getByText("Replace the key").click();
    house.roster.clock.advance(11 * 60);
    await tab.getByRole("button", { name: "Replace", exact: true }).click();
    await tab.getByText("This needs a sign-in of the last ten minutes").waitFor();
    await tab.getByRole("button", { name: "Sign in again with House login" }).waitFor();
  });

  test("is told when signing in again came to nothing, and stays signed in", async () => {
    await tab.goto("/account/api");
    await tab.getByText("Replace the key").click();
    await tab.getByRole("button", { name: "Sign in again with House login" }).click();
    await tab.getByRole("link", { name: "Cancel" }).click();
    await tab.getByText("You did not sign in again").waitFor();
    expect(await main()).toContain("sign-in was cancelled");
    await tab.goto("/account/api");
    expect(await main()).toContain("API key");
  });
});
