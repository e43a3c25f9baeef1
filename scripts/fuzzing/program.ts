/**
 * The program that is fuzzed, in processes of its own: the executable that ROSTER_EXECUTABLE names, else dist/roster if it
 * is newer than its sources, else the sources.
 */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { program as built } from "../../test/faults/server-process.ts";

const root = join(import.meta.dir, "../..");
const named = process.env["ROSTER_EXECUTABLE"];

/** The command that starts it. */
export const program: readonly string[] = named ? [resolve(named)] : built;

export const programName = () => relative(root, program.at(-1) as string);

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Peak memory in bytes. */
  readonly memory: number;
}

/** Far longer than any command needs for inputs this small. */
const commandMs = 120_000;

/** @throws an Error when it does not end in time, or when a signal ends it. */
export async function runProgram(folder: string, argv: readonly string[]): Promise<Ran> {
  const child = Bun.spawn([...program, ...argv], {
    cwd: root,
    env: environment(folder),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: commandMs,
    killSignal: "SIGKILL",
  });
  const release = endWithThisProcess(child);
  let memory = 0;
  const look = () => {
    memory = Math.max(memory, statusBytes(child.pid, "VmHWM"));
  };
  // The peak that the system reports at the end includes memory from before the program was loaded.
  const timer = setInterval(look, 20);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearInterval(timer);
  release();
  const name = argv.slice(0, 2).join(" ");
  if (child.signalCode === "SIGKILL") throw new Error(`hang: ${name} ran for ${commandMs} ms`);
  if (child.signalCode) throw new Error(`crash: ${name} ended by ${child.signalCode}: ${stderr}`);
  return { exitCode, stdout, stderr, memory };
}

/** Kills the child when this process ends, even by a failure. @returns a function to call once the child has ended. */
function endWithThisProcess(child: Bun.Subprocess): () => void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  return () => process.off("exit", kill);
}

/** An environment without any settings of this machine. */
function environment(folder: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder };
}

/** @returns the line, if any, that only a fault of the program itself prints. */
export function crashIn(text: string): string | undefined {
  return /^.*(?:\n\s+at \S+ \(|Bun has crashed|panic\(|TypeError:|RangeError:|internal error).*$/m.exec(
    text,
  )?.[0];
}

export interface Server {
  readonly address: string;
  readonly port: number;
  readonly adminKey: string;
  memory(): number;
  /**
   * Runs a command beside the server, on the same folder. @returns what it printed with --json. @throws an Error when it
   * fails.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Each command answers in a form of its own.
  command(...argv: string[]): Promise<any>;
  /** @returns the faults of the server so far. */
  complaints(): Promise<readonly string[]>;
  stop(): Promise<number>;
}

/** Starts `serve` with the demo people at a free port; resolves once it is ready. */
export async function startServer(folder: string, flags: readonly string[] = []): Promise<Server> {
  const data = join(folder, "data");
  const log = join(folder, "log");
  const keyFile = join(folder, "key");
  const child = Bun.spawn(
    [
      ...[...program, "serve", "--data", data, "--port", "0", "--admin-key-file", keyFile],
      // A line for each call would fill the disk; faults are logged at every level.
      ...["--log-level", "warn", ...flags],
    ],
    { cwd: root, env: environment(folder), stdout: "pipe", stderr: Bun.file(log) },
  );
  const release = endWithThisProcess(child);
  const greeting = await greetingOf(child.stdout);
  const address = /^address +(\S+)/m.exec(greeting)?.[1];
  if (!address) throw new Error(`the server did not start: ${readFileSync(log, "utf8")}`);
  const logged = () => readFileSync(log, "utf8");
  return {
    address,
    port: Number(new URL(address).port),
    adminKey: readFileSync(keyFile, "utf8").trim(),
    memory: () => statusBytes(child.pid, "VmRSS"),
    command: async (...argv) => {
      const ran = await runProgram(folder, [...argv, "--data", data, "--json"]);
      if (ran.exitCode === 0) return ran.stdout === "" ? undefined : JSON.parse(ran.stdout);
      throw new Error(`${argv.join(" ")} ended with ${ran.exitCode}: ${ran.stderr}`);
    },
    complaints: async () => {
      if (child.exitCode !== null) return [`the server ended: ${logged().slice(-500)}`];
      const ready = await fetch(`${address}/readyz`);
      const lines = logged()
        .replace(/"(?:time|requestId)":"[^"]*",/g, "")
        .split("\n");
      const faults = lines.filter(isFault);
      const kinds = [...new Set(faults)]
        .slice(0, 10)
        .map((line) => `logged: ${line.slice(0, 600)}`);
      return ready.status === 200 ? kinds : [`/readyz is ${ready.status}`, ...kinds];
    },
    stop: async () => {
      child.kill("SIGTERM");
      const exitCode = await child.exited;
      release();
      return exitCode;
    },
  };
}

/** The common part of targets with one running server: its memory, the statuses of its answers, and how it ends. */
export function describeServer(
  server: Server,
  statuses: Iterable<readonly [string | number, number]>,
) {
  return {
    memory: server.memory,
    isLasting: true,
    notes: () =>
      `; ${[...statuses]
        .sort()
        .map((pair) => pair.join(": "))
        .join(", ")}`,
    end: async () => {
      const complaints = await server.complaints();
      const exitCode = await server.stop();
      return exitCode === 0 ? complaints : [...complaints, `the server ended with ${exitCode}`];
    },
  };
}

async function greetingOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (/^next /m.test(text)) break;
  }
  return text;
}

/** @returns 0 elsewhere than on Linux. */
function statusBytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function isFault(line: string): boolean {
  return /"level":"(?:error|fatal)"/.test(line) || crashIn(line) !== undefined;
}
