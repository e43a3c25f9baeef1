/** What a browser with an empty cache loads for one page: at most 80 kB, as sent. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { hasBrowser, launch, openTab } from "../../browser.ts";
import { openDemoTour } from "./tour.ts";

const loadMax = 80_000;
const heavy = /^(home|search|search-home|developer|compare|who|who-handover|saved-list|admin)$/;

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await launch();
});
afterAll(() => browser?.close());

test.skipIf(!hasBrowser)("a page loads at most 80 kB at first", async () => {
  const { roster, address, outside, enter } = await openDemoTour();
  const first = await openTab(browser, address);
  const stops = [...outside, ...(await enter(first.tab))].filter(([name]) => heavy.test(name));
  const state = await first.tab.context().storageState();
  const loads: [name: string, bytes: number][] = [];
  for (const [name, path] of stops) {
    const { tab } = await openTab(browser, address, { storageState: state });
    const sizes: Promise<number>[] = [];
    tab.on("requestfinished", (request) =>
      sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize)),
    );
    await tab.goto(path, { waitUntil: "networkidle" });
    loads.push([name, (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)]);
    await tab.context().close();
  }
  await roster.close();
  if (process.env["TEST_FIGURES"]) process.stderr.write(`${JSON.stringify(loads)}\n`);
  expect(loads.length).toBeGreaterThan(6);
  expect(loads.filter(([, bytes]) => bytes > loadMax || bytes < 1000)).toEqual([]);
  if (process.env["TEST_FIGURES"]) process.stderr.write(`${JSON.stringify(loads)}\n`);
});
