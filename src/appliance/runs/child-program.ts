/**
 * Runs a command of this program in a process of its own, so that calls are answered meanwhile and one that dies takes
 * nothing with it. When this process dies, however that happens, the other ends too.
 */
import { constants, setPriority } from "node:os";
import type { Config } from "../../config/config.ts";
import { startGroup } from "../../ingest/ingest.ts";
import type { ProgressNote } from "../../pool/pool.ts";

export interface ChildProgram {
  readonly pid: number;
  /** Asks it to end after the step it is in; one that does not, in less time than a server takes to stop, is ended. */
  end(): void;
  readonly ended: Promise<ChildOutcome>;
}

export interface ChildOutcome {
  readonly code: number;
  /** What it printed. */
  readonly out: string;
  /** Its last words, without the program's name; undefined when it ended well. */
  readonly fault: string | undefined;
}

/** Shorter than a server waits for its calls. */
const endingMs = 8000;

/**
 * @param self the command that runs this program.
 * @param onProgress is told what the child writes of its progress, at most once a second.
 */
export function startChild(
  self: readonly string[],
  given: readonly string[],
  onProgress: (progress: ProgressNote) => void = () => {},
): ChildProgram {
  const { child, exited, stop } = startGroup([...self, ...given], { endSignal: "TERM" });
  let ending: Timer | undefined;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended already, and a priority is a courtesy.
  }
  const finish = async (): Promise<ChildOutcome> => {
    const [out, last] = await Promise.all([
      new Response(child.stdout).text(),
      readLastWords(child.stderr, onProgress),
    ]);
    const code = await exited;
    clearTimeout(ending);
    return { code, out, fault: code === 0 ? undefined : (last ?? `it ended with ${code}`) };
  };
  const end = (): void => {
    child.kill("SIGTERM");
    ending ??= setTimeout(stop, endingMs);
  };
  return { pid: child.pid, end, ended: finish() };
}

/** Progress is written as JSON lines, and so is the log; what is for people is not. */
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
      const progress = readJson<{ readonly progress?: ProgressNote }>(line)?.progress;
      if (progress) onProgress(progress);
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

/** @returns undefined for what is no JSON. */
export function readJson<Value>(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

/** What a child must know to judge and to count as this server's operator means it. */
export function listCountingFlags(config: Config): readonly string[] {
  const { identity } = config;
  return [
    ...listJudgingFlags(config),
    ...toFlag("--identity-alias-file", identity.aliasFile),
    ...toFlag("--identity-class-file", identity.classFile),
    ...toFlag("--identity-names", identity.names),
  ];
}

/** What reading a repository may cost. */
export function listReadingFlags({ ingest }: Config): readonly string[] {
  const { timeoutMs, gitMemoryMiB } = ingest;
  const timeout = `${Math.round(timeoutMs / 1000)}s`;
  return ["--timeout", timeout, "--git-memory", String(gitMemoryMiB)];
}

/** The same for one that judges whom others have counted. */
export function listJudgingFlags(config: Config): readonly string[] {
  const { analysis, identity } = config;
  return [
    ...listFolderFlags(config),
    ...toFlag("--analysis-model-file", analysis.modelFile),
    ...(identity.publishCommitEmails ? ["--publish-commit-emails"] : []),
  ];
}

/** Which data it is about. */
export function listFolderFlags({ data, settingsFile }: Config): readonly string[] {
  return [...toFlag("--data", data), ...toFlag("--config", settingsFile)];
}

const toFlag = (flag: string, value: string | undefined) =>
  value === undefined ? [] : [flag, value];
