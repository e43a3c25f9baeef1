/** What somebody meets who has just signed in: steps that tick themselves off, and searches that find people. */
import { afterAll, describe, expect, test } from "bun:test";
import type { Facts } from "../../../../src/contract/people/facts.ts";
import { openTestAppliance, type TestAppliance } from "../../../appliance.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { countCalls, goodPassword, invited, type Person, readable } from "../person.ts";

const opened: TestAppliance[] = [];
afterAll(async () => {
  for (const roster of opened) await roster.close();
});

/** Opens an appliance in which only the first administrator has an account. */
async function openFirst(options: Parameters<typeof openTestAppliance>[0]): Promise<{
  readonly roster: TestAppliance;
  readonly boss: Person;
}> {
  const roster = await openTestAppliance(options);
  opened.push(roster);
  const boss = await invited(roster, "boss@corp.example", { administrator: true });
  const { list, setDisabled } = roster.modules.accounts;
  for (const { email } of await list()) {
    if (email !== "boss@corp.example") await setDisabled(email, true);
  }
  return { roster, boss };
}

async function importPeople({ modules, judge, clock }: TestAppliance, people: readonly Facts[]) {
  const assess = judge(clock.now().toISOString().slice(0, 10));
  const load = await modules.pool.beginImport("git");
  await load.put(people.map(assess));
  await load.removeSource("demo");
  await load.commit();
  await modules.search.refresh();
}

const readSteps = async (person: Person) => {
  const { text } = await person.open("/");
  const [, steps] = /<ol class="steps">(.*?)<\/ol>/.exec(text) ?? [];
  return [...(steps ?? "").matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, title = ""]) =>
    readable(title).replace("✓", "").replace(" : ", ": ").trim(),
  );
};

/** The suggested searches on the start page: their addresses, and how many people each promises. */
const readSuggestions = async (person: Person) => {
  const { text } = await person.open("/");
  const [, line = ""] = /<p class="small examples">(.*?)<\/p>/.exec(text) ?? [];
  return [
    ...line.matchAll(/<a href="([^"]+)">(.*?)<\/a> <span class="number muted">([\d,]+)</g),
  ].map(([, href = "", name = "", people = ""]) => ({
    ...{ path: href.replaceAll("&amp;", "&"), name },
    people: Number(people.replaceAll(",", "")),
  }));
};

const gitOnly: readonly Facts[] = inventedPeople.slice(0, 6).map(({ profile: _, ...facts }) => ({
  ...facts,
  ...{ source: "git", profile: {}, derivedLogin: true },
}));

describe("first steps", () => {
  test("tick themselves off by what exists, and go when all are done", async () => {
    const { roster, boss } = await openFirst({ people: [], config: { demo: true } });
    expect(await readSteps(boss)).toEqual([
      "Run a search",
      "Add your repositories",
      "Invite someone",
    ]);
    await boss.open("/?location=Berlin");
    expect((await readSteps(boss))[0]).toBe("Run a search: done");
    const accounts = roster.modules.accounts;
    await accounts.createWithoutKey({ email: "colleague@corp.example", plan: "pro" });
    expect(await readSteps(boss)).toEqual([
      "Run a search: done",
      "Add your repositories",
      "Invite someone: done",
    ]);
    await importPeople(roster, gitOnly);
    expect(await readSteps(boss)).toEqual([]);
    // A new month has no calls yet; the steps stay done.
    roster.clock.advance(20 * 86_400);
    const credentials = { email: "boss@corp.example", password: goodPassword };
    expect((await boss.send("/sign-in", "sign-in", credentials)).text).toContain("Sign out");
    expect(await countCalls(roster, "boss@corp.example")).toBe(0);
    expect(await readSteps(boss)).toEqual([]);
  });

  test("of somebody who is no administrator are those that they can do", async () => {
    const { roster } = await openFirst({ people: [], config: { demo: true } });
    const user = await invited(roster, "user@corp.example");
    expect(await readSteps(user)).toEqual(["Run a search"]);
    await user.open("/developers/ada-example");
    expect(await readSteps(user)).toEqual([]);
  });
});

describe("suggested searches", () => {
  for (const [what, options] of [
    ["invented people", { people: [], config: { demo: true } }],
    ["people with places", {}],
    ["people of git alone", { people: gitOnly }],
  ] as const) {
    test(`are made of what ${what} have: each finds as many as it says, and showing them costs nothing`, async () => {
      const { roster, boss } = await openFirst(options);
      const suggested = await readSuggestions(boss);
      expect(suggested.length).toBeGreaterThanOrEqual(3);
      expect(await countCalls(roster, "boss@corp.example")).toBe(0);
      for (const { path, people } of suggested) {
        expect(people).toBeGreaterThan(0);
        const page = await boss.open(path);
        const [, found = ""] = /id="found">([\d,]+) /.exec(page.text) ?? [];
        expect([path, page.status, Number(found.replaceAll(",", ""))]).toEqual([path, 200, people]);
      }
    });
  }

  test("name no place where nobody has one; the page says why, and what would give places", async () => {
    const { boss, roster } = await openFirst({ people: gitOnly });
    const user = await invited(roster, "user@corp.example");
    for (const { path } of await readSuggestions(boss)) expect(path).not.toContain("location=");
    for (const path of ["/", "/?location=Berlin"]) {
      const words = readable((await boss.open(path)).text);
      expect(words).toContain("No one here has a known place");
      expect((await boss.open(path)).text).toContain('href="/admin/sources"');
      const theirs = (await user.open(path)).text;
      expect(readable(theirs)).toContain("An administrator can add one");
      expect(theirs).not.toContain('href="/admin/sources"');
    }
  });

  test("are none in an empty pool, which says so; a place that few have is no reason to say that nobody has one", async () => {
    const empty = await openFirst({ people: [] });
    expect(await readSuggestions(empty.boss)).toEqual([]);
    expect(readable((await empty.boss.open("/")).text)).toContain("No one is here yet");
    const placed = await openFirst({});
    expect(readable((await placed.boss.open("/")).text)).not.toContain("has a known place");
  });
});

describe("an open page", () => {
  const ask = async (person: Person, page: string) => {
    // Relative to the search, so that it is right below a base path.
    const [, path = ""] = /data-news="(search\/news[^"]+)" hidden/.exec(page) ?? [];
    const answer = await person.ask(`/${path.replaceAll("&amp;", "&")}`);
    return JSON.parse(answer.text) as object;
  };

  test("hears that people have come or gone, of no search anything, and pays nothing", async () => {
    const { roster, boss } = await openFirst({ people: gitOnly.slice(0, 2) });
    const [everybody, cobol] = [await boss.open("/"), await boss.open("/?languages=COBOL")];
    const used = await countCalls(roster, "boss@corp.example");
    expect(await ask(boss, everybody.text)).toEqual({ isNew: false });
    await importPeople(roster, gitOnly.slice(0, 3));
    expect(await ask(boss, everybody.text)).toEqual({ isNew: true });
    expect(await ask(boss, cobol.text)).toEqual({ isNew: true });
    const after = await boss.open("/");
    expect(await ask(boss, after.text)).toEqual({ isNew: false });
    const load = await roster.modules.pool.beginImport("git");
    await load.remove([gitOnly[0]?.login ?? ""]);
    await load.commit();
    await roster.modules.search.refresh();
    expect(await ask(boss, after.text)).toEqual({ isNew: true });
    const asked = await boss.ask("/search/news?revision=1&people=0&demo=&skills=Rust&years=abc");
    expect([asked.status, JSON.parse(asked.text)]).toEqual([200, { isNew: true }]);
    expect(await countCalls(roster, "boss@corp.example")).toBe(used);
  });
});
