/** Measures one run of the program, told apart from the git processes that it starts. */
import { readFileSync } from "node:fs";
import { readMemory } from "../processes.ts";

export interface RunUse {
  readonly seconds: number;
  /** Processor time of the program and of the git processes that it waited for, in seconds. */
  readonly cpu: number;
  /** The part of git's processes; at most a hundredth of a second off. */
  readonly git: number;
  /** The most memory of the program's own process, in MiB. */
  readonly peakMb: number;
  /** What it said with `--json`. */
  readonly said: Readonly<Record<string, unknown>>;
}

/** Memory and the processor time of children are read as often, while the process is there. Linux. */
const everyMs = 5;

/**
 * What `wait` says of a process has the largest of its children as its peak, and a sum of the times: so the kernel is
 * asked while the program runs. @throws when it fails: a run that did nothing must not count as a fast one.
 */
export async function measureRun(command: readonly string[]): Promise<RunUse> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  let [peakMb, git] = [0, 0];
  const look = () => {
    try {
      peakMb = readMemory(child.pid).peakMb || peakMb;
      git = readChildrenCpu(child.pid);
    } catch {
      // It has just ended.
    }
  };
  look();
  const timer = setInterval(look, everyMs);
  const complaint = new Response(child.stderr).text();
  const output = await new Response(child.stdout).text();
  const code = await child.exited;
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${await complaint}`);
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  return { seconds, cpu, git: Math.min(git, cpu), peakMb, said: JSON.parse(output) };
}

/** Seconds of processor time of the children that a process has waited for, and of theirs. */
function readChildrenCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before the last bracket may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
