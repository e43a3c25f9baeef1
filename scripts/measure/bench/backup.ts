/**
 * How much a backup slows down callers: 200 calls a second at a constant rate, half of them searches and half profiles,
 * without a backup, beside `roster backup` in a loop, and beside the backups of the server's own schedule. The three take
 * turns in one run. The time of a call counts from when it was due, so that a call that waits delays the following ones,
 * too.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createCaller, fillFolder } from "../large-folder.ts";
import { defineMeasurement } from "../measurement.ts";
import { roster, startRoster } from "../processes.ts";
import { atMost, percentile, type Row } from "../rows.ts";

const callsPerSecond = 200;
const bars = { ratio: 3, slowestMs: 1000 };
const phases = ["without", "command", "schedule"] as const;
type Phase = (typeof phases)[number];

export const measurement = defineMeasurement({
  about: "Calls at a constant rate, without a backup and beside one.",
  options: { people: 100_000, seconds: 20, rounds: 2 },
  async run({ people, seconds, rounds, work }) {
    const data = join(work, "data");
    const { logins, key } = await fillFolder(data, people);
    const poolBytes = statSync(join(data, "pool.db")).size;
    const times: Record<Phase, number[]> = { without: [], command: [], schedule: [] };
    let backups = 0;
    for (let round = 0; round < rounds; round++) {
      for (const phase of phases) {
        const ran = await runPhase(phase, { work, data, logins, key, seconds });
        times[phase].push(...ran.ms);
        backups += ran.backups;
      }
    }
    return {
      rows: [
        { name: "backup.people", value: people, unit: "people" },
        { name: "backup.pool", value: Math.round(poolBytes / 2 ** 20), unit: "MiB" },
        { name: "backup.calls-each", value: times.without.length, unit: "calls" },
        { name: "backup.backups-made", value: backups, unit: "backups" },
        ...phases.flatMap((phase) => toRows(phase, times[phase], times.without)),
      ],
    };
  },
});

function toRows(phase: Phase, ms: readonly number[], without: readonly number[]): Row[] {
  const row = (what: string, percent: number): Row => ({
    ...{ name: `backup.${phase}-${what}`, value: percentile(ms, percent), unit: "ms" },
  });
  const [p50, p99, slowest] = [row("p50", 50), row("p99", 99), row("slowest", 100)];
  if (phase === "without") return [p50, p99, slowest];
  const against = { what: "without a backup", value: percentile(without, 99) };
  return [
    p50,
    atMost(bars.ratio, { ...p99, ratio: p99.value / against.value, against }),
    atMost(bars.slowestMs, slowest),
  ];
}

interface PhaseParts {
  readonly work: string;
  readonly data: string;
  readonly logins: readonly string[];
  readonly key: string;
  readonly seconds: number;
}

async function runPhase(phase: Phase, { work, data, logins, key, seconds }: PhaseParts) {
  const folder = join(work, "backups");
  mkdirSync(folder, { recursive: true });
  const flags = ["--backup-every", "1s", "--backup-folder", folder, "--backup-keep", "1"];
  const server = await startRoster(data, phase === "schedule" ? flags : []);
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
  const command = [...roster, "backup", join(folder, "a.tar.zst"), "--data", data];
  let made = 0;
  while (!isOver()) {
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
    made += 1;
  }
  return made;
}

/** @returns for each call, the milliseconds since it was due. */
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
