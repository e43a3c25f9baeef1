/**
 * A machine of somebody's own while they read one document: its ports, /etc, /var/lib and /mnt are nobody else's, so what
 * the document says is pasted as it stands. Linux makes it of namespaces, for root alone; everything on it ends with it.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Said } from "../desk.ts";

export interface Machine {
  /** Where the terminal opens. */
  readonly home: string;
  /** Runs a command in the terminal, which keeps its folder and variables; standard input is empty. */
  paste(command: string): Promise<Said>;
  /** Leaves a terminal to a command that goes on, once it has printed this. @throws with its words when it ends before. */
  leave(command: string, ready: RegExp): Promise<Running>;
  /** Puts a file there. @returns its path. */
  write(name: string, text: string, mode?: number): string;
  clear(): Promise<void>;
}

export interface Running {
  output(): string;
  /** As Ctrl-C does. @returns the exit code. */
  stop(): Promise<number>;
}

const searched = `${process.env["PATH"]}:/usr/sbin:/sbin`;
const programs = ["unshare", "ip", "bash", "curl", "git", "jq", "ssh-keygen", "openssl", "npx"];

/** @returns why no machine can be made here; undefined where it can. */
export function findObstacle(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "Linux gives one to root";
  const missing = programs.filter((program) => !Bun.which(program, { PATH: searched }));
  if (missing.length > 0) return `there is no ${missing.join(", ")}`;
  const kept = mkdtempSync(join(tmpdir(), "roster-machine-"));
  const { exitCode, stderr } = Bun.spawnSync(setUp(kept, "true"), { env: { PATH: searched } });
  rmSync(kept, { recursive: true });
  return exitCode === 0 ? undefined : `${stderr}`.trim();
}

const apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"];

const divide = `set -e
mount -t tmpfs kept "$1"
mkdir "$1/new" "$1/work"
mount -t overlay etc -o "lowerdir=/etc,upperdir=$1/new,workdir=$1/work" /etc
mount -t tmpfs lib /var/lib
mount -t tmpfs mnt /mnt
ip link set lo up
shift
exec "$@"`;

/** Runs a command on a machine. @param kept what is written there outside its home lies below, in memory. */
const setUp = (kept: string, ...command: readonly string[]): string[] => [
  ...apart,
  ...["sh", "-c", divide, "sh", kept, ...command],
];

/** @param executable what is called `roster` there. */
export function openMachine(executable: string): Machine {
  const folder = mkdtempSync(join(tmpdir(), "roster-machine-"));
  // A database runs as a user of its own, and has its files below.
  chmodSync(folder, 0o711);
  const at = (name: string) => join(folder, name);
  for (const name of ["home", "bin", "said", "kept", "tmp"]) mkdirSync(at(name));
  chmodSync(at("tmp"), 0o1777);
  symlinkSync(executable, at("bin/roster"));
  const env = {
    HOME: at("home"),
    PATH: `${at("bin")}:${searched}`,
    GIT_CONFIG_NOSYSTEM: "1",
    TERM: "dumb",
    TMPDIR: at("tmp"),
  };
  const shell = ["bash", "--noprofile", "--norc", "-o", "pipefail"];
  const terminal = Bun.spawn(setUp(at("kept"), ...shell), {
    ...{ cwd: at("home"), env, stdin: "pipe", stdout: "pipe", stderr: "pipe" },
  });
  const lines = readLines(terminal.stdout);
  let count = 0;
  const complaint = new Response(terminal.stderr).text();
  const type = async (line: string): Promise<string> => {
    terminal.stdin.write(`${line}\n`);
    terminal.stdin.flush();
    const { value } = await lines.next();
    if (value !== undefined) return value;
    throw new Error(`the terminal is gone: ${await complaint}`);
  };
  /** @returns how a terminal runs it, and what it has said. */
  const file = (command: string) => {
    count += 1;
    const name = at(`said/${count}`);
    writeFileSync(name, `${command}\n`);
    const read = (ending: string) =>
      existsSync(name + ending) ? readFileSync(name + ending, "utf8") : "";
    return {
      line: `. ${name} </dev/null >${name}.out 2>${name}.err`,
      out: () => read(".out"),
      err: () => read(".err"),
    };
  };
  return {
    home: at("home"),
    async paste(command) {
      const { line, out, err } = file(command);
      const exitCode = Number(await type(`${line}; echo $?`));
      return { exitCode, stdout: out(), stderr: err() };
    },
    async leave(command, ready) {
      const { line, out, err } = file(command);
      const output = () => out() + err();
      // A job is a group of its own, all of which Ctrl-C ends.
      const pid = await type(`set -m; ${line} & set +m; echo $!`);
      while (!ready.test(output())) {
        if ((await type(`kill -0 ${pid} 2>/dev/null; echo $?`)) !== "0") throw new Error(output());
        await Bun.sleep(20);
      }
      const stop = async () => Number(await type(`kill -INT -- -${pid}; wait ${pid}; echo $?`));
      return { output, stop };
    },
    write(name, text, mode = 0o644) {
      const path = name.startsWith("/") ? name : at(`home/${name}`);
      writeFileSync(path, text, { mode });
      return path;
    },
    async clear() {
      terminal.kill("SIGKILL");
      await terminal.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
