/** What the start page shows of the pool: of nothing, of the demo, and of repositories that were read. It costs no call. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../../../appliance.ts";
import { openDemoAppliance } from "../../../demo-appliance.ts";
import { inventedAuthors, inventedRepository } from "../../../invented-authorship.ts";
import { inventedPeople } from "../../../invented-people.ts";
import { countCalls, invited, readable } from "../person.ts";

const opened: TestAppliance[] = [];
afterAll(async () => {
  for (const roster of opened) await roster.close();
});

async function open(roster: TestAppliance) {
  opened.push(roster);
  const { modules } = roster;
  const boss = await invited(roster, "boss@corp.example", { administrator: true });
  const user = await invited(roster, "user@corp.example");
  /** @returns the words of a panel of the start page; empty without the panel. */
  const readPanel = async (id: string) => {
    const { text } = await user.open("/");
    const [, panel = ""] =
      new RegExp(`<section class="card" id="${id}"(.*?)</section>`).exec(text) ?? [];
    return readable(panel);
  };
  return { roster, modules, boss, user, readPanel };
}

describe("the start page", () => {
  test("of an empty pool has one thing to do, for those who can do it", async () => {
    const { boss, user } = await open(await openTestAppliance({ people: [] }));
    const [theirs, own] = [(await user.open("/")).text, (await boss.open("/")).text];
    for (const text of [theirs, own]) {
      expect(text).toContain("No one is here yet");
      expect(text).not.toMatch(/id="(pool-repositories|busy|new-people|first-steps)"/);
    }
    expect(own).toContain('<a class="button" href="/admin/sources">Add a source</a>');
    expect(theirs).not.toContain("/admin/sources");
  });

  test("of the demo shows ten repositories, and says that all of it is invented", async () => {
    const { roster, boss, user } = await open(await openDemoAppliance());
    const { text } = await boss.open("/");
    expect(readable(text)).toContain(
      "Demo data: everyone here is invented. Add your own repositories",
    );
    expect(readable((await user.open("/")).text)).not.toContain("Add your own repositories");
    expect(text.match(/<tr><th scope="row"/g)?.length).toBe(10);
    expect(text.match(/<a href="\/who\?repository=/g)?.length).toBe(10);
    expect(readable(text)).toMatch(
      /people 5,000 repositories 10 active in 8 weeks \d+ data ends 28 Oct 2026/,
    );
    expect(await countCalls(roster, "boss@corp.example")).toBe(0);
  });
});

describe("of repositories that were read", () => {
  let stage: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    // The appliance has the history of the invented people, which ends on 20 October 2026.
    stage = await open(await openTestAppliance());
  });

  test("it names who knows them best, in the order of who knows", async () => {
    const { name, lastDay } = inventedRepository;
    const question = { repository: name, paths: [], asOfDay: lastDay };
    const answer = await stage.modules.knowledge.ask(question);
    if (!("people" in answer)) throw new Error(answer.message);
    const { text } = await stage.user.open("/");
    const row = /<tr><th scope="row".*?<\/tr>/.exec(text)?.[0] ?? "";
    expect(row).toContain(`href="/who?repository=${encodeURIComponent(name)}"`);
    expect([...row.matchAll(/href="\/developers\/([^"]+)"/g)].map(([, login]) => login)).toEqual(
      answer.people.filter(({ hasLeft }) => !hasLeft).map(({ login }) => login),
    );
    expect(readable(row)).toContain("20 Oct 2026");
  });

  test("it counts the last weeks of the data, and shows who is new by all their work", async () => {
    const { roster, modules, readPanel } = stage;
    const busy = await readPanel("busy");
    for (const name of ["Ada Example", "chloe-specimen"]) expect(busy).toContain(name);
    expect(busy).not.toContain("Ben Sample");
    const none = { commit: new Uint32Array(), author: new Uint32Array(), kind: new Uint8Array() };
    const columns = { ...inventedRepository.columns, others: none };
    const { authorship } = modules.pool;
    await authorship.replace({ ...inventedRepository, fingerprint: "2", columns });
    await authorship.nameAuthors(inventedRepository.key, inventedAuthors);
    // Chloe's first commit to the repository is new now, but she has worked elsewhere for years.
    expect(await readPanel("new-people")).toBe("");
    const late = inventedPeople.find(({ login }) => login === "chloe-specimen");
    if (!late?.commits) throw new Error("she has commits");
    const commits = { ...late.commits, first: "2026-10-20" };
    const load = await modules.pool.beginImport("test");
    await load.put([roster.judge("2026-11-21")({ ...late, commits })]);
    await load.commit();
    expect(await readPanel("new-people")).toContain("chloe-specimen");
  });

  test("somebody who is forgotten is gone from it at once", async () => {
    const read = async () => (await stage.user.open("/")).text.toLowerCase();
    expect(await read()).toContain("ada example");
    await stage.modules.pool.erasing.hide("ada-example");
    const text = await read();
    expect(text).toContain("onyx-vault");
    for (const name of ["ada example", "ada-example"]) expect(text).not.toContain(name);
  });
});
