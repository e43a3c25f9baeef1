/** What pages ask counts like a call over REST, once; and nobody stays on a page who was erased. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../appliance.ts";
import { countCalls, expectAnswer, form, invited, readable } from "./person.ts";

const roster = await openTestAppliance();
const ada = await invited(roster, "ada@corp.example");
afterAll(() => roster.close());

const count = () => countCalls(roster, "ada@corp.example");

/** How many calls opening these pages, one after the other, cost. */
async function costOf(...paths: readonly string[]): Promise<number> {
  const before = await count();
  for (const path of paths) await ada.open(path);
  return (await count()) - before;
}

const someone = async () =>
  (await roster.modules.search.find({ location: "worldwide", maxResults: 3, offset: 0 })).hits;
const logins = async () => {
  const hits = await someone();
  const cards = await roster.modules.pool.cards(hits.map(({ rowId }) => rowId));
  return hits.map(({ rowId }) => cards.get(rowId)?.login ?? "");
};

describe("what pages cost", () => {
  test("a search one call, its reload and its downloads within a minute none", async () => {
    expect(await costOf("/")).toBe(0);
    const path = "/?location=worldwide";
    const query = "location=worldwide";
    const first = await ada.open(path);
    expect(readable(first.text)).toContain("This page counted as one call.");
    expect(await costOf(path, `/search/people.csv?${query}`, `/search/people.json?${query}`)).toBe(
      0,
    );
    expect(readable((await ada.open(path)).text)).toContain("This page did not count as a call");
    roster.clock.advance(61);
    expect(await costOf(path, path)).toBe(1);
  });

  test("a developer one, compared ones one each, nobody one, completion none", async () => {
    const [a = "", b = ""] = await logins();
    expect(await costOf(`/developers/${a}`, `/developers/${a}/analysis.json`)).toBe(1);
    expect(await costOf(`/compare?login=${a}&login=${b}`)).toBe(1);
    expect(await costOf("/developers/nobody-at-all", "/developers/nobody-at-all")).toBe(1);
    expect(await costOf("/search/terms?field=skills&q=kub")).toBe(0);
    expect(await costOf("/find?text=a", "/find?text=a")).toBe(1);
    // A misspelt skill in a search that finds people makes the search no cheaper.
    expect(await costOf("/?location=worldwide&skills=Go,Kuberntes")).toBe(1);
  });

  test("the same page opened eight times at once one call, whatever page it is", async () => {
    const [login = "", other = ""] = await logins();
    const pages = [
      `/developers/${login}`,
      `/developers/${login}/analysis.json`,
      "/?location=worldwide&skills=Go",
      "/search/people.csv?location=Germany",
      "/search/people.json?location=Spain",
      "/find?text=ada",
      "/who?repository=onyx-vault",
      "/who/people.csv?path=services",
      "/developers/nobody-at-once",
    ];
    for (const path of pages) {
      roster.clock.advance(61);
      const before = await count();
      const shown = await Promise.all(Array.from({ length: 8 }, () => ada.ask(path)));
      expect([path, new Set(shown.map(({ status }) => status)).size]).toEqual([path, 1]);
      expect([path, (await count()) - before]).toEqual([path, 1]);
    }
    roster.clock.advance(61);
    const before = await count();
    const both = `/compare?login=${login}&login=${other}`;
    await Promise.all(Array.from({ length: 8 }, () => ada.ask(both)));
    expect((await count()) - before).toBe(2);
    roster.clock.advance(61);
    const token = await ada.tokenOn("/saved");
    const fields = { token, act: "save-search", query: "location=Berlin" };
    const names = Array.from({ length: 8 }, (_, at) => `search ${at}`);
    await Promise.all(names.map((name) => ada.ask("/saved", form({ ...fields, name }))));
    expect((await count()) - before).toBe(3);
  });

  test("another spelling of the same question none", async () => {
    roster.clock.advance(61);
    const [login = ""] = await logins();
    const shouted = login.toUpperCase();
    expect(
      await costOf(
        `/developers/${login}`,
        `/developers/${shouted}`,
        `/developers/%20${login}%20`,
        `/compare?login=${shouted}`,
      ),
    ).toBe(1);
    const query = "location=New+York&skills=Go,Rust&languages=Go";
    const spelt = ["languages=go&skills=Rust,+go&location=++new++york+", `page=1&${query}`];
    expect(await costOf(`/?${query}`, ...spelt.map((one) => `/?${one}`))).toBe(1);
    expect(await costOf("/find?text=ada+exa", "/find?text=+Ada++EXA")).toBe(1);
    expect(await costOf("/who?repository=onyx-vault", "/who?repository=ONYX-Vault")).toBe(1);
    // Paths that differ are different questions.
    expect(await costOf("/who?path=docs", "/who?path=services")).toBe(2);
  });

  test("a slip of the keyboard none, and the page says what was wrong", async () => {
    roster.clock.advance(61);
    const before = await count();
    const slips: readonly (readonly [path: string, told: string])[] = [
      ["/?location=Berlinn", "We do not know the place"],
      ["/?years=five", 'The number of years must be a number from 0 to 50, got "five"'],
      ["/?since=2026-13-01", '"Active since" must be a day as YYYY-MM-DD'],
      ["/?role=wizard", "The search was not run"],
      ["/?skills=Frobnicat", "No one here knows Frobnicat"],
      ["/?skills=Kuberntes&languages=Ruts", "Did you mean Kubernetes ?"],
      ["/?repositories=nobody/here", "No one here worked in nobody/here"],
      ["/find?text=Frobnicat", "Frobnicat"],
    ];
    for (const [path, told] of slips) {
      const page = await ada.open(path);
      expect([path, readable(page.text)]).toEqual([path, expect.stringContaining(told)]);
      expect(page.text).not.toContain("NaN");
    }
    expect(await count()).toBe(before);
  });

  test("nothing that a browser fetches before anybody opens it, which it is refused", async () => {
    roster.clock.advance(61);
    const [login = ""] = await logins();
    const before = await count();
    const said = [
      ["sec-purpose", "prefetch"],
      ["sec-purpose", "prefetch;prerender"],
      ["purpose", "prefetch"],
      ["x-purpose", "preview"],
      ["x-moz", "prefetch"],
    ];
    for (const [name = "", value = ""] of said) {
      for (const path of [`/developers/${login}`, "/?location=worldwide", "/account"]) {
        const page = await ada.ask(path, { headers: { [name]: value } });
        expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
      }
    }
    expect(await count()).toBe(before);
  });

  test("a failure nothing, and it is not kept for who asks next", async () => {
    roster.clock.advance(61);
    const [login = ""] = await logins();
    const before = await count();
    const { pool } = roster.modules;
    const working = pool.findWrittenAnalyses;
    Object.assign(pool, { findWrittenAnalyses: () => Promise.reject(new Error("away")) });
    const failed = await Promise.all([1, 2].map(() => ada.ask(`/developers/${login}`)));
    Object.assign(pool, { findWrittenAnalyses: working });
    expect(failed.map(({ status }) => status)).toEqual([500, 500]);
    expect(await count()).toBe(before);
    expect((await ada.ask(`/developers/${login}`)).status).toBe(200);
    expect(await count()).toBe(before + 1);
  });

  test("an exhausted account is refused like over the API", async () => {
    const bob = await invited(roster, "bob@corp.example");
    await roster.modules.accounts.setPlan("bob@corp.example", "pro", { callsPerMonth: 1 });
    expect((await bob.open("/?skills=Go")).status).toBe(200);
    const page = await bob.open("/?skills=Rust");
    expectAnswer(page, 429, "quota is exceeded");
    const told = readable(page.text);
    expect(told).toContain("The search was not run");
    expect(told).toContain("it resets on 1 December 2026, 00:00 UTC .");
    expect(told).toContain("An administrator of this Roster can raise the limit.");
    expect(page.text).toContain('title="2026-12-01T00:00:00Z"');
    expect(told).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
    // A cached answer is still shown.
    expect((await bob.open("/?skills=Go")).status).toBe(200);
  });
});

describe("an answer that is kept", () => {
  test("belongs to one account", async () => {
    const [login = ""] = await logins();
    const other = await invited(roster, "other@corp.example");
    await ada.open(`/developers/${login}`);
    const page = await other.open(`/developers/${login}`);
    expect(readable(page.text)).toContain("This page counted as one call. 1 of");
  });

  test("is gone with the person: an erased one is on no page from then on", async () => {
    const [login = ""] = await logins();
    expect((await ada.open(`/developers/${login}`)).status).toBe(200);
    expect((await ada.open("/?location=worldwide")).text).toContain(
      `/developers/${login}?location=worldwide"`,
    );
    await roster.modules.pool.erasing.hide(login);
    expect((await ada.open(`/developers/${login}`)).status).toBe(404);
    expect((await ada.open("/?location=worldwide")).text).not.toContain(`/developers/${login}?`);
  });
});
