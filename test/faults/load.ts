/** What the tests of load share: a caller who is never out of calls, and what a process holds. */
import { readFileSync } from "node:fs";
import { sourceProgram } from "./server-process.ts";

/** @returns the key of an account without limits. */
export function createUnlimited(
  folder: string,
  program: readonly string[] = sourceProgram,
): string {
  const create = ["account", "create", "load@example.com", "--plan", "enterprise", "--json"];
  const limits = ["--calls-per-day", "unlimited", "--calls-per-month", "unlimited"];
  const made = Bun.spawnSync([...program, ...create, ...limits, "--data", folder]);
  return (JSON.parse(made.stdout.toString()) as { key: string }).key;
}

export function readResidentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1000);
}
