/** Processes that are measured, and what the kernel says of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  freePort,
  type ServerProcess,
  sourceProgram,
  startServer,
} from "../../test/faults/server-process.ts";
import type { Answered } from "./http/answers.ts";

const executable = join(import.meta.dir, "../../dist/roster");
/** The command that is measured: dist/roster if it is built, else the sources. */
export const roster: readonly string[] = existsSync(executable) ? [executable] : sourceProgram;

/** Starts a server on the folder, at a free port. */
export async function startRoster(
  data: string,
  flags: readonly string[] = [],
  program = roster,
): Promise<ServerProcess> {
  return startServer(data, await freePort(), [], flags, program);
}

const flags = [
  ...["--compile", "--minify", "--sourcemap", "--bytecode", "--splitting", "--format=esm"],
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
];

/** Compiles a program with the flags of scripts/build. @returns its path. */
export function compileProgram(entry: string, folder: string): string {
  const out = join(folder, basename(entry, ".ts"));
  const command = [process.execPath, "build", ...flags, entry, "--outfile", out];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${entry} does not build: ${stderr.toString()}`);
  return out;
}

interface BareProcess {
  readonly address: string;
  readonly pid: number;
  kill(): Promise<void>;
}

export async function startBare(
  program: string,
  answers: readonly Answered[],
  file: string,
): Promise<BareProcess> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(answers));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), ANSWERS: file };
  const child = Bun.spawn([program], { env, stdout: "ignore", stderr: "inherit" });
  const address = `http://127.0.0.1:${port}`;
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await Bun.sleep(5);
  }
  return { address, pid: child.pid, kill };
}

async function isListening(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

/** The first question to a program that was started; made anew for each try. */
export type FirstQuestion = () => { readonly path: string; readonly init?: RequestInit };

/**
 * Starts a program that listens at PORT or, as Roster does, at ROSTER_PORT, waits for its first answer, and ends it.
 * @returns milliseconds from the start of the process to its first answer 200.
 * @throws when a minute passes without an answer 200.
 */
export async function timeToAnswer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  question: FirstQuestion = () => ({ path: "/" }),
): Promise<number> {
  const port = await freePort();
  const ports = { PORT: String(port), ROSTER_PORT: String(port) };
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    ...{ stdout: "ignore", stderr: "ignore" },
    env: { ...process.env, ...env, ...ports },
  });
  try {
    while (performance.now() - startedAt < 60_000 && child.exitCode === null) {
      if (await isAnswered(`http://127.0.0.1:${port}`, question)) {
        return performance.now() - startedAt;
      }
      await Bun.sleep(1);
    }
    throw new Error(`${command[0]} did not answer within a minute`);
  } finally {
    child.kill();
    await child.exited;
  }
}

async function isAnswered(address: string, question: FirstQuestion): Promise<boolean> {
  try {
    const { path, init } = question();
    const response = await fetch(`${address}${path}`, init);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Seconds of processor time of all threads of a process so far, its kernel's part included, in steps of 10 ms. Linux. */
export function readCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before the last bracket may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of a process in MiB: now, and the most so far. Linux. */
export function readMemory(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return { nowMb: read("VmRSS") / 1024, peakMb: read("VmHWM") / 1024 };
}
