import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { onServers } from "./blocks.ts";
import { type KeptPostgres, startKeptPostgres } from "./kept-postgres.ts";

/** Bit-blocks on two servers behind a third one, all of them here. */
export const citus = onServers(
  startKeptCitus,
  `CASE WHEN oid IN (SELECT logicalrelid FROM pg_dist_partition)
    THEN citus_total_relation_size(oid) ELSE pg_total_relation_size(oid) END`,
);

const settings = {
  shared_preload_libraries: "citus",
  "citus.node_conninfo": "sslmode=disable",
};

/** @throws where PostgreSQL has no such extension. */
async function startKeptCitus(folder: string): Promise<KeptPostgres> {
  mkdirSync(folder, { recursive: true });
  const servers: KeptPostgres[] = [];
  const stop = async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  };
  try {
    for (const name of ["worker-1", "worker-2", "coordinator"]) {
      const server = await startKeptPostgres(join(folder, name), settings);
      servers.push(server);
      await trustLoopback(join(folder, name, "data/pg_hba.conf"), server);
    }
    const [coordinator] = servers.toReversed() as [KeptPostgres];
    await introduce(coordinator, servers.slice(0, -1));
    return { url: coordinator.url, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The servers know no passwords of each other. */
async function trustLoopback(file: string, { url }: KeptPostgres): Promise<void> {
  const line = "host all all 127.0.0.1/32 trust\n";
  if (readFileSync(file, "utf8").startsWith(line)) return;
  writeFileSync(file, line + readFileSync(file, "utf8"));
  await using sql = new SQL(url, { max: 1 });
  await sql`SELECT pg_reload_conf()`;
}

/** Adds the workers to a new cluster, and says to one that was started again where they are now. */
async function introduce(coordinator: KeptPostgres, workers: readonly KeptPostgres[]) {
  for (const { url } of [...workers, coordinator]) {
    await using sql = new SQL(url, { max: 1 });
    await sql`CREATE EXTENSION IF NOT EXISTS citus`;
  }
  await using sql = new SQL(coordinator.url, { max: 1 });
  const portOf = ({ url }: KeptPostgres) => Number(new URL(url).port);
  const known: { nodeid: number }[] = await sql`
    SELECT nodeid FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid`;
  for (const [at, { nodeid }] of known.entries()) {
    const port = portOf(workers[at] as KeptPostgres);
    await sql`SELECT citus_update_node(${nodeid}, '127.0.0.1', ${port})`;
  }
  if (known.length > 0) await sql`SELECT start_metadata_sync_to_all_nodes()`;
  await sql`SELECT citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`;
  for (const worker of workers.slice(known.length)) {
    await sql`SELECT citus_add_node('127.0.0.1', ${portOf(worker)})`;
  }
}
