/**
 * Charges a second on PostgreSQL: by one node and by three, over 50 accounts and on one hot account, beside the same on
 * SQLite, in turns. The nodes share this process, and the server this machine: over a network add its round trip to each batch.
 *
 * Options: `--url URL` (an empty database; default: a server of its own, in the system's temporary folder); `--clients N`
 * (default 96); `--json`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import type { Caller } from "../../src/contract/caller.ts";
import type { ControlStore } from "../../src/control/control-store.ts";
import { openPostgresControlStore } from "../../src/control/postgres/postgres-control-store.ts";
import { createQuota, type OpenQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { startPostgres } from "../../test/postgres/server.ts";
import { median, type Row, report } from "./rows.ts";

const accountsHeld = 50;
const callsPerRound = 6_000;
const rounds = 5;
const now = () => new Date();

export async function benchNodes(argv: readonly string[]): Promise<boolean> {
  const given = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
  const folder = mkdtempSync(join(tmpdir(), "roster-bench-"));
  const url = given("--url");
  const server = url === undefined ? await startPostgres() : undefined;
  const stores: ControlStore[] = [];
  try {
    const settings = { url: url ?? server?.url ?? "", connectionsMax: 4 };
    for (let node = 0; node < 3; node += 1) stores.push(await openPostgresControlStore(settings));
    const sqlite = openSqliteControlStore(join(folder, "control.db"));
    const nodes = stores.map(openQuota);
    const clients = Number(given("--clients") ?? 96);
    const shared = await addCallers(stores[0] as ControlStore);
    const own = await addCallers(sqlite);
    stores.push(sqlite);
    const rows = await measure({
      sqlite: (hot) => charge([openQuota(sqlite)], hot ? own.slice(0, 1) : own, clients),
      "one-node": (hot) => charge(nodes.slice(0, 1), hot ? shared.slice(0, 1) : shared, clients),
      "three-nodes": (hot) => charge(nodes, hot ? shared.slice(0, 1) : shared, clients),
    });
    return report(rows, argv.includes("--json"));
  } finally {
    await Promise.all(stores.map((one) => one.close()));
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Charging = (isHot: boolean) => Promise<{ readonly rate: number; readonly waitMs: number }>;

async function measure(ways: Readonly<Record<string, Charging>>): Promise<readonly Row[]> {
  const figures = new Map<string, number[]>();
  const note = (name: string, value: number) =>
    figures.set(name, [...(figures.get(name) ?? []), value]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      for (const accounts of ["accounts", "hot"]) {
        const { rate, waitMs } = await way(accounts === "hot");
        // The first round warms up.
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

function openQuota(control: ControlStore): OpenQuota {
  const terms = { countsInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
  return createQuota(control, { now, ...terms });
}

async function addCallers(control: ControlStore): Promise<readonly Caller[]> {
  const accounts = await openAccounts(control, { now });
  const callers: Caller[] = [];
  for (let index = 0; index < accountsHeld; index += 1) {
    const email = `client-${index}@example.com`;
    const account = { email, plan: "enterprise", callsPerDay: "unlimited" } as const;
    const identity = await accounts.authenticate((await accounts.create(account)).key);
    if (!identity) throw new Error("a fresh key was not accepted");
    callers.push({ ...identity, requestId: `req_${index}` });
  }
  return callers;
}

/** So many clients over the nodes, each with one call under way at a time. */
async function charge(nodes: readonly OpenQuota[], callers: readonly Caller[], clients: number) {
  const waits: number[] = [];
  let turn = 0;
  const client = async (node: OpenQuota) => {
    while (turn < callsPerRound) {
      turn += 1;
      const startedAt = performance.now();
      await node.charge(callers[turn % callers.length] as Caller);
      waits.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, n) => client(nodes[n % nodes.length] as OpenQuota)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: waits.length / seconds, waitMs: median(waits) };
}
