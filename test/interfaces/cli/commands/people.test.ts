/** People files over git on the real wiring: repositories, a list as a spreadsheet writes it, a search over REST. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlitePool } from "../../../../src/pool/sqlite/sqlite-pool.ts";
import { openTestAppliance } from "../../../appliance.ts";
import { inventRepository, temporaryFolder } from "../../../ingest/git/invented-repository.ts";
import { isLong } from "../../../long.ts";
import { type CommandLine, openCommandLine } from "../command-line.ts";

const shelf = temporaryFolder();
const [alpha, beta, gamma] = ["alpha", "beta", "gamma"].map((name) => join(shelf.path, name)) as [
  string,
  string,
  string,
];
const author = {
  ada: "Ada Example <ada@example.com>",
  ben: "Ben Sample <ben@example.org>",
  cleo: "Cleo Muster <cleo@firm.example>",
  dan: "Dan Probe <12+dan-dev@users.noreply.github.com>",
  eve: "Eve Ejemplo <eve@example.net>",
  fay: "Fay Voorbeeld <fay@example.com>",
  gus: "Gus Exemple <gus@example.com>",
};
const list = join(shelf.path, "HR list.csv");

/** Ten rows as a German spreadsheet saves them: semicolons, a byte order mark, CRLF, quotes, lines in a cell. */
const header = "E-Mail;Login;Display Name;City;Company;Job title;Website;publishEmail;Cost centre";
const rows = [
  "ada@example.com;;Ada B. Example;Berlin;Example GmbH;Backend engineer;https://ada.example.com;yes;17",
  "BEN@example.org b.sample@firm.example;;;Lisbon;;;;;17",
  'cleo@firm.example;;"Muster; Cleo";"München,\nGermany";"The ""Firm""";;;no;18',
  ";github.com/dan-dev;;Berlin;;;;;",
  "fay@example.com;;;Berlin;;CTO;;;",
  "nobody.here@example.com;;;Berlin;;;;;",
  ";nobody-there;;Berlin;;;;;",
  "ada@example.com eve@example.net;;;Paris;;;;;",
  "gus@example.com;;;Berlin;;;;yes;",
  "eve@example.net;;;Toronto;;;;;",
];
const saved = (lines: readonly string[]) =>
  `\uFEFF${[header, ...lines].join("\n").replaceAll("\n", "\r\n")}\r\n`;

beforeAll(() => {
  inventRepository(alpha, [{ author: author.ada }, { author: author.ben }, { author: author.gus }]);
  inventRepository(beta, [{ author: author.ada, message: "Other" }, { author: author.cleo }]);
  inventRepository(gamma, [{ author: author.dan }, { author: author.eve }, { author: author.fay }]);
  writeFileSync(list, saved(rows));
});
afterAll(shelf.remove);

/** Runs commands on a data folder of their own. */
async function withLine(use: (roster: Roster, line: CommandLine) => Promise<void>): Promise<void> {
  const line = openCommandLine();
  const roster: Roster = async (...argv) => {
    const { code, out, err } = await line.run(...argv, "--data", line.folder, "--json");
    if (code !== 0) throw new Error(`${argv.join(" ")}: ${code} ${err}`);
    return JSON.parse(out || "null");
  };
  try {
    await use(roster, line);
  } finally {
    line.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: Tests read deep into JSON.
type Roster = (...argv: string[]) => Promise<any>;

async function exportOf(roster: Roster, line: CommandLine): Promise<string> {
  const path = join(line.folder, "..", "export.jsonl");
  await roster("export", path);
  return readFileSync(path, "utf8");
}

test("a list finds its people in git, by place over REST, and leaves out whom it must", async () => {
  await withLine(async (roster, line) => {
    await roster("ingest", "git", alpha, beta, gamma);
    expect((await roster("search", "Berlin")).data.results).toBeEmpty();
    await roster("forget", "gus@example.com");

    const told = await line.run("ingest", "people", list, "--data", line.folder);
    expect(told.code).toBe(0);
    expect(told.out.trim()).toBe(
      "6 matched: 6 added, 0 replaced, 0 unchanged; 2 unmatched, 1 ambiguous, 0 rejected, 1 suppressed",
    );
    expect(told.err).toContain("line 8: nobody here has an address or login of this row");
    expect(told.err).toContain("line 9: nobody here has");
    expect(told.err).toMatch(/line 10: matches 2 people: ada-\w{6}, eve-\w{6}/);
    expect(told.err).toContain("ignored: Cost centre");
    expect(told.out + told.err).not.toContain("gus");

    const again = await roster("ingest", "people", list);
    expect(again).toMatchObject({ rows: 10, matched: 6, added: 0, replaced: 0, unchanged: 6 });

    const appliance = await openTestAppliance({ folder: line.folder, people: [] });
    const { body } = await appliance.client.search({ location: "Berlin" });
    const found = new Map<string, Record<string, unknown>>(
      body.data.results.map((each: { name: string }) => [each.name, each]),
    );
    expect([...found.keys()].sort()).toEqual(["Ada B. Example", "Dan Probe", "Fay Voorbeeld"]);
    expect(found.get("Ada B. Example")).toMatchObject({
      ...{ email: "ada@example.com", company: "Example GmbH" },
      ...{ bio: "Backend engineer", location: "Berlin" },
    });
    const ada = await appliance.client.get(String(found.get("Ada B. Example")?.["login"]));
    expect(ada.body.data).toMatchObject({ blog: "https://ada.example.com" });
    expect(found.get("Fay Voorbeeld")).not.toHaveProperty("email");
    const munich = await appliance.client.search({ location: "Munich" });
    expect(munich.body.data.results).toMatchObject([
      { name: "Muster; Cleo", location: "München,\nGermany", company: 'The "Firm"' },
    ]);
    await appliance.close();
  });
});

test("a dry run says what each row would do, as the run then does, and writes nothing", async () => {
  await withLine(async (roster, line) => {
    const ingest = (...flags: string[]) => roster("ingest", "people", list, ...flags);
    await roster("ingest", "git", alpha, beta, gamma);
    await roster("forget", "gus@example.com");
    const said = (dry: Awaited<ReturnType<Roster>>) =>
      dry.plan.map(({ line, outcome, login = "" }: Record<string, string>) =>
        [line ?? "", outcome, login.replace(/-\w{6}$/, "")].join(" ").trim(),
      );
    const dry = await checkDryRun(line.folder, ingest);
    expect(said(dry)).toEqual([
      ...["2 added ada", "3 added ben", "4 added cleo", "6 added dan-dev", "7 added fay"],
      ...["8 unmatched", "9 unmatched", "10 ambiguous", "11 suppressed", "12 added eve"],
    ]);
    expect(dry.plan[0]).toMatchObject({ line: 2, name: "Ada Example" });
    expect(dry.plan[5].reason).toBe("nobody here has an address or login of this row");

    const later = join(line.folder, "..", "later.csv");
    const moved = "fay@example.com;;;Rome;;CTO;;;";
    const stranger = "devnull@localhost;;;Rome;;;;;";
    writeFileSync(
      later,
      saved([rows[0] ?? "", moved, stranger, "cleo@firm.example;;;Bonn", moved]),
    );
    const again = (...flags: string[]) =>
      roster("ingest", "people", later, "--source", "hr-list", ...flags);
    const next = await checkDryRun(line.folder, again);
    expect(said(next)).toEqual([
      ...["2 unchanged ada", "3 rejected fay", "4 rejected", "5 rejected", "6 replaced fay"],
      ...["removed ben", "removed cleo", "removed dan-dev", "removed eve"],
    ]);
    const data = ["--source", "hr-list", "--dry-run", "--data", line.folder];
    const { out, err } = await line.run("ingest", "people", later, ...data);
    expect(out).toMatch(/^line 2 +unchanged +ada-\w{6} \(Ada Example\)$/m);
    expect(out).toMatch(/^line 4 +rejected +email is an address that several people use/m);
    expect(out).toMatch(
      /^line 3 +rejected +fay-\w{6}: is about the same person as line 6, which is used instead$/m,
    );
    expect(out).toContain("dry run: 2 matched: 0 added, 0 replaced, 2 unchanged; 0 unmatched");
    expect(err).toContain("Nothing was written. Run it without --dry-run to write.");

    const remove = (...flags: string[]) =>
      roster("ingest", "people", "--remove", "hr-list", ...flags);
    const removal = await checkDryRun(line.folder, remove);
    expect(said(removal)).toEqual(["removed ada", "removed fay"]);
  });
});

/** Runs a dry run beside another import, then the real run. @returns the report of the dry run. */
async function checkDryRun(folder: string, run: Roster) {
  const pool = openSqlitePool(join(folder, "pool.db"), { now: () => new Date() });
  const other = await pool.beginImport("other");
  const before = readTables(folder);
  const { plan, dryRun, ...dry } = await run("--dry-run");
  expect(dryRun).toBe(true);
  expect(readTables(folder)).toEqual(before);
  await other.abort();
  await pool.close();
  const { revision, ...real } = await run();
  expect(revision).toBeNumber();
  expect(dry).toEqual(real);
  return { ...dry, plan };
}

/** Hashes every table of every database in the folder, and names the other files. */
function readTables(folder: string): object {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const tables = files.flatMap((file): [string, bigint][] => {
    if (!file.endsWith(".db")) return [[file, 0n]];
    using database = new Database(join(folder, file));
    const names = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    return database
      .query<{ name: string }, []>(names)
      .all()
      .map(({ name }) => {
        const rows = database.query(`SELECT * FROM "${name}"`).all();
        return [`${file} ${name}`, BigInt(Bun.hash(JSON.stringify(rows)))];
      });
  });
  return Object.fromEntries(tables);
}

test("halves, orders and repetitions give the same bytes", async () => {
  const people = ["people", list];
  const git = (...paths: string[]) => ["git", ...paths];
  const sequences = [
    [git(alpha, beta, gamma), people],
    [git(gamma), people, git(alpha, beta), people],
    [git(gamma), git(beta), people, people, git(alpha), git(), people],
  ];
  const exports: string[] = [];
  // The last has what the one between has: another order, in parts, and the list before all are read.
  for (const sequence of isLong ? sequences : [sequences[0] ?? [], sequences[2] ?? []]) {
    await withLine(async (roster, line) => {
      for (const argv of sequence) await roster("ingest", ...argv);
      exports.push(await exportOf(roster, line));
      await roster("ingest", "git");
      await roster("ingest", "git", "--as-of", "2026-11-22");
      exports.push(await exportOf(roster, line));
    });
  }
  expect(exports[0]).toContain('"source":"people:hr-list"');
  expect([...new Set(exports)]).toHaveLength(1);
});

test("two lists stand beside each other, whichever came first; what a list no longer says goes", async () => {
  const other = join(shelf.path, "places.jsonl");
  const say = (...lines: object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(
    other,
    say(
      { email: ["fay@example.com", "fay@home.example"], location: "Hamburg", publishEmail: true },
      { login: "https://github.com/dan-dev", hireable: true },
    ),
  );
  const exports: string[] = [];
  for (const order of [
    [list, other],
    [other, list],
  ]) {
    await withLine(async (roster, line) => {
      await roster("ingest", "git", alpha, beta, gamma);
      const without = await exportOf(roster, line);
      for (const file of order) await roster("ingest", "people", file);
      exports.push(await exportOf(roster, line));
      expect((await roster("search", "Hamburg")).data.results).toMatchObject([
        { bio: "CTO", email: "fay@example.com" },
      ]);

      const fewer = join(line.folder, "..", "fewer.csv");
      writeFileSync(fewer, saved(rows.slice(0, 1)));
      const fewerRun = await roster("ingest", "people", fewer, "--source", "hr-list");
      expect(fewerRun).toMatchObject({ matched: 1, unchanged: 1, removed: 6 });
      expect(await roster("ingest", "people", "--remove", "hr-list")).toMatchObject({ removed: 1 });
      expect(await roster("ingest", "people", "--remove", "places")).toMatchObject({ removed: 2 });
      expect(await exportOf(roster, line)).toBe(without);
      const gone = await line.run("ingest", "people", "--remove", "places", "--data", line.folder);
      expect(gone.code).toBe(4);
    });
  }
  expect(exports[0]).toBe(exports[1] as string);
});

test("a forge's profile, git and a list keep what each says, in any order", async () => {
  const facts = {
    ...{ login: "dan-dev", source: "github.com" },
    profile: { location: "Oslo", profileUrl: "https://github.com/dan-dev" },
    ...{ emails: [], repositories: [], evidence: [] },
  };
  const forge = join(shelf.path, "forge.jsonl");
  writeFileSync(forge, `${JSON.stringify(facts)}\n`);
  const exports: string[] = [];
  const [importing, git, people] = [
    ["import", forge],
    ["ingest", "git", gamma],
    ["ingest", "people", list],
  ] as const;
  const orders = [
    [importing, git, people],
    [importing, people, git, people],
  ];
  for (const order of orders) {
    await withLine(async (roster, line) => {
      for (const argv of order) await roster(...argv);
      const text = await exportOf(roster, line);
      exports.push(text);
      const found = async (place: string) => (await roster("search", place)).data.results.length;
      expect([await found("Berlin"), await found("Oslo")]).toEqual([2, 0]);

      // An export is the whole of it.
      await withLine(async (other, otherLine) => {
        await other("import", join(line.folder, "..", "export.jsonl"));
        expect(await exportOf(other, otherLine)).toBe(text);
        expect((await other("search", "Berlin")).data.results).toHaveLength(2);
      });

      // Git knows the person no longer; the forge still does, and the list by the account.
      await roster("ingest", "forget", "gamma");
      expect([await found("Berlin"), await found("Oslo")]).toEqual([1, 0]);
      await roster("ingest", "people", "--remove", "hr-list");
      expect([await found("Berlin"), await found("Oslo")]).toEqual([0, 1]);
    });
  }
  expect(exports[0]).toBe(exports[1] as string);
});

test("a run that is stopped, or meets another import, changes nothing", async () => {
  await withLine(async (roster, line) => {
    await roster("ingest", "git", alpha, beta, gamma);
    const before = await exportOf(roster, line);
    const ingest = ["ingest", "people", list, "--data", line.folder];
    expect((await line.runUntil(AbortSignal.abort(), ...ingest)).code).toBe(130);
    const pool = openSqlitePool(join(line.folder, "pool.db"), { now: () => new Date() });
    const other = await pool.beginImport("other");
    const ran = await line.run(...ingest);
    expect(ran).toMatchObject({ code: 5, err: expect.stringContaining("nother import") });
    await other.abort();
    await pool.close();
    expect(await exportOf(roster, line)).toBe(before);
  });
});

test("the subject's copy tells the list, and an erasure takes every address of it", async () => {
  await withLine(async (roster, line) => {
    await roster("ingest", "git", alpha, beta, gamma);
    await roster("ingest", "people", list);
    const [{ login }] = (await roster("search", "Lisbon")).data.results;
    const copy = await roster("person", "export", login);
    expect(copy.facts.supplements).toMatchObject([
      { source: "people:hr-list", profile: { location: "Lisbon" } },
    ]);
    expect(copy.ifForgotten.of).toContain("email:b.sample@firm.example");
    // An address that only the list has.
    const preview = await roster("forget", login, "--dry-run");
    expect(preview.addresses).toContain("b.sample@firm.example");
    await roster("forget", "b.sample@firm.example");
    const after = await roster("ingest", "people", list);
    expect(after).toMatchObject({ matched: 6, suppressed: 1, unchanged: 6 });
    await roster("ingest", "git", "--as-of", "2026-11-22");
    const text = await exportOf(roster, line);
    expect(text).not.toContain("b.sample@firm.example");
    expect(text).not.toContain("ben@example.org");
    expect(text).not.toContain("Lisbon");
  });
});

test("what a list said follows the address to whoever has it, joined or split", async () => {
  await withLine(async (roster, line) => {
    const one = join(line.folder, "..", "one.csv");
    writeFileSync(one, saved(rows.slice(1, 2)));
    await roster("ingest", "git", alpha, gamma);
    await roster("ingest", "people", one);
    const found = async () =>
      (await roster("search", "Lisbon")).data.results.map(({ login }: { login: string }) => login);
    const apart = await exportOf(roster, line);
    expect(await found()).toEqual([expect.stringMatching(/^ben-/)]);

    // Dan has an account, so the joined person has his login.
    await roster("identity", "merge", "ben@example.org", "github.com/dan-dev");
    expect(await found()).toEqual(["dan-dev"]);
    const joined = await exportOf(roster, line);
    expect(await roster("ingest", "people", one)).toMatchObject({ unchanged: 1, added: 0 });
    expect(await exportOf(roster, line)).toBe(joined);

    await roster("identity", "split", "ben@example.org", "github.com/dan-dev");
    expect(await found()).toEqual([expect.stringMatching(/^ben-/)]);
    expect(await exportOf(roster, line)).toBe(apart);

    // Nobody is left whom it could mean, so nobody has it.
    await roster("ingest", "forget", "alpha");
    expect(await exportOf(roster, line)).not.toContain("Lisbon");
  });
});

test("of two rows about people who turn out to be one, the next run takes the later", async () => {
  await withLine(async (roster) => {
    await roster("ingest", "git", alpha, beta, gamma);
    await roster("ingest", "people", list);
    await roster("identity", "merge", "cleo@firm.example", "eve@example.net");
    const summary = await roster("ingest", "people", list);
    expect(summary.rejections).toContainEqual(
      expect.objectContaining({
        line: 4,
        reason: "is about the same person as line 12, which is used instead",
      }),
    );
    expect((await roster("search", "Toronto")).data.results).toHaveLength(1);
    expect((await roster("search", "Munich")).data.results).toBeEmpty();
  });
});

describe("files that cannot be used are refused whole, and nothing changes", () => {
  let line: CommandLine;
  let before: string;
  const roster: Roster = async (...argv) => line.json(...argv, "--data", line.folder);
  beforeAll(async () => {
    line = openCommandLine();
    await roster("ingest", "git", alpha, beta, gamma);
    await roster("ingest", "people", list);
    before = await exportOf(roster, line);
  });
  afterAll(() => line.close());

  const cases: [string, number, string, string | Buffer, string[]][] = [
    ["no columns", 3, "names no column email or login", "ada@example.com;Berlin\n", []],
    ["no row", 3, "has no row", "email,location\n\n,\n", []],
    ["nothing", 3, "is empty", "", []],
    [
      "another encoding",
      3,
      "line 3 has letters of another encoding",
      Buffer.from("email,location\nx@example.com,Rom\nada@example.com,M\xfcnchen\n", "latin1"),
      [],
    ],
    [
      "UTF-16",
      3,
      "UTF-16 without a byte order mark",
      Buffer.from("email,location\n", "utf16le"),
      [],
    ],
    ["an open quote", 3, "never closed", 'email,location\nada@example.com,"Berlin\n', []],
    [
      "a bad row, when strict",
      3,
      'Line 3: email must be addresses, separated by spaces, got "ben"',
      "email,location\nada@example.com,Rome\nben,Rome\n",
      ["--strict"],
    ],
    ["only bad rows", 3, "Line 2: email and login are both empty", "email,location\n,Rome\n", []],
    ["only strangers", 3, "matches nobody here", "email,location\nx@example.com,Rome\n", []],
    ["a name for a format", 2, "--format", "email\n", ["--format", "xml"]],
    ["no name for a source", 2, "--source", "email\n", ["--source", "a b"]],
  ];
  test.each(cases)("%s", async (_, code, words, content, flags) => {
    const path = join(line.folder, "..", "bad.csv");
    writeFileSync(path, content);
    const source = flags.includes("--source") ? [] : ["--source", "hr-list"];
    const data = ["--data", line.folder];
    const ran = await line.run("ingest", "people", path, ...source, ...flags, ...data);
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringContaining(words) });
    expect(await exportOf(roster, line)).toBe(before);
  });

  test("good rows of a file with bad ones come in", async () => {
    const path = join(line.folder, "..", "mixed.csv");
    writeFileSync(
      path,
      "email,location,url,hireable\nada@example.com,Rome,,\nben@example.org,Rome,javascript:alert(1),\n" +
        "eve@example.net,Rome,,perhaps\nfay@example.com,Rome\ndevnull@localhost,Rome,,\nada@example.com,Oslo,,no\n",
    );
    const summary = await roster("ingest", "people", path);
    expect(summary).toMatchObject({ rows: 6, matched: 1, added: 1, rejected: 5 });
    expect(summary.rejections.map((each: object) => each)).toMatchObject([
      { line: 2, reason: "is about the same person as line 7, which is used instead" },
      { line: 3, field: "url" },
      { line: 4, field: "hireable", reason: 'must be yes or no, got "perhaps"' },
      { line: 5, reason: "has 2 cells, and the first line names 4" },
      { line: 6, field: "email" },
    ]);
    expect((await roster("search", "Oslo")).data.results).toHaveLength(1);
    expect((await roster("search", "Rome")).data.results).toBeEmpty();
  });

  test("a file that is not there, and none at all", async () => {
    const data = ["--data", line.folder];
    expect((await line.run("ingest", "people", "/nowhere/hr.csv", ...data)).code).toBe(4);
    expect((await line.run("ingest", "people", ...data)).code).toBe(2);
    expect((await line.run("ingest", "people", "-", "--format", "csv", ...data)).code).toBe(2);
    expect((await line.run("ingest", "people", list, "--data", join(shelf.path, "no"))).code).toBe(
      4,
    );
  });
});

test("addresses of commits are published by the setting, but those of everybody never", async () => {
  await withLine(async (roster, line) => {
    const path = join(line.folder, "..", "delta");
    inventRepository(path, [
      { author: author.ada },
      { author: author.dan },
      { author: "Robin Beispiel <root@localhost>" },
      { author: "Kim Beispiel <kim@example.com>" },
    ]);
    const emailsOf = async () => {
      const { results } = (await roster("search", "Worldwide")).data;
      return results.map((each: { email?: string }) => each.email ?? "").sort();
    };
    await roster("ingest", "git", path);
    expect(new Set(await emailsOf())).toEqual(new Set([""]));
    const facts = await exportOf(roster, line);
    await roster("ingest", "git", "--publish-commit-emails");
    expect(await emailsOf()).toEqual(["", "", "ada@example.com", "kim@example.com"]);
    expect(await exportOf(roster, line)).toBe(facts);
    const ada = (await roster("search", "Worldwide")).data.results.find(
      (each: { email?: string }) => each.email === "ada@example.com",
    );
    expect((await roster("analyze", ada.login)).data.emails.emails).toEqual([
      { address: "ada@example.com", sources: ["commits"], isPrimary: true },
    ]);
    const server = await openTestAppliance({ folder: line.folder, people: [] });
    expect(server.log()).toContain("`roster ingest git` counts people again");
    await server.close();
    await roster("ingest", "git");
    expect(new Set(await emailsOf())).toEqual(new Set([""]));
    await roster("rescore", "--publish-commit-emails");
    expect(await emailsOf()).toContain("ada@example.com");
  });
});
