/** Several nodes on one database: nothing is counted twice or beyond a limit, and what one ends is over for all. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import type { Caller } from "../../../src/contract/caller.ts";
import type { ControlStore } from "../../../src/control/control-store.ts";
import { createQuota } from "../../../src/control/quota.ts";
import { openSqliteControlStore } from "../../../src/control/sqlite/sqlite-control-store.ts";
import { hasPostgres, newDatabase, runAsSuperuser } from "../../postgres/database.ts";
import { temporaryFolders } from "../../sqlite/temporary-folder.ts";
import { by, callOfOperator, newOperator } from "../account-rows.ts";
import { closeStoresAfterEach, openStore } from "./store.ts";

closeStoresAfterEach();
const newFolder = temporaryFolders();
const now = () => new Date();

/** A node as the appliance wires it, as far as calls are concerned. */
async function openNode(url: string) {
  const control = await openStore({}, { url, clock: "database" });
  const accounts = await openAccounts(control, { now });
  const terms = { countInvalid: false, trialDays: undefined, lookupsPerMinute: 120 };
  return { control, accounts, quota: createQuota(control, { now, terms: () => terms }) };
}

type Node = Awaited<ReturnType<typeof openNode>>;

async function identify({ accounts }: Node, key: string): Promise<Caller> {
  const identity = await accounts.authenticate(key);
  if (!identity) throw new Error("the key was not accepted");
  return { ...identity, requestId: "req_1" };
}

const countRows = async (url: string, query: string) => {
  await using sql = new SQL(url, { max: 1 });
  return Number((await sql.unsafe(`SELECT count(*) AS n FROM ${query}`))[0].n);
};

describe.skipIf(!hasPostgres)("nodes on one PostgreSQL", () => {
  test("three nodes and 96 clients spend a limit of 1,000 exactly, each call once", async () => {
    const url = await newDatabase();
    const nodes = await Promise.all([1, 2, 3].map(() => openNode(url)));
    const [first] = nodes as [Node];
    const limit = { callsPerMonth: 1000, callsPerDay: "unlimited" } as const;
    const { key } = await first.accounts.create({
      email: "ada@example.com",
      plan: "pro",
      ...limit,
    });
    const used: number[] = [];
    const client = async (node: Node) => {
      const caller = await identify(node, key);
      for (;;) {
        try {
          used.push((await node.quota.charge(caller)).quota.used);
        } catch (refusal) {
          return (refusal as { code: string }).code;
        }
      }
    };
    const ends = await Promise.all(
      Array.from({ length: 96 }, (_, index) => client(nodes[index % 3] as Node)),
    );
    expect(new Set(ends)).toEqual(new Set(["quota_exceeded"]));
    expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
  });

  test("batches that share accounts in any order wait for each other, and none fails", async () => {
    const url = await newDatabase();
    const stores = await Promise.all([1, 2, 3].map(() => openStore({}, { url })));
    const [store] = stores as [ControlStore];
    const ids = Array.from({ length: 12 }, (_, n) => `acc_${n}`);
    for (const id of ids) await store.addAccount(newOperator(id), undefined, by);
    const rounds = stores.flatMap((one, side) =>
      Array.from({ length: 20 }, (_, round) => {
        const turned = ids.map((_, n) => ids[(n * (side + 5) + round) % ids.length] as string);
        return one.charge(turned.map(callOfOperator), now(), terms);
      }),
    );
    const outcomes = (await Promise.all(rounds)).flat();
    expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(["counted"]));
    const usages = await store.usages(ids, now(), terms);
    const counted = usages.reduce((sum, usage) => sum + (usage?.month.used ?? 0), 0);
    expect(counted).toBe(outcomes.length);
  });

  test("windows are those of the database's clock, whatever a node's says", async () => {
    const url = await newDatabase();
    const control = await openStore({}, { url, clock: "database" });
    await control.addAccount(newOperator("acc_1"), undefined, by);
    const wrong = new Date("2031-05-05T00:00:00Z");
    const [outcome] = await control.charge([callOfOperator("acc_1")], wrong, terms);
    await using sql = new SQL(url, { max: 1 });
    const [row] = await sql`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`;
    expect(outcome).toMatchObject({ result: "counted", usage: { month: { used: 1 } } });
    expect(outcome?.result === "counted" && outcome.usage.month.window.name).toBe(row.month);
    expect(await control.clockFault(wrong)).toBeUndefined();
  });

  test("a token that is being made while its consent is taken back goes with the consent", async () => {
    const url = await newDatabase();
    const control = await openStore({}, { url });
    await control.addAccount(newOperator("ada"), undefined, by);
    const account = await control.findAccount("ada");
    if (!account) throw new Error("the account is missing");
    await control.signIn.ensureUser(account, now());
    const client = { name: "c", uri: undefined, softwareId: undefined, softwareVersion: undefined };
    const lists = { redirectUris: [], scopes: [] };
    await control.signIn.addClient({ clientId: "cli", ...client, ...lists }, now(), undefined);
    await using sql = new SQL(url, { max: 2 });
    await sql`INSERT INTO control.oauth_consent (id, client_id, user_id, scopes)
      VALUES ('con', 'cli', 'ada', '[]')`;
    let ending: Promise<boolean> | undefined;
    await sql.begin(async (maker) => {
      await maker`INSERT INTO control.oauth_access_token
        (id, token, client_id, user_id, expires_ms, created_ms, scopes)
        VALUES ('tok', 'digest', 'cli', 'ada', ${2 ** 45}, 1, '[]')`;
      let isOver = false;
      ending = control.signIn.endAssistant("ada", "con", by).finally(() => {
        isOver = true;
      });
      // Either it waits for the token, or it is over before the token is there.
      while (!isOver && (await sql.unsafe(waitsForLock)).length === 0) await Bun.sleep(5);
    });
    expect(await ending).toBe(true);
    expect(await countRows(url, "control.oauth_access_token")).toBe(0);
  });

  test("the audit log is hash by hash that of control.db", async () => {
    const url = await newDatabase();
    const path = join(newFolder(), "control.db");
    for (const store of [await openStore({}, { url }), openSqliteControlStore(path)]) {
      const detail = { text: 'ä \u{1F600} "', number: -1.5, no: null, yes: true };
      for (const action of ["list.added", "list.removed"] as const)
        await store.record({ ...by, action, detail });
      await store.close();
    }
    await using sql = new SQL(url, { max: 1 });
    const rows = await sql`SELECT sequence::int, hash FROM control.audit ORDER BY sequence`;
    const file = new Database(path, { readonly: true });
    expect([...rows]).toEqual(file.query("SELECT sequence, hash FROM audit").all());
    file.close();
  });

  test("the audit log cannot be changed by way of SQL, and shows where it was", async () => {
    const url = await newDatabase();
    const control = await openStore({}, { url });
    for (let times = 0; times < 3; times++) await control.record(by);
    for (const change of ["UPDATE control.audit SET actor = 'x'", "TRUNCATE control.audit"]) {
      await expect(runAsSuperuser(url, change)).rejects.toThrow("append-only");
    }
    const replica = "SET session_replication_role = replica";
    await runAsSuperuser(url, replica, "UPDATE control.audit SET actor = 'x' WHERE sequence = 2");
    expect(await control.brokenAuditEntry()).toBe(2);
  });
});

const terms = {
  plans: {
    pro: { callsPerMonth: 1000, callsPerDay: 2000 },
    operator: { callsPerMonth: undefined, callsPerDay: undefined },
  },
  trial: undefined,
};

const waitsForLock = `SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN
  (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`;
