/** A PostgreSQL server of a test's own, in a folder that goes with it: on loopback and on a socket, by password. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { SigningKey } from "../accounts/library/self-signed.ts";
import { freePort } from "../faults/server-process.ts";
import { findPostgres, type PostgresPrograms } from "./programs.ts";

export interface PostgresServer {
  /** Of its superuser, and of the database `postgres`. */
  readonly url: string;
  readonly folder: string;
  /** Ends the server at once, as a crash of the machine would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends the server as its operator would, and all connections with it. */
  halt(): Promise<void>;
  /** Starts it again after that, at the same address. */
  start(): Promise<void>;
  /** Stops all its processes where they are. Clients get no word of it, as when a host loses its power. */
  pause(): void;
  resume(): void;
  /** Makes a primary of a standby. */
  promote(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** @throws when there are no programs to run. */
export async function startPostgres({
  certificate,
  primary,
  settings = {},
}: {
  /** To take TLS only. */
  readonly certificate?: SigningKey;
  /** To be a standby of this server, which then acknowledges nothing before it does. */
  readonly primary?: PostgresServer;
  readonly settings?: Settings;
} = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (typeof programs === "string") throw new Error(programs);
  const folder = mkdtempSync(join(tmpdir(), "roster-postgres-"));
  const data = join(folder, "data");
  const password = primary ? new URL(primary.url).password : randomBytes(12).toString("hex");
  if (primary) copyCluster(programs, folder, primary);
  else createCluster(programs, folder, password);
  const port = await freePort();
  if (certificate) requireTls(programs, data, certificate);
  let child: Bun.Subprocess | undefined;
  const start = async () => {
    child = await startServer(programs, folder, port, settings);
  };
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal);
    await child?.exited;
  };
  const listAll = () => {
    const pid = child?.pid ?? 0;
    const children = `/proc/${pid}/task/${pid}/children`;
    const listed = existsSync(children) ? readFileSync(children, "utf8").trim().split(" ") : [];
    return [pid, ...listed.filter(Boolean).map(Number)];
  };
  // The parent stops first and goes on last. A parent that runs would reap a child that ended, and the signal would fail.
  const pause = () => {
    if (child) process.kill(child.pid, "SIGSTOP");
    for (const pid of listAll().slice(1)) process.kill(pid, "SIGSTOP");
  };
  const resume = () => {
    for (const pid of listAll().reverse()) process.kill(pid, "SIGCONT");
  };
  const kill = async () => {
    const all = listAll();
    await end("SIGKILL");
    // Its processes notice it by themselves, which takes them a moment: until then they may still answer.
    while (all.some(isRunning)) await Bun.sleep(5);
  };
  await start();
  if (primary) await requireStandby(primary);
  return {
    promote: () => {
      run([...programs.prefix, join(programs.folder, "pg_ctl"), "promote", "-w", "-D", data]);
    },
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    folder: data,
    kill,
    halt: () => end("SIGINT"),
    start,
    pause,
    resume,
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A process that has ended and was not waited for yet does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function createCluster(
  { folder: programs, prefix }: PostgresPrograms,
  folder: string,
  password: string,
): void {
  const file = join(folder, "password");
  writeFileSync(file, password);
  for (const path of [folder, file]) ownByServer(prefix, path);
  chmodSync(file, 0o600);
  const options = ["--auth=scram-sha-256", "--username=postgres", `--pwfile=${file}`];
  const form = ["--no-sync", "--encoding=UTF8", "--no-locale", "--no-instructions"];
  run([...prefix, join(programs, "initdb"), ...options, ...form, "-D", join(folder, "data")]);
  rmSync(file);
}

function copyCluster(
  { folder: programs, prefix }: PostgresPrograms,
  folder: string,
  primary: PostgresServer,
): void {
  ownByServer(prefix, folder);
  const url = new URL(primary.url);
  url.searchParams.set("application_name", "standby");
  const options = [
    "--checkpoint=fast",
    "--wal-method=stream",
    "--write-recovery-conf",
    "--no-sync",
  ];
  const command = [join(programs, "pg_basebackup"), "-d", url.href, "-D", join(folder, "data")];
  run([...prefix, ...command, ...options]);
}

/** From here on the primary acknowledges only what the standby has on disk, too. */
async function requireStandby({ url }: PostgresServer): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await sql`SELECT pg_reload_conf()`;
  for (;;) {
    const [row] =
      await sql`SELECT count(*)::int AS n FROM pg_stat_replication WHERE sync_state = 'sync'`;
    if (row.n > 0) return;
    await Bun.sleep(20);
  }
}

function requireTls({ prefix }: PostgresPrograms, data: string, made: SigningKey): void {
  const files = { "server.key": made.privateKey, "server.crt": made.certificate };
  for (const [name, text] of Object.entries(files)) {
    const file = join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    ownByServer(prefix, file);
  }
  writeFileSync(join(data, "postgresql.conf"), "\nssl = on\n", { flag: "a" });
  writeFileSync(join(data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
}

/** Gives a file that root made to the user that the server runs as. */
export function ownByServer(prefix: PostgresPrograms["prefix"], path: string): void {
  if (prefix.length === 0) return;
  const read = (what: string) => Number(run(["id", what, "postgres"]));
  chownSync(path, read("-u"), read("-g"));
}

function run(command: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: "/", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}

type Settings = Readonly<Record<string, string | number>>;

const defaults: Settings = { listen_addresses: "127.0.0.1", max_connections: 200, fsync: "on" };

/** Resolves when it takes connections. It tries again while a server that was just killed still holds the folder. */
async function startServer(
  programs: PostgresPrograms,
  folder: string,
  port: number,
  settings: Settings,
): Promise<Bun.Subprocess> {
  const log = join(folder, "log");
  const given = { ...defaults, ...settings, unix_socket_directories: folder, port };
  const options = Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = join(programs.folder, "postgres");
  for (;;) {
    const since = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    const child = Bun.spawn([...programs.prefix, program, "-D", join(folder, "data"), ...options], {
      cwd: "/",
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await readUntilReady(child);
    writeFileSync(log, said, { flag: "a" });
    if (ready.test(said)) return child;
    await child.exited;
    if (!/still in use|lock file/.test(said))
      throw new Error(said + readFileSync(log).subarray(since));
    await Bun.sleep(50);
  }
}

const ready = /database system is ready to accept (read-only )?connections/;

async function readUntilReady(child: Bun.Subprocess<"ignore", "ignore", "pipe">): Promise<string> {
  const reader = child.stderr.getReader();
  let said = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return said;
    said += new TextDecoder().decode(value);
    if (!ready.test(said)) continue;
    // Read on, so that the server never waits for a full pipe.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return said;
  }
}
