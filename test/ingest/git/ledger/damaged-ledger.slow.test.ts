/** Flipped bits in ingest.db: a run publishes the same facts as without them, or names the file and what helps. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCommandLine } from "../../../interfaces/cli/command-line.ts";
import { isLong } from "../../../long.ts";
import { createRandom, drawSeed } from "../../../random.ts";
import { ada, ben, inventRepository } from "../invented-repository.ts";

const now = "2026-11-21T12:00:00Z";
const line = openCommandLine(() => new Date(now));
afterAll(() => line.close());
const data = ["--data", line.folder];
const shelf = join(line.folder, "..", "shelf");
const ledger = join(line.folder, "ingest.db");
const pool = join(line.folder, "pool.db");
const rounds = isLong ? 100 : 4;

const authors = [
  ada,
  ben,
  ...Array.from({ length: 30 }, (_, n) => `Person ${n} <p${n}@corp.example>`),
];

async function facts(): Promise<string> {
  const file = join(shelf, "people.jsonl");
  const { code, err } = await line.run("export", file, "--quiet", ...data);
  expect({ code, err }).toMatchObject({ code: 0 });
  return readFileSync(file, "utf8");
}

let expected: string;
let before: { readonly ledger: Buffer; readonly pool: Buffer };

beforeAll(async () => {
  for (const [at, name] of ["one", "two"].entries()) {
    const commits = authors.flatMap((author, n) => [
      { author, message: `${name} ${n % 7}`, files: { [`src/${n}.js`]: `const a = ${n};\n` } },
      { author, message: `More ${n}\n\nReviewed-by: ${authors[(n + at) % 32]}\n` },
    ]);
    inventRepository(join(shelf, name), commits);
  }
  expect((await line.run("ingest", "git", shelf, ...data)).code).toBe(0);
  expected = await facts();
  before = { ledger: readFileSync(ledger), pool: readFileSync(pool) };
});

function put(path: string, bytes: Uint8Array): void {
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  writeFileSync(path, bytes);
}

/** One round of a draw: a run over a ledger with flipped bits. @returns whether it was refused. */
async function tryRound(round: number, flipped: Buffer): Promise<boolean> {
  put(pool, before.pool);
  put(ledger, flipped);
  const how = [["--anew"], [], ["--as-of", "2026-11-22"]][round % 3] ?? [];
  const { code, err } = await line.run("ingest", "git", shelf, ...how, ...data);
  const what = `round ${round} ${how} of ${flipped.length}: ${code} ${err}`;
  expect(err, what).not.toMatch(/^\s+at /m);
  if (code !== 0) {
    expect(err, what).toContain("ingest.db");
    expect(err, what).toMatch(/roster doctor|Point --data/);
  }
  put(ledger, before.ledger);
  expect(await facts(), what).toBe(expected);
  return code !== 0;
}

const blobs = {
  "a history": "SELECT commits FROM segment",
  "the meaning of paths": "SELECT sense FROM history",
  "what was counted of an author": "SELECT content FROM work WHERE length(content) > 20",
};

test.each(Object.entries(blobs))("a bit that flipped in %s is found", async (_, sql) => {
  const random = createRandom(drawSeed("damaged ledger"));
  const file = new Database(ledger, { readonly: true });
  const stored = file.query<Record<string, Uint8Array>, []>(sql).all();
  file.close();
  for (let round = 0; round < rounds; round++) {
    const [bytes = Buffer.alloc(0)] = Object.values(
      stored[Math.floor(random() * stored.length)] ?? {},
    );
    // Larger values are not in one piece in the file.
    const piece = bytes.subarray(-Math.min(bytes.length, 24));
    const at = before.ledger.indexOf(piece) + Math.floor(random() * piece.length);
    const flipped = Buffer.from(before.ledger);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    expect(await tryRound(round * 3, flipped)).toBe(true);
  }
});

/** Flips a bit in the middle of every place where the text stands. @returns how many runs without anything new were refused. */
async function flipEach(text: string): Promise<number> {
  let refused = 0;
  for (let at = before.ledger.indexOf(text); at >= 0; at = before.ledger.indexOf(text, at + 1)) {
    const flipped = Buffer.from(before.ledger);
    const middle = at + Math.floor(text.length / 2);
    flipped[middle] = (flipped[middle] ?? 0) ^ 1;
    if (await tryRound(1, flipped)) refused++;
  }
  return refused;
}

test("a letter that changed in a name or address is published by no run without anything new", async () => {
  expect(await flipEach("Person 7")).toBeGreaterThan(0);
  expect(await flipEach("p7@corp")).toBeGreaterThan(0);
});
