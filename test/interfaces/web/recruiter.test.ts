/** A recruiter makes a list, and every click is counted. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { hasBrowser, hasFocus, launch, openTab, waitForFocus } from "../../browser.ts";
import { freePort } from "../../faults/server-process.ts";
import { acceptInvitation, looked } from "./looks.ts";

let roster: TestAppliance;
let address: string;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  const config = { port, publicUrl: `http://127.0.0.1:${port}` };
  roster = await openTestAppliance({ now: new Date().toISOString(), config });
  address = roster.listen();
  if (hasBrowser) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await roster.close();
});

const people = ["Ada Example", "Ben Sample", "chloe-specimen"];
const clicksMax = 9;

describe.skipIf(!hasBrowser)(
  "three people on a list, each with a note, from an empty search",
  () => {
    test.each([true, false])(
      "with a script: %p",
      async (javaScriptEnabled) => {
        const { tab, complaints } = await openTab(browser, address, { javaScriptEnabled });
        const email = `recruiter-${javaScriptEnabled}@example.com`;
        await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
        await acceptInvitation(roster, tab, email);
        await tab.goto("/");
        let clicks = 0;
        const click = async (what: { click(): Promise<void> }) => {
          clicks += 1;
          await what.click();
        };
        await tab.locator("#location").focus();
        await tab.keyboard.type("worldwide");
        await click(tab.getByRole("button", { name: "Search", exact: true }));
        for (const name of people) {
          const card = tab.getByRole("listitem").filter({ hasText: name });
          await click(card.locator("summary"));
          const note = card.getByLabel("Note");
          if (javaScriptEnabled) {
            // A script gives the field the focus, a moment after the click.
            await waitForFocus(note);
          } else {
            for (let presses = 0; presses < 5 && !(await hasFocus(note)); presses++) {
              await tab.keyboard.press("Tab");
            }
            await waitForFocus(note);
          }
          await tab.keyboard.type(`call ${name} on Monday`);
          await click(card.getByRole("button", { name: "Add", exact: true }));
          await card.getByRole("status").waitFor();
          expect(new URL(tab.url()).pathname).toBe("/");
        }
        expect(clicks).toBeLessThanOrEqual(clicksMax);
        expect(clicks).toBe(7);
        await tab.getByRole("link", { name: "Shortlist" }).first().click();
        for (const name of people) await tab.getByText(`call ${name} on Monday`).first().waitFor();
        const account = await roster.modules.accounts.find(email);
        const usage = await roster.modules.quota.usage({ accountId: account?.id ?? "" });
        expect(usage.month.used).toBe(1);
        const wrong = javaScriptEnabled ? await looked(tab, "list-of-three") : [];
        expect([...wrong, ...complaints]).toEqual([]);
      },
      300_000,
    );
  },
);
