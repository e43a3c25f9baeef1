/** What is said of people must reach those who are counted already, and be as if it had always been said. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStoredHistory } from "../../../../src/ingest/git/ledger/histories.ts";
import { forgetLocations, listLocations } from "../../../../src/ingest/git/ledger/locations.ts";
import {
  createIdentityOverview,
  readOperatorFiles,
  recordDecision,
} from "../../../../src/ingest/ingest.ts";
import { readRankedRows } from "../../../pool/ranked-rows.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { ada, ben, type InventedCommit, inventRepository } from "../invented-repository.ts";
import { openData as openInMemory } from "../opened-data.ts";
import { asOf } from "../read.ts";

const folder = makeFolder("git");
let made = 0;
const adaAtWork = "Ada Example <a.example@work.example.org>";
const adaOnForge = "Ada E <7+ada-example@users.noreply.github.com>";
const benOnForge = "Ben Sample <9+ben-sample@users.noreply.github.com>";
const robot = "nightly[bot] <nightly@build.example.com>";

/** A pool and a ledger as a data folder has them, in memory; `names` as the setting has it. */
function openData(names: "repository" | "off" = "off") {
  const { pool, ledger, exported, all, ...opened } = openInMemory();
  let paths: Parameters<typeof readOperatorFiles>[0] = {
    ...{ aliasFile: undefined, classFile: undefined, names },
  };
  const files = () => readOperatorFiles(paths);
  const say = (kind: "aliasFile" | "classFile", text: string): void => {
    const path = join(folder, `${kind}-${made++}`);
    writeFileSync(path, text);
    paths = { ...paths, [kind]: path };
  };
  const ingest = (at: readonly string[] = []) => opened.ingest(at, { files: files() });
  const sources = () => ({ ledger, pool, files: files(), asOf });
  const decide = (kind: "merge" | "split") => (a: string, b: string, reason?: string) =>
    recordDecision(sources(), kind, { a, b, reason, by: "operator" });
  const asked = () => createIdentityOverview(sources());
  const find = async (text: string) => (await asked()).find(text);
  const logins = async () =>
    (await pool.logins()).map((login) => login.replace(/-[0-9a-f]{6}$/, "-*"));
  const verbs = { merge: decide("merge"), split: decide("split") };
  return { pool, ledger, say, ingest, asked, find, ...verbs, exported, all, logins };
}

function invent(...commits: readonly InventedCommit[]): string {
  return inventRepository(join(folder, `repository-${made++}`), commits);
}

const four = () =>
  invent({ author: ada }, { author: adaAtWork }, { author: adaOnForge }, { author: ben });

describe("the alias file", () => {
  test("makes one of two at the next run without a path, and nothing is read for it", async () => {
    const data = openData();
    await data.ingest([four()]);
    expect(await data.logins()).toEqual(["a.example-*", "ada-*", "ada-example", "ben-*"]);
    const work = "<ada@example.com> <a.example@work.example.org>";
    data.say("aliasFile", `Ada L. Example <github.com/ada-example> <ada@example.com>\n${work}\n`);
    const report = await data.ingest();
    expect(report).toMatchObject({ aliases: 2, developers: { human: 2 }, unheeded: [] });
    expect(await data.logins()).toEqual(["ada-example", "ben-*"]);
    expect((await data.pool.findFacts(["ada-example"]))[0]).toMatchObject({
      profile: { name: "Ada L. Example" },
      commits: { total: 3 },
    });
    expect((await data.ingest()).imported).toMatchObject({ replaced: 0, unchanged: 2 });
    data.say("aliasFile", "");
    await data.ingest();
    expect(await data.logins()).toEqual(["a.example-*", "ada-*", "ada-example", "ben-*"]);
  });

  test("an address that nobody has still brings two together", async () => {
    const data = openData();
    data.say(
      "aliasFile",
      "<new@example.com> <ada@example.com>\n<new@example.com> <a.example@work.example.org>\n",
    );
    await data.ingest([four()]);
    expect(await data.logins()).toEqual(["ada-*", "ada-example", "ben-*"]);
  });

  test("goes before the repository's mailmap, and keeps two apart whom that has made one", async () => {
    const mailmap = "Ada Example <ada@example.com> <ben@example.org>\n";
    const path = invent({ author: ada }, { author: ben }, { files: { ".mailmap": mailmap } });
    const data = openData();
    await data.ingest([path]);
    expect(await data.logins()).toEqual(["ada-*"]);
    data.say("aliasFile", "<ada@example.com> != <ben@example.org>\n");
    await data.ingest();
    expect(await data.logins()).toEqual(["ada-*", "ben-*"]);
  });

  test("what it says against a never-rule is not followed, and told with its line", async () => {
    const data = openData();
    data.say(
      "aliasFile",
      "<github.com/ada-example> <github.com/ben-sample>\n<ada@example.com> <nightly@build.example.com>\n",
    );
    const path = invent(...[ada, adaOnForge, benOnForge, robot].map((author) => ({ author })));
    const { unheeded } = await data.ingest([path]);
    expect(unheeded).toMatchObject([
      { reason: "they are two accounts of github.com" },
      { reason: "one is a human, the other a bot" },
    ]);
    expect(unheeded[1]?.origin).toMatch(/aliasFile-\d+:2$/);
    expect(await data.pool.size()).toBe(4);
  });
});

test("the class file goes before the list and before behaviour, in both directions", async () => {
  const data = openData();
  const authors = [robot, "Deploy <deploy@example.com>", ada];
  const path = invent(...authors.map((author) => ({ author })));
  await data.ingest([path]);
  const classes = async () =>
    (await data.all()).map((one) => `${one.profile.name} ${one.class}`).sort();
  expect(await classes()).toEqual(["Ada Example human", "Deploy human", "nightly[bot] bot"]);
  data.say("classFile", "human <nightly@build.example.com>\nassistant Deploy # writes code\n");
  await data.ingest();
  expect(await classes()).toEqual([
    ...["Ada Example human", "Deploy assistant", "nightly[bot] human"],
  ]);
  const deploy = await data.find("deploy@example.com");
  expect(deploy).toMatchObject([{ class: "assistant", classReason: "writes code" }]);
});

describe("names", () => {
  test("of nobody are counted beside the others, with the reason, and found by no search", async () => {
    const data = openData("repository");
    const root = "root <root@build.example.com>";
    const path = invent({ author: ada }, { author: root }, { author: "Core Team <t@example.com>" });
    const report = await data.ingest([path]);
    expect(report.developers).toEqual({ human: 1, bot: 0, assistant: 0, nobody: 2 });
    expect(report.summaries).toMatchObject([{ human: 1, nobody: 2 }]);
    expect(report.authors).toBe(3);
    const [known] = await data.find("t@example.com");
    expect(known).toMatchObject({ class: "nobody", classReason: expect.stringContaining("group") });
    const searchable = await readRankedRows(data.pool);
    expect(searchable.map(({ standing }) => standing.login)).toHaveLength(1);
    data.say("classFile", "human Core Team\n");
    expect((await data.ingest()).developers).toMatchObject({ human: 2, nobody: 1 });
  });

  test("of nobody beside one's own address are one's own", async () => {
    const data = openData("repository");
    const path = invent({ author: ada }, { author: "root <ada@example.com>" }, { author: ben });
    expect((await data.ingest([path])).developers).toMatchObject({ human: 2, nobody: 0 });
    const [known] = await data.find("ada@example.com");
    expect(known).toMatchObject({ class: "human", spellings: [{}, {}] });
    const [facts] = await data.pool.findFacts([known?.login ?? ""]);
    expect(facts?.profile.name).toBe("Ada Example");
  });

  test("generic addresses are nobody's e-mail", async () => {
    const data = openData("repository");
    await data.ingest([invent({ author: "Ada Example <ada@users.noreply@github.com>" })]);
    expect((await data.exported()).includes("noreply@github.com")).toBe(false);
  });
});

describe("decisions", () => {
  test("a merge tells its evidence, and is not made twice", async () => {
    const data = openData();
    await data.ingest([four()]);
    const both = ["ada@example.com", "a.example@work.example.org"] as const;
    const { decision } = await data.merge(...both, "asked");
    expect(decision).toMatchObject({
      ...{ kind: "same", a: both[0], b: both[1], reason: "asked", by: "operator" },
      evidence: ["both are called ada example", expect.stringContaining("both work in")],
    });
    await data.ingest();
    const [known] = await data.find(both[1]);
    expect(known?.spellings).toHaveLength(2);
    expect(known?.joins).toMatchObject([{ evidence: "decision", detail: decision?.id ?? "" }]);
    expect(await data.merge(...both)).toMatchObject({
      ...{ decision: undefined, because: expect.stringContaining("one already") },
    });
  });

  test("a split of what an address has joined tells its evidence, and a merge takes it back", async () => {
    const data = openData();
    await data.ingest([invent({ author: ada }, { author: "Team <ada@example.com>" })]);
    const both = ["Ada Example <ada@example.com>", "Team <ada@example.com>"] as const;
    const { decision } = await data.split(...both);
    const evidence = ["were one by same e-mail ada@example.com"];
    expect(decision).toMatchObject({ kind: "different", evidence });
    await data.ingest([invent({ author: both[1], message: "Later" })]);
    expect(await data.pool.size()).toBe(2);
    const undone = [{ id: decision?.id ?? "" }];
    expect(await data.merge(...both)).toMatchObject({ decision: undefined, undone });
  });

  test("one spelling is not split, and a name that several have is no answer to whom", async () => {
    const data = openData();
    await data.ingest([four()]);
    await expect(data.split("ada@example.com", "Ada Example <ada@example.com>")).rejects.toThrow(
      "both match one author identity",
    );
    await expect(data.merge("Ada Example", "ben@example.org")).rejects.toThrow(
      "Ada Example matches 2 people",
    );
  });

  test("a suggestion that was turned down does not come back", async () => {
    const data = openData();
    await data.ingest([four()]);
    expect((await data.asked()).suggestions()).toHaveLength(1);
    const [pair] = (await data.asked()).suggestions();
    const [a, b] = pair?.people ?? [];
    await data.split(a?.login ?? "", b?.login ?? "");
    expect((await data.asked()).suggestions()).toEqual([]);
    expect((await data.ingest()).suggestions).toBe(0);
    expect(await data.pool.size()).toBe(4);
  });
});

test("a mailmap that gives one address to two by their names does not make them one", async () => {
  const mailmap =
    "Ada Example <ada@example.com> ada <team@example.org>\nBen Sample <ben@example.org> ben <team@example.org>\n";
  const data = openData();
  await data.ingest([
    invent(
      { author: "ada <team@example.org>" },
      { author: "ben <team@example.org>" },
      { author: ada },
      { author: ben, files: { ".mailmap": mailmap } },
    ),
  ]);
  expect(await data.logins()).toEqual(["ada-*", "ben-*"]);
  const [known] = await data.find("ada@example.com");
  expect(known?.joins).toMatchObject([{ evidence: "mailmap" }]);
  const addresses = (await data.all()).map(({ emails }) => emails.map(({ address }) => address));
  expect(addresses).toEqual([["ada@example.com"], ["ben@example.org"]]);
});

test("who writes through a list is forgotten without the others who do, and stays away", async () => {
  const path = invent(
    { author: "Ada Example via List <list@example.org>" },
    { author: "Ben Sample via List <list@example.org>" },
  );
  const data = openData();
  await data.ingest([path]);
  const [first, second] = await data.pool.logins();
  expect(await data.pool.erasing.hide(first ?? "")).toMatchObject({ developers: 1 });
  expect(await data.ingest([path])).toMatchObject({ developers: { human: 1 } });
  expect(await data.pool.logins()).toEqual([second ?? ""]);
  expect(JSON.stringify((await data.asked()).list())).not.toContain("Ada");
  for (const { id } of listLocations(data.ledger)) {
    expect(JSON.stringify(readStoredHistory(data.ledger.sqlite, id))).not.toContain("Ada");
  }
});

test("who only merged is in no list once forgotten, also when the repository is read again", async () => {
  const merger = "Mia Merger <mia@example.com>";
  const path = invent(
    { author: ada },
    { author: ben, parents: [0] },
    { author: merger, parents: [0, 1] },
  );
  const data = openData();
  await data.ingest([path]);
  expect(await data.find("mia@example.com")).toHaveLength(1);
  await data.pool.erasing.hide("mia@example.com", { evenIfUnknown: true });
  forgetLocations(
    data.ledger,
    listLocations(data.ledger).map(({ id }) => id),
  );
  expect(await data.ingest([path])).toMatchObject({ imported: { suppressed: 0 } });
  expect(await data.find("mia@example.com")).toEqual([]);
  for (const { id } of listLocations(data.ledger)) {
    expect(JSON.stringify(readStoredHistory(data.ledger.sqlite, id))).not.toContain("mia@");
  }
});
