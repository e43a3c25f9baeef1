/** Charges until the disk refuses, and reports: run under a limit on file size. */
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { getStoreErrorCode } from "../../src/sqlite/store-fault.ts";

const at = new Date("2026-11-21T12:00:00Z");
const plans = { pro: { callsPerMonth: undefined, callsPerDay: undefined } };
let told = 0;
const control = openSqliteControlStore(process.argv[2] as string, {
  failed: () => {
    told += 1;
  },
});
await control.addAccount(
  {
    ...{ id: "ada", email: "a@b.c", emailKey: "a@b.c", plan: "pro", administrator: false },
    ...{ callsPerMonth: null, callsPerDay: null, createdMs: at.getTime() },
  },
  { id: "key-1", digest: new Uint8Array(32), hint: "h", createdMs: at.getTime() },
  { at, actor: "test", action: "account.created", subject: "ada", detail: {} },
);
// A reader that stands still keeps the WAL from being folded back, so it grows to the limit.
const { Database } = await import("bun:sqlite");
const reader = new Database(process.argv[2] as string);
reader.run("BEGIN");
reader.query("SELECT count(*) FROM usage").get();

const call = { accountId: "ada", credential: { kind: "key", id: "key-1" } } as const;
const charge = () => control.charge([call], at, { plans, trial: undefined });
let acknowledged = 0;
let error: unknown;
while (error === undefined && acknowledged < 100_000) {
  try {
    await charge();
    acknowledged += 1;
  } catch (thrown) {
    error = thrown;
  }
}
const afterwards = await charge().catch((thrown: Error) => thrown.message);
process.stdout.write(
  JSON.stringify({ acknowledged, code: getStoreErrorCode(error), told, afterwards }),
);
