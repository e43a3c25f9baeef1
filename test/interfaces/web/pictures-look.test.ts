/** People in pictures, in a browser: at every width, in both schemes, with names that try the layout, and by keyboard. */
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hasBrowser, textOf } from "../../browser.ts";
import { inventedPeople } from "../../invented-people.ts";
import { isLong } from "../../long.ts";
import { findAxeViolations, openStage } from "./looks.ts";
import { oddPeople } from "./odd-people.ts";

const lookupsPerMinute = 40;
// The role needs some people before a page shows where somebody stands.
const crowd = Array.from({ length: 20 }, (_, at) => ({
  ...(inventedPeople[0] as (typeof inventedPeople)[number]),
  ...{ login: `marta-${at}`, profile: { name: `Marta Namesake ${at}` }, emails: [] },
}));
const { openAs } = await openStage({
  people: [...inventedPeople, ...oddPeople, ...crowd],
  config: { quota: { countInvalid: false, trialDays: undefined, lookupsPerMinute } },
});

const inBrowser = test.skipIf(!hasBrowser);
const [long, rightToLeft, cjk] = oddPeople.map(({ login }) => login);
const widths = isLong ? [320, 360, 414, 768, 1024, 1440, 1920] : [320, 414, 768, 1920];
const findField = "Find a person by name, login or e-mail";

/** Labels of pictures that are too small, beyond the page, or over one another. */
const labelScript = `[...document.querySelectorAll("svg[role=img], .skill-axis")].flatMap((svg) => {
  const labels = [...svg.querySelectorAll("text")].filter((it) => getComputedStyle(it).display !== "none");
  const boxes = labels.map((it) => ({ it, box: it.getBoundingClientRect() }));
  return boxes.flatMap(({ it, box }, at) => [
    ...(parseFloat(getComputedStyle(it).fontSize) < 12 || box.height < 10 ? [it.textContent + " is small"] : []),
    ...(box.left < 0 || box.right > document.documentElement.clientWidth ? [it.textContent + " is outside"] : []),
    ...boxes.slice(at + 1).filter(({ box: other }) => box.left < other.right && other.left < box.right
      && box.top < other.bottom && other.top < box.bottom).map((other) => it.textContent + " is over " + other.it.textContent),
  ]);
})`;
const columnScript = `[...document.querySelectorAll(".comparison thead th")].map((it) => it.offsetWidth)`;
const overflowScript =
  "document.documentElement.scrollWidth - document.documentElement.clientWidth";

async function findFaults(tab: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const width of widths) {
    await tab.setViewportSize({ width, height: 800 });
    const over = (await tab.evaluate(overflowScript)) as number;
    if (over > 0) wrong.push(`${name}-${width}: ${over} px too wide`);
    if (width < 400) {
      // A long name must not make its column wider than the screen.
      const columns = (await tab.evaluate(columnScript)) as number[];
      for (const column of columns.filter((each) => each > width / 2)) {
        wrong.push(`${name}-${width}: a column of ${column} px`);
      }
    }
    for (const label of (await tab.evaluate(labelScript)) as string[]) {
      wrong.push(`${name}-${width}: ${label}`);
    }
  }
  return wrong;
}

describe("pictures of people", () => {
  inBrowser("fit at every width with legible labels, open and folded", async () => {
    const { tab, complaints } = await openAs("looker@corp.example");
    const wrong: string[] = [];
    for (const [name, path] of [
      ["long-name", `/developers/${long}`],
      ["right-to-left", `/developers/${rightToLeft}`],
      ["cjk", `/developers/${cjk}`],
      ["compare-four", `/compare?login=${long}&login=${rightToLeft}&login=${cjk}&login=Ben-Sample`],
    ] as const) {
      await tab.setViewportSize({ width: 1440, height: 800 });
      await tab.goto(path);
      wrong.push(...(await findFaults(tab, name)));
      await tab.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)");
      wrong.push(...(await findFaults(tab, `${name}-open`)));
    }
    expect([...wrong, ...complaints]).toEqual([]);
  });

  inBrowser("of a comparison on a phone stand side by side, with their names in view", async () => {
    const { tab } = await openAs("phone@corp.example", { viewport: { width: 360, height: 800 } });
    await tab.goto(`/compare?login=ada-example&login=Ben-Sample&login=${long}&login=${cjk}`);
    const boxes = await Promise.all(
      (await tab.locator("thead th").all()).map((head) => head.boundingBox()),
    );
    expect(boxes).toHaveLength(4);
    for (const box of boxes) {
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
      expect(box?.width ?? 0).toBeGreaterThan(60);
    }
    await tab.evaluate("scrollTo(0, 1500)");
    expect((await tab.locator("thead th").first().boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(
      0,
    );
    await tab.evaluate("scrollTo(0, 0)");
    expect(await findAxeViolations(tab, "light")).toEqual([]);
  });
});

describe("half a name in the header", () => {
  inBrowser("is completed from the third letter, and Enter opens the person", async () => {
    const { tab, complaints } = await openAs("finder@corp.example");
    await tab.goto("/saved");
    const box = tab.getByLabel(findField);
    const options = tab.locator("#find-person-list li");
    const asked: (string | null)[] = [];
    tab.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/find/names") asked.push(searchParams.get("q"));
    });
    await box.pressSequentially("ma");
    await Bun.sleep(300);
    expect([await options.count(), asked]).toEqual([0, []]);
    await box.pressSequentially("rta");
    await options.first().waitFor();
    expect(await options.count()).toBe(10);
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("ArrowDown");
    expect(await box.getAttribute("aria-activedescendant")).toBe("find-person-list-1");
    const chosen = await textOf(options.nth(1).locator("bdi"));
    await tab.keyboard.press("Escape");
    expect(await options.count()).toBe(0);
    expect(await box.inputValue()).toBe("marta");
    await box.press("End");
    await box.pressSequentially(" ");
    await options.first().waitFor();
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/developers/marta-*");
    expect(await textOf(tab.locator("h1"))).toBe(chosen);
    expect(complaints).toEqual([]);
  });

  inBrowser("stays an ordinary field without a script, and after too many look-ups", async () => {
    const { tab, complaints } = await openAs("quick@corp.example");
    await tab.goto("/saved");
    const box = tab.getByLabel(findField);
    for (let at = 0; at <= lookupsPerMinute; at++) {
      await tab.evaluate(`fetch("/find/names?q=marta${at}")`);
    }
    const refused = tab.waitForResponse((response) => response.status() === 429);
    await box.fill("marta");
    await refused;
    expect(await tab.locator("#find-person-list li").count()).toBe(0);
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/find?text=marta");
    expect(complaints).toEqual([]);
    const plain = await openAs("plain@corp.example", { javaScriptEnabled: false });
    await plain.tab.goto("/saved");
    await plain.tab.getByLabel(findField).fill("Ada Exa");
    await plain.tab.keyboard.press("Enter");
    await plain.tab.waitForURL("**/find?text=Ada+Exa");
    expect(await plain.tab.locator(".brief-people h2").count()).toBe(1);
  });
});
