import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewAccountRow } from "../../../src/control/account-records.ts";
import type { ChargeTerms, ControlStore } from "../../../src/control/control-store.ts";
import {
  controlFile,
  createControlStore,
  openSqliteControlStore,
} from "../../../src/control/sqlite/sqlite-control-store.ts";
import { openDatabase } from "../../../src/sqlite/database.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { describeChargeProperties } from "../properties-contract.ts";
import { describeQuota } from "../quota-contract.ts";
import { openQuotaFixture, refusalOf } from "../quota-fixture.ts";
import { describeRollover } from "../rollover-contract.ts";
import { describeStore } from "../store-contract.ts";

describe("the control store in SQLite", () => {
  describeQuota(openQuotaFixture);
  describeRollover(openQuotaFixture);
  describeChargeProperties(openQuotaFixture);
  describeStore(async () => openSqliteControlStore(":memory:"));
});

const newFolder = temporaryFolders();
const terms: ChargeTerms = {
  plans: { pro: { callsPerMonth: 1000, callsPerDay: 2000 } },
  trial: undefined,
};
const start = new Date("2026-11-21T12:00:00Z");
const minutesLater = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const call = { accountId: "ada", credential: { kind: "key", id: "key-1" } } as const;

async function addAda(control: ControlStore, keyId = "key-1"): Promise<void> {
  const ada: NewAccountRow = {
    ...{ id: "ada", email: "ada@example.com", emailKey: "ada@example.com", plan: "pro" },
    ...{ callsPerMonth: null, callsPerDay: null, administrator: false },
    createdMs: start.getTime(),
  };
  const digest = new Bun.CryptoHasher("sha256").update(keyId).digest();
  const key = { id: keyId, digest, hint: "hint", createdMs: start.getTime() };
  const by = {
    at: start,
    actor: "test",
    action: "account.created",
    subject: "ada",
    detail: {},
  } as const;
  expect(await control.addAccount(ada, key, by)).toBeUndefined();
}

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

const entry = {
  at: start,
  actor: "test",
  action: "plan.changed",
  subject: "ada",
  detail: {},
} as const;

describe("files that are not what they were", () => {
  async function usedFolder() {
    const path = join(newFolder(), "control.db");
    const control = openSqliteControlStore(path);
    await addAda(control);
    await control.charge([call], start, terms);
    return { path, control };
  }

  test("a database that vanished beside its mark is no new one", async () => {
    const { path, control } = await usedFolder();
    await control.close();
    rmSync(path);
    expect(() => openSqliteControlStore(path)).toThrow("control.mark says it was here");
  });

  test("a database cut to nothing is no new one", async () => {
    const { path, control } = await usedFolder();
    await control.close();
    truncateSync(path, 0);
    expect(() => openSqliteControlStore(path)).toThrow("is empty: it was truncated");
  });

  test("another instance's database is refused", async () => {
    const [mine, other] = [await usedFolder(), await usedFolder()];
    for (const { control } of [mine, other]) await control.close();
    copyFileSync(other.path, mine.path);
    expect(() => openSqliteControlStore(mine.path)).toThrow("it was swapped");
  });

  test("a mark that a crash cut short proves nothing and stops nobody", async () => {
    const { path, control } = await usedFolder();
    await control.close();
    writeFileSync(path.replace(".db", ".mark"), '{"na');
    expect(await usedOf(openSqliteControlStore(path))).toBe(1);
  });

  /** What is left when the machine forgets the WAL: the database and the mark. */
  function withoutWal(path: string): string {
    const copy = join(newFolder(), "control.db");
    copyFileSync(path, copy);
    copyFileSync(path.replace(".db", ".mark"), copy.replace(".db", ".mark"));
    return copy;
  }

  test("a lost WAL is noticed, told and audited: counts", async () => {
    const { path, control } = await usedFolder();
    new Database(path).run("PRAGMA wal_checkpoint(TRUNCATE)");
    await control.charge([call], minutesLater(5), terms);
    const lost: string[] = [];
    const damaged = openSqliteControlStore(withoutWal(path), {
      writesLost: (message) => lost.push(message),
    });
    expect(await usedOf(damaged)).toBe(1);
    expect(lost).toHaveLength(1);
    expect(lost[0]).toContain("has lost 1 counted call committed by 2026-11-21T12:05:00");
    expect((await damaged.auditEntries(1))[0]).toMatchObject({
      actor: "store",
      action: "store.loss",
    });
  });

  test("a WAL cut in half is noticed: how many calls, and until when, even within a minute", async () => {
    const { path, control } = await usedFolder();
    new Database(path).run("PRAGMA wal_checkpoint(TRUNCATE)");
    for (let second = 1; second <= 22; second++) {
      await control.charge([call], new Date(start.getTime() + second * 1000), terms);
    }
    const copy = withoutWal(path);
    const wal = readFileSync(`${path}-wal`);
    writeFileSync(`${copy}-wal`, wal.subarray(0, wal.length / 2));
    const lost: string[] = [];
    const damaged = openSqliteControlStore(copy, { writesLost: (message) => lost.push(message) });
    const left = await usedOf(damaged);
    expect(left).toBeLessThan(23);
    expect(left).toBeGreaterThan(1);
    expect(lost[0]).toContain(
      `has lost ${23 - left} counted calls committed by 2026-11-21T12:00:22.000Z`,
    );
    expect(await damaged.folder.losses()).toEqual(lost);
  });

  test("a loss stands until somebody accepts it", async () => {
    const { path, control } = await usedFolder();
    new Database(path).run("PRAGMA wal_checkpoint(TRUNCATE)");
    await control.charge([call], minutesLater(5), terms);
    const copy = withoutWal(path);
    await openSqliteControlStore(copy).close();
    const again = openSqliteControlStore(copy);
    expect(await again.folder.losses()).toHaveLength(1);
    expect(await again.folder.acceptLosses(entry)).toBe(1);
    expect(await again.folder.losses()).toEqual([]);
  });

  test("a lost WAL is noticed, told and audited: keys", async () => {
    const { path, control } = await usedFolder();
    new Database(path).run("PRAGMA wal_checkpoint(TRUNCATE)");
    const digest = new Uint8Array(32);
    await control.replaceKey("ada", { id: "key-2", digest, hint: "h", createdMs: 1 }, entry);
    const lost: string[] = [];
    const copy = withoutWal(path);
    await openSqliteControlStore(copy, { writesLost: (message) => lost.push(message) }).close();
    expect(lost[0]).toContain("has lost changes of accounts or keys");
    await openSqliteControlStore(copy, { writesLost: (message) => lost.push(message) }).close();
    expect(lost).toHaveLength(1);
  });

  test("a WAL that is whole loses nothing and tells nothing", async () => {
    const { path, control } = await usedFolder();
    await control.charge([call], minutesLater(5), terms);
    const copy = withoutWal(path);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    const lost: string[] = [];
    const same = openSqliteControlStore(copy, { writesLost: (message) => lost.push(message) });
    expect([await usedOf(same), lost]).toEqual([2, []]);
  });
});

describe("a disk that refuses", () => {
  test("being full: the batch fails, nothing is counted, and it heals", async () => {
    const path = join(newFolder(), "control.db");
    const store = openDatabase(path, controlFile);
    store.sqlite.run("INSERT INTO instance (id, name, latest_ms) VALUES (1, 'test', 0)");
    const failed: Error[] = [];
    const control = createControlStore(store, {
      ...{ path, name: "test", isMarkStale: false },
      events: { failed: (error) => failed.push(error) },
    });
    await addAda(control);
    await control.charge([call], start, terms);
    const { page_count: pages } = store.sqlite.query("PRAGMA page_count").get() as {
      page_count: number;
    };
    // SQLite's own bound answers just as a full disk does: SQLITE_FULL.
    store.sqlite.run(`PRAGMA max_page_count = ${pages}`);
    store.sqlite.run("CREATE TEMP TABLE filler (x)");
    const fill = store.sqlite.query("INSERT INTO usage VALUES (hex(randomblob(40)), 'ada', 1)");
    expect(() => {
      for (;;) fill.run();
    }).toThrow("full");
    const before = await usedOf(control);
    const nextDay = new Date("2026-11-22T12:00:00Z");
    const many = Array.from({ length: 60 }, (_, index) => index);
    let refused = 0;
    for (const day of many) {
      const at = new Date(nextDay.getTime() + day * 86_400_000);
      await control.charge([call, call], at, terms).catch(() => {
        refused += 1;
      });
      if (refused > 0) break;
    }
    expect(refused).toBe(1);
    expect(failed).toEqual([]);
    expect(control.failure()).toBeUndefined();
    store.sqlite.run("PRAGMA max_page_count = 1000000");
    expect(before).toBe(1);
    const later = new Date("2027-06-01T12:00:00Z");
    const [outcome] = await control.charge([call], later, terms);
    expect(outcome).toMatchObject({ result: "counted", usage: { month: { used: 1 } } });
  });

  test("failing: the store stops for good, says so, and after a restart nothing acknowledged is missing", async () => {
    const folder = newFolder();
    const path = join(folder, "control.db");
    await openSqliteControlStore(path).close();
    // A limit on file size is a write error that every POSIX system can produce (EFBIG: SQLITE_IOERR_WRITE).
    const child = Bun.spawnSync(
      [
        "sh",
        "-c",
        'trap "" XFSZ; ulimit -f 600; exec "$0" "$1" "$2"',
        process.execPath,
        join(import.meta.dir, "../../sqlite/failing-disk.ts"),
        path,
      ],
      { stderr: "pipe" },
    );
    const report = JSON.parse(child.stdout.toString());
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.code).toMatch(/^SQLITE_IOERR/);
    expect(report.told).toBe(1);
    expect(report.afterwards).toBe("the control store has stopped");
    const control = openSqliteControlStore(path);
    const used = await usedOf(control);
    expect(used).toBeGreaterThanOrEqual(report.acknowledged);
    expect(used).toBeLessThanOrEqual(report.acknowledged + 1);
    expect(readFileSync(path.replace(".db", ".mark"), "utf8")).toContain("charges");
  });
});
