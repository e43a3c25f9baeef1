/** A recruiter makes a list, and every click is counted. */
import { describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { hasBrowser, waitForFocus } from "../../browser.ts";
import { looked, openStage } from "./looks.ts";
import { countCalls } from "./person.ts";

const { roster, openAs } = await openStage({ now: new Date().toISOString() });

const demo = await openStage({
  ...{ now: new Date().toISOString(), people: [], folder: true },
  config: { demo: true },
});

const people = ["Ada Example", "Ben Sample", "chloe-specimen"];

describe.skipIf(!hasBrowser)(
  "three people on a list, each with a note, from an empty search",
  () => {
    test.each([true, false])("with a script: %p", async (javaScriptEnabled) => {
      const email = `recruiter-${javaScriptEnabled}@example.com`;
      const { tab, complaints } = await openAs(email, { javaScriptEnabled });
      let clicks = 0;
      const click = async (what: { click(): Promise<void> }) => {
        clicks += 1;
        await what.click();
      };
      await tab.locator("#location").focus();
      await tab.keyboard.type("worldwide");
      await click(tab.getByRole("button", { name: "Search", exact: true }));
      for (const name of people) {
        await click(tab.getByRole("link", { name: `why ${name}` }));
        const card = tab.getByRole("region", { name });
        await click(card.getByRole("link", { name: "Add to list" }));
        await waitForFocus(tab.getByLabel("Note"));
        await tab.keyboard.type(`call ${name} on Monday`);
        await click(tab.getByRole("button", { name: "Add", exact: true }));
        await card.getByRole("status").waitFor();
        expect(new URL(tab.url()).pathname).toBe("/");
      }
      expect(clicks).toBe(10);
      await tab.getByRole("link", { name: "Shortlist" }).first().click();
      for (const name of people)
        await tab.getByRole("listitem").getByText(`call ${name} on Monday`).first().waitFor();
      expect(await countCalls(roster, email)).toBe(1);
      const wrong = javaScriptEnabled ? await looked(tab, "list-of-three") : [];
      expect([...wrong, ...complaints]).toEqual([]);
    });
  },
);

describe.skipIf(!hasBrowser)("from the start page over the demo people", () => {
  test.each([true, false])(
    "lists, compares and exports five in 12 clicks; script: %p",
    async (javaScriptEnabled) => {
      const email = `demo-recruiter-${javaScriptEnabled}@example.com`;
      const { tab, complaints } = await demo.openAs(email, { javaScriptEnabled });
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks += 1;
        await what.click();
      };
      await click(tab.locator(".examples").getByRole("link").first());
      const boxes = tab.locator("main").getByRole("checkbox", { name: /^Select / });
      for (let at = 0; at < 5; at++) await click(boxes.nth(at));
      await click(tab.getByRole("button", { name: "Add to list" }));
      await tab.getByLabel("Note").focus();
      await tab.keyboard.type("Call about payments");
      await click(tab.getByRole("button", { name: "Add", exact: true }));
      await tab.getByRole("heading", { name: "5 people" }).waitFor();
      expect(await tab.locator("summary").filter({ hasText: "Call about payments" }).count()).toBe(
        5,
      );
      const wrong = javaScriptEnabled ? await looked(tab, "list-of-five") : [];
      const downloaded = tab.waitForEvent("download");
      await click(tab.getByRole("link", { name: "Export" }));
      expect((await downloaded).suggestedFilename()).toBe("Shortlist.csv");
      await click(tab.getByRole("button", { name: "Compare" }));
      await tab.waitForURL(/\/compare\?(login=[^&]+&?){4}$/);
      await tab.goto("/");
      await click(tab.getByRole("link", { name: /^Saved/ }).first());
      await click(tab.getByRole("link", { name: "Shortlist" }));
      await tab.getByRole("heading", { name: "5 people" }).waitFor();
      expect(clicks).toBe(12);
      expect([...wrong, ...complaints]).toEqual([]);
    },
  );
});
