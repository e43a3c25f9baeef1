/** Runs a command of this program in a child process. A crash of the child is harmless. If this process dies, the child ends. */
import { constants, setPriority } from "node:os";
import { type Config, createChildEnvironment } from "../../config/config.ts";
import { tryParseJson } from "../../contract/foreign-json.ts";
import { startGroup } from "../../contract/process-group.ts";
import type { ProgressNote } from "../../pool/pool.ts";

export type ChildProgram = ReturnType<typeof startChild>;

interface ChildOutcome {
  readonly code: number;
  /** The child's standard output. */
  readonly out: string;
  /** The child's last error message. Undefined means that the child succeeded. */
  readonly fault: string | undefined;
}

/** How long a child may take to end. A stopping server waits longer for its calls. */
const endingMs = 8000;

/**
 * Starts a command in a child process. @param self the command that runs this program.
 * @param onProgress is called with the child's progress, at most once a second.
 */
export function startChild(
  self: readonly string[],
  given: readonly string[],
  onProgress: (progress: ProgressNote) => void = () => {},
) {
  const { child, exited, stop } = startGroup([...self, ...given], {
    endSignal: "TERM",
    env: createChildEnvironment(),
  });
  let ending: Timer | undefined;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The child may have ended already.
  }
  const finish = async (): Promise<ChildOutcome> => {
    const [out, last] = await Promise.all([
      new Response(child.stdout).text(),
      readLastWords(child.stderr, onProgress),
    ]);
    const code = await exited;
    clearTimeout(ending);
    return { code, out, fault: code === 0 ? undefined : (last ?? describeEnd(code)) };
  };
  /** Asks the child to end after its current step. A slow child is killed later. */
  const end = (): void => {
    child.kill("SIGTERM");
    ending ??= setTimeout(stop, endingMs);
  };
  return { pid: child.pid, end, ended: finish() };
}

function describeEnd(code: number): string {
  return code > signalBase
    ? `its process was killed (signal ${code - signalBase}), such as for lack of memory`
    : `it ended with ${code}`;
}

/** A process that a signal ended has this number plus the signal as its exit code. */
const signalBase = 128;

/** Reads the child's last message. Lines in JSON are progress or log lines, and other lines are messages. */
async function readLastWords(
  stream: ReadableStream<Uint8Array>,
  onProgress: (progress: ProgressNote) => void,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let last: string | undefined;
  const hear = (line: string) => {
    if (!line.startsWith("{")) last = line.trim() === "" ? last : line;
    else {
      const progress = tryParseJson<{ readonly progress?: ProgressNote }>(line)?.progress;
      if (progress) onProgress({ ...progress, at: new Date().toISOString() });
    }
  };
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(-lineLengthMax);
    for (const line of lines) hear(line);
  }
  if (rest !== "") hear(rest);
  return last?.replace(/^roster: /, "").slice(0, faultLengthMax);
}

const lineLengthMax = 100_000;
const faultLengthMax = 1000;

/** Returns the flags with which a child counts commits and scores as this server does. */
export function listCountingFlags(config: Config): readonly string[] {
  const { identity } = config;
  return [
    ...listJudgingFlags(config),
    ...toFlag("--identity-alias-file", identity.aliasFile),
    ...toFlag("--identity-class-file", identity.classFile),
    ...toFlag("--identity-names", identity.names),
  ];
}

export function listReadingFlags({ ingest }: Config): readonly string[] {
  const { timeoutMs, gitMemoryMiB } = ingest;
  const timeout = `${Math.round(timeoutMs / 1000)}s`;
  return ["--timeout", timeout, "--git-memory", String(gitMemoryMiB)];
}

export function listJudgingFlags(config: Config): readonly string[] {
  const { analysis, identity } = config;
  return [
    ...listFolderFlags(config),
    ...toFlag("--analysis-model-file", analysis.modelFile),
    ...(identity.publishCommitEmails ? ["--publish-commit-emails"] : []),
  ];
}

export function listFolderFlags({ data, settingsFile }: Config): readonly string[] {
  return [...toFlag("--data", data), ...toFlag("--config", settingsFile)];
}

const toFlag = (flag: string, value: string | undefined) =>
  value === undefined ? [] : [flag, value];
