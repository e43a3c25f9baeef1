/**
 * Somebody moves files of the folder while the server runs. It must notice, say the true words for as long as a monitor needs
 * to ask, refuse calls meanwhile, and end without harm to the file: then a start finds everything whole.
 */
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openLedger } from "../../src/ingest/ingest.ts";
import { temporaryFolders } from "../sqlite/temporary-folder.ts";
import {
  endServersAfterEach,
  freePort,
  program,
  type ServerProcess,
  startServer,
} from "./server-process.ts";

endServersAfterEach();
const newFolder = temporaryFolders();

interface Harm {
  readonly what: string;
  /** @returns what puts right, before the next start, what a start cannot. */
  readonly harm: (inside: (name: string) => string) => (() => void) | undefined;
  /** What `/readyz` says, after the path of the folder. */
  readonly says: RegExp;
  /** 137: killed, so that it closes no file. */
  readonly exitCode: number;
}

const harms: readonly Harm[] = [
  {
    what: "the pool is replaced",
    harm: (inside) => {
      copyFileSync(inside("pool.db"), inside("pool.new"));
      renameSync(inside("pool.new"), inside("pool.db"));
      return undefined;
    },
    says: /pool\.db was replaced under the running server; stopping, .* Start the server again: it checks/,
    exitCode: 5,
  },
  {
    what: "the accounts are removed",
    harm: (inside) => {
      renameSync(inside("control.db"), inside("control.away"));
      return () => renameSync(inside("control.away"), inside("control.db"));
    },
    says: /control\.db was removed under the running server; stopping, .* Put it back, then start/,
    exitCode: 5,
  },
  {
    what: "the shared memory of the pool's log is removed",
    harm: (inside) => {
      rmSync(inside("pool.db-shm"));
      return undefined;
    },
    says: /pool\.db-shm was removed under .*; nothing needs to be restored\.$/,
    exitCode: 137,
  },
  {
    what: "the shared memory is removed, and another process makes its own",
    harm: (inside) => {
      rmSync(inside("pool.db-shm"));
      // As a command that only looks; it stays open, as a long import does.
      const other = new Database(inside("pool.db"));
      other.query("SELECT count(*) FROM developer").get();
      return () => other.close(true);
    },
    says: /pool\.db-shm was (removed|replaced) under .*; nothing needs to be restored\.$/,
    exitCode: 137,
  },
];

describe.skipIf(process.platform !== "linux")("a server whose files are moved away", () => {
  // Side by side, since each server stays for ten seconds.
  const lives = new Map<string, Promise<Life>>();
  beforeAll(async () => {
    for (const { what, harm } of harms) lives.set(what, live(harm));
    await Promise.allSettled(lives.values());
  }, 300_000);

  for (const { what, says, exitCode } of harms) {
    test(`says so, refuses calls and ends when ${what}`, async () => {
      const life = (await lives.get(what)) as Life;
      expect(life.reasons).toEqual([expect.stringMatching(says)]);
      expect(life.reasons[0]).not.toMatch(/damage|backup/i);
      expect([life.call.status, life.call.headers.get("retry-after")]).toEqual([503, "1"]);
      expect([life.isLive, life.exitCode]).toEqual([true, exitCode]);
      expect(life.log.split("\n").filter((line) => line.includes('"error"'))).toHaveLength(1);
      expect(life.log).not.toMatch(/is damaged/);
    });

    test(`is whole at the next start after ${what}`, async () => {
      const life = (await lives.get(what)) as Life;
      expect(life.again).toMatchObject({ ready: true });
      expect(life.integrity).toEqual(["ok", "ok"]);
    });
  }

  test("goes on when a ledger is removed, to be read anew", async () => {
    const folder = join(newFolder(), "data");
    const first = await startServer(folder, await freePort(), [], [], program);
    await first.kill();
    const ledger = join(folder, "ingest.db");
    const make = () => openLedger(ledger, { version: "0.0.0-test", now: () => new Date() }).close();
    make();
    const server = await startServer(folder, await freePort(), [], [], program);
    rmSync(ledger);
    make();
    // Longer than it takes the server to look.
    await Bun.sleep(3000);
    expect(await (await fetch(`${server.address}/readyz`)).json()).toMatchObject({ ready: true });
    await server.kill();
  }, 300_000);

  test("is found by doctor beside it, which asks for a start and for no backup", async () => {
    const folder = join(newFolder(), "data");
    const server = await startServer(folder, await freePort(), [], [], program);
    rmSync(join(folder, "pool.db-shm"));
    const doctor = Bun.spawnSync([...program, "doctor", "--data", folder]);
    const said = doctor.stdout.toString() + doctor.stderr.toString();
    expect([doctor.exitCode, said]).toEqual([
      5,
      expect.stringMatching(/^fault +pool\.db-shm +it is gone: the server and other processes/m),
    ]);
    expect(said).toContain("Stop the server and start it again; no restore is needed");
    expect(said).not.toMatch(/Restore a backup/);
    await server.kill();
  }, 300_000);
});

/** What was seen of a server whose folder was harmed, and of the one that was started after it. */
interface Life {
  readonly reasons: readonly string[];
  readonly call: Response;
  readonly isLive: boolean;
  readonly exitCode: number;
  readonly log: string;
  readonly again: unknown;
  readonly integrity: readonly string[];
}

async function live(harm: Harm["harm"]): Promise<Life> {
  const folder = join(newFolder(), "data");
  const inside = (name: string) => join(folder, name);
  const port = await freePort();
  const server = await startServer(folder, port, [], [], program);
  const end = harm(inside);
  const reasons = await readReasons(server);
  const call = await fetch(`${server.address}/v1/users/ada-example`);
  const isLive = (await fetch(`${server.address}/livez`)).ok;
  const exitCode = await server.exited;
  const log = readFileSync(`${folder}.log`, "utf8");
  end?.();
  const next = await startServer(folder, port, [], [], program);
  const again = await (await fetch(`${next.address}/readyz`)).json();
  await next.kill();
  const integrity = ["control.db", "pool.db"].map((name) => checkIntegrity(inside(name)));
  return { reasons, call, isLive, exitCode, log, again, integrity };
}

function checkIntegrity(path: string): string {
  const database = new Database(path);
  const row = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  database.close(true);
  return row?.integrity_check ?? "";
}

/** Waits until `/readyz` gives reasons. */
async function readReasons({ address }: ServerProcess): Promise<readonly string[]> {
  for (;;) {
    const response = await fetch(`${address}/readyz`);
    const { reasons } = (await response.json()) as { reasons?: readonly string[] };
    if (reasons) return reasons;
    await Bun.sleep(100);
  }
}
