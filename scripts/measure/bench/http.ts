/**
 * Calls over HTTP to the compiled program, compared with a bare compiled server that sends the same bytes: `Bun.serve`
 * alone, or for `/mcp` the SDK with ready results. The two take turns, at 32 and 256 connections, and the client is a
 * process of its own. Client and server share the processors, so calls a second say as much of the client as of the
 * server: the bars are on the server's processor time for a call (`.cpu`), at 32 connections. Every call is counted
 * durably: after a kill, the count of each account must hold all calls that were acknowledged. The ratio of `.p99` is to
 * p50; all others are to the bare server, and more is better.
 *
 * `--seconds` is the length of a run and `--people` the size of the large pool. `--only KIND,...` takes search, distinct,
 * profile, analyze, mcp, 401, 429, or the name of a case such as search-large. `--folder DIR` keeps the pools for the
 * next run. Needs Linux and wrk.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ServerProcess } from "../../../test/faults/server-process.ts";
import { ask } from "../http/answers.ts";
import { type Holder, type HttpCase, httpCases } from "../http/cases.ts";
import { type CountedAccount, type LoadOptions, measureCase } from "../http/measure-case.ts";
import { putPeople } from "../large-folder.ts";
import { defineMeasurement, UnusableInput } from "../measurement.ts";
import { readCpu, readMemory, startRoster } from "../processes.ts";
import { atMost, type Row } from "../rows.ts";

const smallPeople = 5000;

export const measurement = defineMeasurement({
  about: "Calls over HTTP, against a bare server that sends the same bytes.",
  options: {
    ...{ seconds: 1, rounds: 5, people: 100_000, folder: "", binary: "dist/roster" },
    ...{ only: [] as readonly string[], connections: ["32", "256"] as readonly string[] },
  },
  async run({ seconds, rounds, people: largePeople, folder, only, work, ...given }) {
    const connections = given.connections.map(Number);
    const options: LoadOptions = { seconds, rounds, connections, binary: resolve(given.binary) };
    if (!existsSync(options.binary))
      throw new UnusableInput(`${options.binary} is missing: run scripts/build`);
    const cases = httpCases.filter(
      ({ name, kind }) => only.length === 0 || only.includes(name) || only.includes(kind),
    );
    const kept = folder ? resolve(folder) : work;
    if (!Bun.which("wrk")) throw new UnusableInput("wrk is missing: install Debian's package wrk");
    const rows: Row[] = [];
    const people = { small: smallPeople, large: largePeople };
    for (const size of ["small", "large"] as const) {
      const ofSize = cases.filter(({ isLarge }) => isLarge === (size === "large"));
      if (ofSize.length === 0) continue;
      const pool = await openPool(join(kept, `${people[size]}-people`), people[size]);
      rows.push(...(await measurePool(pool, ofSize, options)));
    }
    return { rows };
  },
});

interface PoolFolder {
  readonly data: string;
  readonly people: number;
  readonly logins: readonly string[];
}

/** Fills a pool, unless an earlier run has left it there. */
async function openPool(parent: string, people: number): Promise<PoolFolder> {
  const [data, list] = [join(parent, "data"), join(parent, "logins.json")];
  if (!existsSync(list)) {
    mkdirSync(parent, { recursive: true });
    console.error(`filling a pool with ${people} people ...`);
    writeFileSync(list, JSON.stringify(await putPeople(data, people)));
  }
  return { data, people, logins: JSON.parse(readFileSync(list, "utf8")) as string[] };
}

async function measurePool(
  { data, people, logins }: PoolFolder,
  cases: readonly HttpCase[],
  options: LoadOptions,
): Promise<Row[]> {
  const work = mkdtempSync(join(tmpdir(), "roster-bare-"));
  const start = () => startRoster(data, [], [options.binary]);
  let server = await start();
  try {
    await awaitQuiet(server.pid);
    const rows: Row[] = [];
    const accounts: CountedAccount[] = [];
    for (const each of cases) {
      const key = createKey(options.binary, data, each.holder);
      const account = { key, acknowledged: 0, underWay: 0 };
      if (each.status < 400) accounts.push(account);
      rows.push(...(await measureCase(each, { server, account, logins, work, options })));
    }
    rows.push(...compareUnchanged(rows));
    const { nowMb, peakMb } = readMemory(server.pid);
    const of = `http.of-${people}`;
    rows.push({ name: `${of}.memory`, value: nowMb, unit: "MiB" });
    rows.push({ name: `${of}.memory-peak`, value: peakMb, unit: "MiB" });
    await server.kill();
    server = await start();
    rows.push(await compareCounts(of, server, accounts));
    return rows;
  } finally {
    await server.kill();
    rmSync(work, { recursive: true, force: true });
  }
}

/** The most processor time that a 304 may take, as a share of the same answer in full. */
const unchangedBar = 0.75;

function compareUnchanged(rows: readonly Row[]): Row[] {
  const find = (of: string) => rows.find(({ name }) => name === `http.${of}.c32.cpu`);
  const [full, unchanged] = [find("profile-compressed"), find("profile-304")];
  if (!full || !unchanged) return [];
  const against = { what: "the same answer with its data", value: full.value };
  const ratio = unchanged.value / full.value;
  return [atMost(unchangedBar, { ...unchanged, name: `${unchanged.name}.of-200`, ratio, against })];
}

/** The check of the databases begins this long after the start. */
const checksAfterMs = 3500;
const quietMs = 2000;
/** With a hundred thousand people it takes about a minute, since it pauses often. */
const loudMsMax = 300_000;

/** Waits until what a server does after its start is done: it is no part of a call. */
async function awaitQuiet(pid: number): Promise<void> {
  await Bun.sleep(checksAfterMs);
  const giveUpAt = performance.now() + loudMsMax;
  while (performance.now() < giveUpAt) {
    const before = readCpu(pid);
    await Bun.sleep(quietMs);
    if (readCpu(pid) - before <= quietMs / 100_000) return;
  }
}

function createKey(binary: string, data: string, holder: Holder): string {
  const perDay = { none: "", unlimited: "unlimited", limited: "1000000000", spent: "1" }[holder];
  const email = `bench-${crypto.randomUUID()}@example.com`;
  const account = ["account", "create", email, "--plan", "enterprise", "--data", data];
  const limits = ["--calls-per-day", perDay];
  if (holder === "limited") limits.push("--calls-per-month", perDay);
  // A key of the right form that belongs to no account.
  const command = holder === "none" ? ["key", "new"] : [...account, ...limits];
  const { stdout, stderr, exitCode } = Bun.spawnSync([binary, ...command, "--json"]);
  if (exitCode !== 0) throw new Error(`no key: ${stderr.toString()}`);
  return (JSON.parse(stdout.toString()) as { key: string }).key;
}

/**
 * Compares the counts after a kill with the calls that were acknowledged. @throws when a count is higher than the number
 * of calls.
 */
async function compareCounts(
  name: string,
  { address }: ServerProcess,
  accounts: readonly CountedAccount[],
): Promise<Row> {
  let lost = 0;
  for (const { key, acknowledged, underWay } of accounts) {
    // A lookup costs no call, and its answer has the count.
    const { body } = await ask(address, {
      ...{ method: "GET", path: "/v1/lookup?q=Go", headers: { "x-api-key": key } },
    });
    const { used } = (JSON.parse(body) as { meta: { quota: { used: number } } }).meta.quota;
    if (used > acknowledged + underWay) {
      throw new Error(`${used} calls were counted, ${acknowledged} acknowledged`);
    }
    lost += Math.max(0, acknowledged - used);
  }
  return atMost(0, { name: `${name}.lost`, value: lost, unit: "calls" });
}
