/**
 * Runs git for reading. What a repository or a machine has configured must neither run programs nor
 * change the figures: so no system or user settings, no hooks, no external diffs, no replaced
 * objects, no fetching of missing ones, and English messages.
 */

/** Something about git or a repository that stops its reading; the message says what helps. */
export class GitFault extends Error {
  override readonly name = "GitFault";
  /** All that git said, for telling causes apart. */
  readonly complaint: string;

  constructor(message: string, complaint = "") {
    super(message);
    this.complaint = complaint;
  }
}

export interface Git {
  /** Standard output of a command that ends soon, as bytes. @throws GitFault with git's own last line. */
  read(directory: string, args: readonly string[], input?: string): Promise<Buffer>;
  /** Starts a command whose output is read as it comes. */
  stream(directory: string, args: readonly string[]): GitStream;
  /** Starts `cat-file --batch` or the like: a conversation. */
  converse(directory: string, args: readonly string[]): GitConversation;
}

export interface GitStream {
  readonly chunks: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Settles when git has ended. @throws GitFault when it failed. */
  ended(): Promise<void>;
  stop(): void;
}

export interface GitConversation extends GitStream {
  write(text: string): void;
  flush(): Promise<void>;
  end(): void;
}

/**
 * @param program where git is; default: found on the path.
 * @throws GitFault when there is no git.
 */
export function openGit(
  options: { program?: string | undefined; signal?: AbortSignal | undefined } = {},
): Git {
  const program = options.program ?? Bun.which("git") ?? "";
  if (!program) {
    throw new GitFault(
      "git is not installed: reading repositories needs the git command, 2.32 or newer.",
    );
  }
  const { signal } = options;
  return {
    read: (directory, args, input) =>
      readAll(start(program, directory, args, { input, signal }), signal),
    stream: (directory, args) => asStream(start(program, directory, args, { signal }), signal),
    converse: (directory, args) =>
      asConversation(start(program, directory, args, { signal, talk: true }), signal),
  };
}

/** Bytes to text: UTF-8, or Latin-1 where they are not valid UTF-8, so that every name survives. */
export function decode(bytes: Buffer): string {
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
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_FLUSH: "0",
};

const settings = [
  "safe.directory=*",
  "safe.bareRepository=all",
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.commitGraph=true",
  "diff.external=",
  "diff.renames=true",
  "diff.algorithm=myers",
  "diff.ignoreSubmodules=none",
  "i18n.logOutputEncoding=UTF-8",
  "log.showSignature=false",
  "log.showRoot=true",
  "log.diffMerges=off",
  "log.excludeDecoration=",
  "protocol.allow=never",
  "protocol.file.allow=always",
].flatMap((setting) => ["-c", setting]);

interface Started {
  readonly process: Bun.Subprocess<"pipe" | "ignore" | Buffer, "pipe", "pipe">;
  readonly command: string;
  readonly complaint: Promise<string>;
}

function start(
  program: string,
  directory: string,
  args: readonly string[],
  how: { input?: string | undefined; talk?: boolean; signal?: AbortSignal | undefined },
): Started {
  how.signal?.throwIfAborted();
  const process = Bun.spawn([program, ...settings, "-C", directory, ...args], {
    env: { ...environment, GIT_CEILING_DIRECTORIES: parentOf(directory) },
    stdin: how.talk ? "pipe" : how.input === undefined ? "ignore" : Buffer.from(how.input),
    stdout: "pipe",
    stderr: "pipe",
    ...(how.signal && { signal: how.signal }),
  });
  return { process, command: args[0] ?? "", complaint: new Response(process.stderr).text() };
}

async function readAll(started: Started, signal: AbortSignal | undefined): Promise<Buffer> {
  const output = Buffer.from(await new Response(started.process.stdout).arrayBuffer());
  await finish(started, signal);
  return output;
}

function asStream(started: Started, signal: AbortSignal | undefined): GitStream {
  return {
    chunks: started.process.stdout,
    ended: () => finish(started, signal),
    stop: () => started.process.kill(),
  };
}

function asConversation(started: Started, signal: AbortSignal | undefined): GitConversation {
  const input = started.process.stdin as Bun.FileSink;
  return {
    ...asStream(started, signal),
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

async function finish(started: Started, signal: AbortSignal | undefined): Promise<void> {
  const code = await started.process.exited;
  const complaint = await started.complaint;
  signal?.throwIfAborted();
  if (code === 0) return;
  const said = complaint
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^(fatal|error): /, "");
  const why = said || `exit code ${code}`;
  throw new GitFault(`git ${started.command} failed: ${why}`, complaint);
}

/** Git must not look for a repository above the folder it was pointed at. */
function parentOf(directory: string): string {
  const end = directory.replace(/(?<!\/)\/+$/, "").lastIndexOf("/");
  return end > 0 ? directory.slice(0, end) : "";
}
