/** A real browser before a listening appliance, that notes whatever a person or an operator would complain of. */
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { isLong } from "./long.ts";

const executablePath = "/usr/bin/chromium";
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser)
  process.stderr.write(`SKIPPED: pages in a browser, since there is no ${executablePath}\n`);

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 90_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * The error of a promise as a text; empty when it is kept.
 * Where a browser is open, it stands in for `expect(…).rejects`: that one turns the event loop from within,
 * and messages of the browser overtake one another.
 */
export const errorOf = (work: Promise<unknown>): Promise<string> => work.then(() => "", String);

export interface Watched {
  readonly tab: Page;
  /** Messages of the console, failed requests, and requests to other servers. */
  readonly complaints: string[];
}

export async function openTab(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: address, ...options });
  // Loopback answers in milliseconds, but what a page waits for may be a process on a busy machine.
  context.setDefaultTimeout(90_000);
  await context.addInitScript(noteRenewals);
  if (!isLong) await context.addInitScript(hasten);
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("console", (message) => {
    // The browser itself notes each answer of 400 and above; those are asked for.
    if (message.text().startsWith("Failed to load resource")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  tab.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address)) complaints.push(`asked ${url}`);
  });
  return { tab, complaints };
}

/** Notes in `window.renewals` when a part of the page was fetched again, up to the second frame after it: until then it moves the rest. */
const noteRenewals = `for (const event of ["htmx:before:swap", "htmx:after:swap"]) {
  addEventListener(event, () => {
    const renewal = { from: performance.now() };
    (window.renewals ??= []).push(renewal);
    const end = () => { renewal.to = performance.now(); };
    requestAnimationFrame(() => requestAnimationFrame(end));
  });
}`;

/**
 * A page that asks again every few seconds does so five times as often, since waiting proves nothing; but not while a test looks at it
 * (`window.isLookedAt`).
 */
const hasten = `{
  const repeat = window.setInterval;
  window.setInterval = (act, every, ...rest) =>
    every < 2000 ? repeat(act, every, ...rest) : repeat(() => window.isLookedAt || act(...rest), every / 5);
}`;

/** The text as it is read, without line breaks of the source. */
export async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? "").replace(/\s+/g, " ").trim();
}

export async function hasFocus(locator: Locator): Promise<boolean> {
  return (await locator.and(locator.page().locator(":focus")).count()) === 1;
}

/** Waits for the focus: a page's script gives it a moment after what the person did. */
export async function waitForFocus(locator: Locator): Promise<void> {
  await locator.and(locator.page().locator(":focus")).waitFor();
}
