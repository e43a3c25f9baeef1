/**
 * Charges a second on PostgreSQL, by one node and by three, over 50 accounts and on one hot account, beside the same on
 * SQLite, in turns. The nodes share this process, and PostgreSQL runs on this machine; over a network, each batch also
 * takes a round trip.
 *
 * `--url URL` names an empty database. By default, a server is started in the system's temporary folder.
 */
import { join } from "node:path";
import type { ControlStore } from "../../../src/control/control-store.ts";
import { openPostgresControlStore } from "../../../src/control/postgres/postgres-control-store.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { startPostgres } from "../../../test/postgres/server.ts";
import { addCallers, chargeCalls, openQuota } from "../charging.ts";
import { defineMeasurement } from "../measurement.ts";
import { median, type Row } from "../rows.ts";

const accountsHeld = 50;
const calls = 6_000;
const rounds = 5;

export const measurement = defineMeasurement({
  about: "Charges a second on PostgreSQL, by one node and by three, beside the same on SQLite.",
  options: { url: "", clients: 96 },
  async run({ url, clients, work }) {
    const server = url ? undefined : await startPostgres();
    const stores: ControlStore[] = [];
    try {
      const settings = { url: server?.url ?? url, connectionsMax: 4 };
      for (let node = 0; node < 3; node += 1) stores.push(await openPostgresControlStore(settings));
      const sqlite = openSqliteControlStore(join(work, "control.db"));
      const nodes = stores.map(openQuota);
      const shared = await addCallers(stores[0] as ControlStore, accountsHeld);
      const own = await addCallers(sqlite, accountsHeld);
      stores.push(sqlite);
      const charge = (quotas: typeof nodes, callers: typeof own, isHot: boolean) =>
        chargeCalls(quotas, isHot ? callers.slice(0, 1) : callers, { calls, clients });
      const rows = await measure({
        sqlite: (isHot) => charge([openQuota(sqlite)], own, isHot),
        "one-node": (isHot) => charge(nodes.slice(0, 1), shared, isHot),
        "three-nodes": (isHot) => charge(nodes, shared, isHot),
      });
      return { rows };
    } finally {
      await Promise.all(stores.map((one) => one.close()));
      await server?.stop();
    }
  },
});

type Charging = (isHot: boolean) => Promise<{ readonly rate: number; readonly waitMs: number }>;

async function measure(ways: Readonly<Record<string, Charging>>): Promise<readonly Row[]> {
  const figures = new Map<string, number[]>();
  const note = (name: string, value: number) =>
    figures.set(name, [...(figures.get(name) ?? []), value]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      for (const accounts of ["accounts", "hot"]) {
        const { rate, waitMs } = await way(accounts === "hot");
        // The first round only warms up.
        if (round === 0) continue;
        note(`nodes.${name}.${accounts}`, rate);
        note(`nodes.${name}.${accounts}.wait`, waitMs);
      }
    }
  }
  return [...figures].map(([name, values]) => ({
    name,
    value: Math.round(median(values) * 10) / 10,
    unit: name.endsWith(".wait") ? "ms" : "charges/s",
  }));
}
