/** Server processes, and what the kernel knows of them: CPU and memory. Linux. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { freePort } from "../../../test/faults/server-process.ts";
import type { Answered } from "./answers.ts";

const flags = [
  ...["--compile", "--minify", "--bytecode", "--splitting", "--format=esm"],
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
];

/** Compiles a program as scripts/build does. @returns its path. */
export function compileProgram(entry: string, folder: string): string {
  const out = join(folder, basename(entry, ".ts"));
  const command = [process.execPath, "build", ...flags, entry, "--outfile", out];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${entry} does not build: ${stderr.toString()}`);
  return out;
}

export interface BareProcess {
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

/** Seconds of CPU of all threads of a process so far, its kernel's part included; in steps of 10 ms. */
export function readCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of a process in MiB: now, and at most so far. */
export function readMemory(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return { nowMb: read("VmRSS") / 1024, peakMb: read("VmHWM") / 1024 };
}
