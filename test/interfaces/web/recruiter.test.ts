/** A recruiter makes a list, and every click is counted. */
import { describe, expect, test } from "bun:test";
import { hasBrowser, hasFocus, waitForFocus } from "../../browser.ts";
import { looked, openStage } from "./looks.ts";
import { countCalls } from "./person.ts";

const { roster, openAs } = await openStage({ now: new Date().toISOString() });

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
        await click(card.locator("summary"));
        const note = card.getByLabel("Note");
        // A script gives the field the focus, a moment after the click.
        for (let presses = 0; !javaScriptEnabled && presses < 5; presses++) {
          if (!(await hasFocus(note))) await tab.keyboard.press("Tab");
        }
        await waitForFocus(note);
        await tab.keyboard.type(`call ${name} on Monday`);
        await click(card.getByRole("button", { name: "Add", exact: true }));
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
