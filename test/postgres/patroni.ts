/**
 * Three members of Patroni and etcd with HAProxy before them, of Debian's packages, as packaging/patroni configures them: a
 * machine of each is an address of loopback. Each may be killed or stand still, in part or whole.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres, type PostgresPrograms } from "./programs.ts";
import { ownByServer } from "./server.ts";

const names = ["one", "two", "three"] as const;
type MemberName = (typeof names)[number];

/** What of a member is meant: PostgreSQL, the agent of Patroni, or the machine with both and with its etcd. */
export type MemberPart = "server" | "agent" | "machine";

export interface PatroniCluster {
  /** Of the superuser, at the proxy. */
  readonly url: string;
  /** With the logs of all. */
  readonly folder: string;
  /** Resolves with the name of the primary once all members run and one of them is its synchronous standby. */
  whole(): Promise<MemberName>;
  /** @returns nothing while there is none that runs. */
  primary(): Promise<MemberName | undefined>;
  /** `SIGKILL` as a crash, `SIGSTOP` as a machine that hangs. */
  strike(name: MemberName, part: MemberPart, signal: "SIGKILL" | "SIGSTOP"): void;
  /** Brings back what was struck, as the operator or systemd would. */
  restore(name: MemberName): void;
  stop(): Promise<void>;
}

/** HAProxy is in a folder that only root looks in. */
const systemPath = "/usr/sbin:/usr/bin:/sbin:/bin";

/** @returns what is missing to run it. */
export function findMissing(): string | undefined {
  const programs = findPostgres();
  if (typeof programs === "string") return programs;
  if (process.platform !== "linux") return "only Linux has a loopback of many addresses";
  const missing = ["patroni", "etcd", "haproxy"].filter(
    (name) => !Bun.which(name, { PATH: systemPath }),
  );
  return missing.length === 0 ? undefined : `there is no ${missing.join(", no ")}`;
}

const packaged = (file: string) =>
  readFileSync(join(import.meta.dir, "../../packaging/patroni", file), "utf8");

/** @throws when something is missing. */
export async function startPatroni(): Promise<PatroniCluster> {
  const programs = findPostgres();
  if (typeof programs === "string") throw new Error(programs);
  const folder = mkdtempSync(join(tmpdir(), "roster-patroni-"));
  ownByServer(programs.prefix, folder);
  // Addresses of its own, so that the ports are those of the files.
  const [second, third] = randomBytes(2);
  const network = `127.${second}.${third}.`;
  const place = (text: string) =>
    text.replaceAll("127.0.0.1:", `${network}10:`).replaceAll("10.0.0.", network);
  for (const file of ["patroni.yml", "haproxy.cfg"]) {
    writeFileSync(join(folder, file), place(packaged(file)));
  }
  const password = randomBytes(12).toString("hex");
  const members = names.map((name, at) => {
    const env = readEnv(place(packaged("member.env")), (value) =>
      value.replaceAll(`${network}11:`, `${network}1${at + 1}:`),
    );
    return openMember(programs, folder, name, { ...env, ...passwords(password) });
  });
  const memberOf = (name: MemberName) => members[names.indexOf(name)] as Member;
  const proxy = spawn(programs, ["haproxy", "-db", "-f", join(folder, "haproxy.cfg")], folder);
  const cluster = () => readCluster(names.map((_, at) => `http://${network}1${at + 1}:8008`));
  return {
    url: `postgres://postgres:${password}@${network}10:5432/postgres`,
    folder,
    primary: async () => (await cluster()).find(({ role }) => role === "leader")?.name,
    whole: async () => {
      for (;;) {
        const found = await cluster();
        const leader = found.find(({ role }) => role === "leader");
        const hasStandby = found.some(({ role }) => role === "sync_standby");
        if (found.length === names.length && leader && hasStandby) return leader.name;
        await Bun.sleep(200);
      }
    },
    strike: (name, part, signal) => memberOf(name).strike(part, signal),
    restore: (name) => memberOf(name).restore(),
    stop: async () => {
      for (const member of members) await member.end();
      proxy.kill("SIGKILL");
      await proxy.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of a file that systemd would read. */
function readEnv(text: string, change: (value: string) => string): Record<string, string> {
  const given = [...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)] as unknown as [
    string,
    string,
    string,
  ][];
  const isShared = (key: string) => key === "ETCD_INITIAL_CLUSTER";
  return Object.fromEntries(
    given.map(([, key, value]) => [key, isShared(key) ? value : change(value)]),
  );
}

const passwords = (password: string) => ({
  PATRONI_SUPERUSER_PASSWORD: password,
  PATRONI_REPLICATION_PASSWORD: password,
});

interface Member {
  strike(part: MemberPart, signal: "SIGKILL" | "SIGSTOP"): void;
  restore(): void;
  end(): Promise<void>;
}

function openMember(
  programs: PostgresPrograms,
  folder: string,
  name: MemberName,
  given: Record<string, string>,
): Member {
  const own = join(folder, name);
  mkdirSync(own);
  ownByServer(programs.prefix, own);
  const data = join(own, "data");
  const env = {
    ...given,
    ...{ ETCD_NAME: name, ETCD_DATA_DIR: join(own, "etcd") },
    ...{ PATRONI_NAME: name, PATRONI_POSTGRESQL_DATA_DIR: data },
    PATRONI_POSTGRESQL_BIN_DIR: programs.folder,
    PATRONI_POSTGRESQL_PGPASS: join(own, "pgpass"),
  };
  const start = {
    etcd: () => spawn(programs, ["etcd", "--log-level", "warn"], own, env),
    agent: () => spawn(programs, ["patroni", join(folder, "patroni.yml")], own, env),
  };
  let [etcd, agent] = [start.etcd(), start.agent()];
  const server = () => listServer(join(data, "postmaster.pid"));
  let paused: readonly number[] = [];
  const strike: Member["strike"] = (part, signal) => {
    const processes = {
      server,
      agent: () => [agent.pid],
      machine: () => [agent.pid, etcd.pid, ...server()],
    }[part]();
    // At once for all: none may notice that another one is gone.
    for (const pid of processes) signalOne(pid, "SIGSTOP");
    if (signal === "SIGSTOP") paused = processes;
    else for (const pid of processes) signalOne(pid, "SIGKILL");
  };
  return {
    strike,
    end: async () => {
      strike("machine", "SIGKILL");
      await Promise.all([agent.exited, etcd.exited]);
    },
    restore: () => {
      for (const pid of paused) signalOne(pid, "SIGCONT");
      paused = [];
      if (etcd.signalCode) etcd = start.etcd();
      if (agent.signalCode) agent = start.agent();
    },
  };
}

/** The server and all its processes, as the file says that it writes itself. */
function listServer(file: string): readonly number[] {
  if (!existsSync(file)) return [];
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  const children = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(children)) return [];
  const listed = readFileSync(children, "utf8").trim().split(" ").filter(Boolean);
  return [pid, ...listed.map(Number)];
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function spawn(
  { prefix }: PostgresPrograms,
  command: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): Bun.Subprocess {
  const log = openSync(join(folder, `${command[0]}.log`), "a");
  const child = Bun.spawn([...prefix, ...command], {
    cwd: "/",
    env: { PATH: systemPath, ...env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  return child;
}

interface FoundMember {
  readonly name: MemberName;
  readonly role: string;
  readonly state: string;
}

/** Those that run, as the first agent sees it that answers. */
async function readCluster(addresses: readonly string[]): Promise<readonly FoundMember[]> {
  for (const address of addresses) {
    const signal = AbortSignal.timeout(2000);
    const answer = await fetch(`${address}/cluster`, { signal }).catch(() => undefined);
    const found = (await answer?.json().catch(() => undefined)) as
      | { members?: readonly FoundMember[] }
      | undefined;
    if (found?.members)
      return found.members.filter(({ state }) => /^(running|streaming)$/.test(state));
  }
  return [];
}
