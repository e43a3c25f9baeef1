/** A PostgreSQL of its own, in a temporary folder and on a socket there, gone when it is closed. It never runs as root. */
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SQL } from "bun";

export interface TemporaryPostgres {
  readonly sql: SQL;
  close(): Promise<void>;
}

const debian = "/usr/lib/postgresql";

/** Nothing here needs to survive: what it is measured at is answers from memory. */
const settings = [
  ...["listen_addresses=", "fsync=off", "full_page_writes=off", "autovacuum=off", "jit=off"],
  ...["shared_buffers=512MB", "work_mem=64MB", "maintenance_work_mem=256MB"],
  // Filters differ with every question: a plan for all of them suits none.
  ...["plan_cache_mode=force_custom_plan", "max_wal_size=4GB"],
];

/** @returns why there is none, where it is not installed. */
export async function startPostgres(): Promise<TemporaryPostgres | string> {
  const programs = findPrograms();
  if (!programs) return "PostgreSQL is not installed";
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? findUser("postgres") : undefined;
  if (isRoot && user === undefined) return "PostgreSQL has no user of its own here to run as";
  const folder = mkdtempSync(join(tmpdir(), "roster-postgres-"));
  if (user !== undefined) chownSync(folder, user, user);
  const data = join(folder, "data");
  const control = join(programs, "pg_ctl");
  const run = (command: string) => runAs(isRoot ? "postgres" : undefined, command);
  const stop = () => run(`${control} stop -D ${data} -m immediate -w`);
  try {
    run(`${join(programs, "initdb")} -D ${data} -U bench -A trust -E UTF8 --locale=C --no-sync`);
    const options = ["-k", folder, ...settings.flatMap((each) => ["-c", each])].join(" ");
    run(`${control} start -D ${data} -w -l ${join(folder, "log")} -o '${options}'`);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
  const path = join(folder, ".s.PGSQL.5432");
  const sql = new SQL({
    path,
    adapter: "postgres",
    username: "bench",
    database: "postgres",
    max: 1,
  });
  return {
    sql,
    close: async () => {
      await sql.close();
      stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Of the newest version. */
function findPrograms(): string | undefined {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, "bin"));
  const onPath = Bun.which("initdb");
  return [...folders, ...(onPath ? [dirname(onPath)] : [])].find((folder) =>
    existsSync(join(folder, "initdb")),
  );
}

function findUser(name: string): number | undefined {
  const { exitCode, stdout } = Bun.spawnSync(["id", "-u", name]);
  return exitCode === 0 ? Number(stdout.toString()) : undefined;
}

function runAs(user: string | undefined, command: string): void {
  const words = user ? ["su", user, "-s", "/bin/sh", "-c", command] : ["sh", "-c", command];
  // The server inherits what is open: a pipe would stay open as long as it lives.
  const quiet = { stdout: "ignore", stderr: "ignore", cwd: "/" } as const;
  const { exitCode } = Bun.spawnSync(words, quiet);
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`);
}
