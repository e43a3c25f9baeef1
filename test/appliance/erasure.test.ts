/** Erasure on the real wiring: a real repository, a server in a process of its own, the commands beside it. */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { startUpkeep } from "../../src/appliance/upkeep.ts";
import type { ErasureReceipt } from "../../src/contract/people/erasure-receipt.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { deriveLogin } from "../../src/identity/derived-login.ts";
import { readMetadata } from "../../src/ingest/git/ledger/histories.ts";
import { listLocations } from "../../src/ingest/git/ledger/locations.ts";
import { openLedger } from "../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { testConfig } from "../appliance.ts";
import { endedRun } from "../control/sources-contract.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  type ServerProcess,
  startServer,
} from "../faults/server-process.ts";
import { inventRepository, temporaryFolder } from "../ingest/git/invented-repository.ts";
import { openCommandLine } from "../interfaces/cli/command-line.ts";
import { isLong } from "../long.ts";

endServersAfterEach();
const repositories = temporaryFolder();

const login = "quill-forgetful";
const erin = "Erin Forgetful <7+quill-forgetful@users.noreply.github.com>";
const atWork = "Erin Forgetful <erin.forgetful@example.com>";
const ben = "Ben Sample <ben@example.org>";
const traces = /quill-forgetful|erin.forgetful|Erin Forgetful/i;

const line = openCommandLine();
const data = ["--data", line.folder];
const outside = join(line.folder, "..");
const repository = inventRepository(join(repositories.path, "tool.git"), [
  { author: erin, files: { "a.go": "package a\n" } },
  { author: atWork, files: { "b.go": "package b\n" } },
  { author: ben, files: { "c.go": "package c\n" } },
  { author: ben, message: `Pair\n\nBody.\n\nCo-authored-by: ${atWork}` },
  // The mailmap makes the two spellings of Erin one person.
  { author: ben, files: { ".mailmap": `${erin} <erin.forgetful@example.com>\n` } },
]);
afterAll(() => {
  line.close();
  repositories.remove();
});

async function ok(...argv: string[]): Promise<string> {
  const { code, out, err } = await line.run(...argv, ...data);
  if (code !== 0) throw new Error(`${argv.join(" ")}: ${code} ${err}`);
  return out + err;
}

interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: Tests read deep into JSON.
  readonly body: any;
}

function asker({ address }: ServerProcess) {
  const key = readFileSync(`${line.folder}.key`, "utf8").trim();
  const ask = async (path: string, body?: object): Promise<Asked> => {
    const response = await fetch(address + path, {
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    get: () => ask(`/v1/users/${login}`),
    analyze: () => ask("/v1/profile/analyze", { username: login }),
    inBerlin: () => ask("/v1/search", { location: "Berlin", maxResults: 100 }),
  };
}

/** @returns the files with a trace of the person; the one place that keeps the login for 30 days is left out. */
function filesWithTraces(
  { folder, pattern }: Traced = { folder: line.folder, pattern: traces },
): string[] {
  return readdirSync(folder).filter((name) => {
    const text = readFileSync(join(folder, name), "latin1");
    return name === "pool.db" ? hasOtherTraces(text, { folder, pattern }) : pattern.test(text);
  });
}

interface Traced {
  readonly folder: string;
  readonly pattern: RegExp;
}

/** Whether the text of pool.db names the person anywhere but in the list of changes. Each of its rows names a login thrice. */
function hasOtherTraces(text: string, { folder, pattern }: Traced): boolean {
  const sqlite = new Database(join(folder, "pool.db"), { readonly: true });
  const kept = sqlite
    .query<{ login: string; n: number }, []>(
      "SELECT login, count(*) AS n FROM departure WHERE import_id IS NULL GROUP BY login",
    )
    .all();
  sqlite.close();
  let rest = text;
  for (const { login, n } of kept) {
    const parts = rest.split(login);
    if (pattern.test(login) && parts.length - 1 !== 3 * n) return true;
    rest = parts.join("");
  }
  return pattern.test(rest);
}

/** Puts a person on a list beside the running server, as a page does. */
async function putOnList(login: string, note: string): Promise<void> {
  const control = openSqliteControlStore(join(line.folder, "control.db"));
  const [account] = await control.listAccounts();
  const by = {
    at: new Date(),
    actor: "a",
    action: "list.added",
    subject: "lst_1",
    detail: {},
  } as const;
  await control.saved.addList(account?.id ?? "", { id: "lst_1", name: "Backend" }, by);
  const entry = { login, note, at: new Date() };
  expect(await control.saved.putEntry(account?.id ?? "", "lst_1", entry)).toBeUndefined();
  for (const outcome of [
    "left out acme/Quill-Forgetful.",
    "erin.forgetful@example.com?",
    "Done.",
  ]) {
    await control.runs.add(endedRun(`run_${outcome.length}`, { outcome }));
  }
  await control.close();
}

test("forgotten, ingested again, imported from an older export: absent from every interface, file and index", async () => {
  await ok("ingest", "git", repository);
  // Both get a place, so that search finds them by it.
  const older = join(outside, "older.jsonl");
  await ok("export", older);
  const placed = readFileSync(older, "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text))
    .map((facts) => ({ ...facts, profile: { ...facts.profile, location: "Berlin" } }));
  await Bun.write(older, placed.map((facts) => `${JSON.stringify(facts)}\n`).join(""));
  await ok("import", older);
  const server = await startServer(line.folder, await freePort());
  const { get, analyze, inBerlin } = asker(server);
  expect((await get()).status).toBe(200);
  expect((await analyze()).status).toBe(200);
  expect((await inBerlin()).body.data.totalCount).toBe(2);
  expect(filesWithTraces()).not.toEqual([]);

  await putOnList(login, "Erin Forgetful, met in May");
  expect(JSON.parse(await ok("person", "export", login))).toMatchObject({
    lists: [{ login, note: "Erin Forgetful, met in May" }],
  });
  const receipt = (await line.json("forget", login, "--reason", "request 17", ...data)) as {
    id: string;
  };
  // Two rows: one of the pool (the server has deleted the replaced one), and one of the list.
  expect(receipt).toMatchObject({ developers: 1, rows: 2, reason: "request 17" });
  expect(receipt).toHaveProperty("completedAt");
  expect(JSON.stringify(receipt)).not.toMatch(traces);
  // Hidden at once; the total is right with the next index.
  expect((await get()).status).toBe(404);
  expect((await analyze()).status).toBe(404);
  expect(JSON.stringify((await inBerlin()).body)).not.toMatch(traces);
  for (;;) {
    if ((await inBerlin()).body.data.totalCount === 1) break;
    await Bun.sleep(50);
  }
  expect(filesWithTraces()).toEqual([]);

  const report = join(outside, "authors.tsv");
  const again = (await line.json(
    ...["ingest", "git", repository, "--authors-report", report],
    ...data,
  )) as object;
  // The stored history lacks the person too, so nobody is left to suppress.
  expect(again).toMatchObject({ suppressed: 0, developers: { human: 1 } });
  for (const end of ["", "-wal", "-shm"]) rmSync(join(line.folder, `ingest.db${end}`));
  // Read from scratch, the history names the person again, and the suppression list applies.
  expect(await line.json("ingest", "git", repository, ...data)).toMatchObject({
    ...{ suppressed: 1, developers: { human: 1 } },
  });
  expect(JSON.stringify(again)).not.toMatch(traces);
  expect(readFileSync(report, "utf8")).not.toMatch(traces);
  expect(readFileSync(report, "utf8")).toContain("ben@example.org");
  expect(await line.json("import", older, ...data)).toMatchObject({
    ...{ lines: 2, imported: 1, suppressed: 1, rejected: 0 },
  });
  expect(await ok("import", older)).toContain("1 suppressed");
  expect((await get()).status).toBe(404);
  expect(filesWithTraces()).toEqual([]);
  await server.kill();

  const next = asker(await startServer(line.folder, await freePort()));
  expect((await next.get()).status).toBe(404);
  expect((await next.inBerlin()).body.data).toMatchObject({ totalCount: 1, matchedCount: 1 });
  for (const command of ["get", "analyze", "explain"]) {
    expect(await line.run(command, login, ...data)).toMatchObject({ code: 4 });
  }
  expect(await line.run("person", "export", login, ...data)).toMatchObject({ code: 4 });
  await ok("export", join(outside, "newer.jsonl"));
  expect(readFileSync(join(outside, "newer.jsonl"), "utf8")).not.toMatch(traces);
  expect(filesWithTraces()).toEqual([]);

  const control = openSqliteControlStore(join(line.folder, "control.db"));
  const outcomes = (await control.runs.list()).map(({ outcome }) => outcome);
  expect(outcomes).toContain("Done.");
  expect(outcomes.join()).not.toMatch(traces);
  const audit = (await control.auditEntries(10)).filter(
    ({ action }) => action === "person.forgotten",
  );
  await control.close();
  expect(audit).toMatchObject([{ actor: "operator", subject: receipt.id }]);

  expect(await ok("forget", "--list")).toContain(receipt.id);
  expect(await ok("forget", "--undo", receipt.id)).toContain("undone");
  expect(await line.json("import", older, ...data)).toMatchObject({ added: 1, suppressed: 0 });
}, 300_000);

test("a person gets a copy of everything held of them", async () => {
  const file = join(outside, "copy.json");
  await ok("person", "export", "QUILL-forgetful", file);
  expect(statSync(file).mode & 0o077).toBe(0);
  const copy = JSON.parse(readFileSync(file, "utf8"));
  expect(copy).toMatchObject({
    login,
    origin: { source: "git", importedBy: "import", importedAt: "2026-11-21T12:00:00.000Z" },
    facts: { login },
    shown: { login },
    ranked: { login },
    ifForgotten: {
      of: [
        `login:${login}`,
        "email:7+quill-forgetful@users.noreply.github.com",
        `account:github.com/${login}`,
        "account:github.com#7",
        "email:erin.forgetful@example.com",
      ],
    },
  });
  const { profile, techStack, activity } = copy.analysis.explanation;
  for (const terms of [profile, techStack, activity]) expect(terms.length).toBeGreaterThan(0);
});

test("who is not there is not found, and can be put on the list beforehand", async () => {
  const unknown = "somebody.new@example.com";
  expect(await line.run("forget", "nobody-at-all", ...data)).toMatchObject({ code: 4, out: "" });
  expect(await line.run("forget", unknown, ...data)).toMatchObject({ code: 4 });
  const receipt = await line.json("forget", unknown, "--even-if-unknown", ...data);
  expect(receipt).toMatchObject({ developers: 0, rows: 0, identifiers: 1 });
  const again = await line.run("forget", unknown, ...data);
  expect(again.code).toBe(4);
  expect(again.err).toContain("already on the suppression list");
});

test("a misuse is told, and forgets nobody", async () => {
  for (const argv of [
    [],
    [login, "--list"],
    ["root@localhost"],
    ["no login"],
    [login, "--reason", "Erin Forgetful asked"],
  ]) {
    expect(await line.run("forget", ...argv, ...data)).toMatchObject({ code: 2, out: "" });
  }
  expect(await line.run("forget", "--undo", "ers_none", ...data)).toMatchObject({ code: 4 });
  expect(await ok("forget", login, "--dry-run")).toContain(login);
  expect(await line.run("get", login, ...data)).toMatchObject({ code: 0 });
});

test("an erasure that was cut short is finished by the same command, and audited once", async () => {
  const pool = openSqlitePool(join(line.folder, "pool.db"), { now: () => new Date() });
  const hidden = await pool.erasing.hide(login);
  await pool.close();
  expect(await ok("forget", "--list")).toContain("unfinished");
  const receipt = (await line.json(
    "forget",
    "erin.forgetful@example.com",
    ...data,
  )) as ErasureReceipt;
  expect(receipt).toMatchObject({ id: (hidden as ErasureReceipt).id, developers: 1 });
  expect(receipt).toHaveProperty("completedAt");
  expect(filesWithTraces()).toEqual([]);
  expect(await listAudited(receipt.id)).toEqual(["person.forgotten"]);
  expect(await line.run("forget", login, ...data)).toMatchObject({ code: 4 });
});

test("an erasure that was cut short is finished by a running server, and by `forget --finish`", async () => {
  const { folder } = line;
  const hide = async (one: string, now = () => new Date()) => {
    const pool = openSqlitePool(join(folder, "pool.db"), { now });
    const hidden = await pool.erasing.hide(one, { evenIfUnknown: true });
    await pool.close();
    return (hidden as ErasureReceipt).id;
  };
  const stateOf = async (id: string) => {
    const { receipts } = (await line.json("forget", "--list", ...data)) as {
      receipts: ErasureReceipt[];
    };
    return receipts.find((receipt) => receipt.id === id)?.completedAt;
  };
  const byHand = await hide("nobody-here");
  const both = await Promise.all([ok("forget", "--finish"), ok("forget", "--finish")]);
  expect(both.join("")).toContain("All erasures are finished");
  expect(await stateOf(byHand)).toBeString();
  expect(await listAudited(byHand)).toEqual(["person.forgotten"]);
  const server = isLong ? await startServer(folder, await freePort()) : undefined;
  const minuteAgo = new Date(Date.now() - 60_000);
  const byServer = await hide("nobody-there", isLong ? undefined : () => minuteAgo);
  const part = isLong ? undefined : watchAsServer();
  while ((await stateOf(byServer)) === undefined) await Bun.sleep(200);
  await part?.end();
  await server?.kill();
}, 300_000);

async function listAudited(receiptId: string) {
  const control = openSqliteControlStore(join(line.folder, "control.db"));
  const entries = await control.auditEntries(1000);
  await control.close();
  return entries.filter(({ subject }) => subject === receiptId).map(({ action }) => action);
}

/** Starts the part of a server that finishes erasures. It looks at once; a server looks only after a minute. */
function watchAsServer() {
  const { folder } = line;
  const log = pino({ level: "silent" });
  const pool = openSqlitePool(join(folder, "pool.db"), { now: () => new Date() });
  const config = testConfig({ data: folder });
  const around = { self: program, now: () => new Date(), log, live: () => config };
  const control = openSqliteControlStore(join(folder, "control.db"));
  const parts = { modules: { pool }, control, faults: { list: () => [] } };
  const stop = startUpkeep(config, parts, around);
  return {
    end: async () => {
      stop();
      await control.close();
      return pool.close();
    },
  };
}

test("decisions about a person go too, with what they had joined; the operator's own file is named", async () => {
  const own = openCommandLine();
  const at = ["--data", own.folder];
  const root = "E. Forgetful <root@localhost>";
  const path = inventRepository(join(repositories.path, "joined.git"), [
    { author: erin },
    { author: atWork },
    { author: root },
    { author: ben },
    { author: "Ben Sample <ben@work.example.org>" },
  ]);
  const aliases = join(own.folder, "..", "aliases");
  writeFileSync(
    aliases,
    "# ours\n<ben@example.org> <b@example.org>\n<github.com/quill-forgetful> <e@x.example>\n",
  );
  const classes = join(own.folder, "..", "classes");
  writeFileSync(classes, "human <erin.forgetful@example.com>\nbot <build@example.com>\n");
  await own.json("ingest", "git", path, ...at);
  writeFileSync(
    join(own.folder, "roster.toml"),
    // Else equal names would join the identities before a decision does.
    `[identity]\nnames = "off"\naliasFile = ${JSON.stringify(aliases)}\nclassFile = ${JSON.stringify(classes)}\n`,
  );
  await own.json("identity", "merge", login, "erin.forgetful@example.com", ...at);
  await own.json("identity", "merge", login, root, "--reason", "Erin Forgetful's word", ...at);
  await own.json("identity", "split", login, "ben@work.example.org", ...at);
  const told = "as Erin Forgetful told";
  await own.json(
    "identity",
    "merge",
    "ben@example.org",
    "ben@work.example.org",
    "--reason",
    told,
    ...at,
  );
  const known = (await own.json("identity", "list", login, ...at)) as { spellings: object[] }[];
  expect(known[0]?.spellings).toHaveLength(3);
  const copy = (await own.json("person", "export", login, ...at)) as { decisions: object[] };
  expect(copy.decisions).toHaveLength(3);
  const withTraces = () =>
    filesWithTraces({ folder: own.folder, pattern: /quill-forgetful|Forgetful/i });
  expect(withTraces()).toContain("pool.db");
  const receipt = await own.json("forget", login, ...at);
  expect(receipt).toMatchObject({ developers: 1, mentionedIn: [`${aliases}:3`, `${classes}:1`] });
  expect(withTraces()).toEqual([]);
  // Other people's decisions stay, without their words about this person.
  const [decision, ...more] = (await own.json(
    "identity",
    "list",
    "--decisions",
    ...at,
  )) as object[];
  expect(more).toEqual([]);
  expect(decision).toMatchObject({ kind: "same", a: "ben@example.org", evidence: [] });
  expect(decision).not.toHaveProperty("reason");
  expect(await own.json("ingest", "git", path, ...at)).toMatchObject({ developers: { human: 1 } });
  expect(await own.run("identity", "list", login, ...at)).toMatchObject({ code: 4 });
  expect(JSON.stringify(await own.json("identity", "suggestions", ...at))).not.toMatch(traces);
  expect(withTraces()).toEqual([]);
  own.close();
}, 300_000);

test("the copy has every spelling and nobody else's decisions, and a crash leaves none of them behind", async () => {
  const own = openCommandLine();
  const at = ["--data", own.folder];
  const root = "E. Forgetful <root@localhost>";
  const stranger = "Otto Other <root@localhost>";
  const path = inventRepository(join(repositories.path, "crashed.git"), [
    ...[erin, atWork, root, stranger, ben].map((author) => ({ author })),
  ]);
  await own.json("ingest", "git", path, ...at);
  writeFileSync(join(own.folder, "roster.toml"), '[identity]\nnames = "off"\n');
  await own.json("identity", "merge", login, "erin.forgetful@example.com", ...at);
  await own.json("identity", "merge", login, root, ...at);
  await own.json("identity", "merge", "ben@example.org", stranger, ...at);
  const copy = (await own.json("person", "export", login, ...at)) as {
    spellings: { name: string; email: string }[];
    joins: object[];
    decisions: object[];
  };
  expect(copy.spellings.map(({ name, email }) => `${name} <${email}>`).sort()).toEqual(
    [erin, atWork, root].sort(),
  );
  expect([copy.joins.length, copy.decisions.length]).toEqual([2, 2]);
  expect(JSON.stringify(copy)).not.toMatch(/Otto|Ben Sample/);

  const pool = openSqlitePool(join(own.folder, "pool.db"), { now: () => new Date() });
  const alsoLogins = [deriveLogin({ name: "E. Forgetful", email: "root@localhost" })];
  await pool.erasing.hide(login, { alsoLogins });
  await pool.close();
  // The process ended here: only the suppression list knows the spellings now.
  await own.json("forget", login, ...at);
  // The file is compressed, so its bytes cannot be searched.
  const options = { version: "1", now: () => new Date() };
  const ledger = openLedger(join(own.folder, "ingest.db"), options);
  const left = listLocations(ledger).flatMap(
    ({ id }) => readMetadata(ledger.sqlite, id).signatures,
  );
  ledger.close();
  expect(left.map(({ name }) => name).sort()).toEqual(["", "", "", "Ben Sample", "Otto Other"]);
  own.close();
}, 300_000);
