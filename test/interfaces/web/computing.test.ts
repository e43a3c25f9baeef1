/** What pages make search and knowledge do: nothing outside a call, and nothing for an account that has spent its quota. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openTestAppliance } from "../../appliance.ts";
import { form, invited, type Person, readable } from "./person.ts";

const repository = "demo-guild/onyx-vault";
const ofRepository = `repository=${encodeURIComponent(repository)}`;
const quota = { countInvalid: true, trialDays: undefined, lookupsPerMinute: 30 };
const roster = await openTestAppliance({ config: { quota } });
const { modules } = roster;
afterAll(() => roster.close());

let turns = 0;
let asked: string[] = [];
let outside: string[] = [];

const { enter } = modules.admission;
Object.assign(modules.admission, {
  enter: () => {
    const leave = enter();
    turns += 1;
    return () => {
      turns -= 1;
      leave();
    };
  },
});
watch(modules.search, [
  ...["find", "explain", "findPeople", "lookUp", "countRoleScores", "matchedKeywords"],
]);
watch(modules.knowledge, [
  ...["ask", "recentWork", "firstKnowers", "completeRepository", "completePath", "measureOwners"],
]);

function watch(module: object, names: readonly string[]): void {
  const own = module as Record<string, (...given: unknown[]) => unknown>;
  for (const name of names) {
    const real = own[name]?.bind(module);
    if (!real) throw new Error(`there is no ${name}`);
    own[name] = (...given) => {
      asked.push(name);
      if (turns === 0) outside.push(name);
      return real(...given);
    };
  }
}

beforeEach(() => {
  roster.clock.advance(61);
  asked = [];
  outside = [];
});

const login = "ada-example";
const pages = [
  "/",
  "/?location=worldwide",
  "/?location=Brelin",
  "/?skills=Go&languages=COBOL&location=Berlin",
  "/?role=go+backend",
  "/search/people.csv?location=worldwide",
  "/search/terms?field=languages&q=ja",
  "/search/news?revision=0&people=0&skills=Go",
  "/find?text=ada",
  "/find/names?q=ada",
  `/developers/${login}`,
  `/developers/${login}?skills=Go`,
  `/compare?login=${login}&login=ben-example&skills=Go`,
  "/who",
  `/who?${ofRepository}`,
  `/who?${ofRepository}&open=services`,
  `/who?${ofRepository}&asOf=2025-03-01`,
  `/who?${ofRepository}&path=servces`,
  `/who/people?${ofRepository}`,
  `/who/people.csv?${ofRepository}`,
  `/who/handover.csv?${ofRepository}&without=${login}`,
  `/who/terms?field=path&${ofRepository}&q=serv`,
  ...["/saved", "/saved/add", "/docs", "/account"],
];
const diff = Array.from({ length: 500 }, (_, at) => `made/up-${at}.ts`).join("\n");

async function visit(person: Person): Promise<void> {
  for (const path of pages) {
    expect([path, (await person.open(path)).status < 500]).toEqual([path, true]);
    // Again, from the cached answer.
    await person.open(path);
    roster.clock.advance(5);
  }
  await person.send("/who/review", "review", { diff });
}

describe("search and knowledge", () => {
  test("are asked by pages only while a call or throttled work has a turn", async () => {
    await visit(await invited(roster, "lead@corp.example"));
    expect(asked.length).toBeGreaterThan(20);
    expect(outside).toEqual([]);
  });

  test("are not asked for an account without calls, but for look-ups", async () => {
    const spent = await invited(roster, "spent@corp.example", { callsPerMonth: 1 });
    await spent.open("/find?text=ben");
    roster.clock.advance(61);
    asked = [];
    await visit(spent);
    expect([...new Set(asked)].sort()).toEqual(["completePath", "findPeople", "lookUp"]);
    expect(outside).toEqual([]);
  });
});

describe("what costs no call", () => {
  const countRefused = async (person: Person, paths: readonly string[]) => {
    let refused = 0;
    for (const path of paths) if ((await person.open(path)).status === 429) refused += 1;
    return refused;
  };
  const times = (path: (at: number) => string) => Array.from({ length: 40 }, (_, at) => path(at));

  test("is throttled: slips before they are answered, tables, other filters", async () => {
    const lead = await invited(roster, "often@corp.example");
    await lead.open(`/who?${ofRepository}`);
    roster.clock.advance(61);
    asked = [];
    expect(
      await countRefused(
        lead,
        times((at) => `/who?${ofRepository}&path=servce-${at}`),
      ),
    ).toBe(10);
    expect(asked.filter((name) => name === "ask").length).toBe(30);
    roster.clock.advance(61);
    expect(
      await countRefused(
        lead,
        times(() => `/who/people.csv?${ofRepository}`),
      ),
    ).toBe(10);
    roster.clock.advance(61);
    await lead.open(`/developers/${login}`);
    asked = [];
    for (const path of times((at) => `/developers/${login}?skills=Go,x${at}`))
      await lead.open(path);
    expect(asked.filter((name) => name === "explain").length).toBeLessThanOrEqual(15);
  });

  test("a question that is counted takes nothing from the look-ups", async () => {
    const lead = await invited(roster, "many@corp.example");
    const asOf = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10);
    const questions = times((at) => `/who?${ofRepository}&asOf=${asOf(at)}`);
    expect(await countRefused(lead, questions)).toBe(0);
  });

  test("more of an answer is closed without calls, and the same again is not", async () => {
    const last = await invited(roster, "last@corp.example", { callsPerMonth: 1 });
    const page = await last.open(`/who?${ofRepository}`);
    expect(page.status).toBe(200);
    expect((await last.open(`/who?${ofRepository}`)).status).toBe(200);
    const more = [`/who?${ofRepository}&open=services`, `/who/people.csv?${ofRepository}`];
    expect(await countRefused(last, more)).toBe(2);
    const sent = await last.ask(
      "/who/review",
      form({ token: await last.tokenOn("/who/review"), act: "review", diff }),
    );
    expect([sent.status, readable(sent.text).includes("1 call")]).toEqual([429, true]);
  });
});
