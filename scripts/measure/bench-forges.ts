/**
 * A forge with many accounts: peak memory of the first import and of a refresh that finds nothing new, and the p99 of
 * searches over HTTP beside such a refresh against as many without one, in pairs, medians, the ratio. The forge is the
 * tests' double of GitHub on loopback, asked at most ten times a second as any without limits; the refresh has the low
 * priority that a server gives it.
 *
 * Options: `--accounts N` (default 10,000), `--runs N` (default 3), `--json`. Runs dist/roster if it is built.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, sourceProgram, startServer } from "../../test/faults/server-process.ts";
import { openKey } from "./large-folder.ts";
import { atMost, median, type Row, report } from "./rows.ts";

const bars = { refreshMb: 256, ratio: 1.5 };
/** Between the starts of two searches: many in a refresh, and few enough not to be the load themselves. */
const gapMs = 25;
const built = join(import.meta.dir, "../../dist/roster");
const program = existsSync(built) ? [built] : sourceProgram;

export async function benchForges(argv: readonly string[]): Promise<boolean> {
  const read = (flag: string, fallback: number) => Number(argv[argv.indexOf(flag) + 1]) || fallback;
  const [accounts, runs] = [read("--accounts", 10_000), read("--runs", 3)];
  const parent = mkdtempSync(join(tmpdir(), "roster-forges-"));
  const forge = await startForge(accounts);
  try {
    const data = join(parent, "data");
    const first = await startRefresh(forge.url, data).ended;
    if (first.people !== accounts) throw new Error(`the forge gave ${first.people} people`);
    const pairs = await comparePairs(forge.url, data, runs);
    const ratio = median(pairs.map((pair) => pair.with.p99 / pair.without.p99));
    const refreshMb = Math.max(...pairs.map(({ peakMb }) => peakMb));
    const rows: Row[] = [
      { name: "forges.accounts", value: accounts, unit: "accounts" },
      { name: "forges.first", value: first.seconds, unit: "s" },
      { name: "forges.first-peak", value: first.peakMb, unit: "MB" },
      atMost(bars.refreshMb, { name: "forges.refresh-peak", value: refreshMb, unit: "MB" }),
      {
        name: "forges.searches",
        value: median(pairs.map((pair) => pair.with.count)),
        unit: "calls",
      },
      atMost(bars.ratio, {
        name: "forges.p99-beside",
        value: median(pairs.map((pair) => pair.with.p99)),
        unit: "ms",
        ratio,
        against: {
          what: "without a refresh",
          value: median(pairs.map(({ without }) => without.p99)),
        },
      }),
    ];
    return report(rows, argv.includes("--json"));
  } finally {
    forge.kill();
    rmSync(parent, { recursive: true, force: true });
  }
}

interface Pair {
  readonly with: Timed;
  readonly without: Timed;
  /** Of the refresh. */
  readonly peakMb: number;
}

async function comparePairs(url: string, data: string, runs: number): Promise<readonly Pair[]> {
  const key = await openKey(data);
  const server = await startServer(data, await freePort(), [], [], program);
  try {
    const search = createSearch(server.address, key);
    await searchWhile(search, (count) => count < 200);
    const pairs: Pair[] = [];
    for (let run = 0; run < runs; run++) {
      const refresh = startRefresh(url, data);
      const beside = await searchWhile(search, refresh.isRunning);
      const { peakMb, added } = await refresh.ended;
      if (added > 0) throw new Error("a refresh with nothing new added people");
      const alone = await searchWhile(search, (count) => count < beside.count);
      pairs.push({ with: beside, without: alone, peakMb });
    }
    return pairs;
  } finally {
    await server.kill();
  }
}

async function startForge(accounts: number) {
  const script = join(import.meta.dir, "replayed-github.ts");
  const child = Bun.spawn([process.execPath, script, String(accounts)], { stdout: "pipe" });
  for await (const bytes of child.stdout) {
    return { url: new TextDecoder().decode(bytes).trim(), kill: () => child.kill() };
  }
  throw new Error("the double of GitHub did not start");
}

interface Refresh {
  readonly people: number;
  readonly added: number;
  readonly peakMb: number;
  readonly seconds: number;
}

function startRefresh(url: string, data: string) {
  const startedAt = performance.now();
  const command = ["ingest", "github", "--url", url, "--all", "--data", data, "--json"];
  const child = Bun.spawn([...program, ...command], { stdout: "pipe", stderr: "pipe" });
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const finish = async (): Promise<Refresh> => {
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    if ((await child.exited) !== 0) throw new Error(`the refresh failed: ${err}`);
    const { people, added = 0 } = JSON.parse(out);
    const peakMb = (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20;
    return { people, added, peakMb, seconds: (performance.now() - startedAt) / 1000 };
  };
  return { isRunning: () => child.exitCode === null, ended: finish() };
}

const queries = [
  { location: "Berlin" },
  { location: "Berlin", skills: ["Go"] },
  { location: "Germany", role: "backend" },
];

function createSearch(address: string, key: string) {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  return async (turn: number): Promise<void> => {
    const body = JSON.stringify(queries[turn % queries.length]);
    const response = await fetch(`${address}/v1/search`, { method: "POST", headers, body });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`a search was answered ${response.status}: ${text}`);
  };
}

interface Timed {
  readonly count: number;
  /** Milliseconds. */
  readonly p99: number;
}

async function searchWhile(
  search: (turn: number) => Promise<void>,
  isGoingOn: (count: number) => boolean,
): Promise<Timed> {
  const times: number[] = [];
  while (isGoingOn(times.length)) {
    const startedAt = performance.now();
    await search(times.length);
    const took = performance.now() - startedAt;
    times.push(took);
    await Bun.sleep(Math.max(0, gapMs - took));
  }
  times.sort((a, b) => a - b);
  return { count: times.length, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}
