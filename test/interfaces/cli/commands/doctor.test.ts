import { afterEach, expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openLedger } from "../../../../src/ingest/ingest.ts";
import { openCommandLine, writePeople } from "../command-line.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface Found {
  readonly level: string;
  readonly about: string;
  readonly text: string;
  readonly remedy?: string;
}

/** A folder with people, an account and an index. */
async function openFolder() {
  const line = openCommandLine();
  open.push(line);
  const run = (...argv: string[]) => line.run(...argv, "--data", line.folder);
  await run("import", writePeople(line));
  await run("account", "create", "team@example.com", "--plan", "pro");
  await run("search", "Berlin");
  const examine = async () => {
    const { code, out } = await run("doctor", "--json");
    const { findings } = JSON.parse(out) as { findings: Found[] };
    return { code, findings, faults: findings.filter(({ level }) => level === "fault") };
  };
  const inside = (name: string) => join(line.folder, name);
  return { run, runElsewhere: line.run, examine, inside, folder: line.folder };
}

/** Flips a byte of a text inside a file. */
function flipIn(path: string, text: string): void {
  const at = readFileSync(path).indexOf(text);
  expect(at).toBeGreaterThan(0);
  const file = openSync(path, "r+");
  writeSync(file, Buffer.from("#"), 0, 1, at + 1);
  closeSync(file);
}

test("a healthy folder: no fault, exit 0, and nothing is written", async () => {
  const { folder, examine, run } = await openFolder();
  const look = () =>
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
  const before = look();
  const { code, faults, findings } = await examine();
  expect([code, faults]).toEqual([0, []]);
  for (const about of ["control.db", "pool.db", "search.index"]) {
    expect(findings).toContainEqual(expect.objectContaining({ level: "ok", about }));
  }
  expect(findings).toContainEqual({
    ...{ level: "warning", about: "backup", text: "none was ever made", remedy: "backup" },
  });
  const { out, err } = await run("doctor");
  expect(out).toContain("search.index");
  expect(err).toContain("roster backup FILE");
  expect(look()).toEqual(before);
});

const harms: readonly {
  readonly what: string;
  readonly harm: (inside: (name: string) => string) => void;
  readonly about: string;
  readonly says: RegExp;
  readonly remedy: string;
}[] = [
  {
    what: "a flipped byte in somebody's card",
    harm: (inside) => flipIn(inside("pool.db"), "Distributed things"),
    ...{ about: "pool.db", says: /1 of \d+ rows about developers are damaged/, remedy: "restore" },
  },
  {
    what: "a changed entry of the audit log",
    harm: (inside) => flipIn(inside("control.db"), "account.create"),
    ...{ about: "control.db", says: /chain is broken at entry \d/, remedy: "restore" },
  },
  {
    what: "a pool that is gone",
    harm: (inside) => rmSync(inside("pool.db")),
    ...{ about: "pool.db", says: /it is gone/, remedy: "restore" },
  },
  {
    what: "a pool cut to nothing",
    harm: (inside) => truncateSync(inside("pool.db"), 0),
    ...{ about: "pool.db", says: /it was truncated/, remedy: "restore" },
  },
  {
    what: "a control.db that is a text",
    harm: (inside) => writeFileSync(inside("control.db"), "Dear diary. ".repeat(1000)),
    ...{ about: "control.db", says: /damaged or not a database/, remedy: "restore" },
  },
  {
    what: "an ingest.db that is a text",
    harm: (inside) => writeFileSync(inside("ingest.db"), "Dear diary. ".repeat(1000)),
    ...{ about: "ingest.db", says: /damaged or not a database/, remedy: "rebuild_ledger" },
  },
  {
    what: "settings that do not parse",
    harm: (inside) => writeFileSync(inside("roster.toml"), "port = = 1\n"),
    ...{ about: "settings", says: /not valid TOML/, remedy: "settings" },
  },
];

for (const { what, harm, about, says, remedy } of harms) {
  test(`${what} is a fault with its file and way out, exit 5`, async () => {
    const { inside, examine } = await openFolder();
    harm(inside);
    const { code, faults } = await examine();
    expect(faults).toContainEqual({
      level: "fault",
      about,
      text: expect.stringMatching(says),
      remedy,
    });
    expect(code).toBe(5);
    expect(JSON.stringify(faults)).not.toMatch(/ada-example|team@example/);
  });
}

test("an index that is damaged or stale is a warning, and --rebuild index makes it anew", async () => {
  const { inside, examine, run } = await openFolder();
  appendFileSync(inside("search.index"), "x");
  const { code, findings } = await examine();
  expect(code).toBe(0);
  expect(findings).toContainEqual(
    expect.objectContaining({ level: "warning", about: "search.index", remedy: "rebuild_index" }),
  );
  expect((await run("doctor", "--rebuild", "index")).code).toBe(0);
  expect((await examine()).findings).toContainEqual(
    expect.objectContaining({ level: "ok", about: "search.index" }),
  );
});

test("--rebuild ledger removes a damaged ledger, after which nothing is wrong", async () => {
  const { inside, examine, run } = await openFolder();
  writeFileSync(inside("ingest.db"), "Dear diary. ".repeat(1000));
  const { code, out } = await run("doctor", "--rebuild", "ledger");
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("reads every repository that it is given"),
  ]);
  expect(existsSync(inside("ingest.db"))).toBe(false);
  expect((await examine()).code).toBe(0);
});

test("--rebuild ledger leaves a ledger alone that another process is writing", async () => {
  const { inside, run } = await openFolder();
  openLedger(inside("ingest.db"), { version: "0.0.0-test", now: () => new Date() }).close();
  const script = `import { Database } from "bun:sqlite";
    const ledger = new Database(${JSON.stringify(inside("ingest.db"))});
    ledger.query("SELECT count(*) FROM sqlite_schema").get();
    console.log("open");
    await Bun.stdin.text();
    ledger.close();`;
  const other = Bun.spawn([process.execPath, "-e", script], { stdin: "pipe", stdout: "pipe" });
  await other.stdout.getReader().read();
  const refused = await run("doctor", "--rebuild", "ledger");
  expect([refused.code, refused.err]).toEqual([5, expect.stringContaining("in use by another")]);
  expect(existsSync(inside("ingest.db"))).toBe(true);
  other.stdin.end();
  await other.exited;
  expect((await run("doctor", "--rebuild", "ledger")).code).toBe(0);
  expect(existsSync(inside("ingest.db"))).toBe(false);
});

test("--accept goes on without a pool that is gone, and says what was accepted", async () => {
  const { inside, run } = await openFolder();
  rmSync(inside("pool.db"));
  expect((await run("account", "list")).code).toBe(5);
  const { code, out } = await run("doctor", "--accept");
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/Accepted as lost:\n {2}.*pool\.db is gone/),
  ]);
  expect((await run("account", "list")).code).toBe(0);
});

test("a folder that is not there is a fault; leftovers of a crash are a warning", async () => {
  const { inside, examine, runElsewhere } = await openFolder();
  writeFileSync(inside("pool.db.999999.tmp"), "");
  expect((await examine()).findings).toContainEqual(
    expect.objectContaining({ level: "warning", text: expect.stringContaining("999999.tmp") }),
  );
  const { code, out } = await runElsewhere("doctor", "--data", inside("nowhere"));
  expect([code, out]).toEqual([5, expect.stringContaining("does not exist")]);
});
