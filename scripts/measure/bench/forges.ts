/**
 * A forge with many accounts: peak memory of the first import and of a refresh that finds nothing new, and the p99 of
 * searches over HTTP beside such a refresh, compared with as many searches without one. Paired runs, medians, the ratio.
 * The forge is the tests' double of GitHub on loopback. It is asked at most ten times a second, as every forge without
 * published limits is, and the refresh has the low priority that a server gives it.
 */
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { openKey } from "../large-folder.ts";
import { defineMeasurement } from "../measurement.ts";
import { roster, startRoster } from "../processes.ts";
import { atMost, comparePairs, median, percentile } from "../rows.ts";

const bars = { refreshMb: 256, ratio: 1.5 };
/**
 * Time between the starts of two searches: short enough for many during a refresh, and long enough that the searches
 * themselves are no load.
 */
const gapMs = 25;

export const measurement = defineMeasurement({
  about: "A forge with many accounts: memory of a refresh, and searches beside it.",
  options: { accounts: 10_000, runs: 3 },
  async run({ accounts, runs, work }) {
    const forge = await startForge(accounts);
    try {
      const data = join(work, "data");
      const first = await startRefresh(forge.url, data).ended;
      if (first.people !== accounts) throw new Error(`the forge gave ${first.people} people`);
      const pairs = await measurePairs(forge.url, data, runs);
      const refreshMb = Math.max(...pairs.map(({ peakMb }) => peakMb));
      const searches = median(pairs.map((pair) => pair.with.count));
      const beside = pairs.map((pair) => pair.with.p99);
      const values = pairs.map(({ without }) => without.p99);
      const p99 = { name: "forges.p99-beside", unit: "ms" };
      return {
        rows: [
          { name: "forges.accounts", value: accounts, unit: "accounts" },
          { name: "forges.first", value: first.seconds, unit: "s" },
          { name: "forges.first-peak", value: first.peakMb, unit: "MB" },
          atMost(bars.refreshMb, { name: "forges.refresh-peak", value: refreshMb, unit: "MB" }),
          { name: "forges.searches", value: searches, unit: "calls" },
          atMost(bars.ratio, comparePairs(p99, beside, { what: "without a refresh", values })),
        ],
      };
    } finally {
      forge.kill();
    }
  },
});

interface Pair {
  readonly with: Timed;
  readonly without: Timed;
  /** Of the refresh. */
  readonly peakMb: number;
}

async function measurePairs(url: string, data: string, runs: number): Promise<readonly Pair[]> {
  const key = await openKey(data);
  const server = await startRoster(data);
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
  const script = join(import.meta.dir, "../replayed-github.ts");
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
  const child = Bun.spawn([...roster, ...command], { stdout: "pipe", stderr: "pipe" });
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
  return { count: times.length, p99: percentile(times, 99) };
}
