/**
 * Runs git for reading. What a repository or a machine has configured must neither run programs nor
 * change the figures: so no system or user settings, no hooks, no external diffs, no replaced
 * objects, no transport by which a missing one could be fetched, and English messages. A repository's
 * own settings are not there to be read either: git is only sent to folders of ours, see `openView`.
 */
import { Fault } from "../../contract/fault.ts";

/** Every command runs in a folder that Roster made, as in its repository; it need not be one. */
export interface Git {
  /**
   * Standard output of a command that ends soon, as bytes.
   *
   * @throws Fault with git's own last line, or when there is more output than anything sound has.
   */
  read(directory: string, args: readonly string[], input?: string): Promise<Buffer>;
  /** Starts a command whose output is read as it comes. */
  stream(directory: string, args: readonly string[]): GitStream;
  /** Starts `cat-file --batch` or the like: a conversation. */
  converse(directory: string, args: readonly string[]): GitConversation;
  /** The same, whose commands this signal ends too; they then throw its reason. */
  until(signal: AbortSignal): Git;
  /** For long work between commands. @throws the reason of a signal that has ended them. */
  throwIfEnded(): void;
}

interface GitStream {
  readonly chunks: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when git has ended. @throws Fault when it failed. */
  ended(): Promise<void>;
  stop(): void;
}

interface GitConversation extends GitStream {
  write(text: string): void;
  flush(): Promise<void>;
  end(): void;
}

export interface GitOptions {
  /** Where git is; default: found on the path. */
  readonly program?: string | undefined;
  /** What one git process may take; default 2048. */
  readonly memoryMiB?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @throws Fault when there is no git. */
export function openGit(options: GitOptions = {}): Git {
  const program = options.program ?? Bun.which("git") ?? "";
  const shell = Bun.which("sh");
  if (!program || !shell) {
    throw new Fault(
      "git",
      `git is not installed: reading repositories needs the git command, ${oldest} or newer, and a shell.`,
    );
  }
  const { memoryMiB = 2048 } = options;
  // The limit counts what git allocates, not the packs that it maps. A lower one of the machine's stays.
  const limit = `ulimit -d ${memoryMiB * 1024} 2>/dev/null; exec "$@"`;
  const command = [shell, "-c", limit, "sh", program, ...settings];
  const until = (signal: AbortSignal | undefined): Git => {
    const run = (directory: string, args: readonly string[], input?: string | "talk") =>
      start([...command, "-C", directory, ...args], { directory, input, signal, memoryMiB });
    return {
      read: (directory, args, input) => readAll(run(directory, args, input)),
      stream: (directory, args) => asStream(run(directory, args)),
      converse: (directory, args) => asConversation(run(directory, args, "talk")),
      until: (other) => until(signal ? AbortSignal.any([signal, other]) : other),
      throwIfEnded: () => signal?.throwIfAborted(),
    };
  };
  return until(options.signal);
}

const oldest = "2.32";

/**
 * Older versions let nobody say where the user's settings are, and show merges as they please.
 *
 * @throws Fault when git is older, or does not say how old it is.
 */
export async function checkVersion(git: Git): Promise<void> {
  const said = (await git.read("/", ["version"])).toString().trim();
  const [, version = "", major, minor] = /^git version ((\d+)\.(\d+)\S*)/.exec(said) ?? [];
  if (Number(major) * 1000 + Number(minor) >= 2032) return;
  const found = version ? `git ${version} is too old` : "git does not say which version it is";
  throw new Fault("git", `${found}: reading repositories needs ${oldest} or newer.`);
}

/** Bytes to text: UTF-8, or Latin-1 where they are not valid UTF-8, so that every name survives. */
export function decodeGitText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\uFFFD")) return text;
  return bytes.includes(replacementBytes) ? text : bytes.toString("latin1");
}

const replacementBytes = Buffer.from("\uFFFD");

const environment = {
  LC_ALL: "C",
  HOME: "/nonexistent",
  XDG_CONFIG_HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  // What replacements were before: a list of other parents, by which a history can be cut short.
  GIT_GRAFT_FILE: "/nonexistent",
  // An empty list: no transport at all, whatever any setting allows.
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_FLUSH: "0",
};

const settings = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  // It names the parents of commits once more, and may lie.
  "core.commitGraph=false",
  // A larger file is binary: nobody wrote its lines, and comparing them takes gigabytes.
  "core.bigFileThreshold=16m",
  // Some versions take the attributes of HEAD where there is no working tree, others none.
  "attr.tree=",
  "diff.external=",
  "diff.renames=true",
  "diff.algorithm=myers",
  "diff.ignoreSubmodules=none",
  "i18n.logOutputEncoding=UTF-8",
  "log.showSignature=false",
  "log.showRoot=true",
  "log.diffMerges=off",
  "log.excludeDecoration=",
].flatMap((setting) => ["-c", setting]);

interface How {
  readonly directory: string;
  readonly input: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly memoryMiB: number;
}

type Started = ReturnType<typeof start>;

function start(command: readonly string[], { directory, input, signal, memoryMiB }: How) {
  signal?.throwIfAborted();
  const child = Bun.spawn([...command], {
    env: { ...environment, GIT_DIR: directory },
    stdin: input === "talk" ? "pipe" : input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, so that what git started ends with it.
    detached: true,
  });
  const stop = (): void => endGroup(child.pid);
  signal?.addEventListener("abort", stop);
  const exited = child.exited.finally(() => signal?.removeEventListener("abort", stop));
  const complaint = readEnd(child.stderr);
  const name = command[command.indexOf("-C") + 2] ?? "";
  const finish = async (): Promise<void> => {
    const [code, said] = [await exited, await complaint];
    signal?.throwIfAborted();
    if (code === 0) return;
    const why = /out of memory|malloc failed|cannot allocate|mmap failed/i.test(said)
      ? `it needs more than ${memoryMiB} MiB of memory (setting ingest.gitMemory).`
      : lastLine(said) || (child.signalCode ? `ended by ${child.signalCode}` : `exit code ${code}`);
    throw new Fault("git", `git ${name} failed: ${why}`, { cause: said });
  };
  return { child, name, stop, finish };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** A sound repository of two million files has less to say. */
const outputMax = 128 * 1024 * 1024;

async function readAll({ child, name, stop, finish }: Started): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of child.stdout) {
    bytes += chunk.length;
    if (bytes > outputMax) {
      stop();
      await finish().catch(() => undefined);
      throw new Fault(
        "git",
        `git ${name} failed: it wrote more than ${outputMax / 1024 / 1024} MiB.`,
      );
    }
    chunks.push(chunk);
  }
  await finish();
  return Buffer.concat(chunks);
}

/** A damaged repository can be complained of without end: what was said last tells most. */
async function readEnd(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of stream) end = Buffer.concat([end, chunk]).subarray(-complaintMax);
  return end.toString();
}

const complaintMax = 16 * 1024;

function lastLine(said: string): string | undefined {
  return said
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^(fatal|error): /, "");
}

function asStream({ child, stop, finish }: Started): GitStream {
  return { chunks: child.stdout, ended: finish, stop };
}

function asConversation(started: Started): GitConversation {
  const input = started.child.stdin as Bun.FileSink;
  return {
    ...asStream(started),
    write: (text) => {
      input.write(text);
    },
    flush: async () => {
      await input.flush();
    },
    end: () => {
      input.end();
    },
  };
}
