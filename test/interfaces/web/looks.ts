/** A browser before an appliance, and how its pages are looked at. Pictures go to the folder TEST_PICTURES. */
import { afterAll, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openTestAppliance, type TestAppliance, type TestOptions } from "../../appliance.ts";
import { hasBrowser, launch, openTab, type Watched } from "../../browser.ts";
import { freePort } from "../../faults/server-process.ts";
import { isLong } from "../../long.ts";
import { goodPassword } from "./person.ts";

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** A folder for pictures of the pages. Without it, none is taken. */
const pictures = process.env["TEST_PICTURES"];

const schemes = ["light", "dark"] as const;
/**
 * `scripts/explore` looks at each width in both schemes. The gate looks for broken rules once, where most is to be seen; dark and
 * narrow, the tests of the widths look for them on every page.
 */
const looks: readonly (readonly [width: number, schemes: readonly (typeof schemes)[number][]])[] =
  isLong
    ? [
        [360, schemes],
        [1440, schemes],
      ]
    : [
        [360, []],
        [1440, ["light"]],
      ];

/** A tenth of what counts as good (Web Vitals): a page painted while it is still arriving moves by hundredths of a pixel. */
const shiftMax = 0.01;
/**
 * Sums the shifts since the page came, or since it was looked at before: looking opens what is folded up, which moves the rest. So does
 * what a page fetches again while something happens; on a busy machine it comes long after the click that began it.
 */
const shiftScript = `new Promise((done) => {
  const shifts = [];
  const add = (list) => shifts.push(...list.getEntries());
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  const isOwn = ({ hadRecentInput, startTime }) =>
    !hadRecentInput &&
    startTime >= (window.lookedAt ?? 0) &&
    !(window.renewals ?? []).some(({ from, to }) => startTime >= from && !(startTime > to));
  setTimeout(() => {
    const own = shifts.filter(isOwn);
    done({
      sum: own.reduce((sum, { value }) => sum + value, 0),
      moved: own.flatMap(({ sources }) => sources).map(({ node }) => node?.nodeName + "." + node?.className),
    });
  }, 50);
})`;
const axeScript = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target.join(" ")).join(", ")))`;
const overflowScript =
  "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** The broken rules of a page in these colours, with the elements that break them. */
export async function findAxeViolations(
  tab: Page,
  colorScheme: (typeof schemes)[number],
): Promise<string[]> {
  // Without this, colours would still be changing.
  await tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  if (!(await tab.evaluate("'axe' in window"))) await tab.evaluate(axe);
  return (await tab.evaluate(axeScript)) as string[];
}

/** Looks at one state of a page at each width and in each scheme. @returns what is wrong. */
export function looked(tab: Page, name: string): Promise<string[]> {
  return look(tab, name, true);
}

/** As `looked`, for a state made of parts whose rules another test looks for: the gate looks only for what shifts and what is too wide. */
export function glanced(tab: Page, name: string): Promise<string[]> {
  return look(tab, name, isLong);
}

/** What has moved on the page since it came. */
export async function findShifts(tab: Page, name: string): Promise<string[]> {
  const { sum, moved } = (await tab.evaluate(shiftScript)) as { sum: number; moved: string[] };
  return sum > shiftMax ? [`${name}: ${moved.join(", ")} shift by ${sum}`] : [];
}

async function look(tab: Page, name: string, hasRules: boolean): Promise<string[]> {
  await tab.evaluate("window.isLookedAt = true");
  const wrong = await findShifts(tab, name);
  // What is folded up on the page is looked at too.
  await tab.evaluate("document.querySelectorAll('main details').forEach((it) => it.open = true)");
  for (const [width, colors] of looks) {
    await tab.setViewportSize({ width, height: 800 });
    const over = (await tab.evaluate(overflowScript)) as number;
    if (over > 0) wrong.push(`${name}-${width}: ${over} px too wide`);
    for (const colorScheme of hasRules ? colors : []) {
      const look = `${name}-${width}-${colorScheme}`;
      const rules = await findAxeViolations(tab, colorScheme);
      wrong.push(...rules.map((rule) => `${look}: ${rule}`));
      if (pictures !== undefined)
        await tab.screenshot({ path: join(pictures, `${look}.png`), fullPage: true });
    }
  }
  await tab.evaluate("window.lookedAt = performance.now(); window.isLookedAt = false");
  return wrong;
}

const focusStyle =
  "getComputedStyle(document.activeElement).outlineStyle + ' ' + getComputedStyle(document.activeElement).outlineWidth";

/** Presses Tab once for each name, and expects the focus to be there, and to be seen. */
export function createWalk(tab: Page) {
  return async (...names: readonly string[]): Promise<void> => {
    const walked: string[] = [];
    for (const _ of names) {
      await tab.keyboard.press("Tab");
      walked.push(await nameFocus(tab));
      expect([walked.at(-1), await tab.evaluate(focusStyle)]).toEqual([walked.at(-1), "solid 2px"]);
    }
    expect(walked).toEqual([...names]);
  };
}

/** Presses Tab until something of this name has the focus. */
export async function walkTo(tab: Page, name: string, pressesMax = 80): Promise<void> {
  for (let presses = 0; presses < pressesMax; presses++) {
    await tab.keyboard.press("Tab");
    if ((await nameFocus(tab)) === name) return;
  }
  throw new Error(`${pressesMax} times Tab did not lead to ${name}`);
}

async function nameFocus(tab: Page): Promise<string> {
  const focused = tab.locator(":focus");
  const id = await focused.getAttribute("id");
  const said = id ? await tab.locator(`label[for="${id}"]`).allTextContents() : [];
  const aria = await focused.getAttribute("aria-label");
  return said[0] ?? aria ?? ((await focused.textContent()) ?? "").trim();
}

export interface Stage {
  readonly roster: TestAppliance;
  readonly address: string;
  readonly browser: Browser;
  open(options?: BrowserContextOptions): Promise<Watched>;
  /** A tab of a new account, signed in. */
  openAs(email: string, options?: StageOptions): Promise<Watched>;
}

interface StageOptions extends BrowserContextOptions {
  readonly administrator?: boolean;
}

/** Opens an appliance that listens, and a browser, until the tests of the file have ended. */
export async function openStage(options: TestOptions): Promise<Stage> {
  const port = await freePort();
  const config = { port, publicUrl: `http://127.0.0.1:${port}`, ...options.config };
  const roster = await openTestAppliance({ ...options, config });
  const address = roster.listen();
  const browser = hasBrowser ? await launch() : (undefined as unknown as Browser);
  afterAll(async () => {
    await browser?.close();
    await roster.close();
  });
  const open: Stage["open"] = (options) => openTab(browser, address, options);
  const openAs: Stage["openAs"] = async (email, { administrator = false, ...options } = {}) => {
    const watched = await open(options);
    const plan = administrator ? "enterprise" : "pro";
    await roster.modules.accounts.createWithoutKey({ email, plan, administrator });
    await acceptInvitation(roster, watched.tab, email);
    return watched;
  };
  return { roster, address, browser, open, openAs };
}

/** Opens an invitation of this account, and chooses a password. */
export async function acceptInvitation(
  roster: TestAppliance,
  tab: Page,
  email: string,
): Promise<void> {
  const { token } = await roster.modules.accounts.makeLink(email, "invitation");
  await tab.goto(`/invitation?token=${token}`);
  await tab.getByLabel("New password").fill(goodPassword);
  await tab.getByRole("button", { name: "Accept and sign in" }).click();
  await tab.waitForURL("/");
}
