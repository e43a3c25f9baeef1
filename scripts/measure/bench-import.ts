/**
 * How much CPU `import` takes for a file of people, against a bare loop that reads the same file, parses each line and
 * inserts it by a prepared statement in transactions of as many lines. Then the same file again, in which nobody has
 * changed, as a share of the first import, both without the program's own start; and peak memory. CPU and not time, so
 * that what else the machine does counts less. Measures dist/roster when there is one, the sources otherwise.
 */
import { Database } from "bun:sqlite";
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Facts } from "../../src/contract/people/facts.ts";
import { atMost, median, type Row, report } from "./rows.ts";

const bars = { ratio: 15, secondShare: 0.1, memoryMb: 400 };
const root = join(import.meta.dir, "../..");
const perHundredThousand = 100_000;

/** @param argv `--people N` (default 20,000), `--runs N` (default 1), `--json`. */
export async function benchImport(argv: readonly string[]): Promise<boolean> {
  const count = (option: string, otherwise: number) =>
    argv.includes(option) ? Number(argv[argv.indexOf(option) + 1]) || otherwise : otherwise;
  const people = count("--people", 20_000);
  const folder = mkdtempSync(join(tmpdir(), "roster-import-"));
  try {
    const file = join(folder, "people.jsonl");
    const demo = readDemo();
    // In parts: a child's peak memory is at least what its parent had when it was started.
    for (let from = 0; from < people; from += linesPerPart) {
      appendFileSync(file, writeLines(demo, from, Math.min(people, from + linesPerPart)));
    }
    const one = join(folder, "one.jsonl");
    writeFileSync(one, writeLines(demo, 0, 1));
    const runs: Measured[] = [];
    for (let run = 0; run < count("--runs", 1); run++)
      runs.push(await measure({ file, one }, join(folder, `${run}`)));
    return report(toRows(runs, people), argv.includes("--json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Measured = Record<"bare" | "first" | "second" | "start", Used>;

async function measure(
  { file, one }: { readonly file: string; readonly one: string },
  data: string,
): Promise<Measured> {
  const executable = join(root, "dist/roster");
  const roster = existsSync(executable)
    ? [executable]
    : [process.execPath, join(root, "src/main.ts")];
  const options = ["--data", data, "--quiet", "--as-of", "2026-11-01"];
  const load = [...roster, "import", file, ...options];
  const bare = await use([process.execPath, import.meta.path, file, `${data}.db`]);
  const first = await use(load);
  const second = await use(load);
  return { bare, first, second, start: await use([...roster, "import", one, ...options]) };
}

function toRows(runs: readonly Measured[], people: number): Row[] {
  const of = (value: (run: Measured) => number) => median(runs.map(value));
  const scale = perHundredThousand / people;
  const ratio = of(({ first, bare }) => first.cpu / bare.cpu);
  const share = of(
    ({ first, second, start }) => Math.max(0, second.cpu - start.cpu) / (first.cpu - start.cpu),
  );
  const memoryMb = Math.max(...runs.map(({ first }) => first.peakMb));
  const [cpu, bare, first] = [
    "s of CPU",
    scale * of((run) => run.bare.cpu),
    scale * of((run) => run.first.cpu),
  ];
  return [
    { name: "import.people", value: people, unit: "people" },
    { name: "import.start", value: of(({ start }) => start.cpu), unit: cpu },
    atMost(bars.ratio, {
      ...{ name: "import.first-100k", value: first, unit: cpu },
      ...{ ratio, against: { what: "a bare loop", value: bare } },
    }),
    atMost(bars.secondShare, {
      ...{ name: "import.second-100k", value: scale * of(({ second }) => second.cpu), unit: cpu },
      ...{ ratio: share, against: { what: "the first", value: first } },
    }),
    atMost(bars.memoryMb, { name: "import.peak", value: memoryMb, unit: "MB" }),
  ];
}

interface Used {
  /** User and system, in seconds. */
  readonly cpu: number;
  readonly peakMb: number;
}

/** @throws when the command fails: a run that did nothing must not count as a fast one. */
async function use(command: readonly string[]): Promise<Used> {
  const child = Bun.spawn([...command], { cwd: root, stdout: "ignore", stderr: "ignore" });
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  const used = child.resourceUsage();
  return { cpu: Number(used?.cpuTime.total ?? 0) / 1e6, peakMb: (used?.maxRSS ?? 0) / 2 ** 20 };
}

const linesPerPart = 1000;

function readDemo(): readonly string[] {
  const packed = readFileSync(join(root, "seed/demo.jsonl.zst"));
  return Bun.zstdDecompressSync(packed).toString().trim().split("\n");
}

/**
 * The demo people as often as it takes, as `export` writes people. Names, words and repositories are each person's own, and
 * a third has a location that nobody else has: so nothing is remembered that would not be of real people.
 */
function writeLines(demo: readonly string[], from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const at = from + index;
    const facts = JSON.parse(demo[at % demo.length] ?? "") as Facts;
    const { profile, repositories } = facts;
    const { bio, location } = profile;
    const own = `${facts.login}-${Math.floor(at / demo.length)}`;
    return JSON.stringify({
      ...{ ...facts, login: own, source: "bench" },
      profile: {
        ...profile,
        ...(bio !== undefined && { bio: `${bio} I am ${own}.` }),
        ...(location !== undefined && { location: at % 3 === 0 ? `${location}, ${at}` : location }),
      },
      repositories: repositories.map((one) => ({ ...one, name: `${one.name}-${at}` })),
    } satisfies Facts);
  });
  return `${lines.join("\n")}\n`;
}

const linesPerTransaction = 100;

/** What no import can do without. */
async function insertLines(file: string, path: string): Promise<void> {
  const store = new Database(path, { create: true });
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) store.run(`PRAGMA ${pragma}`);
  store.run(
    "CREATE TABLE person (id INTEGER PRIMARY KEY, login TEXT NOT NULL, facts TEXT NOT NULL)",
  );
  const insert = store.prepare("INSERT INTO person (login, facts) VALUES (?, ?)");
  const insertAll = store.transaction((batch: readonly string[]) => {
    for (const text of batch) insert.run((JSON.parse(text) as Facts).login, text);
  });
  let batch: string[] = [];
  const flush = () => {
    insertAll(batch);
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    batch.push(line);
    if (batch.length === linesPerTransaction) flush();
  }
  flush();
  store.close();
}

if (import.meta.main) {
  const [file = "", path = ""] = process.argv.slice(2);
  await insertLines(file, path);
}
