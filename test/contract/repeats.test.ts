/** The header Idempotency-Key: a repeat answers the same and is not counted, and never shows who was erased meanwhile. */
import { afterAll, describe, expect, test } from "bun:test";
import { createRepeats } from "../../src/operations/repeats.ts";
import { openTestAppliance } from "../appliance.ts";

const appliance = await openTestAppliance({
  config: { quota: { countInvalid: false, trialDays: undefined, lookupsPerMinute: 5 } },
});
afterAll(() => appliance.close());
const { client, clock } = appliance;

const berlin = { location: "Berlin" };
const newKey = async (callsPerMonth?: number) =>
  (await appliance.newAccount("pro", callsPerMonth ? { callsPerMonth } : {})).key;
const search = (key: string, callKey: string, body: unknown = berlin) =>
  client.ask({ path: "/v1/search", key, body, headers: { "idempotency-key": callKey } });
const isReplayed = ({ headers }: { readonly headers: Headers }) =>
  headers.get("idempotent-replayed") === "true";

/** Counts how often the search runs. */
async function countRuns(work: () => Promise<void>): Promise<number> {
  const { find } = appliance.modules.search;
  let runs = 0;
  appliance.modules.search.find = (...asked) => {
    runs += 1;
    return find(...asked);
  };
  try {
    await work();
  } finally {
    appliance.modules.search.find = find;
  }
  return runs;
}

describe("a repeat with the same key and body", () => {
  test("answers the same, is not counted, and says so", async () => {
    const key = await newKey();
    const first = await search(key, "k");
    const runs = await countRuns(async () => {
      const again = await search(key, "k");
      expect([again.status, again.body.data]).toEqual([200, first.body.data]);
      expect(again.body.meta.quota.used).toBe(1);
      expect(again.body.meta.requestId).not.toBe(first.body.meta.requestId);
      expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
    });
    expect(runs).toBe(0);
    expect((await search(key, "k2")).body.meta.quota.used).toBe(2);
  });

  test("is answered with a spent quota", async () => {
    const key = await newKey(1);
    expect((await search(key, "k")).status).toBe(200);
    expect((await search(key, "other")).status).toBe(429);
    expect((await search(key, "k")).status).toBe(200);
  });

  test("repeats a counted not_found too", async () => {
    const key = await newKey();
    const ask = () =>
      client.ask({
        ...{ path: "/v1/profile/analyze", key, body: { username: "nobody" } },
        headers: { "idempotency-key": "k" },
      });
    const [first, again] = [await ask(), await ask()];
    expect([first.status, again.status, again.body.error]).toEqual([404, 404, first.body.error]);
    expect(again.body.meta.quota.used).toBe(1);
    expect(isReplayed(again)).toBe(true);
  });

  test("counts a batch once", async () => {
    const key = await newKey();
    const body = { logins: ["ada-example", "Ben-Sample"] };
    const ask = { path: "/v1/users/batch", key, body, headers: { "idempotency-key": "k" } };
    const [first, again] = [await client.ask(ask), await client.ask(ask)];
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.meta.quota.used).toBe(2);
  });

  test("that comes while the first runs waits for it: five at once run and count once", async () => {
    const key = await newKey();
    const runs = await countRuns(async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => search(key, "k")));
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(all.filter(isReplayed)).toHaveLength(4);
      expect(new Set(all.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    });
    expect(runs).toBe(1);
    expect((await search(key, "last")).body.meta.quota.used).toBe(2);
  });

  test("is a new call after ten minutes, and for another account", async () => {
    const [key, other] = [await newKey(), await newKey()];
    await search(key, "k");
    expect(isReplayed(await search(other, "k"))).toBe(false);
    clock.advance(599);
    expect(isReplayed(await search(key, "k"))).toBe(true);
    clock.advance(1);
    const late = await search(key, "k");
    expect([isReplayed(late), late.body.meta.quota.used]).toEqual([false, 2]);
  });
});

describe("what is no repeat", () => {
  test("422 for the same key with another body, uncounted", async () => {
    const key = await newKey();
    await search(key, "k");
    const other = await search(key, "k", { location: "Paris" });
    expect([other.status, other.body.error.code]).toEqual([422, "invalid_request"]);
    expect(other.body.meta.quota.used).toBe(1);
    const path = "/v1/people/find";
    const headers = { "idempotency-key": "k" };
    expect((await client.ask({ path, key, headers, body: { text: "ada" } })).status).toBe(422);
  });

  test("a refused call leaves its key free, and a GET ignores the header", async () => {
    const key = await newKey();
    expect((await search(key, "k", { location: "" })).status).toBe(400);
    expect(isReplayed(await search(key, "k"))).toBe(false);
    const get = () =>
      client.ask({ path: "/v1/users/ada-example", key, headers: { "idempotency-key": "g" } });
    await get();
    expect((await get()).body.meta.quota.used).toBe(3);
  });

  test("400 for a key that is empty, too long or not ASCII", async () => {
    const key = await newKey();
    for (const bad of ["x".repeat(256), "schlüssel", ""]) {
      const { status, body } = await search(key, bad);
      expect([bad, status, body.error?.message]).toEqual([
        ...[bad, 400, "Idempotency-Key must be 1 to 255 printable ASCII characters"],
      ]);
    }
    expect((await search(key, "x".repeat(255))).body.meta.quota.used).toBe(1);
  });
});

test("an account may send 10,000 requests with a key in ten minutes", () => {
  const repeats = createRepeats(clock.now);
  for (let turn = 0; turn < 10_000; turn += 1) repeats.countRequest("ada");
  expect(() => repeats.countRequest("ada")).toThrow("10000 in ten minutes");
  repeats.countRequest("ben");
  clock.advance(600);
  repeats.countRequest("ada");
});

describe("what is kept in memory", () => {
  test("is emptied by an erasure: the repeat runs again, uncounted, without the person", async () => {
    const key = await newKey();
    const body = { logins: ["iris-dummy", "ada-example"] };
    const ask = { path: "/v1/users/batch", key, body, headers: { "idempotency-key": "k" } };
    expect((await client.ask(ask)).body.data.missing).toEqual([]);
    await appliance.modules.pool.erasing.hide("iris-dummy");
    const again = await client.ask(ask);
    expect(again.body.data.missing).toEqual(["iris-dummy"]);
    expect([again.status, again.body.meta.quota.used]).toEqual([200, 2]);
    expect(isReplayed(again)).toBe(true);
  });

  test("is bounded: beyond it, the oldest repeat runs again and is still not counted", async () => {
    const key = (await appliance.newAccount("enterprise", { callsPerDay: "unlimited" })).key;
    for (let turn = 0; turn <= 200; turn += 1) await search(key, `k${turn}`);
    const runsOf = (callKey: string) =>
      countRuns(async () => {
        expect(isReplayed(await search(key, callKey))).toBe(true);
      });
    expect([await runsOf("k0"), await runsOf("k1"), await runsOf("k200")]).toEqual([1, 0, 0]);
    const { body } = await client.ask({ path: "/v1/usage", key });
    expect(body.data.month.used).toBe(201);
  });
});
