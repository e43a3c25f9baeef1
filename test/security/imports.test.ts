/**
 * Files made to fill memory: the real program refuses each with file, line and reason, in bounded memory, and what
 * the pool held before is what it holds after. Peaks of memory are measured, times are not.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { program } from "../faults/server-process.ts";
import { temporaryFolder } from "../ingest/git/invented-repository.ts";

const world = temporaryFolder();
afterAll(() => world.remove());
const data = join(world.path, "data");
const mebibyte = 2 ** 20;
/** The program itself takes 100 MB, and a line of the largest size with what is read of it some more. */
const peakMax = 400 * mebibyte;

const line =
  '{"source":"import","login":"ada","profile":{},"emails":[],"repositories":[],"evidence":[]}';
const withField = (field: string) => `${line.slice(0, -1)},${field}}`;

async function run(...argv: string[]) {
  const command = [...program, ...argv, "--data", data];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const peak = peakOf(child);
  return { ...(await readOutput(child)), peak: await peak };
}

/** Reads the peak while the process runs: the system's figure at its end includes the memory of this process. */
async function peakOf(child: Bun.Subprocess): Promise<number> {
  let peak = 0;
  for (; child.exitCode === null && child.signalCode === null; await Bun.sleep(10)) {
    const status = await Bun.file(`/proc/${child.pid}/status`)
      .text()
      .catch(() => "");
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
    peak = Math.max(peak, Number(kibibytes ?? 0) * 1024);
  }
  return peak;
}

beforeAll(async () => {
  writeFileSync(join(world.path, "good.jsonl"), `${line}\n`);
  expect((await run("import", join(world.path, "good.jsonl"))).code).toBe(0);
}, 300_000);

function expectBounded(peak: number): void {
  expect(peak).toBeLessThan(peakMax);
  if (process.platform === "linux") expect(peak).toBeGreaterThan(10 * mebibyte);
}

async function expectRefused(name: string, content: Uint8Array | string, reason: RegExp) {
  const file = join(world.path, name);
  writeFileSync(file, content);
  const { code, out, err, peak } = await run("import", file);
  expect({ name, code, out }).toEqual({ name, code: 3, out: "" });
  expect(err).toContain(file);
  expect(err).toMatch(reason);
  expectBounded(peak);
  expect(existsSync(join(data, "import.db"))).toBe(false);
}

const times = (piece: Uint8Array, count: number) => Buffer.concat(Array(count).fill(piece));
const zstd = (content: Uint8Array) => Bun.zstdCompressSync(content, { level: 3 });
const gzip = (content: Uint8Array<ArrayBuffer>) => Bun.gzipSync(content, { level: 9 });
const letters = Buffer.alloc(16 * mebibyte, "a");
const lines = Buffer.alloc(16 * mebibyte, `{"a":"${"a".repeat(1000)}"}\n`);

/** RFC 8878: the frame's magic, a header without checksum and size, and a window of 2 to the power of 10 + `power`. */
const frame = (power: number, ...blocks: Uint8Array[]) =>
  Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, power << 3]), ...blocks]);
/** One letter, 131,072 times. */
const runOfLetters = Buffer.from([0x02, 0x00, 0x10, 0x61]);
const emptyBlock = Buffer.from([0, 0, 0]);
const lastBlock = Buffer.from([1, 0, 0]);
const skippable = Buffer.concat([
  Buffer.from([0x50, 0x2a, 0x4d, 0x18, 16, 0, 0, 0]),
  Buffer.alloc(16),
]);

describe("what unpacks to more than it should", () => {
  const grows = /unpacks to more than 200 times its size.*up to line \d/;
  for (const [name, content, reason] of [
    ["one-line.zst", times(zstd(letters), 64), grows],
    ["one-line.gz", times(gzip(letters), 64), grows],
    ["many-lines.zst", times(zstd(lines), 32), /times its size.*up to line [1-9]\d{3}/],
    ["many-lines.gz", times(gzip(lines), 32), grows],
    ["blank-lines.zst", times(zstd(Buffer.alloc(16 * mebibyte, "\n")), 32), grows],
    ["two-gigabytes-in-64-kilobytes.zst", frame(7, times(runOfLetters, 16_384), lastBlock), grows],
    [
      "cut-off.zst",
      zstd(lines.subarray(0, 8 * mebibyte)).subarray(0, -5),
      /damaged or cut-off zstd/,
    ],
    [
      "cut-off.gz",
      gzip(lines.subarray(0, 8 * mebibyte)).subarray(0, -5),
      /damaged or cut-off gzip/,
    ],
    ["nested.gz", gzip(gzip(gzip(letters))), /line 1: is not valid UTF-8/],
    ["window-of-two-gigabytes.zst", frame(21, runOfLetters, lastBlock), /damaged or cut-off zstd/],
    ["nothing-a-million-times.zst", frame(7, times(emptyBlock, 1_000_000), lastBlock), /no line/],
    ["nothing-a-hundred-thousand-times.gz", times(gzip(Buffer.alloc(0)), 100_000), /no line/],
    [
      "skipped-for-ever.zst",
      Buffer.concat([zstd(letters.subarray(0, 9)), times(skippable, 100_000)]),
      /line 1/,
    ],
    [
      "a-name-of-eight-megabytes.gz",
      Buffer.concat([
        Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
        letters.subarray(0, 8 * mebibyte),
      ]),
      /damaged or cut-off gzip/,
    ],
  ] as const) {
    test(name, () => expectRefused(name, content, reason), 300_000);
  }
});

describe("what is one line too many", () => {
  const object = (keys: number) =>
    `{${Array.from({ length: keys }, (_, at) => `"k${at}":1`).join(",")}}`;
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  for (const [name, text, reason] of [
    ["keys", object(600_000), /line 1: login is required/],
    [
      "keys in a field",
      line.replace('"profile":{}', `"profile":${object(600_000)}`),
      /profile\.k0 is unknown/,
    ],
    ["a line of nine megabytes", object(1_000_000), /line 1: is longer than 8 MiB/],
    [
      "half a million addresses",
      line.replace('"emails":[]', `"emails":[${'"a@b.cc",'.repeat(500_000)}"a@b.cc"]`),
      /emails must be a list of at most 200/,
    ],
    [
      "a login of seven megabytes",
      line.replace("ada", "a".repeat(7 * mebibyte)),
      /login must be a text of the form/,
    ],
    ["a key of seven megabytes", withField(`"${"a".repeat(7 * mebibyte)}":1`), /is unknown/],
  ] as const) {
    test(name, () => expectRefused(`${name}.jsonl`, `${text}\n`, reason), 300_000);
  }

  const profile = (text: string) => line.replace('"profile":{}', `"profile":${text}`);
  /** Lines by the name of their file, each with the reason of its refusal. */
  const refused: Readonly<Record<string, readonly (readonly [text: string, reason: string])[]>> = {
    "lists and objects in each other": [
      nested(100_000),
      objects(100_000),
      line.replace('"evidence":[]', `"evidence":${nested(1_000_000)}`),
      profile(objects(500_000)),
      '{"a":['.repeat(500_000),
    ].map((text) => [text, "is nested deeper than 100 levels"]),
    "names and values that no line has": [
      [profile(`{"followers":${"9".repeat(1_000_000)}}`), "followers must be a whole number"],
      [profile('{"followers":1e999999}'), "followers must be a whole number"],
      [withField('"__proto__":{"login":"ben"}'), "__proto__ is unknown"],
      [profile('{"__proto__":{}}'), "profile\\.__proto__ is unknown"],
      [withField('"constructor":{"prototype":{}}'), "constructor is unknown"],
      [line.replace("ada", "\\ud800"), "login must be a text of the form"],
      [profile('{"name":"a\\udc00"}'), "half a surrogate pair"],
    ],
  };
  test.each(Object.entries(refused))(
    "%s",
    async (name, lines) => {
      const file = join(world.path, `${name}.jsonl`);
      writeFileSync(file, [line, ...lines.map(([text]) => text), ""].join("\n"));
      const { code, out, err, peak } = await run("import", file);
      const told = `0 added, 0 replaced, 1 unchanged, ${lines.length} rejected\n`;
      expect({ name, code, out }).toEqual({ name, code: 0, out: told });
      for (const [at, [, reason]] of lines.entries()) {
        expect(err).toMatch(new RegExp(`line ${at + 2}: .*${reason}`));
      }
      expectBounded(peak);
    },
    300_000,
  );
});

test("after all of them the pool holds what it held", async () => {
  const copy = join(world.path, "copy.jsonl");
  expect((await run("export", copy)).code).toBe(0);
  const [held = "", ...rest] = readFileSync(copy, "utf8").split("\n");
  expect([JSON.parse(held).login, ...rest]).toEqual(["ada", ""]);
}, 300_000);
