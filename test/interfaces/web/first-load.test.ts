/** What a browser with an empty cache loads for one page: at most 80 kB, as sent. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Request } from "playwright-core";
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
    const finished: Request[] = [];
    tab.on("requestfinished", (request) => finished.push(request));
    await tab.goto(path, { waitUntil: "networkidle" });
    const sizes = await Promise.all(finished.map((request) => request.sizes()));
    const sum = (bytes: number, size: (typeof sizes)[number]) =>
      bytes + size.responseBodySize + size.responseHeadersSize;
    loads.push([name, sizes.reduce(sum, 0)]);
    await tab.context().close();
  }
  await roster.close();
  expect(loads.length).toBeGreaterThan(6);
  expect(loads.filter(([, bytes]) => bytes > loadMax || bytes < 1000)).toEqual([]);
  if (process.env["TEST_FIGURES"]) process.stderr.write(`${JSON.stringify(loads)}\n`);
});
