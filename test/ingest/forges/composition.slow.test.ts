/** People of git's authors and of forges' accounts together: who is who, in any order of runs, and what counts. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { addSource, listSources } from "../../../src/ingest/forges/sources.ts";
import { putPage } from "../../../src/ingest/forges/walk-pages.ts";
import { openWalk } from "../../../src/ingest/forges/walks.ts";
import { ingestPeople } from "../../../src/ingest/ingest.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { inventRepository } from "../git/invented-repository.ts";
import { judgeAsOf } from "../git/opened-data.ts";
import { listCommits, openForgeData, setOrigin } from "./ingesting.ts";
import { type InventedAccount, type InventedForge, inventForge } from "./invented-forge.ts";

const folder = makeFolder("git");
let made = 0;

/** Three authors: by noreply address, by the profile's address, by an address that only a commit tells of. */
function fill(forge: InventedForge): string {
  forge.accounts.set(11, { login: "ada", name: "Ada Forge", location: "Berlin", followers: 7 });
  for (const [number, login, name] of [
    [12, "ben", "Ben Forge"],
    [13, "cleo", "Cleo Forge"],
  ] as const) {
    const email = `${login}@corp.example`;
    forge.accounts.set(number, { login, name, location: "Berlin", email });
  }
  forge.accounts.set(14, { login: "dora", location: "Paris" });
  forge.accounts.set(15, { login: "hidden-hana", name: "Hana Hidden", visibility: "private" });
  forge.accounts.set(16, { login: "limited-lena", visibility: "limited" });
  forge.repositories.set(1, { owner: 11, name: "queue", stars: 40 });
  forge.repositories.set(2, { owner: 11, name: "notes", stars: 3 });
  forge.repositories.set(3, { owner: 11, name: "secret-plans", stars: 0, isPrivate: true });
  const authors = [
    "Ada Forge <11+ada@noreply.forge.example>",
    "Ben F. <ben@corp.example>",
    "C. <cleo@home.example>",
  ];
  const commits = Array.from({ length: 12 }, (_, at) => ({ author: authors[at % 3] as string }));
  const path = inventRepository(join(folder, `${made++}`, "queue.git"), commits);
  setOrigin(path, `${forge.url}/ada/queue.git`);
  for (const { sha, email } of listCommits(path)) {
    forge.authors.set(sha, email.startsWith("11+") ? 11 : email.startsWith("ben") ? 12 : 13);
  }
  return path;
}

/** What git tells, and then the forge. */
async function openBoth(forge: InventedForge) {
  const path = fill(forge);
  const data = openForgeData();
  await data.ingestGit([path]);
  await data.ingestFrom(forge.url);
  return { data, path };
}

describe("git's authors and a forge's accounts", () => {
  test("are one person each, by each of three kinds of evidence", async () => {
    await using forge = inventForge();
    const path = fill(forge);
    const data = openForgeData();
    await data.ingestGit([path]);
    const counts = { people: 4, repositories: 2, hidden: 3, warnings: [] };
    const report = await data.ingestFrom(forge.url);
    expect(report).toMatchObject({ isComplete: true, ...counts });
    expect(await data.pool.size()).toBe(4);
    for (const [login, number] of [
      ["ada", "11"],
      ["ben", "12"],
      ["cleo", "13"],
    ] as const) {
      const facts = await data.facts(login);
      expect(facts?.commits?.total).toBe(4);
      expect(facts?.supplements?.[0]?.profile).toMatchObject({ location: "Berlin" });
      const host = new URL(forge.url).host;
      expect(facts?.accounts).toEqual([{ forge: host, login, id: number }]);
    }
    // Nobody has commits without a repository that git read, and nobody loses a place for it.
    const dora = await data.facts("dora");
    expect([dora?.commits, dora?.source]).toEqual([undefined, new URL(forge.url).host]);
  });

  test("give the same bytes in any order of runs, and again", async () => {
    await using forge = inventForge();
    const path = fill(forge);
    const exports: string[] = [];
    let pushes = 0;
    for (const order of ["git forge", "forge git forge", "forge acme git forge again"]) {
      const data = openForgeData();
      const acme = { selections: [{ kind: "org", name: "acme" }] } as const;
      for (const run of order.split(" ")) {
        // Forges and git name a language, and an end of the history that a forge moves on at each comment.
        const updated = new Date(Date.UTC(2026, 10, 1) + pushes++ * 1000).toISOString();
        forge.repositories.set(1, { owner: 11, name: "queue", stars: 40, language: "C", updated });
        if (run === "git") await data.ingestGit([path]);
        else {
          const { counted } = await data.ingestFrom(forge.url, run === "acme" ? acme : {});
          const none = { added: 0, replaced: 0, removed: 0 };
          if (run === "again") expect(counted?.imported).toMatchObject(none);
        }
      }
      exports.push(await data.exported());
    }
    expect(exports[1]).toBe(exports[0] as string);
    expect(exports[2]).toBe(exports[0] as string);
    const alone = openForgeData();
    await alone.ingestGit([path]);
    const counted = (text: string) =>
      text.split("\n").flatMap((line) => JSON.parse(line).commits ?? []);
    const byFirst = (list: { first: string }[]) =>
      list.toSorted((a, b) => (a.first < b.first ? -1 : 1));
    expect(byFirst(counted(exports[0] as string))).toEqual(
      byFirst(counted(await alone.exported())),
    );
  });

  test("are the same people whether git or the forge came first, whoever's token asked", async () => {
    await using forge = inventForge();
    const path = fill(forge);
    for (const isAdministrator of [false, true]) {
      forge.isAdministrator = isAdministrator;
      const data = openForgeData();
      const readBoth = async () => {
        await data.ingestFrom(forge.url);
        const report = await data.ingestGit([path]);
        const people = await Promise.all(["ada", "ben", "cleo"].map(data.facts));
        return { report, work: people.map((one) => one?.commits?.total) };
      };
      const first = await readBoth();
      // What no list tells is the forge's to say: the run says that it has not been asked.
      expect(first.work).toEqual([4, 4, undefined]);
      expect(first.report).toMatchObject({ unasked: [{ source: "corp", addresses: 1 }] });
      const again = await readBoth();
      expect(again.work).toEqual([4, 4, 4]);
      expect(again.report).not.toHaveProperty("unasked");
    }
  });

  test("a host that only looks like the forge's for noreply addresses is not taken for it", async () => {
    await using forge = inventForge();
    fill(forge);
    forge.isAdministrator = true;
    const authors = [
      "Ada <11+ada@noreply.elsewhere.example>",
      "Ben <12+somebody@noreply.elsewhere.example>",
      "Cleo <13+cleo@users.noreply.github.com>",
    ];
    const commits = authors.map((author) => ({ author }));
    const path = inventRepository(join(folder, `${made++}`, "queue.git"), commits);
    setOrigin(path, `${forge.url}/ada/queue.git`);
    const data = openForgeData();
    await data.ingestFrom(forge.url);
    await data.ingestGit([path]);
    expect(listSources(data.forges)[0]?.noreplyHost).toBeUndefined();
    const people = (await Array.fromAsync(data.pool.facts())).flat();
    expect(people.filter(({ accounts, commits }) => accounts && commits)).toEqual([]);
    expect(people.filter(({ commits }) => commits)).toHaveLength(3);
  });

  test("a repository has git's counts and the forge's stars, and the owner is known by number", async () => {
    await using forge = inventForge();
    const { data } = await openBoth(forge);
    const [queue, notes, ...more] = (await data.facts("ada"))?.repositories ?? [];
    expect(queue).toMatchObject({ name: "ada/queue", owned: true, commits: 4, stars: 40 });
    expect(notes).toMatchObject({ name: "ada/notes", owned: true, stars: 3 });
    expect([notes?.commits, more.length]).toEqual([undefined, 0]);
    expect((await data.facts("ben"))?.repositories).toMatchObject([{ owned: false, stars: 40 }]);
    // Renamed: clones that have the old name are still hers.
    forge.accounts.set(11, { ...forge.accounts.get(11), login: "ada-new" });
    await data.ingestFrom(forge.url);
    const renamed = await data.facts("ada-new");
    expect(renamed?.repositories[0]).toMatchObject({ owned: true, commits: 4, stars: 40 });
    expect(renamed?.formerLogins).toContain("ada");
  });

  test("what a list of people says stays on top, and what the forge said is composed anew", async () => {
    await using forge = inventForge();
    const path = fill(forge);
    const data = openForgeData();
    await data.ingestFrom(forge.url);
    const list = join(folder, "hr.csv");
    await Bun.write(list, "email,location\nben@corp.example,Lisbon\n");
    const options = { pool: data.pool, judge: judgeAsOf, source: "hr" };
    // Nobody but the forge knows the address yet.
    expect((await ingestPeople(list, "csv", options)).matched).toBe(1);
    await data.ingestGit([path]);
    const { name: _, location: __, ...ben } = forge.accounts.get(12) as InventedAccount;
    forge.accounts.set(12, ben);
    await data.ingestFrom(forge.url);
    const facts = await data.facts("ben");
    expect(facts?.supplements?.map(({ source, profile }) => [source, profile.location])).toEqual([
      ["forges", undefined],
      ["people:hr", "Lisbon"],
    ]);
    expect(facts?.commits?.total).toBe(4);
    const [analysis] = await data.pool.findAnalyses(["ben"]);
    expect(JSON.stringify(analysis)).toContain("Lisbon");
  });

  test("two forges' accounts are one by an address of both, and two by a login alone", async () => {
    await using forge = inventForge();
    await using other = inventForge();
    const path = fill(forge);
    const about = { location: "Oslo", email: "ben@corp.example", followers: 99 };
    other.accounts.set(11, { login: "benedikt", ...about });
    other.accounts.set(12, { login: "cleo", location: "Bergen" });
    const data = openForgeData();
    await data.ingestFrom(other.url, { id: "other" });
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    const people = (await Array.fromAsync(data.pool.facts())).flat();
    const ben = people.find(({ accounts = [] }) => accounts.length === 2);
    const hosts = [forge.url, other.url].map((url) => new URL(url).host).sort();
    expect(ben?.accounts?.map((account) => account.forge)).toEqual(hosts);
    expect(ben?.commits?.total).toBe(4);
    // Of the first forge alone, never a sum.
    const first = hosts[0] === new URL(other.url).host ? 99 : 0;
    expect(ben?.supplements?.[0]?.profile.followers).toBe(first);
    const cleos = people.filter(({ login }) => login.startsWith("cleo"));
    expect(cleos.map(({ login }) => login).sort()).toEqual(["cleo", "cleo@127.0.0.1"]);
    expect(cleos.filter(({ commits }) => commits)).toHaveLength(1);
  });

  test("are a bot when the forge says so, whatever its commits say", async () => {
    await using forge = inventForge();
    const { data } = await openBoth(forge);
    const host = new URL(forge.url).host;
    const source = { id: "b", kind: "gitea", url: forge.url, forge: `${host}/b` } as const;
    addSource(data.forges, { ...source, selections: [] });
    const walk = openWalk(data.forges, "b", [{ name: "people", ask: "people" }]);
    const addresses = [{ address: "ben@corp.example", isPublished: false }];
    const account = { number: "1", login: "ben-ci", isBot: true, profile: {}, addresses };
    const page = { accounts: [account], repositories: [], hidden: 0, next: undefined };
    putPage(walk, { name: "people", ask: "people" }, page, () => false);
    await data.ingestGit([]);
    expect(await data.facts("ben")).toMatchObject({
      ...{ class: "bot", commits: { total: 4 } },
      classReason: `${host}/b says that the account is a bot's.`,
    });
  });

  test("an address of two accounts, and a generic one, join nobody", async () => {
    await using forge = inventForge();
    const path = fill(forge);
    forge.accounts.set(14, { login: "dora", email: "ben@corp.example" });
    forge.authors.clear();
    const data = openForgeData();
    await data.ingestGit([path]);
    await data.ingestFrom(forge.url);
    for (const login of ["ben", "dora"]) expect((await data.facts(login))?.commits).toBeUndefined();
  });
});

describe("an account", () => {
  test("that takes over a login is another person, and who lost it is renamed in the same run", async () => {
    await using forge = inventForge();
    const { data } = await openBoth(forge);
    forge.accounts.set(11, { login: "ada-again", name: "Ada Forge", location: "Rome" });
    forge.accounts.set(21, { login: "ada", name: "Another Ada", location: "Oslo" });
    await data.ingestFrom(forge.url);
    const [old, taken] = [await data.facts("ada-again"), await data.facts("ada")];
    expect([old?.commits?.total, old?.accounts?.[0]?.id]).toEqual([4, "11"]);
    expect([taken?.commits, taken?.accounts?.[0]?.id]).toEqual([undefined, "21"]);
    expect(taken?.supplements?.[0]?.profile.location).toBe("Oslo");
    expect(old?.formerLogins ?? []).not.toContain("ada");
  });

  test("that is gone once stays, and gone twice leaves; the commits stay under a derived login", async () => {
    await using forge = inventForge();
    const { data } = await openBoth(forge);
    forge.accounts.delete(12);
    await data.ingestFrom(forge.url);
    expect((await data.facts("ben"))?.supplements?.[0]?.profile.location).toBe("Berlin");
    await data.ingestFrom(forge.url);
    expect(await data.facts("ben")).toBeUndefined();
    const people = (await Array.fromAsync(data.pool.facts())).flat();
    const { commits, supplements, accounts } = people.find((one) => one.derivedLogin) ?? {};
    expect([commits?.total, supplements, accounts]).toEqual([4, undefined, undefined]);
  });

  test("that paging skips since another was deleted meanwhile is asked for, and stays", async () => {
    await using forge = inventForge();
    fill(forge);
    for (let id = 30; id < 40; id++) forge.accounts.set(id, { login: `person${id}` });
    const data = openForgeData();
    await data.ingestFrom(forge.url);
    const before = await data.pool.size();
    forge.before = (path) => {
      // After its first page, so that the next one begins too late.
      const isSecond = forge.asked.at(-1)?.url.includes("page=2");
      if (path === "users/search" && isSecond) forge.accounts.delete(11);
      return undefined;
    };
    await data.ingestFrom(forge.url);
    forge.before = () => undefined;
    await data.ingestFrom(forge.url);
    await data.ingestFrom(forge.url);
    expect(await data.pool.size()).toBe(before - 1);
  });

  test("nobody leaves when more than a fifth is missing", async () => {
    await using forge = inventForge();
    for (let id = 1; id <= 20; id++) forge.accounts.set(id, { login: `person${id}` });
    const data = openForgeData();
    await data.ingestFrom(forge.url);
    for (let id = 1; id <= 8; id++) forge.accounts.delete(id);
    for (let times = 0; times < 3; times++) {
      const { warnings } = await data.ingestFrom(forge.url);
      expect(warnings[0]).toContain("8 of 20 people are no longer in the lists of source corp");
    }
    expect(await data.pool.size()).toBe(20);
  });
});
