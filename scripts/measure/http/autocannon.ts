/**
 * Runs autocannon in a process of its own: reads a load and an address as JSON from standard input, and writes the result
 * to standard output.
 */
import type { Load, LoadResult } from "./load.ts";

type Autocannon = (options: object) => Promise<AutocannonResult>;

interface AutocannonResult {
  readonly "1xx": number;
  readonly "2xx": number;
  readonly "3xx": number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
}

const { address, requests, connections, seconds }: Load & { address: string } =
  await Bun.stdin.json();
// The name is a variable, because the package is installed only where wrk is missing.
const name: string = "autocannon";
const { default: run } = (await import(name)) as { default: Autocannon };
const { latency, errors, duration, ...counts } = await run({
  ...{ url: address, requests, connections, duration: seconds, timeout: 30 },
});
const result: LoadResult = {
  ...{ calls: counts["2xx"] + counts.non2xx, refused: counts.non2xx, failed: errors },
  // autocannon rounds to whole milliseconds, so that less than one is 0.
  ...{ seconds: duration, p50Ms: Math.max(1, latency.p50), p99Ms: Math.max(1, latency.p99) },
};
console.log(JSON.stringify(result));
process.exit(0);
