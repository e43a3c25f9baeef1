/**
 * What somebody has who tries Roster: an empty folder with the executable in it, terminals there, and the settings that
 * everybody begins with. Nothing is taken from the sources, nor from the settings of whoever runs the tests.
 */
import { expect } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOutput } from "../child-output.ts";
import { findExecutable } from "../faults/server-process.ts";

/** ROSTER_EXECUTABLE can name another one, such as an older release's. */
export const executable = process.env["ROSTER_EXECUTABLE"] ?? findExecutable() ?? "";
export const isBuilt = existsSync(executable);
if (!isBuilt) {
  const why = "dist/roster is missing, or older than the sources: scripts/build makes it";
  process.stderr.write(`SKIPPED: journeys, since ${why}\n`);
}

export interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningServer {
  readonly pid: number;
  readonly address: string;
  output(): string;
  log(): string;
  /** What came after a word at the beginning of a line: `key`, `sign in`, `try`. */
  printed(label: string): string;
  /** @returns the exit code. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number>;
}

export interface Desk {
  readonly folder: string;
  /** `./roster ARGUMENTS`, in a terminal of its own. */
  roster(...args: readonly string[]): Promise<Said>;
  begin(...args: readonly string[]): Bun.Subprocess;
  shell(line: string): Promise<Said>;
  /** `./roster`, until it has printed its address. @throws with its words when it ends instead. */
  serve(...flags: readonly string[]): Promise<RunningServer>;
  clear(): Promise<void>;
}

/** @param own variables of the environment. */
export function openDesk(own: Readonly<Record<string, string>> = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), "roster-journey-"));
  symlinkSync(executable, join(folder, "roster"));
  // A home of its own, or git would take the name and settings of whoever runs the tests.
  const home = join(folder, "home");
  mkdirSync(home);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...own };
  const running = new Set<Bun.Subprocess>();
  const spawn = (argv: readonly string[]) => {
    const child = Bun.spawn([...argv], { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
    running.add(child);
    child.exited.then(() => running.delete(child));
    return child;
  };
  const wait = async (child: ReturnType<typeof spawn>): Promise<Said> => {
    const { code: exitCode, out: stdout, err: stderr } = await readOutput(child);
    return { exitCode, stdout, stderr };
  };
  return {
    folder,
    roster: (...args) => wait(spawn(["./roster", ...args])),
    begin: (...args) => spawn(["./roster", ...args]),
    shell: (line) => wait(spawn(["sh", "-c", line])),
    serve: (...flags) => waitForAddress(spawn(["./roster", ...flags])),
    async clear() {
      for (const child of running) child.kill("SIGKILL");
      await Promise.all([...running].map((child) => child.exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Piped = Bun.Subprocess<"ignore", "pipe", "pipe">;

async function waitForAddress(child: Piped): Promise<RunningServer> {
  let output = "";
  let log = "";
  const follow = async (stream: ReadableStream<Uint8Array>, take: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
  };
  const ended = Promise.all([
    follow(child.stdout, (text) => (output += text)),
    follow(child.stderr, (text) => (log += text)),
  ]);
  const printed = (label: string) =>
    new RegExp(`^${label} +(.+)$`, "m").exec(output)?.[1]?.trim() ?? "";
  // The account and what to do next come after the address.
  while (child.exitCode === null && !/"msg":"started"/.test(log)) await Bun.sleep(10);
  if (child.exitCode !== null) {
    await ended;
    throw new Error(`the server ended with ${child.exitCode}:\n${output}${log}`);
  }
  while (printed("assistants") === "") await Bun.sleep(10);
  return {
    pid: child.pid,
    address: printed("address"),
    output: () => output,
    log: () => log,
    printed,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return child.exited;
    },
  };
}

/** How often an answer is looked at within the five seconds that are promised. */
const looks = { count: 50, everyMs: 100 };

/** Waits until an answer is as promised. @throws with the last answer when it is not so within five seconds of looking. */
export async function seeSoon<Answer>(
  ask: () => Promise<Answer>,
  isAsPromised: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let look = 1; ; look += 1) {
    const answer = await ask();
    if (isAsPromised(answer)) return answer;
    if (look === looks.count) {
      throw new Error(`not seen within five seconds; the last answer: ${JSON.stringify(answer)}`);
    }
    await Bun.sleep(looks.everyMs);
  }
}

/** Files of a folder that are gone and that a process still has open; none where the system does not tell. */
export function listDeletedFiles(pid: number, folder: string): readonly string[] {
  const descriptors = `/proc/${pid}/fd`;
  if (!existsSync(descriptors)) return [];
  return readdirSync(descriptors).flatMap((name) => {
    try {
      const path = readlinkSync(join(descriptors, name));
      return path.startsWith(folder) && path.endsWith(" (deleted)") ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Watches `/readyz`. @returns what it said when it was not ready. */
export function watchReadiness(address: string): { end(): Promise<readonly string[]> } {
  const complaints: string[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const response = await fetch(`${address}/readyz`).catch((error) => error as Error);
      if (response instanceof Error) complaints.push(response.message);
      else if (response.status !== 200) complaints.push(await response.text());
      await Bun.sleep(looks.everyMs);
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return complaints;
    },
  };
}

/** Expects exit code 0. @returns the standard output. */
export function expectDone({ exitCode, stdout, stderr }: Said): string {
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}
