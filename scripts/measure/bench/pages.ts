/**
 * How much more a page costs than the API: the same searches over 100,000 people as the search page and over REST, in
 * turns, on one server in this process. Where there is a browser, also how soon a completion is painted, and what the
 * first page loads.
 */
import { join } from "node:path";
import pino from "pino";
import { type Appliance, openAppliance } from "../../../src/appliance/appliance.ts";
import { type Config, readConfig } from "../../../src/config/config.ts";
import { hasBrowser, launch } from "../../../test/browser.ts";
import { goodPassword, openPerson, type Person } from "../../../test/interfaces/web/person.ts";
import { fillFolder } from "../large-folder.ts";
import { defineMeasurement } from "../measurement.ts";
import { measureCpu } from "../processes.ts";
import { atMost, comparePairs, median, type Row } from "../rows.ts";

const bars = { extraMs: 2, firstLoadKb: 80, paintMs: 200 };
const email = "bench@example.com";
const rounds = 8;

const places = ["Berlin", "Germany", "worldwide", "Munich", "Poland"];
const skills = ["Go", "Rust", "k8s", "React", "Python", "PostgreSQL"];
const roles = ["backend", "devops", "frontend"];

interface Search {
  readonly location: string;
  readonly role: string;
  readonly skill: string;
}

export const measurement = defineMeasurement({
  about: "What a search costs as a page more than over the API, and how soon a browser shows it.",
  options: { people: 100_000 },
  async run({ people, work }) {
    const data = join(work, "data");
    const { key } = await fillFolder(data, people);
    const { config } = readConfig({ data, port: "0" }, {});
    const log = pino({ level: "silent" });
    let clockMs = Date.now();
    const now = () => new Date(clockMs);
    const around = { now, log, newId: () => crypto.randomUUID(), version: "0.0.0-bench" };
    const appliance = await openAppliance(config, around);
    // The server keeps answers for a minute, so that each round needs a later time.
    const nextMinute = () => {
      clockMs += 61_000;
    };
    const rows = [
      { name: "pages.people", value: people, unit: "people" },
      ...(await compareCosts(appliance, key, nextMinute)),
      ...(hasBrowser ? await timeBrowser(appliance, config) : []),
    ];
    await appliance.close();
    return { rows };
  },
});

async function compareCosts(
  appliance: Appliance,
  key: string,
  nextMinute: () => void,
): Promise<readonly Row[]> {
  const person = await signIn(appliance);
  const searches = places.flatMap((location) =>
    skills.flatMap((skill) => roles.map((role) => ({ location, skill, role }))),
  );
  const rest: number[] = [];
  const page: number[] = [];
  const costOfEach = async (work: () => Promise<void>) =>
    ((await measureCpu(work)).seconds * 1000) / searches.length;
  for (let round = 0; round < rounds; round++) {
    nextMinute();
    rest.push(await costOfEach(() => searchByRest(appliance, key, searches)));
    page.push(await costOfEach(() => searchByPage(person, searches)));
  }
  // In the first two rounds the code is still being compiled.
  const [restMs, pageMs] = [rest.slice(2), page.slice(2)];
  const extra = median(pageMs) - median(restMs);
  const unit = "ms of CPU";
  return [
    { name: "pages.rest-cpu", value: median(restMs), unit },
    comparePairs({ name: "pages.page-cpu", unit }, pageMs, { what: "REST", values: restMs }),
    atMost(bars.extraMs, { name: "pages.extra-cpu", value: extra, unit }),
  ];
}

async function searchByRest(
  { http }: Appliance,
  key: string,
  searches: readonly Search[],
): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  for (const { location, role, skill } of searches) {
    const body = JSON.stringify({ location, role, skills: [skill], maxResults: 20 });
    const url = "http://127.0.0.1:7171/v1/search";
    const answer = await http.handle(new Request(url, { method: "POST", headers, body }));
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
  }
}

async function searchByPage(person: Person, searches: readonly Search[]): Promise<void> {
  for (const { location, role, skill } of searches) {
    const query = new URLSearchParams({ location, role, skills: skill });
    const { status, text } = await person.ask(`/?${query}`);
    if (status !== 200 || !text.includes("counted as one call")) throw new Error(text);
  }
}

async function signIn({ http, modules }: Appliance): Promise<Person> {
  const person = openPerson({ handle: http.handle });
  const { token } = await modules.accounts.makeLink(email, "invitation");
  await person.send(`/invitation?token=${token}`, "redeem", { password: goodPassword });
  return person;
}

/**
 * Measures the time from a typed letter until the list is painted, and the bytes of the first page with everything that
 * it loads.
 */
async function timeBrowser({ http }: Appliance, config: Config): Promise<readonly Row[]> {
  const address = http.listen(config);
  const browser = await launch();
  const tab = await (await browser.newContext({ baseURL: address })).newPage();
  await tab.goto("/sign-in");
  await tab.getByLabel("E-mail", { exact: true }).fill(email);
  await tab.getByLabel("Password").fill(goodPassword);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL(`${address}/`);
  let bytes = 0;
  tab.on("requestfinished", async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    bytes += responseBodySize + responseHeadersSize;
  });
  const fresh = await tab.context().newCDPSession(tab);
  await fresh.send("Network.setCacheDisabled", { cacheDisabled: true });
  await tab.goto("/?location=worldwide", { waitUntil: "networkidle" });
  const firstLoad = bytes / 1000;
  // One that is still being looked at when the browser closes would fail.
  tab.removeAllListeners("requestfinished");
  const paints: number[] = [];
  for (const text of ["Berl", "Muni", "Lond", "Pari", "Toky"]) {
    await tab.locator("#location").fill("");
    await tab.evaluate(watchPaint);
    await tab.locator("#location").pressSequentially(text);
    paints.push(Number(await tab.evaluate("globalThis.painted")));
  }
  await browser.close();
  const paintMs = median(paints);
  return [
    atMost(bars.firstLoadKb, { name: "pages.first-load", value: firstLoad, unit: "kB" }),
    atMost(bars.paintMs, { name: "pages.completion-to-paint", value: paintMs, unit: "ms" }),
  ];
}

/**
 * Resolves with the time from the last letter to the frame after the list was filled, including the wait for more
 * letters.
 */
const watchPaint = `void (globalThis.painted = new Promise((done) => {
  let typedAt = 0;
  const box = document.getElementById("location");
  box.addEventListener("input", () => { typedAt = performance.now(); });
  new MutationObserver((_, observer) => {
    const list = document.getElementById("location-list");
    if (list.hidden || list.children.length === 0 || box.value.length < 4) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - typedAt)));
  }).observe(document.getElementById("location-list"), { childList: true, attributes: true });
}))`;
