/**
 * Takes pictures of the pages over the demo people for README and docs. Run it again when the pages look different.
 * `--all FOLDER` takes every page instead, narrow and wide, light and dark, to be looked at.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { assets } from "../../src/interfaces/web/look/assets.ts";
import { hasBrowser, launch, openTab } from "../../test/browser.ts";
import { openDemoTour, type Stop, type Tour } from "../../test/interfaces/web/tour.ts";
import { renderGallery } from "./design-gallery.tsx";

const pictures = [
  { name: "search", path: "/?location=Berlin&role=backend&skills=Go%2C+k8s", height: 760 },
  { name: "developer", path: "/developers/ada-example", height: 1080 },
  {
    name: "compare",
    path: "/compare?login=ada-example&login=gokce-ciyduzu-example&login=kerem-ciyduzu-example",
    height: 700,
  },
  {
    name: "who",
    path: "/who?repository=demo-guild%2Fonyx-vault&path=services%2Fpayments",
    height: 760,
  },
];

if (!hasBrowser) process.exit(1);
const [option, chosen] = process.argv.slice(2);
const isAll = option === "--all" && chosen !== undefined;
if (option !== undefined && !isAll) {
  process.stderr.write("Usage: scripts/screenshots [--all FOLDER]\n");
  process.exit(2);
}
const folder = isAll ? chosen : join(import.meta.dir, "../../docs/images");
mkdirSync(folder, { recursive: true });
const tour = await openDemoTour();
const browser = await launch();
await (isAll ? takeAll(tour, browser) : takeForDocs(tour, browser));
await browser.close();
await tour.roster.close();

async function takeForDocs({ address, enter }: Tour, browser: Browser): Promise<void> {
  const viewport = { width: 1440, height: 860 };
  const { tab } = await openTab(browser, address, { viewport, colorScheme: "light" });
  await enter(tab);
  for (const { name, path, height } of pictures) {
    await tab.setViewportSize({ width: 1440, height });
    await tab.goto(path);
    await tab.screenshot({ path: join(folder, `${name}.png`) });
  }
  await tab.setViewportSize({ width: 1440, height: 1000 });
  await tab.setContent(renderGallery(new URL(assets.style, address).href));
  await tab.screenshot({ path: join(folder, "design.png") });
}

async function takeAll({ address, outside, enter }: Tour, browser: Browser): Promise<void> {
  const { tab } = await openTab(browser, address);
  for (const stop of outside) await takeLooks(tab, stop);
  for (const stop of await enter(tab)) await takeLooks(tab, stop);
}

async function takeLooks(tab: Page, [name, path]: Stop): Promise<void> {
  await tab.goto(path, { waitUntil: "networkidle" });
  for (const width of [390, 1024, 1440]) {
    await tab.setViewportSize({ width, height: 844 });
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const file = `${name}-${width}-${colorScheme}.png`;
      await tab.screenshot({ path: join(folder, file), fullPage: true });
    }
  }
}
