/** Keeps the figures of the last run of every bench in a file outside version control. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { Row } from "./rows.ts";

export const figuresFile = join(import.meta.dir, "../../dist/bench.json");

export interface BenchRun {
  /** The command line, such as `search --developers 1000000`. */
  readonly bench: string;
  /** When it ended, in UTC. */
  readonly at: string;
  readonly commit: string;
  readonly machine: string;
  /** The load average before it began. */
  readonly load: number;
  readonly seconds: number;
  /** Why there are no rows, or fewer. */
  readonly fault?: string;
  readonly rows: readonly Row[];
}

export function readFigures(file = figuresFile): BenchRun[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as BenchRun[]) : [];
}

/** Puts runs in the place of earlier ones of the same benches. */
export function keepFigures(runs: readonly BenchRun[], file = figuresFile): void {
  const again = new Set(runs.map(({ bench }) => bench));
  const all = [...readFigures(file).filter(({ bench }) => !again.has(bench)), ...runs];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(all, undefined, 1)}\n`);
}

export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const kernel = `${process.platform} ${release().split("-")[0]}`;
  return `${cpus().length} threads of ${first?.model ?? "a processor"}, ${memory} GiB, ${kernel}, Bun ${Bun.version}`;
}

export function readLoad(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1));
}

export function readCommit(): string {
  const { exitCode, stdout } = Bun.spawnSync([
    "git",
    "-C",
    import.meta.dir,
    "describe",
    "--always",
    "--dirty",
  ]);
  return exitCode === 0 ? stdout.toString().trim() : "unknown";
}
