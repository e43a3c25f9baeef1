/** What pages ask counts like a call over REST, once; and nobody stays on a page who was erased. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { invited, type Person, readable } from "./person.ts";

let roster: TestAppliance;
let ada: Person;

beforeAll(async () => {
  roster = await openTestAppliance();
  ada = await invited(roster, "ada@corp.example");
});
afterAll(() => roster.close());

async function countCalls(): Promise<number> {
  const account = await roster.modules.accounts.find("ada@corp.example");
  return (await roster.modules.quota.usage({ accountId: account?.id ?? "" })).month.used;
}

/** How many calls opening these pages, one after the other, cost. */
async function costOf(...paths: readonly string[]): Promise<number> {
  const before = await countCalls();
  for (const path of paths) await ada.open(path);
  return (await countCalls()) - before;
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
    expect(readable((await ada.open(path)).text)).toContain("so it did not count");
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
  });

  test("what is refused counts nothing and is told on the page", async () => {
    const before = await countCalls();
    const page = await ada.open("/?location=worldwide&role=wizard");
    expect(page.status).toBe(400);
    expect(readable(page.text)).toContain("wizard");
    expect(await countCalls()).toBe(before);
  });

  test("an exhausted account is refused like over the API", async () => {
    const bob = await invited(roster, "bob@corp.example");
    await roster.modules.accounts.setPlan("bob@corp.example", "pro", { callsPerMonth: 1 });
    expect((await bob.open("/?skills=Go")).status).toBe(200);
    const page = await bob.open("/?skills=Rust");
    expect([page.status, readable(page.text)]).toEqual([
      429,
      expect.stringContaining("quota is exceeded"),
    ]);
    // What was answered a moment ago may still be read.
    expect((await bob.open("/?skills=Go")).status).toBe(200);
  });

  test("a session that was ended meanwhile spends nothing", async () => {
    const eve = await invited(roster, "eve@corp.example");
    const account = await roster.modules.accounts.find("eve@corp.example");
    const [accountId, credential] = [account?.id ?? "", { kind: "session", id: "gone" } as const];
    const caller = { accountId, plan: "pro", credential, requestId: "req_1" } as const;
    expect(await roster.modules.quota.charge(caller).catch(({ code }) => code)).toBe(
      "unauthorized",
    );
    await eve.send("/account", "sign-out").catch(() => undefined);
    expect((await roster.modules.quota.usage({ accountId })).month.used).toBe(0);
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
    expect((await ada.open("/?location=worldwide")).text).toContain(`/developers/${login}"`);
    await roster.modules.pool.erasing.hide(login);
    expect((await ada.open(`/developers/${login}`)).status).toBe(404);
    expect((await ada.open("/?location=worldwide")).text).not.toContain(`/developers/${login}"`);
  });
});
