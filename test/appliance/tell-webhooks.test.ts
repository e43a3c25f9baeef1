import { describe, expect, test } from "bun:test";
import { createTeller } from "../../src/appliance/open-webhooks.ts";
import { openSqliteControlStore } from "../../src/control/sqlite/sqlite-control-store.ts";
import { createWebhooks } from "../../src/delivery/delivery.ts";
import type { Pool } from "../../src/pool/pool.ts";
import { openSqlitePool } from "../../src/pool/sqlite/sqlite-pool.ts";
import { person } from "../pool/person.ts";

const now = () => new Date();
const address = { url: "https://hooks.example.com/", isLocal: false };

function open() {
  const control = openSqliteControlStore(":memory:");
  const pool = openSqlitePool(":memory:", { now });
  const webhooks = createWebhooks(control, now);
  const tell = createTeller({ control, pool, now });
  return {
    control,
    pool,
    tell,
    add: (...events: string[]) => webhooks.add({ ...address, events }, "ada"),
  };
}

type Opened = ReturnType<typeof open>;

async function bring(pool: Pool, logins: readonly string[], gone: readonly string[] = []) {
  const load = await pool.beginImport("test");
  await load.put(logins.map((login) => person({ login, emails: [`${login}@example.com`] })));
  await load.remove(gone);
  await load.commit();
}

async function hear({ control }: Opened, id: string) {
  const late = new Date(Date.now() + 1000);
  const claimed = await control.deliveries.claim(id, late, new Date(Date.now() + 1e9), 99);
  return claimed.map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return { type, ...data };
  });
}

const none = { new: 0, changed: 0, renamed: 0, removed: 0, erased: 0 };

describe("a webhook", () => {
  test("is told how many people changed since it was added, and who was erased", async () => {
    const opened = open();
    const { pool, tell, add } = opened;
    await bring(pool, ["ada", "ben", "cid"]);
    const { id } = await add("people.changed", "person.erased");
    const other = await add("run.ended");
    await tell();
    expect(await hear(opened, id)).toEqual([]);
    await bring(pool, ["dan", "eve"], ["ben"]);
    await tell();
    await tell();
    const revision = await pool.revision();
    expect(await hear(opened, id)).toEqual([
      { type: "people.changed", revision, ...none, new: 2, removed: 1 },
    ]);
    await pool.erasing.hide("cid");
    await tell();
    expect(await hear(opened, id)).toEqual([
      { type: "people.changed", revision: await pool.revision(), ...none, erased: 1 },
      { type: "person.erased", login: "cid" },
    ]);
    expect(await hear(opened, other.id)).toEqual([]);
  });

  test("is told to start anew when the pool is another one", async () => {
    const opened = open();
    const { control, pool, tell, add } = opened;
    await bring(pool, ["ada"]);
    const { id } = await add("people.changed");
    await tell();
    const older = openSqlitePool(":memory:", { now });
    await createTeller({ control, pool: older, now })();
    const [told] = await hear(opened, id);
    expect(told).toEqual({ type: "people.changed", revision: 0, startAnew: "restored" });
    await bring(older, ["ben", "cid"]);
    await createTeller({ control, pool: older, now })();
    expect(await hear(opened, id)).toMatchObject([{ new: 2 }]);
  });
});
