/**
 * Power can fail at any instant: synced bytes remain, and any part of the others. The states come from a trace of system calls.
 * Each must hold everything acknowledged before. With synchronous=NORMAL some must not, or this would prove nothing.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../../src/contract/fault.ts";
import { openSqlitePool } from "../../../src/pool/sqlite/sqlite-pool.ts";
import { openQuotaFixture } from "../../control/quota-fixture.ts";
import { isLong } from "../../long.ts";
import { person } from "../../pool/person.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { openDisk } from "./disk.ts";
import { readTrace, straceFlags } from "./trace.ts";

const newFolder = temporaryFolders();
const hasStrace = existsSync("/usr/bin/strace");
if (!hasStrace) process.stderr.write("SKIPPED: power loss, since there is no /usr/bin/strace\n");
const seed = drawSeed("power loss");
const instant = "2026-11-21T12:00:00Z";
const now = () => new Date(instant);

type Image = ReadonlyMap<string, Buffer | undefined>;

/** What a process does to one database, and what it acknowledges. */
interface Work {
  readonly database: string;
  /** How many states are looked at. */
  readonly images: number;
  /** Makes the database. @returns what to run on it; each line that this prints was durable before. */
  prepare(folder: string): Promise<readonly string[]>;
  /** @returns whether the database in this folder lacks any of what was said. */
  hasLost(folder: string, said: readonly string[]): Promise<boolean>;
}

/** Enough that the log is written back into the database meanwhile. */
const calls = isLong ? 10_000 : 6000;

const charging: Work = {
  database: "control.db",
  images: isLong ? 200 : 60,
  async prepare(folder) {
    const path = join(folder, "control.db");
    const fixture = await openQuotaFixture({ path, instant });
    const { key } = await fixture.accounts.create({
      ...{ email: "ada@example.com", plan: "enterprise", callsPerDay: "unlimited" },
    });
    await fixture.control.close();
    return [join(import.meta.dir, "../charging-child.ts"), path, key, instant, String(calls)];
  },
  async hasLost(folder, said) {
    // Opening checks every page.
    const path = join(folder, "control.db");
    const fixture = await openQuotaFixture({ path, instant });
    const account = await fixture.accounts.find("ada@example.com");
    const used = account && (await fixture.quota.usage({ accountId: account.id })).quota.used;
    await fixture.control.close();
    expect(used ?? 0).toBeLessThanOrEqual(calls);
    return used === undefined || used < Math.max(0, ...said.map((line) => Number(line) || 0));
  },
};

const people = isLong ? 24 : 8;

const forgetting: Work = {
  database: "pool.db",
  images: isLong ? 100 : 40,
  async prepare(folder) {
    const path = join(folder, "pool.db");
    const pool = openSqlitePool(path, { now });
    const load = await pool.beginImport("test");
    for (let n = 0; n < people; n += 1) await load.put([person({ login: `p${n}` })]);
    await load.commit();
    await pool.close();
    return [join(import.meta.dir, "../forgetting-process.ts"), path, String(people)];
  },
  async hasLost(folder, said) {
    const path = join(folder, "pool.db");
    const pool = openSqlitePool(path, { now });
    let lost = false;
    for (const line of said) {
      const [word, n] = line.split(" ");
      if (word !== "hidden") continue;
      const [card] = await pool.findCards([`p${n}`]);
      lost ||= card !== undefined || (await pool.erasing.receiptsOf(`p${n}`)).length === 0;
    }
    await pool.close();
    return lost;
  },
};

/** The process, watched from its start to the last that it said. */
async function watch(work: Work, preload: readonly string[]) {
  const folder = newFolder();
  const argv = await work.prepare(folder);
  const files = [work.database, `${work.database}-wal`];
  const before: Image = new Map(
    files.map((file) => {
      const there = join(folder, file);
      return [file, existsSync(there) ? readFileSync(there) : undefined];
    }),
  );
  const trace = join(folder, "trace");
  const watched = Bun.spawn(
    ["strace", ...straceFlags, "-o", trace, process.execPath, ...preload, ...argv],
    { stdout: "ignore", stderr: "pipe" },
  );
  await watched.exited;
  const steps = readTrace(readFileSync(trace, "utf8"), new Set(files));
  const last = steps.findLastIndex(({ kind }) => kind === "said");
  if (last < 0) throw new Error(`nothing was said: ${await new Response(watched.stderr).text()}`);
  return { steps: steps.slice(0, last + 1), before };
}

async function countLosses(work: Work, preload: readonly string[] = []): Promise<number> {
  const { steps, before } = await watch(work, preload);
  expect(steps.some((step) => step.kind === "write" && step.file === work.database)).toBe(true);
  const [disk, chance] = [openDisk(before), createRandom(seed)];
  const said: string[] = [];
  // Half of the states right after something was acknowledged, half at any instant.
  const acknowledgements = steps.filter(({ kind }) => kind === "said").length;
  let lost = 0;
  for (const step of steps) {
    if (step.kind === "said") said.push(...step.text.trim().split("\n"));
    disk.follow(step);
    const moments = step.kind === "said" ? acknowledgements : steps.length;
    if (chance() >= work.images / 2 / moments) continue;
    if (await isLost(work, disk.image(chance), said)) lost += 1;
  }
  return lost;
}

/** A database that does not open counts as lost. */
async function isLost(work: Work, image: Image, said: readonly string[]): Promise<boolean> {
  const folder = newFolder();
  for (const [file, content] of image) if (content) writeFileSync(join(folder, file), content);
  try {
    return await work.hasLost(folder, said);
  } catch (error) {
    if (isFault(error)) return true;
    throw error;
  }
}

const normal = ["--preload", join(import.meta.dir, "normal-synchronous.ts")];
const works: readonly (readonly [what: string, work: Work])[] = [
  ["call", charging],
  ["erasure", forgetting],
];

for (const [what, work] of works) {
  test.skipIf(!hasStrace)(
    `of ${work.images} states a power cut may leave, none lacks an acknowledged ${what}; with synchronous=NORMAL some do`,
    async () => {
      const full = await countLosses(work);
      const lesser = await countLosses(work, normal);
      process.stdout.write(
        `power loss: ${full} states lack an acknowledged ${what}, ${lesser} with NORMAL\n`,
      );
      expect(full).toBe(0);
      expect(lesser).toBeGreaterThan(0);
    },
    900_000,
  );
}
