/** Who is who from the command line, beside a pool that is shown meanwhile. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../../src/control/sqlite/sqlite-control-store.ts";
import { ada, ben, inventRepository } from "../../../ingest/git/invented-repository.ts";
import { openCommandLine } from "../command-line.ts";

const adaAtWork = "Ada Example <a.example@work.example.org>";
const adaOnForge = "adaex <7+ada-example@users.noreply.github.com>";
const benOnForge = "Ben Sample <9+ben-sample@users.noreply.github.com>";
const robot = "nightly[bot] <nightly@build.example.com>";

const line = openCommandLine();
const data = ["--data", line.folder];
const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
const json = (...argv: string[]) => line.json(...argv, "--data", line.folder);
const repository = inventRepository(
  join(line.folder, "..", "tool"),
  [ada, ada, adaAtWork, adaOnForge, ben, benOnForge, robot].map((author, at) => ({
    author,
    at: `2026-10-0${at + 1}`,
  })),
);
// Else the names would join what is decided about here.
mkdirSync(line.folder, { recursive: true });
writeFileSync(join(line.folder, "roster.toml"), '[identity]\nnames = "off"\n');
await json("ingest", "git", repository, "--as-of", "2026-11-01");
afterAll(() => line.close());

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly clues: readonly string[];
}

const suggestions = async () => (await json("identity", "suggestions")) as Pair[];
const decisions = async () =>
  (await json("identity", "list", "--decisions")) as { id: string; kind: string }[];

async function audited(): Promise<readonly { action: string; subject: string }[]> {
  const control = openSqliteControlStore(join(line.folder, "control.db"));
  const entries = (await control.auditEntries(20)).filter(({ action }) =>
    action.startsWith("identity."),
  );
  await control.close();
  return entries;
}

test("suggestions name two logins and their clues, and a merge of them acts at once", async () => {
  const pairs = await suggestions();
  const pair = pairs.find(({ clues }) => clues.includes("both are called ada example"));
  expect(pair?.clues).toContain("both work in tool");
  const merged = await json("identity", "merge", pair?.a ?? "", pair?.b ?? "");
  expect(merged).toMatchObject({
    decision: { kind: "same", by: "operator", at: "2026-11-21T12:00:00.000Z" },
    undone: [],
    removed: 1,
  });
  // Nobody was judged as of another day for it.
  const explained = await json("explain", pair?.a ?? "");
  expect(explained).toMatchObject({ asOf: "2026-11-01" });
  // The login that was given up leads to the same person.
  expect(await json("explain", pair?.b ?? "")).toEqual(explained);
  expect(await suggestions()).toHaveLength(pairs.length - 1);
});

test("a person's spellings are listed with the evidence that joined them", async () => {
  const [known, ...others] = (await json(
    "identity",
    "list",
    "a.example@work.example.org",
  )) as object[];
  expect(others).toEqual([]);
  const [{ id = "" } = {}] = await decisions();
  expect(known).toMatchObject({
    derivedLogin: true,
    class: "human",
    spellings: [
      { name: "Ada Example", email: "ada@example.com", written: 2, repositories: ["tool"] },
      { name: "Ada Example", email: "a.example@work.example.org", written: 1 },
    ],
    joins: [{ evidence: "decision", detail: id }],
  });
  const { out } = await run("identity", "list", "ada@example.com");
  expect(out).toContain("because of");
  expect(out).toContain(id);
  const all = await run("identity", "list");
  expect(all.out).toMatch(/nightly.*bot/);
});

test("a split takes the merge back; undo and a second split are decisions of their own", async () => {
  const [{ id: merge = "" } = {}] = await decisions();
  const split = ["identity", "split", "ada@example.com", "a.example@work.example.org", ...data];
  expect(await line.json(...split)).toMatchObject({ undone: [{ id: merge }], added: 1 });
  expect(await decisions()).toEqual([]);
  const again = (await line.json(...split, "--reason", "two people")) as {
    decision: { id: string };
  };
  expect(again).toMatchObject({ decision: { kind: "different", reason: "two people" }, added: 0 });
  expect(
    (await suggestions()).some(({ clues }) => clues[0] === "both are called ada example"),
  ).toBe(false);
  expect(await line.run(...split)).toMatchObject({ code: 0 });
  const undo = ["identity", "undo", again.decision.id, ...data];
  expect(await line.json(...undo)).toMatchObject({ undone: [{ id: again.decision.id }] });
  expect((await line.run(...undo)).code).toBe(4);
  expect((await audited()).map(({ action }) => action).reverse()).toEqual([
    "identity.merged",
    "identity.undone",
    "identity.split",
    "identity.undone",
  ]);
  // The log can never be changed: it may name nobody.
  expect(JSON.stringify(await audited())).not.toMatch(/\bada|example/i);
});

test("what must never be one is refused with 3 and its reason, somebody unknown with 4", async () => {
  const refused = await run("identity", "merge", "ada-example", "ben-sample");
  expect(refused).toMatchObject({ code: 3, out: "" });
  expect(refused.err).toContain("two accounts of github.com");
  const machine = await run("identity", "merge", "nightly@build.example.com", "ada@example.com");
  expect(machine).toMatchObject({ code: 3, out: "" });
  expect(machine.err).toContain("one is a bot, the other a human");
  expect(await run("identity", "merge", "nobody", "ada-example")).toMatchObject({ code: 4 });
  expect(await run("identity", "list", "nobody")).toMatchObject({ code: 4, out: "" });
  expect(await run("identity", "merge", "ada-example")).toMatchObject({ code: 2 });
  expect(await decisions()).toEqual([]);
});

test("the operator's files are a setting, and a mistake in them is told with file and line", async () => {
  const aliases = join(line.folder, "..", "aliases");
  const classes = join(line.folder, "..", "classes");
  writeFileSync(aliases, "Ada X. <ada@example.com> <github.com/ada-example>\n");
  writeFileSync(classes, "human <nightly@build.example.com> # her name\n");
  const flags = ["--identity-alias-file", aliases, "--identity-class-file", classes];
  const report = await json("ingest", "git", "--as-of", "2026-11-01", ...flags);
  expect(report).toMatchObject({ developers: { human: 5, bot: 0 }, aliases: 1, newCommits: 0 });
  expect(await json("get", "ada-example")).toMatchObject({ data: { name: "Ada X." } });
  const [known] = (await json("identity", "list", "ada-example", ...flags)) as object[];
  expect(known).toMatchObject({ joins: [{ evidence: "alias file", detail: `${aliases}:1` }] });
  writeFileSync(aliases, "\nAda\n");
  const refused = await run("ingest", "git", ...flags);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(`${aliases}:2: "Ada" is no alias; a line is`);
  rmSync(aliases);
  expect((await run("identity", "list", ...flags)).code).toBe(3);
  expect((await run("ingest", "git", "--as-of", "2026-11-01")).code).toBe(0);
});

test("without a repository there is nobody to count, and ingest asks for one", async () => {
  const empty = openCommandLine();
  const at = ["--data", empty.folder];
  expect(await empty.run("ingest", "git", ...at)).toMatchObject({ code: 2, out: "" });
  expect(await empty.json("identity", "list", ...at)).toEqual([]);
  expect(await empty.json("identity", "suggestions", ...at)).toEqual([]);
  empty.close();
});

test("every command has help with an example", async () => {
  for (const command of ["list", "suggestions", "merge", "split", "undo"]) {
    const { code, out } = await line.run("identity", command, "--help");
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`Examples?:\\n  roster identity ${command}`));
  }
});
