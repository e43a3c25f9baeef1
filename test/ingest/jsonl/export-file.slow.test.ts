import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { Fault } from "../../../src/contract/fault.ts";
import { exportFile, importFile } from "../../../src/ingest/ingest.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { rounds } from "../../long.ts";
import { lineOf, plainJudge } from "../sample.ts";

const now = () => new Date("2026-11-21T12:00:00Z");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "roster-export-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const open = () => openSqlitePool(":memory:", { now });
const at = (name: string) => join(folder, name);

async function poolOf(lines: string) {
  const pool = open();
  writeFileSync(at("given.jsonl"), lines);
  await importFile(at("given.jsonl"), { pool, judge: plainJudge });
  return pool;
}

describe("export", () => {
  test("writes the lines that were imported, by login in code-unit order", async () => {
    const pool = await poolOf(lineOf("bea") + lineOf("Zed") + lineOf("ada", { bio: "Å 🦉\n2" }));
    const summary = await exportFile(pool, at("out.jsonl"));
    const expected = lineOf("Zed") + lineOf("ada", { bio: "Å 🦉\n2" }) + lineOf("bea");
    expect(readFileSync(at("out.jsonl"), "utf8")).toBe(expected);
    expect(summary).toMatchObject({ lines: 3, bytes: Buffer.byteLength(expected) });
    await pool.close();
  });

  test("export, import into an empty pool, export: the same bytes, in every form", async () => {
    const person = fc.record({
      login: fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/),
      name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 30 }), async (people) => {
        const clean = people.filter(({ name }) => !/\p{Cc}/u.test(name) && name.isWellFormed());
        const lines = clean.map(({ login, name }) => lineOf(login, { name })).join("");
        const pool = await poolOf(lines + lineOf("always"));
        for (const name of ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"]) {
          await exportFile(pool, at(name));
          const copy = open();
          await importFile(at(name), { pool: copy, judge: plainJudge, strict: true });
          await exportFile(copy, at(`again-${name}`));
          expect(readFileSync(at(`again-${name}`)).equals(readFileSync(at(name)))).toBe(true);
          await copy.close();
        }
        const plain = readFileSync(at("a.jsonl"));
        expect(gunzipSync(readFileSync(at("a.jsonl.gz"))).equals(plain)).toBe(true);
        expect(Bun.zstdDecompressSync(readFileSync(at("a.jsonl.zst"))).equals(plain)).toBe(true);
        await pool.close();
      }),
      { numRuns: rounds(10) },
    );
  });

  test("an empty pool gives an empty file", async () => {
    const pool = open();
    expect(await exportFile(pool, at("none.jsonl"))).toMatchObject({ lines: 0, bytes: 0 });
    expect(readFileSync(at("none.jsonl")).length).toBe(0);
    await pool.close();
  });

  test("what cannot be written is refused and leaves the old file and no scraps", async () => {
    const pool = await poolOf(lineOf("ada"));
    const missing = exportFile(pool, join(folder, "no", "such", "out.jsonl"));
    await expect(missing).rejects.toThrow(/such does not exist/);
    mkdirSync(at("taken"));
    await expect(exportFile(pool, at("taken"))).rejects.toBeInstanceOf(Fault);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    await pool.close();
  });

  test("a device is written to, never replaced by a file", async () => {
    const pool = await poolOf(lineOf("ada"));
    symlinkSync("/dev/null", at("device"));
    await exportFile(pool, at("device"));
    expect(lstatSync(at("device")).isSymbolicLink()).toBe(true);
    await pool.close();
  });

  test("a stop leaves the old file as it was", async () => {
    const many = Array.from({ length: 2000 }, (_, n) => lineOf(`p${n}`, { bio: "x".repeat(100) }));
    const pool = await poolOf(many.join(""));
    writeFileSync(at("out.jsonl"), "old");
    const stop = new AbortController();
    stop.abort();
    const stopped = exportFile(pool, at("out.jsonl"), { signal: stop.signal });
    await expect(stopped).rejects.toThrow("Stopped");
    expect(readFileSync(at("out.jsonl"), "utf8")).toBe("old");
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    // The stream that was left early must not keep the pool busy.
    const again = await importFile(at("given.jsonl"), { pool, judge: plainJudge });
    expect(again.unchanged).toBe(2000);
    await pool.close();
  });
});
