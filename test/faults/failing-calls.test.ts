/**
 * The disk fails at the n-th call to it, and at every one after that: each refusal is an error that SQLite reports,
 * never a count that is lost or invented. strace makes the system calls fail.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";

const newFolder = temporaryFolders();
const strace = "/usr/bin/strace";
const canTrace = existsSync(strace) && Bun.spawnSync([strace, "true"]).exitCode === 0;
if (!canTrace) process.stderr.write("SKIPPED: failing calls, since strace does not run\n");
const random = createRandom(drawSeed("failing calls"));

/** @returns what to run a program under, so that a call on control.db fails from its n-th on. */
function failing(folder: string, call: string, error: string, from: number): readonly string[] {
  const files = ["control.db", "control.db-wal"].flatMap((name) => ["-P", join(folder, name)]);
  const inject = `inject=${call}:error=${error}:when=${from}+`;
  return [strace, "-f", "-o", "/dev/null", ...files, "-e", `trace=${call}`, "-e", inject];
}

interface Report {
  readonly acknowledged: number;
  readonly code: string;
  readonly told: number;
  readonly afterwards: string;
}

/** From which call on it fails: a number in the range, which is beyond the calls that open the file. */
const cases = [
  { call: "pwrite64", error: "EIO", from: [120, 400] },
  { call: "fdatasync,fsync", error: "EIO", from: [30, 90] },
] as const;

for (const { call, error, from } of cases) {
  test.skipIf(!canTrace)(
    `${error} at the n-th ${call}: the store stops for good, says so once, and counts are exact`,
    async () => {
      for (let round = 0; round < 4; round += 1) {
        const folder = newFolder();
        const path = join(folder, "control.db");
        await openSqliteControlStore(path).close();
        const at = from[0] + Math.floor(random() * (from[1] - from[0]));
        const child = Bun.spawnSync([
          ...failing(folder, call, error, at),
          ...[process.execPath, join(import.meta.dir, "../sqlite/failing-disk.ts"), path],
        ]);
        const report: Report = JSON.parse(child.stdout.toString());
        expect([at, report]).toEqual([
          at,
          {
            acknowledged: report.acknowledged,
            code: expect.stringMatching(/^SQLITE_IOERR/),
            ...{ told: 1, afterwards: "the control store has stopped" },
          },
        ]);
        await openSqliteControlStore(path).close();
        const sqlite = new Database(path, { readonly: true });
        const used = sqlite.query<{ used: number }, []>("SELECT max(used) AS used FROM usage");
        const check = sqlite.query("PRAGMA integrity_check").get();
        expect(check).toEqual({ integrity_check: "ok" });
        // The call that failed may have reached the disk all the same.
        const extra = (used.get()?.used ?? 0) - report.acknowledged;
        expect([0, 1]).toContain(extra);
        sqlite.close();
      }
    },
    300_000,
  );
}

test.skipIf(!canTrace)("a file that cannot be read is refused in words that name it", async () => {
  for (const from of [1, 2, 3]) {
    const folder = newFolder();
    const path = join(folder, "control.db");
    await openSqliteControlStore(path).close();
    const child = Bun.spawnSync([
      ...failing(folder, "pread64", "EIO", from),
      ...[process.execPath, join(import.meta.dir, "../sqlite/failing-disk.ts"), path],
    ]);
    expect(child.exitCode).not.toBe(0);
    expect(child.stderr.toString()).toContain(`Fault: ${path} cannot be read or written`);
  }
});
