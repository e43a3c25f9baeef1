/** A PostgreSQL server in a folder that outlives it, so that a later run can use what an earlier one has built. */
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "../../../test/faults/server-process.ts";
import { findPostgres, type PostgresPrograms } from "../../../test/postgres/programs.ts";

/** The settings of an operator on a machine with 16 GB or more that also does other work. */
const postgresSettings = {
  shared_buffers: "1GB",
  work_mem: "32MB",
  maintenance_work_mem: "512MB",
  max_wal_size: "4GB",
  jit: "off",
};

export interface KeptPostgres extends AsyncDisposable {
  /** Of its superuser, and of the database `postgres`. */
  readonly url: string;
}

/**
 * @param settings added to those above.
 * @throws where PostgreSQL is not installed.
 */
export async function startKeptPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<KeptPostgres> {
  const programs = findPostgres();
  if (typeof programs === "string") throw new Error(programs);
  mkdirSync(folder, { recursive: true });
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  if (!existsSync(passwordFile)) createCluster(programs, folder);
  const password = readFileSync(passwordFile, "utf8");
  const port = await freePort();
  const given = { ...postgresSettings, ...settings, listen_addresses: "127.0.0.1", port };
  const options = Object.entries({ ...given, unix_socket_directories: folder });
  const child = Bun.spawn(
    [
      ...[...programs.prefix, join(programs.folder, "postgres"), "-D", data],
      ...options.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { cwd: "/", stdin: "ignore", stdout: "ignore", stderr: Bun.file(join(folder, "log")) },
  );
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await waitUntilReady(url, child);
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGINT");
      await child.exited;
    },
  };
}

/** Writes the password file last, because its presence says that the cluster is complete. */
function createCluster({ folder: programs, prefix }: PostgresPrograms, folder: string): void {
  const made = join(folder, "password.new");
  writeFileSync(made, randomBytes(12).toString("hex"), { mode: 0o600 });
  if (prefix.length > 0) {
    const read = (what: string) => Number(run(["id", what, "postgres"]));
    for (const path of [folder, made]) chownSync(path, read("-u"), read("-g"));
  }
  chmodSync(folder, 0o700);
  const options = ["--auth=scram-sha-256", "--username=postgres", `--pwfile=${made}`];
  const form = ["--encoding=UTF8", "--no-locale", "--no-instructions"];
  run([...prefix, join(programs, "initdb"), ...options, ...form, "-D", join(folder, "data")]);
  writeFileSync(join(folder, "password"), readFileSync(made), { mode: 0o600 });
}

function run(command: readonly string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command], { cwd: "/" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}

/** Waits, since a server that was killed first replays its log. */
async function waitUntilReady(url: string, child: Bun.Subprocess): Promise<void> {
  while (child.exitCode === null) {
    try {
      await using sql = new SQL(url, { max: 1 });
      await sql`SELECT 1`;
      return;
    } catch {
      await Bun.sleep(50);
    }
  }
  throw new Error(`PostgreSQL ended with ${child.exitCode}: see the log in its folder`);
}
