/**
 * Durable charges by group commit, against what the disk and SQLite give at best: a bare loop of transactions
 * of 16 charges (two upserts each), nothing read, nobody waiting. Both with synchronous=FULL, on the same
 * disk, in turns, on 50 accounts and on one. Ratios count; charges a second are this machine's, and the slower
 * its disk syncs, the closer the two come.
 *
 * Options: `--folder DIR` (default: the system's temporary folder, which may be no disk at all); `--json`.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../src/accounts/accounts.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { createQuota } from "../../src/control/quota.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { atLeast, median, type Row, report } from "./rows.ts";

const accountCounts = [50, 1];
/** Of the bare loop. */
const bar = 0.6;
const callsAtOnce = 16;
const callsPerRound = 16_000;
const rounds = 7;

export async function benchCharge(argv: readonly string[]): Promise<boolean> {
  const parent = argv.includes("--folder") ? argv[argv.indexOf("--folder") + 1] : tmpdir();
  const folder = mkdtempSync(join(parent ?? tmpdir(), "roster-bench-"));
  try {
    const rows: Row[] = [];
    for (const count of accountCounts) rows.push(...(await measureAccounts(folder, count)));
    return report(rows, argv.includes("--json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAccounts(folder: string, accounts: number): Promise<Row[]> {
  const of = `charge.${accounts === 1 ? "one-account" : `${accounts}-accounts`}`;
  const charge = await openCharging(join(folder, `${of}.db`), accounts);
  const bare = openBare(join(folder, `${of}.bare.db`), accounts);
  const rates = { bare: [] as number[], grouped: [] as number[], single: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await rateOf(callsPerRound, bare));
    rates.grouped.push(await rateOf(callsPerRound, () => charge(callsPerRound, callsAtOnce)));
    rates.single.push(await rateOf(callsPerRound / 16, () => charge(callsPerRound / 16, 1)));
  }
  const ratio = median(rates.grouped.map((rate, at) => rate / (rates.bare[at] as number)));
  const unit = "charges/s";
  return [
    atLeast(bar, {
      ...{ name: of, value: Math.round(median(rates.grouped)), unit },
      ...{ ratio, against: { what: "a bare loop", value: median(rates.bare) } },
    }),
    { name: `${of}.one-at-a-time`, value: Math.round(median(rates.single)), unit },
  ];
}

async function rateOf(calls: number, work: () => void | Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (calls / (performance.now() - startedAt)) * 1000;
}

/** So many clients, each with one call under way at a time, as the server has them. */
async function openCharging(path: string, accountsHeld: number) {
  const now = () => new Date();
  const control = openSqliteControlStore(path);
  const accounts = await openAccounts(control, { now });
  const quota = createQuota(control, {
    now,
    countsInvalid: false,
    trialDays: undefined,
    lookupsPerMinute: 120,
  });
  const newCaller = async (index: number): Promise<Caller> => {
    const email = `client-${index}@example.com`;
    const plan = "enterprise";
    const { key } = await accounts.create({ email, plan, callsPerDay: "unlimited" });
    const identity = await accounts.authenticate(key);
    if (!identity) throw new Error("a fresh key was not accepted");
    return { ...identity, requestId: `req_${index}` };
  };
  const callers: Caller[] = [];
  for (let index = 0; index < accountsHeld; index += 1) callers.push(await newCaller(index));
  let turn = 0;
  return async (calls: number, clients: number) => {
    const client = async () => {
      for (let call = 0; call < calls / clients; call += 1) {
        turn += 1;
        await quota.charge(callers[turn % accountsHeld] as Caller);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  };
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
