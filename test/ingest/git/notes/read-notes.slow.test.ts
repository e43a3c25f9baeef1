/** Notes are believed where their commit bears them out, and every change of them is noticed by the next run. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openLedger } from "../../../../src/ingest/ingest.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { git, type InventedCommit, inventRepository, run } from "../invented-repository.ts";
import { openData } from "../opened-data.ts";
import {
  addNote,
  composeAgentNote,
  composeNote,
  human,
  listCommits,
  removeNote,
  removeNotes,
  session,
  trace,
} from "./invented-notes.ts";

const folder = makeFolder("notes");
let made = 0;

/** A file of ten lines in each commit, one a day. */
function invent(commits: number, more: readonly InventedCommit[] = []): string {
  const written = Array.from({ length: commits }, (_, at) => ({
    at: 1_760_000_000 + at * 86_400,
    message: `Add the part ${at}`,
    files: { [`part-${at}.js`]: `${`value(${at});\n`.repeat(10)}` },
  }));
  return inventRepository(join(folder, `${made++}.git`), [...written, ...more]);
}

const agentNote = (commit: string, at: number, lines = "1-10", tool = "claude") =>
  composeAgentNote(commit, `part-${at}.js`, lines, tool);

async function ingest(path: string) {
  const data = openData();
  const run = async () => {
    const report = await data.ingest([path]);
    const [summary] = report.summaries;
    const commits = (await data.person("Ada Example"))?.commits;
    return { ...summary, ...commits };
  };
  return { ...data, run };
}

const none = { absent: 0, merge: 0, contradicted: 0, malformed: 0, large: 0, missing: 0 };

test("agents of a note count as marks do, and a note without any says that there were none", async () => {
  const path = invent(6);
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = listCommits(path);
  addNote(path, first, agentNote(first, 0, "1-4,6"));
  addNote(path, second, agentNote(second, 1, "1-10", "github-copilot"));
  addNote(path, third, composeNote({ base: third }));
  addNote(path, fourth, composeNote({ base: fourth, files: { "part-3.js": { [human]: "1-10" } } }));
  addNote(path, fifth, agentNote(fifth, 4, "1", "an agent of tomorrow"));
  const { run } = await ingest(path);
  const { notes, assisted, unassisted, total } = await run();
  expect(notes).toEqual({
    ...none,
    ...{ assisted: 3, unassisted: 2, lines: { claude: 5, copilot: 10, unnamed: 1 } },
  });
  expect(total).toBe(6);
  expect(assisted).toEqual({
    ...{ total: 3, volume: { "2025-10": 3 } },
    agents: { claude: 1, copilot: 1, unnamed: 1 },
  });
  expect(unassisted).toEqual({ total: 2, volume: { "2025-10": 2 } });
});

test("a note adds to what the message says, and takes nothing of it back", async () => {
  const path = invent(1, [{ message: "Add a part\n\nMade-with: Cursor\n" }, {}]);
  const [, marked = ""] = listCommits(path);
  addNote(path, marked, composeNote({ base: marked }));
  const { run } = await ingest(path);
  const { assisted, unassisted } = await run();
  expect(assisted?.agents).toEqual({ cursor: 1 });
  expect(unassisted).toBeUndefined();
  addNote(path, marked, composeAgentNote(marked, "file-1.js", "1"));
  expect((await run()).assisted?.agents).toEqual({ claude: 1, cursor: 1 });
});

describe("a note is not believed", () => {
  const forged: Readonly<Record<string, (commit: string, other: string) => string>> = {
    "that names another commit": (_, other) => agentNote(other, 2),
    "of more lines than the commit added": (commit) => agentNote(commit, 2, "1-11"),
    "of a file that is not in the commit": (commit) => agentNote(commit, 1),
    "of two files, one of which is not in the commit": (commit) =>
      composeNote({
        base: commit,
        files: {
          "part-2.js": { [`${session}::${trace}`]: "1" },
          "part-1.js": { [human]: "1" },
        },
        sessions: { [session]: "claude" },
      }),
    "of an agent that came later": (commit) => agentNote(commit, 2, "1-10", "kiro"),
  };
  test.each(Object.keys(forged))("%s", async (name) => {
    const day = { at: 1_700_000_000, files: { "part-2.js": "line\n".repeat(10) } };
    const path = invent(2, [day, {}]);
    const [other = "", , commit = ""] = listCommits(path);
    addNote(path, commit, forged[name]?.(commit, other) ?? "");
    const { run } = await ingest(path);
    const { notes, assisted, unassisted } = await run();
    expect(notes).toEqual({ ...none, assisted: 0, unassisted: 0, lines: {}, contradicted: 1 });
    expect([assisted, unassisted]).toEqual([undefined, undefined]);
    addNote(path, commit, agentNote(commit, 2));
    expect((await run()).assisted?.total).toBe(1);
  });

  test("that is malformed or too large; one beside it is", async () => {
    const path = invent(4);
    const [first = "", second = "", third = "", fourth = ""] = listCommits(path);
    addNote(path, first, "Reviewed by hand.");
    addNote(path, second, Buffer.from([0xff, 0x00, 0xfe]));
    addNote(path, third, `${agentNote(third, 2)}${" ".repeat(8 * 1024 * 1024)}`);
    addNote(path, fourth, agentNote(fourth, 3));
    const { run } = await ingest(path);
    const said = { ...none, assisted: 1, unassisted: 0, lines: { claude: 10 }, large: 1 };
    expect((await run()).notes).toEqual({ ...said, malformed: 2 });
    removeNote(path, first);
    expect((await run()).notes).toEqual({ ...said, malformed: 1 });
  });
});

test("a note may name the parent of its commit, as rewritten ones do, and has no effect on a merge", async () => {
  const path = invent(2, [
    { files: { "side.js": "side\n" }, parents: [0] },
    { message: "Merge the side", parents: [1, 2], files: {} },
    {},
  ]);
  const names = ["main~1^1~1", "main~1^1", "main~1"];
  const [first = "", second = "", merge = ""] = run(path, ["rev-parse", ...names])
    .toString()
    .split("\n");
  addNote(path, second, agentNote(first, 1));
  addNote(path, merge, composeNote({ base: merge }));
  const { run: ingestOnce } = await ingest(path);
  expect((await ingestOnce()).notes).toEqual({
    ...{ ...none, merge: 1 },
    ...{ assisted: 1, unassisted: 0, lines: { claude: 10 } },
  });
});

describe("the next run notices", () => {
  test("notes that were added, changed and removed, without reading a commit again", async () => {
    const path = invent(3);
    const [first = "", second = ""] = listCommits(path);
    const { run } = await ingest(path);
    expect((await run()).notes).toBeUndefined();
    addNote(path, first, agentNote(first, 0));
    addNote(path, second, composeNote({ base: second }));
    const noted = await run();
    expect(noted.assisted?.agents).toEqual({ claude: 1 });
    expect([noted.unassisted?.total, noted.status, noted.newCommits]).toEqual([1, "continued", 0]);
    expect((await run()).status).toBe("unchanged");
    addNote(path, first, agentNote(first, 0, "1-2", "codex"));
    removeNote(path, second);
    const changed = await run();
    expect(changed.notes?.lines).toEqual({ codex: 2 });
    expect(changed.assisted?.agents).toEqual({ codex: 1 });
    expect(changed.unassisted).toBeUndefined();
    removeNotes(path);
    const { notes, assisted, status } = await run();
    expect([notes, assisted, status]).toEqual([undefined, undefined, "continued"]);
  });

  test("new notes of a bundle", async () => {
    const path = invent(2);
    const bundle = join(folder, `${made++}.bundle`);
    const pack = () => git(path, "bundle", "create", "--quiet", bundle, "--all");
    pack();
    const { run } = await ingest(bundle);
    expect((await run()).notes).toBeUndefined();
    const [first = ""] = listCommits(path);
    addNote(path, first, agentNote(first, 0));
    pack();
    expect((await run()).assisted?.total).toBe(1);
    expect((await run()).status).toBe("unchanged");
  });
});

test("clones of one repository tell together what their notes say", async () => {
  const path = invent(3);
  const [first = "", second = ""] = listCommits(path);
  const copy = join(folder, `${made++}.git`);
  git(folder, "clone", "--quiet", "--mirror", path, copy);
  addNote(path, first, agentNote(first, 0));
  addNote(copy, first, agentNote(first, 0, "1", "cursor"));
  addNote(copy, second, agentNote(second, 1));
  for (const at of [path, copy]) {
    git(at, "config", "remote.origin.url", "https://git.example.com/ada/parts.git");
  }
  for (const order of [
    [path, copy],
    [copy, path],
  ]) {
    const { ingest: read, person } = openData();
    await read(order);
    expect((await person("Ada Example"))?.commits?.assisted).toMatchObject({
      ...{ total: 2, agents: { claude: 2, cursor: 1 } },
    });
  }
});

test("nothing of the text of a note is stored", async () => {
  const path = invent(2);
  const [first = ""] = listCommits(path);
  addNote(path, first, agentNote(first, 0));
  const home = join(folder, "ledger");
  mkdirSync(home);
  const ledger = openLedger(join(home, "ingest.db"), { version: "test", now: () => new Date() });
  const { ingest: read, exported } = openData();
  await read([path], { ledger });
  const facts = await exported();
  ledger.close();
  const files = readdirSync(home).map((name) => readFileSync(join(home, name), "latin1"));
  expect(facts).toContain("claude");
  expect(files.join("")).toContain('{"claude":10}');
  for (const text of [facts, ...files]) {
    for (const secret of ["ecret", session, trace, human]) expect(text).not.toContain(secret);
  }
});
