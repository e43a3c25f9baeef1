/** Looks at one state of one page: narrow and wide, light and dark. The pictures are left in a folder. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** @returns what is wrong with the page that the tab shows, in any of its looks. */
export type Looks = (tab: Page, name: string) => Promise<string[]>;

export function createLooks(): Looks {
  const folder = mkdtempSync(join(tmpdir(), "roster-pages-"));
  process.stderr.write(`Pictures of the pages: ${folder}\n`);
  return (tab, name) => look(tab, name, folder);
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const widths = [360, 1440];
const schemes = ["light", "dark"] as const;

/** A tenth of what counts as good (Web Vitals): a page painted while it is still arriving moves by hundredths of a pixel. */
const shiftMax = 0.01;
const shiftScript = `new Promise((done) => {
  let sum = 0;
  const add = (list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value; };
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 50);
})`;
const axeScript = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target.join(" ")).join(", ")))`;
const overflowScript =
  "document.documentElement.scrollWidth - document.documentElement.clientWidth";

async function look(tab: Page, name: string, folder: string): Promise<string[]> {
  const wrong: string[] = [];
  const shift = (await tab.evaluate(shiftScript)) as number;
  if (shift > shiftMax) wrong.push(`${name}: shifts by ${shift}`);
  // What is folded up is looked at too.
  await tab.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)");
  await tab.evaluate(axe);
  for (const width of widths) {
    await tab.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      // Else colours would change over a moment, and be looked at half way.
      await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const look = `${name}-${width}-${colorScheme}`;
      const over = (await tab.evaluate(overflowScript)) as number;
      if (over > 0) wrong.push(`${look}: ${over} px too wide`);
      for (const rule of (await tab.evaluate(axeScript)) as string[])
        wrong.push(`${look}: ${rule}`);
      await tab.screenshot({ path: join(folder, `${look}.png`), fullPage: true });
    }
  }
  return wrong;
}
