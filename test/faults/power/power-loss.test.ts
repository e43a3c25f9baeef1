/**
 * The power goes at any instant: what was synced is there, of the rest any part, torn at any sector. A trace of the
 * system calls of a process that charges says what those states are; each must hold every call that was
 * acknowledged before. The same trace on a disk that ignores syncs must lose some, or this would prove nothing.
 */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../../src/contract/fault.ts";
import { openQuotaFixture } from "../../control/quota-fixture.ts";
import { createRandom, drawSeed } from "../../random.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { type Disk, openDisk } from "./disk.ts";
import { readTrace, type Step, straceFlags } from "./trace.ts";

const newFolder = temporaryFolders();
/** Enough that the log is written back into the database meanwhile. */
const calls = 10_000;
const images = 200;
const hasStrace = existsSync("/usr/bin/strace");
if (!hasStrace) process.stderr.write("SKIPPED: power loss, since there is no /usr/bin/strace\n");

const seed = drawSeed("power loss");

const files = ["control.db", "control.db-wal"];

/** A process that charges, watched from its start to its end. */
async function watchCharging() {
  const folder = newFolder();
  const path = join(folder, "control.db");
  const fixture = await openQuotaFixture({ path, instant: new Date().toISOString() });
  const { key } = await fixture.accounts.create({
    ...{ email: "ada@example.com", plan: "enterprise", callsPerDay: "unlimited" },
  });
  await fixture.control.close();
  const before = new Map(
    files.map((file) => {
      const there = join(folder, file);
      return [file, existsSync(there) ? readFileSync(there) : undefined];
    }),
  );
  const trace = join(folder, "trace");
  const child = join(import.meta.dir, "acknowledging-child.ts");
  const watched = Bun.spawn(
    ["strace", ...straceFlags, "-o", trace, process.execPath, child, path, key, String(calls)],
    { stdout: "ignore", stderr: "pipe" },
  );
  await watched.exited;
  const steps = readTrace(readFileSync(trace, "utf8"), new Set(files));
  if (!steps.some(({ kind }) => kind === "said")) {
    throw new Error(`nothing was charged: ${await new Response(watched.stderr).text()}`);
  }
  return { steps, before };
}

/** What one image says after the power is back; `undefined` when it does not open, or the account is gone. */
async function usedIn(image: ReadonlyMap<string, Buffer | undefined>): Promise<number | undefined> {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of image) if (content) writeFileSync(join(folder, file), content);
  try {
    // Opening checks every page.
    const path = join(folder, "control.db");
    const fixture = await openQuotaFixture({ path, instant: new Date().toISOString() });
    const account = await fixture.accounts.find("ada@example.com");
    const used = account && (await fixture.quota.usage({ accountId: account.id })).quota.used;
    await fixture.control.close();
    return used;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function losses(steps: readonly Step[], disk: Disk, chance: () => number): Promise<number> {
  const share = images / steps.length;
  let said = 0;
  let lost = 0;
  for (const step of steps) {
    if (step.kind === "said") said = Math.max(said, ...step.text.trim().split("\n").map(Number));
    disk.follow(step);
    if (chance() >= share) continue;
    const used = await usedIn(disk.image(chance));
    if (used === undefined || used < said) lost += 1;
    else expect(used).toBeLessThanOrEqual(calls);
  }
  return lost;
}

test.skipIf(!hasStrace)(
  `of ${images} states a power cut may leave, none lacks an acknowledged call; without syncs many do`,
  async () => {
    const { steps, before } = await watchCharging();
    expect(steps.some((step) => step.kind === "write" && step.file === "control.db")).toBe(true);
    const kept = await losses(steps, openDisk(before, true), createRandom(seed));
    const unsynced = await losses(steps, openDisk(before, false), createRandom(seed));
    process.stdout.write(
      `power loss: ${steps.length} steps; ${kept} states lost calls, ${unsynced} without syncs\n`,
    );
    expect(kept).toBe(0);
    expect(unsynced).toBeGreaterThan(images / 10);
  },
  120_000,
);
