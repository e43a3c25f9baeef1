/** What the page of who knows costs: one call for a question, none for more of its answer, for completion or a slip. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { inventedRepository } from "../../invented-authorship.ts";
import { inventAuthorship } from "../../knowledge/invent-authorship.ts";
import { countCalls, invited, openPerson, type Person, readable } from "./person.ts";

let roster: TestAppliance;
let lead: Person;
const lookupsPerMinute = 60;
const repository = "demo-guild/onyx-vault";
const asked = `/who?repository=${encodeURIComponent(repository)}`;

beforeAll(async () => {
  const quota = { countInvalid: true, trialDays: undefined, lookupsPerMinute };
  roster = await openTestAppliance({
    ...{ now: "2026-11-22T12:00:00Z", people: [], config: { demo: true, quota } },
  });
  const { authorship } = roster.modules.pool;
  for (let at = 0; at < 12; at++) {
    const name = `acme/part-${at}`;
    await authorship.replace({ ...inventedRepository, key: name, name });
  }
  const { repository: crowd } = inventAuthorship({
    ...{ name: "acme/crowd", commits: 4000, files: 200, people: await findLogins(crowdSize) },
  });
  await authorship.replace(crowd);
  await authorship.nameAuthors(crowd.key, await findLogins(crowdSize));
  lead = await invited(roster, "lead@corp.example");
});
afterAll(() => roster.close());

const crowdSize = 450;

async function findLogins(count: number): Promise<readonly string[]> {
  const { search, pool } = roster.modules;
  const logins: string[] = [];
  for (let offset = 0; logins.length < count; offset += 100) {
    const { hits } = await search.find({ location: "worldwide", maxResults: 100, offset });
    const cards = await pool.cards(hits.map(({ rowId }) => rowId));
    logins.push(...hits.flatMap(({ rowId }) => cards.get(rowId)?.login ?? []));
  }
  return logins.slice(0, count);
}

const count = (email = "lead@corp.example") => countCalls(roster, email);

async function complete(query: Record<string, string>, person = lead) {
  const { status, text } = await person.open(`/who/terms?${new URLSearchParams(query)}`);
  const { terms = [] } = status === 200 ? JSON.parse(text) : {};
  return { status, names: (terms as { name: string }[]).map(({ name }) => name) };
}

describe("completion", () => {
  test("names repositories by any part, and paths folder by folder, ten at most, for no call", async () => {
    const before = await count();
    expect(await complete({ field: "repository", q: "ONYX" })).toEqual({
      ...{ status: 200, names: [repository] },
    });
    expect((await complete({ field: "repository", q: "part" })).names.length).toBe(10);
    const paths = async (q: string) =>
      (await complete({ field: "path", repository: "onyx-vault", q })).names;
    expect(await paths("s")).toEqual(["services/", "docs/"]);
    expect(await paths("/services/pay")).toEqual(["services/payments/"]);
    expect((await paths("services/payments/")).map((path) => path.slice(18))).toEqual([
      ...["README.md", "api/", "jobs/", "model/", "store/"],
    ]);
    expect((await paths("services/payments/api/")).length).toBe(7);
    expect(await paths("services/payments/read")).toEqual(["services/payments/README.md"]);
    // Without a known repository no path is completed.
    expect((await complete({ field: "path", q: "s" })).names).toEqual([]);
    expect((await complete({ field: "path", q: "s", repository: "nothing" })).names).toEqual([]);
    expect(await count()).toBe(before);
  });

  test("takes anything, and is for who is signed in", async () => {
    const hostile = ["", "\0", "%", "../..", "x".repeat(5000), "\ud800", "'; drop", "שלום", "//"];
    for (const q of hostile) {
      for (const field of ["path", "repository", "nothing", ""]) {
        const { status } = await complete({ field, q, repository: field === "" ? q : repository });
        expect([q, field, status < 500]).toEqual([q, field, true]);
      }
    }
    const stranger = await openPerson(roster).ask("/who/terms?field=repository&q=demo");
    expect([stranger.status, stranger.text.includes("onyx")]).toEqual([303, false]);
  });
});

describe("a slip of the keyboard", () => {
  test("in any field says what is near, and costs no call", async () => {
    roster.clock.advance(61);
    const before = await count();
    const slips: readonly (readonly [query: string, status: number, told: string])[] = [
      ["repository=onyx-valt", 404, 'did you mean "onyx-vault"?'],
      ["repository=nothing-like-it", 404, "no known repository has the name"],
      [`repository=${repository}&path=servces/paymnts`, 404, 'did you mean "services/payments"?'],
      [
        `repository=${repository}&path=services/payments/x.java`,
        404,
        'the nearest folder is "services/payments"',
      ],
      ["path=services/nowhere/at/all", 404, "no repository has a file or folder"],
      ["path=services/payments", 400, "repositories have this path; name one"],
      ["package=npm:no-such-thing", 404, "makes or imports"],
      [`package=npm:x&path=docs&repository=${repository}`, 400, "cannot be given together"],
      [`repository=${repository}&asOf=2026-02-31`, 400, '"As of" must be a day'],
      [
        `repository=${repository}&without=valentina-vientonuevo-exampel`,
        ...([404, 'did you mean "valentina-vientonuevo-example"?'] as const),
      ],
      [`repository=${repository}&without=qqqqqqqqqqqqqqqq`, 404, "nobody has the login"],
      [`repository=onyx-valt&without=valentina-vientonuevo-example`, 404, "onyx-vault"],
      [`repository=${"x".repeat(300)}`, 404, "no known repository"],
      [
        `repository=${repository}&without=${"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v"}`,
        400,
        "20",
      ],
    ];
    for (const [query, status, told] of slips) {
      const page = await lead.open(`/who?${query}`);
      expect([query, page.status, readable(page.text)]).toEqual([
        ...[query, status, expect.stringContaining(told)],
      ] as never);
      expect(readable(page.text)).not.toContain("This page counted");
    }
    expect(await count()).toBe(before);
  });

  test("is mended by a link, which asks what was meant", async () => {
    const slips = [
      ["repository=onyx-valt", "Who knows onyx-vault"],
      [`repository=${repository}&path=/servces//paymnts/`, "Who knows services/payments"],
      [
        `repository=${repository}&without=valentina-vientonuevo-exampel`,
        "Hand-over: Valentina Vientonuevo, demo-guild/onyx-vault",
      ],
    ] as const;
    for (const [query, told] of slips) {
      const { text } = await lead.open(`/who?${query}`);
      const link = /<a href="([^"]+)">Ask for /.exec(text)?.[1] ?? "";
      const mended = await lead.open(link.replaceAll("&amp;", "&"));
      expect([query, mended.status, readable(mended.text)]).toEqual([
        ...[query, 200, expect.stringContaining(told)],
      ] as never);
    }
  });
});

describe("more of an answer", () => {
  test("is everybody, a hundred a page and all in one table, best first, each once", async () => {
    roster.clock.advance(61);
    const before = await count();
    const query = "?repository=acme/crowd";
    const page = readable((await lead.open(`/who${query}`)).text);
    const total = Number(/All (\d+) people/.exec(page)?.[1]);
    expect(total).toBeGreaterThan(300);
    const pages = Array.from({ length: Math.ceil(total / 100) }, (_, at) => at + 1);
    const listed: string[] = [];
    for (const number of pages) {
      const { text } = await lead.open(`/who/people${query}&page=${number}`);
      const names = [...text.matchAll(/<th scope="row".*?<a href="\/developers\/([^"]+)"/gs)];
      listed.push(...names.map(([, login = ""]) => decodeURIComponent(login)));
      const to = Math.min(total, 100 * number);
      expect(readable(text)).toContain(`${100 * number - 99} to ${to}`);
    }
    expect([listed.length, new Set(listed).size]).toEqual([total, total]);
    const table = (await lead.open(`/who/people.csv${query}`)).text.trim().split("\r\n").slice(1);
    expect(table.map((row) => row.split(",")[0])).toEqual(listed as never);
    expect(await count()).toBe(before + 1);
  });

  test("folders, all people, and the tables of all cost nothing, however long the page was open", async () => {
    roster.clock.advance(61);
    const before = await count();
    const first = await lead.open(asked);
    expect(readable(first.text)).toContain("This page counted as one call");
    expect(await count()).toBe(before + 1);
    roster.clock.advance(3600);
    const query = asked.slice(asked.indexOf("?"));
    for (const path of [
      `${asked}&open=services`,
      `${asked}&open=services/payments/api`,
      `${asked}&open=services/payments/api/client.ts`,
      `${asked}&open=nowhere`,
      `/who/people${query}`,
      `/who/people${query}&page=2`,
      `/who/people${query}&order=active`,
      `/who/people${query}&page=99`,
      `/who/people${query}&page=-1`,
      `/who/people.csv${query}`,
    ]) {
      expect([path, (await lead.open(path)).status]).toEqual([path, 200]);
    }
    expect(await count()).toBe(before + 1);
    // The question itself counts again after an hour.
    await lead.open(asked);
    expect(await count()).toBe(before + 2);
  });
});
