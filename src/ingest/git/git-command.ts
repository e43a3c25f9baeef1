/**
 * The only code that runs git. Git runs in folders that Roster made, without the settings of the system, the user or the
 * repository, because settings can run programs and change figures. Only mirroring contacts a server.
 */
import { join } from "node:path";
import { Fault } from "../../contract/fault.ts";
import { startGroup } from "../../contract/process-group.ts";

/** Runs git. The folder of a command is its GIT_DIR. */
export interface Git {
  /** Returns standard output. @throws Fault if git fails, or if the output is too large. */
  read(directory: string, args: readonly string[], input?: string): Promise<Buffer>;
  /** Runs a command and passes on its output as it arrives. @param input text for standard input. */
  stream(
    directory: string,
    args: readonly string[],
    take: (output: Buffer) => void,
    input?: string,
  ): Promise<void>;
  /** Returns a copy that also stops when the signal is aborted. Its commands then throw the signal's reason. */
  until(signal: AbortSignal): Git;
  within(limits: GitLimits): Git;
  /** @throws the signal's reason when the signal is aborted. */
  throwIfEnded(): void;
}

interface GitLimits {
  /** Memory limit of one git process, in MiB; default: 2048. */
  readonly memoryMiB?: number | undefined;
  /** Time limit of one command, in milliseconds; default: an hour. */
  readonly timeoutMs?: number | undefined;
  /** The largest file that git may write, in bytes; default: no limit. */
  readonly fileBytes?: number | undefined;
}

export interface GitOptions extends GitLimits {
  /** Path of the git program; default: the one on PATH. */
  readonly program?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The only server that git may contact; default: none. */
  readonly remote?: GitRemote | undefined;
}

interface GitRemote {
  /** The only protocol that git may use. */
  readonly protocol: string;
  /** Settings of git. No process list shows them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Environment variables with proxies and authorities. */
  readonly environment?: Environment;
  readonly user?: GitUser | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The user whose ssh keys and credential helpers git may use. */
export interface GitUser {
  /** The user's environment variables, such as HOME, PATH and SSH_AUTH_SOCK. */
  readonly environment: Environment;
  /** The `credential` settings of the user's git. */
  readonly credentials: readonly (readonly [key: string, value: string])[];
}

/** @throws Fault when git or a shell is missing. */
export function openGit(options: GitOptions = {}): Git {
  const program = options.program ?? Bun.which("git") ?? "";
  if (!program || !Bun.which("sh")) {
    throw new Fault(
      "git",
      `git is not installed: reading repositories needs the git command, ${oldest} or newer, and a shell.`,
    );
  }
  const { remote } = options;
  const environment = { ...variables, ...(remote && describeRemote(remote)) };
  const limited = (signal: AbortSignal | undefined, limits: GitLimits): Git => {
    const run = (directory: string, args: readonly string[], input?: string) =>
      start([program, ...settings, "-C", directory, ...args], directory, input, {
        ...{ ...limits, signal, environment },
      });
    return {
      read: (directory, args, input) => readAll(run(directory, args, input)),
      stream: (directory, args, take, input) => passOn(run(directory, args, input), take),
      until: (other) => limited(signal ? AbortSignal.any([signal, other]) : other, limits),
      within: (narrower) => limited(signal, { ...limits, ...narrower }),
      throwIfEnded: () => signal?.throwIfAborted(),
    };
  };
  return limited(options.signal, options);
}

/** Returns the environment in which git may contact one server. */
function describeRemote(remote: GitRemote): Environment {
  const { protocol, settings: own = {}, environment, user } = remote;
  const given = [...(user?.credentials ?? []), ...Object.entries(own)];
  const keys = given.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    // By default, git looks for the folder of settings in HOME.
    ...(user && { XDG_CONFIG_HOME: undefined, ...user.environment }),
    ...{ ...environment, GIT_ALLOW_PROTOCOL: protocol },
    ...{ GIT_CONFIG_COUNT: String(given.length), ...Object.fromEntries(keys) },
    ...(protocol === "ssh" && { GIT_SSH_COMMAND: composeSsh(user), GIT_SSH_VARIANT: "ssh" }),
  };
}

/** Returns the command with which git starts ssh. It asks no questions: an unknown host is refused. @throws Fault without ssh. */
function composeSsh(user: GitUser | undefined): string {
  const { PATH } = user?.environment ?? {};
  const program = Bun.which("ssh", PATH === undefined ? {} : { PATH });
  if (!program) throw new Fault("git", "ssh is not installed: ssh addresses need it.");
  const options = [
    ...["BatchMode=yes", "ConnectTimeout=30", "ServerAliveInterval=20", "ServerAliveCountMax=3"],
    ...["ForwardAgent=no", "ClearAllForwardings=yes", "PermitLocalCommand=no", "RequestTTY=no"],
    ...["ControlMaster=no", "ControlPath=none"],
  ];
  return [`'${program.replaceAll("'", "'\\''")}'`, ...options].join(" -o ");
}

/** Reads which programs give the user's git its passwords. If git cannot read the user's settings, there are none. */
export async function readGitUser(environment: GitUser["environment"]): Promise<GitUser> {
  const user = { environment, credentials: [] };
  const own = { GIT_CONFIG_NOSYSTEM: "0", GIT_CONFIG_GLOBAL: undefined };
  const git = openGit({ remote: { protocol: "none", environment: own, user } });
  const listing = ["config", "--null", "--get-regexp", "^credential\\."];
  const found = (await git.read("/", listing).catch(() => "")).toString();
  const lines = found.split("\0").filter(Boolean);
  // A key without a value is true.
  const credentials = lines.map((line) => line.split(/\n(.*)/s) as [string, string?]);
  return { environment, credentials: credentials.map(([key, value = "true"]) => [key, value]) };
}

const oldest = "2.32";

/** Checks the version of git. @throws Fault when git is older than 2.32, or its version is unknown. */
export async function checkVersion(git: Git): Promise<void> {
  const { version, number } = await readVersion(git);
  if (number >= 2032) return;
  const problem = version ? `git ${version} is too old` : "git does not say which version it is";
  throw new Fault("git", `${problem}: reading repositories needs ${oldest} or newer.`);
}

/** @returns the version as text and as a number: 2045 for `2.45.1`. The number is NaN if git states no version. */
export async function readVersion(git: Git): Promise<{ version: string; number: number }> {
  const output = (await git.read("/", ["version"])).toString().trim();
  const [, version = "", major, minor] = /^git version ((\d+)\.(\d+)\S*)/.exec(output) ?? [];
  return { version, number: Number(major) * 1000 + Number(minor) };
}

/** Formats names as lines. */
export function composeInput(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join("");
}

/** Decodes bytes as UTF-8. Bytes that are not valid UTF-8 are decoded as Latin-1. */
export function decodeGitText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!text.includes("\uFFFD")) return text;
  return bytes.includes(replacementBytes) ? text : bytes.toString("latin1");
}

const replacementBytes = Buffer.from("\uFFFD");

const variables = {
  LC_ALL: "C",
  HOME: "/nonexistent",
  XDG_CONFIG_HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  // An empty list forbids all protocols.
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_FLUSH: "0",
  // Makes glibc keep freed memory, because git soon needs it again.
  MALLOC_MMAP_THRESHOLD_: "33554432",
  MALLOC_TRIM_THRESHOLD_: "268435456",
};

/** Name of the file of grafts in a folder of Roster. A repository's own grafts are ignored. */
export const graftsFile = "roster-grafts";

const settings = [
  "advice.graftFileDeprecated=false",
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  // Ignores the commit graph, because it may be wrong.
  "core.commitGraph=false",
  // Treats larger files as binary, because comparing them takes gigabytes of memory.
  "core.bigFileThreshold=16m",
  // Keeps git from reading attributes from HEAD.
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

interface StartOptions extends GitLimits {
  readonly signal: AbortSignal | undefined;
  readonly environment: Environment;
}

type RunningCommand = ReturnType<typeof start>;

const hourMs = 3_600_000;

function start(
  command: readonly string[],
  directory: string,
  input: string | undefined,
  { memoryMiB = 2048, timeoutMs = hourMs, fileBytes, signal, environment }: StartOptions,
) {
  signal?.throwIfAborted();
  const group = startGroup(command, {
    ...{ memoryMiB, fileBytes },
    env: { ...environment, GIT_DIR: directory, GIT_GRAFT_FILE: join(directory, graftsFile) },
    stdin: input === undefined ? "ignore" : Buffer.from(input),
  });
  const { child, stop } = group;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeoutMs);
  signal?.addEventListener("abort", stop);
  const exited = group.exited.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
  const stderr = readEnd(child.stderr);
  const name = command[command.indexOf("-C") + 2] ?? "";
  const finish = async (): Promise<void> => {
    const [code, errors] = [await exited, await stderr];
    signal?.throwIfAborted();
    if (isLate) {
      throw new Fault("time_limit", `git ${name} did not end within ${timeoutMs / 1000} seconds.`);
    }
    if (code === 0) return;
    const reason = /out of memory|malloc failed|cannot allocate|mmap failed/i.test(errors)
      ? `it needs more than ${memoryMiB} MiB of memory (setting ingest.gitMemory).`
      : errors
          .trim()
          .split("\n")
          .at(-1)
          ?.replace(/^(fatal|error): /, "") ||
        (child.signalCode ? `ended by ${child.signalCode}` : `exit code ${code}`);
    throw new Fault("git", `git ${name} failed: ${reason}`, { cause: errors });
  };
  return { child, name, stop, finish };
}

/** The most bytes of output. */
const outputMax = 128 * 1024 * 1024;

async function readAll(running: RunningCommand): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await passOn(running, (chunk) => {
    bytes += chunk.length;
    if (bytes > outputMax) {
      const most = `${outputMax / 1024 / 1024} MiB`;
      throw new Fault("git", `git ${running.name} failed: it wrote more than ${most}.`);
    }
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Reads a stream and keeps only its end, because a damaged repository can cause endless errors. */
async function readEnd(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of stream) end = Buffer.concat([end, chunk]).subarray(-stderrMax);
  return end.toString();
}

const stderrMax = 16 * 1024;

async function passOn(
  { child, stop, finish }: RunningCommand,
  take: (output: Buffer) => void,
): Promise<void> {
  try {
    for await (const chunk of child.stdout) {
      take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  } catch (error) {
    stop();
    await finish().catch(() => undefined);
    throw error;
  }
  await finish();
}
