import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Fault } from "../../../src/contract/fault.ts";
import { type ImportOptions, importFile, type RejectedLine } from "../../../src/ingest/ingest.ts";
import { lineBytesMax } from "../../../src/ingest/read-lines.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { factsOf, lineOf, plainJudge } from "../sample.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
let folder: string;
let pool: ReturnType<typeof openSqlitePool>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "roster-import-"));
  pool = openSqlitePool(":memory:", { now });
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function fileOf(content: string | Uint8Array, name = "people.jsonl"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const load = (content: string | Uint8Array, options: Partial<ImportOptions> = {}) =>
  importFile(fileOf(content), { pool, judge: plainJudge, ...options });

async function refusalOf(promise: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Fault);
  return thrown as Fault;
}

const logins = async () => (await Array.fromAsync(pool.facts())).flat().map(({ login }) => login);

describe("a good file", () => {
  const content = lineOf("ada") + lineOf("bea") + lineOf("cid");

  test("goes in whole, as one step of the revision, and again changes nothing", async () => {
    const summary = await load(content);
    expect(summary).toMatchObject({ lines: 3, imported: 3, added: 3, rejected: 0, revision: 1 });
    expect(await logins()).toEqual(["ada", "bea", "cid"]);
    const again = await load(content);
    expect(again).toMatchObject({ imported: 3, added: 0, unchanged: 3, revision: 1 });
  });

  test.each([
    ["gzip", gzipSync(content)],
    ["gzip in two parts", Buffer.concat([gzipSync(lineOf("ada")), gzipSync(lineOf("bea"))])],
    ["zstd", Bun.zstdCompressSync(content)],
  ])("%s is told by content, whatever the name", async (_, bytes) => {
    const { imported } = await load(bytes);
    expect(imported).toBeGreaterThanOrEqual(2);
    expect(await logins()).toContain("bea");
  });

  test("byte order marks, as where files were joined, Windows line ends, blank lines and no last line end do no harm", async () => {
    const text = `\uFEFF${lineOf("ada").trim()}\r\n\r\n  \n\uFEFF${lineOf("bea").trim()}`;
    expect(await load(text)).toMatchObject({ lines: 2, imported: 2, rejected: 0 });
  });

  test("letters cut by a chunk's end come through", async () => {
    const name = "Žofie 井上 🦉";
    await load(Array.from({ length: 3000 }, (_, n) => lineOf(`p${n}`, { name })).join(""));
    const facts = (await Array.fromAsync(pool.facts())).flat();
    expect(facts.filter(({ profile }) => profile.name === name)).toHaveLength(3000);
  });

  test("progress ends at the file's size and its lines", async () => {
    const steps: unknown[] = [];
    await load(content, { onProgress: (step) => steps.push(step) });
    const { length } = content;
    expect(steps.at(-1)).toMatchObject({ bytes: length, bytesTotal: length, lines: 3 });
  });

  test("facts of a login already held are replaced", async () => {
    await load(content);
    const summary = await load(lineOf("Bea", { bio: "New." }) + lineOf("dan"));
    expect(summary).toMatchObject({ added: 1, replaced: 1, unchanged: 0, revision: 2 });
    expect((await pool.findFacts(["bea"]))[0]?.profile.bio).toBe("New.");
    expect(await logins()).toEqual(["Bea", "ada", "cid", "dan"]);
  });

  test("the demo people are removed only when told to", async () => {
    const demo = JSON.stringify({ ...factsOf("made-up"), source: "demo" });
    await load(`${demo}\n`);
    expect(await load(content)).toMatchObject({ removed: 0 });
    expect(await load(lineOf("dan"), { replaceDemo: true })).toMatchObject({ removed: 1 });
    expect(await logins()).toEqual(["ada", "bea", "cid", "dan"]);
  });
});

describe("bad lines are named with number, field and reason, and the good ones go in", () => {
  const broken = (change: object) => `${JSON.stringify({ ...factsOf("bad"), ...change })}\n`;
  const withProfile = (profile: object) => broken({ profile });
  const repositories = [
    { name: "a/b", owned: true },
    { name: "c/d", owned: true, stars: -1, lastCommit: "2026-02-30" },
  ];
  const piece = { kind: "language", name: "Go", commits: 1, months: { "2026-13": 1 } };
  const pieceOf = (change: object) => broken({ evidence: [{ ...piece, ...change }] });
  const half = JSON.stringify(factsOf("bad")).replace(
    '"profile":{}',
    '"profile":{"name":"\\ud83d"}',
  );
  const cases: [string, string | Uint8Array, Partial<RejectedLine>][] = [
    ["no JSON", "{not json}\n", { reason: expect.stringContaining("is not JSON") }],
    [
      "JSON before a byte order mark",
      `${lineOf("ann").trim()}\ufeff\n`,
      { reason: expect.stringContaining("is not JSON") },
    ],
    ["a number", "42\n", { reason: "must be a JSON object, got 42" }],
    ["a list", "[]\n", { reason: "must be a JSON object, got a list of 0" }],
    ["null", "null\n", { reason: "must be a JSON object, got null" }],
    ["no login", '{"source":"x"}\n', { field: "login", reason: "is required" }],
    ["a blank in the login", broken({ login: "a b" }), { field: "login", login: "a b" }],
    ["a list for a profile", withProfile([]), { field: "profile" }],
    [
      "an unknown field",
      withProfile({ locaton: "Berlin" }),
      { field: "profile.locaton", reason: 'is unknown; did you mean "location"?' },
    ],
    [
      "a prototype key",
      '{"login":"a","source":"b","profile":{"__proto__":{"x":1}},"emails":[],"repositories":[],"evidence":[]}\n',
      { field: "profile.__proto__", reason: expect.stringContaining("is unknown") },
    ],
    [
      "a text for a number",
      withProfile({ followers: "12" }),
      { field: "profile.followers", reason: 'must be a whole number from 0, got "12"' },
    ],
    [
      "a negative count deep inside",
      broken({ repositories }),
      { field: "repositories[1].stars", reason: "must be a whole number from 0, got -1" },
    ],
    [
      "an unknown kind of evidence",
      pieceOf({ kind: "rumour" }),
      { field: "evidence[0].kind", reason: expect.stringContaining("one of import, manifest") },
    ],
    [
      "a month that is none",
      pieceOf({}),
      { field: "evidence[0].months.2026-13", reason: "is no month of the form YYYY-MM" },
    ],
    [
      "a day that no calendar has",
      broken({ repositories: [{ ...repositories[1], stars: 1 }] }),
      { field: "repositories[0].lastCommit", reason: "is not a date: 2026-02-30" },
    ],
    [
      "control characters",
      withProfile({ bio: "\u001b[31mred" }),
      { field: "profile.bio", reason: "contains control characters" },
    ],
    [
      "half a surrogate pair",
      `${half}\n`,
      { field: "profile.name", reason: "contains half a surrogate pair" },
    ],
    [
      "invalid UTF-8",
      Buffer.concat([Buffer.from('{"login":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
      { reason: "is not valid UTF-8" },
    ],
    ["an over-long line", `${"x".repeat(lineBytesMax + 1)}\n`, { reason: "is longer than 8 MiB" }],
    ["very deep JSON", `${"[".repeat(20_000)}${"]".repeat(20_000)}\n`, {}],
  ];

  test.each(cases)("%s, and strict refuses the whole file", async (_, bad, expected) => {
    const content = Buffer.concat(
      [`${lineOf("ada")}\n`, bad, lineOf("bea")].map((text) => Buffer.from(text as string)),
    );
    const refusal = await refusalOf(load(content, { strict: true }));
    expect(refusal.code).toBe("refused");
    expect((refusal.cause as RejectedLine[]).map(({ line }) => line)).toEqual([3]);
    expect([await pool.size(), await pool.revision()]).toEqual([0, 0]);
    const summary = await load(content);
    expect(summary).toMatchObject({ lines: 3, imported: 2, added: 2, rejected: 1 });
    expect(summary.rejections).toEqual([expect.objectContaining({ line: 3, ...expected })]);
    expect(await logins()).toEqual(["ada", "bea"]);
  });

  test("a login that comes twice, in any case: the later line counts and the earlier is named", async () => {
    const [first, last] = [lineOf("Ada", { bio: "First." }), lineOf("ada", { bio: "Last." })];
    const summary = await load(first + lineOf("bea") + last);
    expect(summary).toMatchObject({ lines: 3, imported: 2, added: 2, rejected: 1 });
    expect(summary.rejections).toEqual([
      {
        line: 1,
        login: "ada",
        field: "login",
        reason: "occurs again in line 3, which is used instead",
      },
    ]);
    expect((await pool.findFacts(["ada"]))[0]?.profile.bio).toBe("Last.");
  });

  test("of very many bad lines all are counted, a hundred are kept", async () => {
    const { rejected, rejections } = await load(lineOf("ada") + "x\n".repeat(5000));
    expect([rejected, rejections.length]).toEqual([5000, 100]);
  });
});

describe("what is no file of developers is refused in one clear line", () => {
  test("missing, or a folder", async () => {
    const importing = (path: string) => refusalOf(importFile(path, { pool, judge: plainJudge }));
    const refusal = await importing(join(folder, "nowhere.jsonl"));
    expect(refusal.code).toBe("not_found");
    expect(refusal.message).toEndWith("nowhere.jsonl does not exist.");
    expect((await importing(folder)).message).toEndWith("is a folder, not a file.");
  });

  const zstd = Bun.zstdCompressSync(lineOf("ada").repeat(50) + Math.PI);
  test.each([
    ["empty", "", "is empty."],
    ["only blank lines", "\n \n", "has no line."],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0xff, 0x00]), "no developer"],
    ["a table", "login,name\nada,Ada\n", "has no developer"],
    ["a JSON list over many lines", "[\n{},\n{}\n]\n", "jq -c"],
    ["a cut gzip file", gzipSync(lineOf("ada").repeat(50)).subarray(0, -9), "cut-off gzip file"],
    ["a cut zstd file", zstd.subarray(0, -9), "cut-off zstd file"],
    ["junk behind zstd", Buffer.concat([zstd, Buffer.from("junkjunk")]), "cut-off zstd file"],
    ["a compressed nothing", gzipSync(""), "has no line."],
  ])("%s", async (_, content, message) => {
    const refusal = await refusalOf(load(content));
    expect(refusal.code).toBe("refused");
    expect(refusal.message).toContain(message);
    expect([await pool.size(), await pool.revision()]).toEqual([0, 0]);
    // The next import runs.
    expect(await load(lineOf("ada"))).toMatchObject({ added: 1 });
  });

  test("a stop between two lines imports nothing", async () => {
    const stop = new AbortController();
    stop.abort();
    const refusal = await refusalOf(load(lineOf("ada"), { signal: stop.signal }));
    expect(refusal.code).toBe("interrupted");
    expect(await pool.size()).toBe(0);
  });
});
