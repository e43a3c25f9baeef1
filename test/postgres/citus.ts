/** PostgreSQL with Citus, where the extension is there: a coordinator, which holds no shards, and workers, all on loopback. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { hasPostgres, newDatabase, runAsSuperuser } from "./database.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

export interface CitusCluster {
  readonly coordinator: PostgresServer;
  readonly workers: readonly [PostgresServer, PostgresServer];
  /** @returns the coordinator's address of a new database, in which tables can be distributed. */
  newDatabase(): Promise<string>;
  /** Ends all of its servers and removes their folders. */
  stop(): Promise<void>;
}

/** Whether tests can have a cluster. */
export const hasCitus = hasPostgres && (await findExtension());
if (!hasCitus) process.stderr.write("Skips what needs Citus: PostgreSQL has no such extension\n");

async function findExtension(): Promise<boolean> {
  await using sql = new SQL(await newDatabase(), { max: 1 });
  return (await sql`SELECT 1 FROM pg_available_extensions WHERE name = 'citus'`).length > 0;
}

/** @param waits how long the coordinator waits for a worker that does not answer, in milliseconds. */
export async function startCitus({ waits = 2000 } = {}): Promise<CitusCluster> {
  const settings = {
    shared_preload_libraries: "citus",
    "citus.node_conninfo": `sslmode=disable tcp_user_timeout=${waits}`,
    "citus.node_connection_timeout": waits,
  };
  const servers: PostgresServer[] = [];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  const start = async () => {
    const server = await startPostgres({ settings });
    servers.push(server);
    await trustLoopback(server);
    return server;
  };
  let made = 0;
  try {
    const coordinator = await start();
    const workers = [await start(), await start()] as const;
    const makeNext = () => {
      made += 1;
      return makeDatabase(`test_${made}`, coordinator, workers);
    };
    return { coordinator, workers, newDatabase: makeNext, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The servers of a cluster know no passwords of each other. */
async function trustLoopback({ folder, url }: PostgresServer): Promise<void> {
  writeFileSync(join(folder, "pg_hba.conf"), "host all all 127.0.0.1/32 trust\n");
  await runAsSuperuser(url, "SELECT pg_reload_conf()");
}

async function makeDatabase(
  name: string,
  coordinator: PostgresServer,
  workers: CitusCluster["workers"],
): Promise<string> {
  const inDatabase = ({ url }: PostgresServer) => Object.assign(new URL(url), { pathname: name });
  for (const server of [...workers, coordinator]) {
    await runAsSuperuser(server.url, `CREATE DATABASE ${name}`);
    await runAsSuperuser(inDatabase(server).href, "CREATE EXTENSION citus");
  }
  const [url, ...others] = [coordinator, ...workers].map(inDatabase) as [URL, ...URL[]];
  await runAsSuperuser(
    url.href,
    `SELECT citus_set_coordinator_host('${url.hostname}', ${url.port})`,
    ...others.map(({ hostname, port }) => `SELECT citus_add_node('${hostname}', ${port})`),
  );
  return url.href;
}
