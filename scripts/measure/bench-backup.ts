/**
 * What callers notice of a backup: 200 calls a second at a constant rate against a live server, half searches, half
 * profiles, without a backup, with `roster backup` running beside it over and over, and with its own schedule doing so.
 * In one run, in turns. A call's time counts from when it was due, so that one that waits makes the next ones late too.
 *
 * Runs dist/roster if it is built.
 *
 * Options: `--people N` (default 100,000), `--seconds N` of each phase (default 20), `--rounds N` (default 2), `--json`.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, sourceProgram, startServer } from "../../test/faults/server-process.ts";
import { createCaller, fillFolder } from "./large-folder.ts";
import { atMost, type Row, report } from "./rows.ts";

const callsPerSecond = 200;
const ratioBar = 3;
const slowestMsBar = 1000;
const built = join(import.meta.dir, "../../dist/roster");
const program = existsSync(built) ? [built] : sourceProgram;
const phases = ["without", "command", "schedule"] as const;
type Phase = (typeof phases)[number];

export async function benchBackup(argv: readonly string[]): Promise<boolean> {
  const read = (flag: string, fallback: number) => Number(argv[argv.indexOf(flag) + 1]) || fallback;
  const [people, seconds, rounds] = [
    read("--people", 100_000),
    read("--seconds", 20),
    read("--rounds", 2),
  ];
  const parent = mkdtempSync(join(tmpdir(), "roster-bench-"));
  try {
    const data = join(parent, "data");
    const { logins, key } = await fillFolder(data, people);
    const poolBytes = statSync(join(data, "pool.db")).size;
    const times: Record<Phase, number[]> = { without: [], command: [], schedule: [] };
    let backups = 0;
    for (let round = 0; round < rounds; round++) {
      for (const phase of phases) {
        const ran = await runPhase(phase, { parent, data, logins, key, seconds });
        times[phase].push(...ran.ms);
        backups += ran.backups;
      }
    }
    const rows: Row[] = [
      { name: "backup.people", value: people, unit: "people" },
      { name: "backup.pool", value: Math.round(poolBytes / 2 ** 20), unit: "MiB" },
      { name: "backup.calls-each", value: times.without.length, unit: "calls" },
      { name: "backup.backups-made", value: backups, unit: "backups" },
    ];
    for (const phase of phases) {
      const [p50, p99, slowest] = [50, 99, 100].map((share) => percentile(times[phase], share));
      const ratio = (p99 as number) / percentile(times.without, 99);
      const p99Row = { name: `backup.${phase}-p99`, value: p99 as number, unit: "ms" };
      const slowestRow = { name: `backup.${phase}-slowest`, value: slowest as number, unit: "ms" };
      const isHeld = phase !== "without";
      rows.push(
        { name: `backup.${phase}-p50`, value: p50 as number, unit: "ms" },
        isHeld
          ? atMost(ratioBar, {
              ...p99Row,
              ratio,
              against: { what: "without a backup", value: percentile(times.without, 99) },
            })
          : p99Row,
        isHeld ? atMost(slowestMsBar, slowestRow) : slowestRow,
      );
    }
    return report(rows, argv.includes("--json"));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] as number;
}

interface PhaseParts {
  readonly parent: string;
  readonly data: string;
  readonly logins: readonly string[];
  readonly key: string;
  readonly seconds: number;
}

async function runPhase(phase: Phase, { parent, data, logins, key, seconds }: PhaseParts) {
  const folder = join(parent, "backups");
  mkdirSync(folder, { recursive: true });
  const flags = ["--backup-every", "1s", "--backup-folder", folder, "--backup-keep", "1"];
  const port = await freePort();
  const server = await startServer(data, port, [], phase === "schedule" ? flags : [], program);
  const ask = createCaller(server.address, key, logins);
  try {
    await callAtRate(ask, 5);
    let isOver = false;
    const beside = phase === "command" ? backUpUntil(() => isOver, data, folder) : undefined;
    const ms = await callAtRate(ask, seconds);
    isOver = true;
    const logged = readFileSync(`${data}.log`, "utf8").split('"backup made"').length - 1;
    return { ms, backups: (await beside) ?? logged };
  } finally {
    await server.kill();
  }
}

async function backUpUntil(isOver: () => boolean, data: string, folder: string): Promise<number> {
  const command = [...program, "backup", join(folder, "a.tar.zst"), "--data", data];
  let made = 0;
  while (!isOver()) {
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
    made += 1;
  }
  return made;
}

/** @returns milliseconds of each call since it was due. */
async function callAtRate(ask: (turn: number) => Promise<void>, seconds: number) {
  const startedAt = performance.now();
  const calls: Promise<number>[] = [];
  let failure: unknown;
  for (let turn = 0; turn < seconds * callsPerSecond; turn++) {
    const dueAt = startedAt + (turn * 1000) / callsPerSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await Bun.sleep(waitMs);
    const done = () => performance.now() - dueAt;
    const fail = (error: unknown) => {
      failure = error;
      return 0;
    };
    calls.push(ask(turn).then(done, fail));
    if (failure) throw failure;
  }
  return Promise.all(calls);
}
