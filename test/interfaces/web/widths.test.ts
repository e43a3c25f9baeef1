/**
 * Every page from 320 to 1920 px, with the demo people and with people whose names strain the layout: one header row, no layout
 * shift, no content wider than its box, no accessibility violation, light and dark. `scripts/explore` tries every 40 pixels.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, launch, openTab } from "../../browser.ts";
import { isLong } from "../../long.ts";
import { findAxeViolations, findShifts } from "./looks.ts";
import { openDemoTour, openNamesTour, type Stop, type Tour } from "./tour.ts";

/** Else the narrowest of each style, where it has least room: the style changes at 352, 599, 704, 768, 832, 960 and 1024 px. */
const widths = isLong
  ? Array.from({ length: (1920 - 320) / 40 + 1 }, (_, at) => 320 + at * 40)
  : [1920, 1025, 961, 833, 769, 705, 600, 353, 320];
/** One row of the header, with its line below. */
const headerMax = 58;

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await launch();
});
afterAll(() => browser?.close());

/** What is wrong at this width: what is too wide for the page, and text that leaves its box. */
const lookScript = `(() => {
  const root = document.documentElement;
  const wrong = [];
  if (root.scrollWidth > root.clientWidth) wrong.push("the page is too wide");
  const height = document.querySelector("header.top").getBoundingClientRect().height;
  if (height > ${headerMax}) wrong.push("the header is " + Math.round(height) + " px high");
  const spills = (it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 1;
  for (const it of document.querySelectorAll("main *, .top *, .tabs *, .demo *")) {
    if (!spills(it) || it.closest("svg, .unseen, .skip, input, select, textarea")) continue;
    const { display, overflowX, textOverflow } = getComputedStyle(it);
    if (display === "inline" || ["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis") continue;
    if ([...it.children].some((child) => spills(child) && getComputedStyle(child).overflowX === "visible")) continue;
    wrong.push("text leaves " + it.tagName.toLowerCase() + " " + it.className + ": " + it.textContent.trim().slice(0, 40));
  }
  return [...new Set(wrong)];
})()`;

async function lookAt(tab: Page, [name, path]: Stop, hasRules: boolean): Promise<string[]> {
  const found = new Map<string, number[]>();
  await tab.goto(path);
  const wrong = [...(await findShifts(tab, name))];
  const findBroken = async (scheme: "light" | "dark") => {
    const violations = hasRules ? await findAxeViolations(tab, scheme) : [];
    wrong.push(...violations.map((rule) => `${name} in ${scheme}: ${rule}`));
  };
  await tab.evaluate("document.querySelectorAll('main details').forEach((it) => it.open = true)");
  for (const width of widths.filter((each) => each > 320 || !tight.test(name))) {
    await tab.setViewportSize({ width, height: 800 });
    for (const wrong of (await tab.evaluate(lookScript)) as string[])
      found.set(wrong, [...(found.get(wrong) ?? []), width]);
    if (width === widths[0]) await findBroken(isLong ? "dark" : "light");
  }
  await findBroken(isLong ? "light" : "dark");
  return [...wrong, ...[...found].map(([what, at]) => `${name}: ${what} at ${at.join(", ")}`)];
}

/** The pages that have names, made of different parts. */
const named =
  /^(search|find|developer|developer-identity|compare|who|who-(open|handover|everybody)|saved|saved-list|admin-decisions)$/;
/** States made of the parts of other pages. The docs are those that visitors read. */
const alike = /^(saved-search|admin-audit-who|\w+(-\w+)?-signed-in)$/;

/** At 320 px, a long skill makes the first 6 px too wide, and the table of both scores the second 24 px. */
const tight = /^(search-long|developer-match)$/;

const tours: readonly (readonly [people: string, dots: number, open: () => Promise<Tour>])[] = [
  ["the demo people", 1, openDemoTour],
  ["long and foreign names", 2, openNamesTour],
];

for (const [people, deviceScaleFactor, open] of tours) {
  test.skipIf(!hasBrowser)(`every page has room at every width, with ${people}`, async () => {
    const { roster, address, outside, enter } = await open();
    const { tab, complaints } = await openTab(browser, address, { deviceScaleFactor });
    const wrong: string[] = [];
    const isDemo = open === openDemoTour;
    const lookAll = async (stops: readonly Stop[], hasNotice: boolean) => {
      for (const stop of stops) {
        const [name] = stop;
        if (!isLong && !(isDemo ? !alike.test(name) : named.test(name))) continue;
        wrong.push(...(await lookAt(tab, stop, isLong || isDemo)));
        const notice = tab.getByRole("complementary", { name: "Demo" });
        if ((await notice.isVisible()) !== hasNotice) wrong.push(`${name}: the demo's notice`);
      }
    };
    await lookAll(outside, false);
    await lookAll(await enter(tab), isDemo);
    await roster.close();
    expect([...wrong, ...complaints]).toEqual([]);
  });
}
