/**
 * Somebody moves files of the folder while the server runs. `/readyz` and doctor must name the file, the server must end
 * when it is told to, and the next start must find everything intact.
 */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import { endServersAfterEach, freePort, program, startServer } from "./server-process.ts";

endServersAfterEach();
const newFolder = temporaryFolders();

interface Harm {
  readonly what: string;
  readonly harm: (folder: string) => void;
  /** The file that `/readyz` names. */
  readonly named: string;
  /** The file that doctor names; undefined where the folder is intact without the server. */
  readonly foundByDoctor?: string;
  /** Puts right, before the next start, what a start cannot. */
  readonly mend?: (folder: string) => void;
}

const harms: readonly Harm[] = [
  {
    what: "the pool is replaced",
    harm: (folder) => {
      copyFileSync(join(folder, "pool.db"), join(folder, "pool.new"));
      renameSync(join(folder, "pool.new"), join(folder, "pool.db"));
    },
    ...{ named: "pool.db", foundByDoctor: "pool.db" },
  },
  {
    what: "the accounts are removed",
    harm: (folder) => renameSync(join(folder, "control.db"), join(folder, "control.away")),
    ...{ named: "control.db", foundByDoctor: "control.db" },
    mend: (folder) => renameSync(join(folder, "control.away"), join(folder, "control.db")),
  },
  {
    what: "the shared memory of the pool's log is removed",
    harm: (folder) => rmSync(join(folder, "pool.db-shm")),
    ...{ named: "pool.db-shm", foundByDoctor: "pool.db-shm" },
  },
  {
    what: "the folder is replaced by a copy",
    harm: (folder) => {
      cpSync(folder, `${folder}.copy`, { recursive: true });
      renameSync(folder, `${folder}.away`);
      renameSync(`${folder}.copy`, folder);
    },
    named: "control.db",
  },
  {
    what: "the folder is removed",
    harm: (folder) => renameSync(folder, `${folder}.away`),
    ...{ named: "control.db", foundByDoctor: "folder" },
    mend: (folder) => renameSync(`${folder}.away`, folder),
  },
];

describe.skipIf(process.platform !== "linux")("a server whose files are moved away", () => {
  test.each(harms)(
    "$what: it says so, and the next start is intact",
    async ({ harm, named, foundByDoctor, mend }) => {
      const folder = join(newFolder(), "data");
      const server = await startServer(folder, await freePort(), [], [], program);
      harm(folder);
      const readiness = await fetch(`${server.address}/readyz`);
      const says = `${join(folder, named)} was moved or replaced under the running server: start it again`;
      expect([readiness.status, await readiness.json()]).toEqual([
        503,
        expect.objectContaining({ reasons: [says] }),
      ]);
      const doctor = Bun.spawnSync([...program, "doctor", "--data", folder]);
      const found = doctor.stdout.toString();
      if (foundByDoctor === undefined) expect(found).not.toMatch(/^fault/m);
      else expect(found).toMatch(new RegExp(`^fault +${RegExp.escape(foundByDoctor)} `, "m"));
      process.kill(server.pid, "SIGTERM");
      expect(await server.exited).toBe(0);
      mend?.(folder);
      const next = await startServer(folder, await freePort(), [], [], program);
      expect(await (await fetch(`${next.address}/readyz`)).json()).toMatchObject({ ready: true });
      await next.kill();
      expect(["control.db", "pool.db"].map((name) => checkIntegrity(join(folder, name)))).toEqual([
        "ok",
        "ok",
      ]);
    },
    300_000,
  );
});

function checkIntegrity(path: string): string {
  const database = new Database(path);
  const row = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  database.close(true);
  return row?.integrity_check ?? "";
}
