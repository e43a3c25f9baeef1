/**
 * Starts a program in a separate process group. The group ends when the program ends, when this process ends, and on request.
 * Without a POSIX shell, there is no group: a stop ends only the program.
 */
import { closeSync } from "node:fs";

interface GroupOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: "ignore" | "pipe" | Uint8Array<ArrayBuffer>;
  readonly memoryMiB?: number | undefined;
  /** Limit on the size of a file that a process writes. */
  readonly fileBytes?: number | undefined;
  /** The signal that the group receives after this process has ended. KILL follows TERM after 20 seconds. */
  readonly endSignal?: "KILL" | "TERM";
}

/**
 * Starts the program and a watching shell. The shell reads from a pipe that the system closes when this process ends. Then the
 * shell ends the group.
 */
const script = `memory=$1; file=$2; endSignal=$3; shift 3
{ trap "" TERM; read -r _ <&3; kill -s "$endSignal" 0; sleep 20; kill -s KILL 0; } </dev/null >/dev/null 2>&1 &
[ -z "$memory" ] || ulimit -d "$memory" 2>/dev/null
[ -z "$file" ] || { trap "" XFSZ; ulimit -f "$file"; } 2>/dev/null
exec "$@" 3<&-`;

/** Bytes in one unit of `ulimit -f`. */
const blockBytes = 512;

export function startGroup(command: readonly string[], options: GroupOptions) {
  const { env, stdin = "ignore", memoryMiB, fileBytes, endSignal = "KILL" } = options;
  const limits = [
    memoryMiB === undefined ? "" : String(memoryMiB * 1024),
    fileBytes === undefined ? "" : String(Math.ceil(fileBytes / blockBytes)),
  ];
  const shell = Bun.which("sh");
  const watched = shell ? [shell, "-c", script, "sh", ...limits, endSignal, ...command] : command;
  const child = Bun.spawn([...watched], {
    ...(env && { env }),
    stdio: [stdin, "pipe", "pipe", "pipe"],
    detached: shell !== null,
  });
  const stop = (): void => (shell ? endGroup(child.pid) : child.kill("SIGKILL"));
  const exited = child.exited.finally(() => {
    // Also ends processes that the program left running.
    stop();
    closeSync(child.stdio[3] as number);
  });
  return { child, exited, stop };
}

const lineMax = 500;

/** Reads what a program says to its end. @returns the last line, without its full stop. */
export async function readLastLine(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let end = "";
  for await (const chunk of chunks)
    end = (end + decoder.decode(chunk, { stream: true })).slice(-8 * lineMax);
  const last = end.trim().split("\n").at(-1) ?? "";
  return last.replace(/\.$/, "").slice(0, lineMax);
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}
