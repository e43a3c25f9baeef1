/** An administrator invites a colleague, and makes and fetches a backup: every click is counted, from the front page. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { hasBrowser, waitForFocus } from "../../../browser.ts";
import { glanced, looked, openStage } from "../looks.ts";
import { goodPassword } from "../person.ts";

const { roster, open, openAs } = await openStage({ now: new Date().toISOString(), folder: true });

const clicksMax = 5;

/** Signs an administrator in, on the front page, and counts the clicks from there. */
async function start(javaScriptEnabled: boolean, name: string) {
  const email = `${name}-${javaScriptEnabled}@example.com`;
  const { tab, complaints } = await openAs(email, { administrator: true, javaScriptEnabled });
  const counted = { clicks: 0 };
  const click = async (what: { click(): Promise<void> }) => {
    counted.clicks += 1;
    await what.click();
  };
  return { tab, complaints, counted, click };
}

type Click = Awaited<ReturnType<typeof start>>["click"];

async function goToAdministration(tab: Page, click: Click) {
  await click(tab.getByLabel(/^Menu: /));
  await click(tab.getByRole("link", { name: "Administration", exact: true }));
  await tab.getByRole("heading", { name: "Overview" }).waitFor();
}

describe.skipIf(!hasBrowser).each([true, false])("with a script: %p", (javaScriptEnabled) => {
  test("a colleague is invited in at most five clicks", async () => {
    const { tab, complaints, counted, click } = await start(javaScriptEnabled, "inviting");
    await goToAdministration(tab, click);
    await click(tab.getByRole("link", { name: "Accounts", exact: true }));
    await click(tab.getByText("Invite someone"));
    const field = tab.getByLabel("E-mail", { exact: true });
    for (let presses = 0; presses < 5; presses++) {
      await tab.keyboard.press("Tab");
      if ((await field.and(tab.locator(":focus")).count()) === 1) break;
    }
    await waitForFocus(field);
    await tab.keyboard.type(`colleague-${javaScriptEnabled}@example.com`);
    await click(tab.getByRole("button", { name: "Create the invitation" }));
    const link = (await tab.locator("#secret").textContent()) ?? "";
    expect(link).toContain("/invitation?token=");
    expect(counted.clicks).toBeLessThanOrEqual(clicksMax);
    // The overview lists the invitation until it is taken.
    await tab.goto("/admin");
    await tab.getByText(/invitations? (is|are) not used yet/).waitFor();
    const other = await open({ javaScriptEnabled });
    await other.tab.goto(link.trim());
    await other.tab.getByLabel("New password").fill(goodPassword);
    await other.tab.getByRole("button", { name: "Accept and sign in" }).click();
    await other.tab.waitForURL("/");
    await tab.reload();
    expect(await tab.getByText("not used yet").count()).toBe(0);
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test("a backup is made and fetched in at most five clicks", async () => {
    const { tab, complaints, counted, click } = await start(javaScriptEnabled, "keeping");
    await goToAdministration(tab, click);
    const wrong = javaScriptEnabled ? await glanced(tab, "overview-before-backup") : [];
    await click(tab.getByRole("button", { name: "Back up now" }));
    const download = tab.getByRole("button", { name: "Download the backup" }).first();
    while ((await download.count()) === 0 && !javaScriptEnabled) {
      await click(tab.getByRole("link", { name: "Refresh" }));
    }
    await download.waitFor();
    wrong.push(...(javaScriptEnabled ? await looked(tab, "overview-after-backup") : []));
    const file = tab.waitForEvent("download");
    await click(download);
    const fetched = await file;
    const folder = join(roster.config.data, "backups");
    const [newest = ""] = readdirSync(folder).sort().reverse();
    expect(fetched.suggestedFilename()).toBe(newest);
    expect(await Bun.file(await fetched.path()).bytes()).toEqual(
      await Bun.file(join(folder, newest)).bytes(),
    );
    expect(counted.clicks).toBe(4);
    // On paper the list stands without buttons.
    await tab.emulateMedia({ media: "print" });
    expect(await tab.getByRole("cell", { name: newest }).isVisible()).toBe(true);
    expect(await download.isVisible()).toBe(false);
    await tab.emulateMedia({ media: null });
    // An hour later the password is needed too, which is typed and no click.
    roster.clock.advance(3600);
    await tab.goto("/admin");
    await tab.getByLabel("Your password").fill(goodPassword);
    const again = tab.waitForEvent("download");
    await tab.keyboard.press("Enter");
    expect((await again).suggestedFilename()).toBe(newest);
    expect([...wrong, ...complaints]).toEqual([]);
  });
});
