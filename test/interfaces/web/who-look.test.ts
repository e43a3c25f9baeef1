/** The pages of who knows, over the demo's repositories, as pictures. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { hasBrowser, launch, openTab, type Watched } from "../../browser.ts";
import { acceptInvitation, glanced, looked } from "./looks.ts";

let roster: TestAppliance;
let address: string;
let browser: Browser;

beforeAll(async () => {
  const config = { demo: true };
  roster = await openTestAppliance({ now: "2026-11-22T12:00:00Z", people: [], config });
  address = roster.listen();
  if (hasBrowser) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await roster.close();
});

const inBrowser = test.skipIf(!hasBrowser);

async function invite({ tab }: Watched, email: string): Promise<void> {
  await roster.modules.accounts.createWithoutKey({ email, plan: "pro" });
  await acceptInvitation(roster, tab, email);
}

const repository = "demo-guild/onyx-vault";
/** States whose parts other states show; everybody is looked at in the tests of the widths. */
const alike = /^who-(folder|open|everybody|slip|past)$/;
const asked = `/who?repository=${encodeURIComponent(repository)}`;

describe("the page of who knows", () => {
  inBrowser(
    "looks right in every state",
    async () => {
      const watched = await openTab(browser, address);
      await invite(watched, "lead@corp.example");
      const wrong: string[] = [];
      const everybody = asked.replace("/who", "/who/people");
      const states = [
        ["who-home", "/who"],
        ["who-repository", asked],
        ["who-folder", `${asked}&path=services/payments`],
        ["who-file", `${asked}&path=services/payments/README.md`],
        ["who-unknown", "/who?repository=onyx-valt"],
        ["who-handover", `${asked}&without=valentina-vientonuevo-example`],
        ["who-open", `${asked}&open=services/payments/api`],
        ["who-everybody", everybody],
        ["who-slip", `${asked}&without=valentina-vientonuevo-exampel`],
        ["who-past", `${asked}&path=services&asOf=2020-06-30`],
      ] as const;
      for (const [name, path] of states) {
        await watched.tab.setViewportSize({ width: 1440, height: 800 });
        await watched.tab.goto(path);
        wrong.push(...(await (alike.test(name) ? glanced : looked)(watched.tab, name)));
      }
      expect(wrong).toEqual([]);
      expect(watched.complaints).toEqual([]);
    },
    300_000,
  );
});
