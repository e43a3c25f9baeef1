/**
 * Durable charges by group commit, against the best that the disk and SQLite allow: a bare loop of transactions of 16
 * charges (two upserts each) that reads nothing and has no callers. Both run with synchronous=FULL on the same disk, in
 * turns, on 50 accounts and on one. The ratio matters more than charges a second, which depend on the machine: the slower
 * its disk syncs, the closer the two come.
 *
 * `--folder DIR` names the disk. The default, the system's temporary folder, may be in memory.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { addCallers, chargeCalls, openQuota } from "../charging.ts";
import { defineMeasurement } from "../measurement.ts";
import { atLeast, comparePairs, median, type Row } from "../rows.ts";

const accountCounts = [50, 1];
/** Share of the rate of the bare loop. */
const bar = 0.6;
const callsAtOnce = 16;
const callsPerRound = 16_000;
const rounds = 7;

export const measurement = defineMeasurement({
  about: "Durable charges a second, against a bare loop of transactions on the same disk.",
  options: { folder: "" },
  async run({ folder, work }) {
    const place = folder ? mkdtempSync(join(folder, "roster-bench-")) : work;
    try {
      const rows: Row[] = [];
      for (const count of accountCounts) rows.push(...(await measureAccounts(place, count)));
      return { rows };
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
});

async function measureAccounts(folder: string, accounts: number): Promise<Row[]> {
  const name = `charge.${accounts === 1 ? "one-account" : `${accounts}-accounts`}`;
  const control = openSqliteControlStore(join(folder, `${name}.db`));
  const callers = await addCallers(control, accounts);
  const quota = [openQuota(control)];
  const bare = openBare(join(folder, `${name}.bare.db`), accounts);
  const rates = { bare: [] as number[], grouped: [] as number[], single: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(rateOf(callsPerRound, bare));
    const grouped = { calls: callsPerRound, clients: callsAtOnce };
    rates.grouped.push((await chargeCalls(quota, callers, grouped)).rate);
    const single = { calls: callsPerRound / 16, clients: 1 };
    rates.single.push((await chargeCalls(quota, callers, single)).rate);
  }
  await control.close();
  const unit = "charges/s";
  const against = { what: "a bare loop", values: rates.bare };
  return [
    atLeast(bar, comparePairs({ name, unit }, rates.grouped.map(Math.round), against)),
    { name: `${name}.one-at-a-time`, value: Math.round(median(rates.single)), unit },
  ];
}

function rateOf(calls: number, work: () => void): number {
  const startedAt = performance.now();
  work();
  return (calls / (performance.now() - startedAt)) * 1000;
}

function openBare(path: string, accountsHeld: number): () => void {
  const sqlite = new Database(path, { create: true, strict: true });
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run(
    "CREATE TABLE usage (window TEXT, account TEXT, used INTEGER, PRIMARY KEY (window, account)) STRICT, WITHOUT ROWID",
  );
  const upsert = sqlite.query(
    "INSERT INTO usage VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1 RETURNING used",
  );
  let turn = 0;
  const transaction = sqlite.transaction(() => {
    for (let call = 0; call < callsAtOnce; call += 1) {
      turn += 1;
      const account = `client-${turn % accountsHeld}`;
      upsert.get("2026-11", account);
      upsert.get("2026-11-21", account);
    }
  });
  return () => {
    for (let done = 0; done < callsPerRound; done += callsAtOnce) transaction.immediate();
  };
}
