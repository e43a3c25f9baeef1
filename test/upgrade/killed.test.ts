/**
 * kill -9 at any step of an upgrade: in the backup, in a migration, between two. Each file has its old form or its
 * new one, the backup is whole or absent, and the next start goes on as if nothing had been.
 */
import { expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackArchive } from "../../src/backup/backup.ts";
import { openTestAppliance } from "../appliance.ts";
import { program } from "../faults/server-process.ts";
import { isLong } from "../long.ts";
import { createRandom, drawSeed } from "../random.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  askFile,
  beforeSignIn,
  listBackups,
  newestForms,
  readForms,
  unpackFolder,
} from "./filled-folders.ts";

const newFolder = temporaryFolders();
/** Each round kills twice: the upgrade, and the start that continues it. */
const rounds = isLong ? 5 : 1;
const strace = "/usr/bin/strace";
const canTrace = existsSync(strace) && Bun.spawnSync([strace, "true"]).exitCode === 0;
if (!canTrace) process.stderr.write("SKIPPED: kill -9 in an upgrade, since strace does not run\n");

function fillFolder() {
  const folder = newFolder();
  const known = unpackFolder(beforeSignIn, folder);
  return { folder, known, data: join(folder, "data") };
}

const changing = "pwrite64,ftruncate,fsync,fdatasync,rename,link,unlink";

interface Phase {
  /** What strace watches: only these changes are counted. */
  readonly filters: (data: string) => readonly string[];
  /** Matches a line of the thread that works in this phase. */
  readonly worksOn: RegExp;
}

const phases: Readonly<Record<string, Phase>> = {
  backup: { filters: () => [], worksOn: /\.roster-backup.+\.db/ },
  migration: {
    filters: (data) =>
      ["control.db", "pool.db", "ingest.db"].flatMap((name) => {
        const path = join(data, name);
        return ["-P", path, "-P", `${path}-wal`];
      }),
    worksOn: /-wal/,
  },
};

interface Change {
  readonly call: string;
  readonly count: number;
}

/** Starts the program on the folder. @param killedAt is never made. */
function upgrade({ filters, worksOn }: Phase, { folder, data }: Folder, killedAt?: Change) {
  const trace = join(folder, "trace");
  const inject = killedAt
    ? ["-e", `inject=${killedAt.call}:signal=KILL:when=${killedAt.count}`]
    : [];
  const { exitCode, signalCode, stderr } = Bun.spawnSync([
    ...[strace, "-f", "-y", "-o", trace, "-e", `trace=${changing}`],
    ...[...filters(data), ...inject, ...program, "account", "list", "--data", data],
  ]);
  const isKilled = signalCode === "SIGKILL";
  const changes = listChanges(readFileSync(trace, "utf8").split("\n"), worksOn);
  return { exitCode, isKilled, text: stderr.toString(), changes };
}

function listChanges(lines: readonly string[], worksOn: RegExp): readonly Change[] {
  const [thread = ""] = lines.findLast((line) => worksOn.test(line))?.split(" ") ?? [];
  const own = lines.filter((line) => line.startsWith(`${thread} `) && line.includes("("));
  const counts = new Map<string, number>();
  return own.slice(0, own.findLastIndex((line) => worksOn.test(line)) + 1).map((line) => {
    const call = /^\d+ +(\w+)/.exec(line)?.[1] ?? "";
    const count = (counts.get(call) ?? 0) + 1;
    counts.set(call, count);
    return { call, count };
  });
}

type Folder = ReturnType<typeof fillFolder>;

/** Looks at a copy, since opening a file repairs it. @returns how many files have their new form. */
async function inspect({ data }: Folder, forms: ReturnType<typeof readForms>): Promise<number> {
  const copy = join(newFolder(), "data");
  cpSync(data, copy, { recursive: true });
  const [newest, found] = [newestForms(copy), readForms(copy)];
  for (const [file, form] of Object.entries(found)) {
    expect([forms[file], newest[file]]).toContain(form);
    expect(askFile<string>(join(copy, file), "integrity_check")).toBe("ok");
  }
  const archives = listBackups(copy).filter((name) => name.endsWith(".tar.zst"));
  const migrated = Object.entries(found).filter(([file, form]) => form !== forms[file]).length;
  if (migrated > 0) expect(archives).toHaveLength(1);
  for (const name of archives) {
    const unpacked = newFolder();
    await unpackArchive(join(copy, "backups", name), unpacked);
    expect(readForms(unpacked)).toEqual(forms);
  }
  return migrated;
}

async function expectNothingLost({ data, known }: Folder): Promise<void> {
  const roster = await openTestAppliance({
    ...{ folder: data, people: [], now: known.at, config: { publicUrl: known.address } },
  });
  const get = (login: string, key: string) =>
    roster.handle(
      new Request(`${known.address}/v1/users/${login}`, { headers: { "x-api-key": key } }),
    );
  const answer = await get(known.logins[0] ?? "", known.key);
  expect(answer.status).toBe(200);
  const { meta } = (await answer.json()) as { meta: { quota: { used: number } } };
  expect(meta.quota.used).toBe(known.used + 1);
  expect((await get(known.logins[0] ?? "", known.oldKey)).status).toBe(401);
  expect((await get(known.forgotten?.login ?? "", known.key)).status).toBe(404);
  await roster.close();
}

for (const [name, phase] of Object.entries(phases)) {
  test.skipIf(!canTrace)(
    `kill -9 in the ${name} of an upgrade (rounds: ${rounds}): old or new, and nothing is lost`,
    async () => {
      const random = createRandom(drawSeed(`kill -9 in the ${name}`));
      const whole = fillFolder();
      const forms = readForms(whole.data);
      const { exitCode, changes } = upgrade(phase, whole);
      expect(exitCode).toBe(0);
      const reached = { nothing: 0, some: 0, all: 0 };
      for (let round = 0; round < rounds; round += 1) {
        const folder = fillFolder();
        // The second kill hits the start that continues the upgrade.
        for (const start of [1, 2]) {
          const change = changes[Math.floor(random() * changes.length)];
          const { isKilled } = upgrade(phase, folder, change);
          // The second has less to do.
          if (start === 1) expect(isKilled).toBe(true);
          const migrated = await inspect(folder, forms);
          reached[migrated === 0 ? "nothing" : migrated < 3 ? "some" : "all"] += 1;
        }
        const last = upgrade(phase, folder);
        expect([last.text.includes("roster:"), last.exitCode]).toEqual([false, 0]);
        expect(readForms(folder.data)).toEqual(newestForms(folder.data));
        expect(listBackups(folder.data)).toEqual([expect.stringMatching(/^before-upgrade-.+zst$/)]);
        await expectNothingLost(folder);
      }
      process.stdout.write(
        `${name}: ${changes.length} changes; killed with files migrated: ${JSON.stringify(reached)}\n`,
      );
    },
    300_000,
  );
}
