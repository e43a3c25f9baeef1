import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChargeTerms, ControlStore } from "../../../src/control/control-store.ts";
import {
  controlFile,
  openSqliteControlStore,
} from "../../../src/control/sqlite/sqlite-control-store.ts";
import { openDatabase } from "../../../src/sqlite/database.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { callOf, by as entry, newAccount, newKey, at as start } from "../account-rows.ts";
import { describeDeliveries } from "../deliveries-contract.ts";
import { describeChargeProperties } from "../properties-contract.ts";
import { describeQuota } from "../quota-contract.ts";
import { openQuotaFixture, refusalOf } from "../quota-fixture.ts";
import { describeRepeats } from "../repeats-contract.ts";
import { describeRollover } from "../rollover-contract.ts";
import { describeSources } from "../sources-contract.ts";
import { describeStore } from "../store-contract.ts";

describe("the control store in SQLite", () => {
  describeQuota(openQuotaFixture);
  describeRepeats(openQuotaFixture);
  describeRollover(openQuotaFixture);
  describeChargeProperties(openQuotaFixture);
  describeStore(async () => openSqliteControlStore(":memory:"));
  describeDeliveries(async () => openSqliteControlStore(":memory:"));
  describeSources(async () => openSqliteControlStore(":memory:"));
});

const newFolder = temporaryFolders();
const terms: ChargeTerms = {
  plans: { pro: { callsPerMonth: 1000, callsPerDay: 2000 } },
  trial: undefined,
};
const minutesLater = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const call = callOf("ada", "key-1");

const addAda = (control: ControlStore) =>
  control.addAccount(newAccount("ada"), newKey("key-1"), entry);

const usedOf = async (control: ControlStore, now = start) =>
  (await control.usages(["ada"], now, terms))[0]?.month.used as number;

describe("the key row", () => {
  test("is read with the commit, so that one replaced while the call waits for it is dead", async () => {
    const fixture = await openQuotaFixture();
    const caller = await fixture.newCaller();
    const pending = fixture.quota.charge(caller);
    await fixture.accounts.regenerateKey(caller.email);
    expect((await refusalOf(pending)).code).toBe("unauthorized");
    expect((await fixture.quota.usage(caller)).quota.used).toBe(0);
  });

  test("is one per account while alive, whatever the code does", async () => {
    const path = join(newFolder(), "control.db");
    await addAda(openSqliteControlStore(path));
    const sqlite = new Database(path);
    expect(() =>
      sqlite.run(
        "INSERT INTO api_key (id, account_id, digest, hint, created_ms) VALUES ('k2', 'ada', x'00', 'h', 1)",
      ),
    ).toThrow("UNIQUE constraint failed");
  });
});

test("a file of the version before gets what sign-in needs, and keeps what it had", async () => {
  const path = join(newFolder(), "control.db");
  const [first = ""] = controlFile.migrations;
  const before = openDatabase(path, { ...controlFile, migrations: [first] });
  before.sqlite.run("INSERT INTO instance (id, name, latest_ms) VALUES (1, 'kept', 0)");
  before.sqlite.run(
    "INSERT INTO account (id, email, email_key, plan, administrator, created_ms) VALUES ('ada', 'ada@example.com', 'ada@example.com', 'pro', 0, 1)",
  );
  before.sqlite.run(
    "INSERT INTO api_key (id, account_id, digest, hint, created_ms) VALUES ('key-1', 'ada', x'01', 'h', 1)",
  );
  before.close();
  const control = openSqliteControlStore(path);
  expect((await control.charge([call], start, terms))[0]).toMatchObject({ result: "counted" });
  const link = {
    accountId: "ada",
    digest: "d",
    purpose: "reset",
    createdMs: 1,
    expiresMs: 2 ** 45,
  };
  await control.signIn.addLink({ ...link, purpose: "reset" }, entry);
  expect((await control.signIn.findLink("d", start))?.account.email).toBe("ada@example.com");
  await control.close();
  expect(() => openDatabase(path, { ...controlFile, migrations: [first] })).toThrow("newer Roster");
});

describe("the audit log", () => {
  test("cannot be changed or shortened by way of SQL", async () => {
    const path = join(newFolder(), "control.db");
    await addAda(openSqliteControlStore(path));
    const sqlite = new Database(path);
    expect(() => sqlite.run("UPDATE audit SET actor = 'nobody'")).toThrow("append-only");
    expect(() => sqlite.run("DELETE FROM audit")).toThrow("append-only");
  });

  test("shows where somebody changed it by other means", async () => {
    const path = join(newFolder(), "control.db");
    const control = openSqliteControlStore(path);
    await addAda(control);
    await control.changeAccount(
      "ada",
      { disabled: true },
      { ...entry, action: "account.disabled" },
    );
    expect(await control.brokenAuditEntry()).toBeUndefined();
    const sqlite = new Database(path);
    sqlite.run("DROP TRIGGER audit_no_update");
    sqlite.run("UPDATE audit SET actor = 'nobody' WHERE sequence = 2");
    expect(await control.brokenAuditEntry()).toBe(2);
  });
});

describe("files that are not what they were", () => {
  async function usedFolder() {
    const path = join(newFolder(), "control.db");
    const control = openSqliteControlStore(path);
    await addAda(control);
    await control.charge([call], start, terms);
    return { path, control };
  }

  async function closedFolder() {
    const { path, control } = await usedFolder();
    await control.close();
    return path;
  }

  test("a database that vanished beside its mark is no new one", async () => {
    const path = await closedFolder();
    rmSync(path);
    expect(() => openSqliteControlStore(path)).toThrow("control.mark shows that it existed");
  });

  test("another instance's database is refused", async () => {
    const path = await closedFolder();
    copyFileSync(await closedFolder(), path);
    expect(() => openSqliteControlStore(path)).toThrow("it was swapped");
  });

  test("a mark that a crash cut short proves nothing and stops nobody", async () => {
    const path = await closedFolder();
    writeFileSync(path.replace(".db", ".mark"), '{"na');
    expect(await usedOf(openSqliteControlStore(path))).toBe(1);
  });

  /** A used folder whose WAL is empty. */
  async function checkpointedFolder() {
    const used = await usedFolder();
    new Database(used.path).run("PRAGMA wal_checkpoint(TRUNCATE)");
    return used;
  }

  /** Opens what is left when the machine forgets the WAL, or all of it but these bytes: the database and the mark. */
  function reopen(path: string, wal?: Uint8Array) {
    const copy = join(newFolder(), "control.db");
    copyFileSync(path, copy);
    copyFileSync(path.replace(".db", ".mark"), copy.replace(".db", ".mark"));
    if (wal) writeFileSync(`${copy}-wal`, wal);
    const lost: string[] = [];
    const open = () => openSqliteControlStore(copy, { writesLost: (text) => lost.push(text) });
    return { control: open(), lost, open };
  }

  test("a lost WAL is noticed, reported and audited: counts", async () => {
    const { path, control } = await checkpointedFolder();
    await control.charge([call], minutesLater(5), terms);
    const { control: damaged, lost } = reopen(path);
    expect(await usedOf(damaged)).toBe(1);
    expect(lost).toHaveLength(1);
    expect(lost[0]).toContain("has lost 1 counted call committed by 2026-11-21T12:05:00");
    expect((await damaged.auditEntries(1))[0]).toMatchObject({
      ...{ actor: "store", action: "store.loss" },
    });
  });

  test("a WAL cut in half is noticed: how many calls, and until when, even within a minute", async () => {
    const { path, control } = await checkpointedFolder();
    for (let second = 1; second <= 22; second++) {
      await control.charge([call], new Date(start.getTime() + second * 1000), terms);
    }
    const wal = readFileSync(`${path}-wal`);
    const { control: damaged, lost } = reopen(path, wal.subarray(0, wal.length / 2));
    const left = await usedOf(damaged);
    expect(left).toBeLessThan(23);
    expect(left).toBeGreaterThan(1);
    expect(lost[0]).toContain(
      `has lost ${23 - left} counted calls committed by 2026-11-21T12:00:22.000Z`,
    );
    expect(await damaged.folder.losses()).toEqual(lost);
  });

  test("a loss stands until somebody accepts it", async () => {
    const { path, control } = await checkpointedFolder();
    await control.charge([call], minutesLater(5), terms);
    const { control: damaged, open } = reopen(path);
    await damaged.close();
    const { folder } = open();
    expect(await folder.losses()).toHaveLength(1);
    expect(await folder.acceptLosses(entry)).toBe(1);
    expect(await folder.losses()).toEqual([]);
  });

  test("a lost WAL is noticed, reported and audited: keys", async () => {
    const { path, control } = await checkpointedFolder();
    await control.replaceKey("ada", newKey("key-2"), entry);
    const { control: damaged, lost, open } = reopen(path);
    await damaged.close();
    expect(lost[0]).toContain("has lost changes of accounts or keys");
    await open().close();
    expect(lost).toHaveLength(1);
  });

  test("a WAL that is complete loses nothing and reports nothing", async () => {
    const { path, control } = await usedFolder();
    await control.charge([call], minutesLater(5), terms);
    const { control: same, lost } = reopen(path, readFileSync(`${path}-wal`));
    expect([await usedOf(same), lost]).toEqual([2, []]);
  });
});
