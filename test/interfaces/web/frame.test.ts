/** The frame of every page by keyboard and pointer: the menu, the field that finds people, the tabs. */
import { beforeAll, describe, expect, test } from "bun:test";
import { hasBrowser, hasFocus, type Watched } from "../../browser.ts";
import { looked, openStage } from "./looks.ts";

const stage = await openStage({});
const options = { administrator: true, viewport: { width: 1200, height: 800 } };
let watched: Watched;
beforeAll(async () => {
  if (hasBrowser) watched = await stage.openAs("boss@corp.example", options);
});

const inBrowser = test.skipIf(!hasBrowser);

describe("the frame", () => {
  inBrowser("has a menu that closes by Escape, a click elsewhere, and leaving", async () => {
    const { tab } = watched;
    await tab.goto("/account");
    const menu = tab.locator("details.menu");
    const opener = menu.locator("summary");
    const isOpen = () => menu.locator("nav").isVisible();
    await opener.click();
    expect(await isOpen()).toBe(true);
    await menu.getByRole("link", { name: "My account" }).focus();
    await tab.keyboard.press("Escape");
    expect([await isOpen(), await hasFocus(opener)]).toEqual([false, true]);
    await opener.click();
    await tab.getByRole("heading", { level: 1 }).click();
    expect(await isOpen()).toBe(false);
    await tab.keyboard.press("Escape");
    expect(await hasFocus(opener)).toBe(false);
    await opener.click();
    expect(await looked(tab, "menu")).toEqual([]);
    await tab.setViewportSize({ width: 1200, height: 800 });
    await tab.getByLabel("Find a person").focus();
    expect(await isOpen()).toBe(false);
    await opener.click();
    await menu.getByRole("link", { name: "Administration" }).click();
    await tab.waitForURL("**/admin");
  });

  inBrowser("has a field that / leads to, but not while somebody types", async () => {
    const { tab } = watched;
    const field = tab.getByLabel("Find a person");
    for (const path of ["/admin/runs", "/saved", "/docs"]) {
      await tab.goto(path);
      await tab.keyboard.press("/");
      expect([path, await hasFocus(field), await field.inputValue()]).toEqual([path, true, ""]);
    }
    await tab.keyboard.type("a/b");
    expect(await field.inputValue()).toBe("a/b");
    await tab.goto("/who");
    const path = tab.getByRole("combobox", { name: "File or folder" });
    await path.focus();
    await tab.keyboard.type("src/main");
    expect(await path.inputValue()).toBe("src/main");
  });

  inBrowser("has tabs in one row at 360 px, too, with the present one in view", async () => {
    const { tab } = watched;
    await tab.setViewportSize({ width: 360, height: 800 });
    for (const [path, name] of [
      ["/admin", "Overview"],
      ["/admin/audit", "Audit log"],
    ] as const) {
      await tab.goto(path);
      const row = await tab.locator(".tabs").boundingBox();
      const present = await tab.locator(".tabs").getByText(name).boundingBox();
      const { x = -1, width = 0 } = present ?? {};
      expect([name, (row?.height ?? 99) < 50, x >= 0, x + width <= 360]).toEqual([
        ...[name, true, true, true],
      ]);
    }
    await tab.setViewportSize({ width: 1200, height: 800 });
  });

  inBrowser("leaves no stripe beside the header", async () => {
    const { tab } = watched;
    const stripe =
      "innerWidth - document.querySelector('header.top').getBoundingClientRect().right";
    const room = "getComputedStyle(document.documentElement).scrollbarGutter";
    expect([await tab.evaluate(stripe), await tab.evaluate(room)]).toEqual([0, "auto"]);
    expect(watched.complaints).toEqual([]);
  });
});
