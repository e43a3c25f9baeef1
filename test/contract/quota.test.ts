import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAppliance } from "../appliance.ts";
import { testNow } from "../invented-people.ts";

let appliance: TestAppliance;

beforeAll(async () => {
  appliance = await openTestAppliance();
});
beforeEach(() => appliance.clock.set(testNow));
afterAll(() => appliance.close());

const secondsToDecember = (Date.parse("2026-12-01T00:00:00Z") - Date.parse(testNow)) / 1000;
const get = (key: string) => appliance.client.get("ada-example", key);
const spend = async (key: string, calls: number) => {
  for (let call = 0; call < calls; call += 1) expect((await get(key)).status).toBe(200);
};

describe("Limits", () => {
  test("each answered call counts by one, and meta.quota says how many", async () => {
    const { key } = await appliance.newAccount("pro");
    const first = await appliance.client.search({ location: "Berlin" }, key);
    const second = await appliance.client.get("nobody-here", key);
    const third = await appliance.client.analyze("ada-example", key);
    const quotas = [first, second, third].map(({ body }) => body.meta.quota);
    expect(quotas).toEqual([1, 2, 3].map((used) => ({ used, limit: 1000, month: "2026-11" })));
  });

  test("the plans have the limits of the document; unlimited is -1", async () => {
    const limits = [];
    for (const plan of ["free", "pro", "enterprise"] as const) {
      const { body } = await get((await appliance.newAccount(plan)).key);
      limits.push(body.meta.quota.limit);
    }
    expect(limits).toEqual([50, 1000, -1]);
  });

  test("429 with Retry-After when the month is spent", async () => {
    const { key } = await appliance.newAccount("free");
    await spend(key, 50);
    const { status, headers, body } = await get(key);
    expect([status, body.error.code]).toEqual([429, "quota_exceeded"]);
    expect(body.error.message).toContain("monthly call quota is exceeded");
    expect(body.meta.quota).toEqual({ used: 50, limit: 50, month: "2026-11" });
    expect(headers.get("retry-after")).toBe(String(secondsToDecember));
  });

  test("429 with Retry-After when the day is spent, naming the day", async () => {
    const { key } = await appliance.newAccount("pro", { callsPerDay: 3 });
    await spend(key, 3);
    const { status, headers, body } = await get(key);
    expect([status, body.error.code]).toEqual([429, "quota_exceeded"]);
    expect(body.error.message).toMatch(/daily|day/);
    expect(headers.get("retry-after")).toBe(String(12 * 3600));
  });

  test("429 with the later of both ends when month and day are spent", async () => {
    const { key } = await appliance.newAccount("pro", { callsPerMonth: 2, callsPerDay: 2 });
    await spend(key, 2);
    const { headers } = await get(key);
    expect(headers.get("retry-after")).toBe(String(secondsToDecember));
  });

  test("429 with Retry-After rounded up, never 0", async () => {
    const { key } = await appliance.newAccount("pro", { callsPerDay: 1 });
    appliance.clock.set("2026-11-21T23:59:59.999Z");
    await spend(key, 1);
    expect((await get(key)).headers.get("retry-after")).toBe("1");
  });

  test("200 again once the UTC day is over, and once the UTC month is", async () => {
    const daily = await appliance.newAccount("pro", { callsPerDay: 1 });
    const monthly = await appliance.newAccount("pro", { callsPerMonth: 1 });
    await spend(daily.key, 1);
    await spend(monthly.key, 1);
    appliance.clock.set("2026-11-22T00:00:00Z");
    expect((await get(daily.key)).status).toBe(200);
    expect((await get(monthly.key)).status).toBe(429);
    appliance.clock.set("2026-12-01T00:00:00Z");
    const december = await get(monthly.key);
    expect(december.body.meta.quota).toEqual({ used: 1, limit: 1, month: "2026-12" });
    // The clock of this store must not run back for the other tests: a fresh one.
    await appliance.close();
    appliance = await openTestAppliance();
  });

  test("429 comes before anything is said about the input, and is not counted", async () => {
    const { key } = await appliance.newAccount("pro", { callsPerMonth: 1 });
    await spend(key, 1);
    const { client } = appliance;
    const path = "/v1/search";
    const refused = [
      await client.ask({ path, key, body: "{" }),
      await client.ask({ path, key, body: { nonsense: true } }),
      await client.ask({ path, key, body: "x".repeat(100_000) }),
      await client.ask({ path, key, body: "{}", headers: { "content-type": "text/plain" } }),
      await client.ask({ path: "/v1/users/%zz", key }),
      await client.get("nobody-here", key),
    ].map(({ status, body }) => [status, body.meta.quota.used]);
    expect(refused).toEqual(Array(6).fill([429, 1]));
  });

  test("400, 401, 405, 413, 415 and unknown routes are not counted", async () => {
    const { key } = await appliance.newAccount("pro");
    const { client } = appliance;
    const path = "/v1/search";
    const uncounted = [
      await client.ask({ path, key, body: "{" }),
      await client.ask({ path, key, body: { location: "Berlin", maxResults: 0 } }),
      await client.ask({ path: "/v1/users/%zz", key }),
      await client.ask({ path, key, method: "GET" }),
      await client.ask({ path, key, body: "x".repeat(100_000) }),
      await client.ask({ path, key, body: "{}", headers: { "content-type": "text/plain" } }),
      await client.ask({ path: "/v1/nothing", key }),
      await client.ask({ path: "/v1/users/ada-example", key: `${key}x` }),
    ];
    expect(uncounted.map(({ status }) => status)).toEqual([400, 400, 400, 405, 413, 415, 404, 401]);
    expect((await get(key)).body.meta.quota.used).toBe(1);
  });

  test("with countInvalid, 400 counts too, and still nothing else", async () => {
    const counting = await openTestAppliance({
      config: { quota: { countInvalid: true, trialDays: undefined, lookupsPerMinute: 120 } },
    });
    const { key } = await counting.newAccount("pro");
    const path = "/v1/search";
    const first = await counting.client.ask({ path, key, body: "{" });
    const second = await counting.client.ask({ path, key, body: {} });
    const headers = { "content-type": "text/plain" };
    const third = await counting.client.ask({ path, key, body: "{}", headers });
    const used = [first, second, third].map(({ status, body }) => [status, body.meta.quota.used]);
    expect(used.join(" ")).toBe("400,1 400,2 415,2");
    await counting.close();
  });

  test("exactly the limit under 64 calls at once, each count once", async () => {
    const { key } = await appliance.newAccount("pro", { callsPerMonth: 100 });
    const replies = await Promise.all(Array.from({ length: 64 * 3 }, () => get(key)));
    const answered = replies.filter(({ status }) => status === 200);
    expect(answered.length).toBe(100);
    expect(new Set(answered.map(({ body }) => body.meta.quota.used)).size).toBe(100);
    expect(replies.filter(({ status }) => status === 429).length).toBe(92);
  });

  test("accounts do not spend each other's calls, and a new key keeps the count", async () => {
    const one = await appliance.newAccount("pro");
    const other = await appliance.newAccount("pro");
    await spend(one.key, 3);
    expect((await get(other.key)).body.meta.quota.used).toBe(1);
    const fresh = await appliance.modules.accounts.regenerateKey(one.email);
    expect((await get(fresh)).body.meta.quota.used).toBe(4);
  });

  test("RateLimit fields say the same as meta.quota", async () => {
    const { key } = await appliance.newAccount("pro");
    const { headers } = await get(key);
    expect(headers.get("ratelimit-policy")).toBe('"month";q=1000;w=2592000, "day";q=2000;w=86400');
    expect(headers.get("ratelimit")).toBe(
      `"month";r=999;t=${secondsToDecember}, "day";r=1999;t=43200`,
    );
  });

  test.each([
    "2026-10-01T00:00:00Z",
    "2026-10-31T23:59:59Z",
    "2027-02-01T00:00:00Z",
    // The clock steps back by an hour over the end of a month, and the new month stays.
    "2026-11-01T00:00:00Z 2026-10-31T23:00:00Z",
  ])("RateLimit fields have no more time to the reset than the window, at %s", async (instants) => {
    const [now = ""] = instants.split(" ");
    const other = await openTestAppliance({ now });
    try {
      const { key } = await other.newAccount("pro");
      for (const at of instants.split(" ")) {
        other.clock.set(at);
        const { headers } = await other.client.get("ada-example", key);
        const read = (name: string, field: string) =>
          [...`${headers.get(name)}`.matchAll(new RegExp(`;${field}=(\\d+)`, "g"))].map(([, n]) =>
            Number(n),
          );
        const [windows, resets] = [read("ratelimit-policy", "w"), read("ratelimit", "t")];
        expect(resets).toHaveLength(2);
        for (const [number, seconds] of resets.entries()) {
          expect(seconds).toBeLessThanOrEqual(windows[number] ?? 0);
        }
      }
    } finally {
      await other.close();
    }
  });

  test("RateLimit fields leave unlimited windows out", async () => {
    const enterprise = await get((await appliance.newAccount("enterprise")).key);
    expect(enterprise.headers.get("ratelimit-policy")).toBe('"day";q=2000;w=86400');
    const free = await appliance.newAccount("enterprise", { callsPerDay: "unlimited" });
    expect((await get(free.key)).headers.get("ratelimit-policy")).toBeNull();
  });

  test("limits of the account's own take the place of the plan's, at once", async () => {
    const account = await appliance.newAccount("free");
    await appliance.modules.accounts.setPlan(account.email, "pro", { callsPerMonth: 7 });
    expect((await get(account.key)).body.meta.quota.limit).toBe(7);
  });

  test("429 with a day to wait once the trial of the free plan is over, and 200 on another plan", async () => {
    const trial = await openTestAppliance({
      config: { quota: { countInvalid: false, trialDays: 14, lookupsPerMinute: 120 } },
    });
    const account = await trial.newAccount("free");
    expect((await trial.client.get("ada-example", account.key)).status).toBe(200);
    trial.clock.advance(14 * 86_400 + 1);
    const { status, headers, body } = await trial.client.get("ada-example", account.key);
    expect([status, body.error.code]).toEqual([429, "quota_exceeded"]);
    expect(body.error.message).toContain("trial");
    expect(headers.get("retry-after")).toBe("86400");
    await trial.modules.accounts.setPlan(account.email, "pro", {});
    expect((await trial.client.get("ada-example", account.key)).status).toBe(200);
    await trial.close();
  });

  test("the windows are UTC whatever the machine's time zone", async () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "Pacific/Auckland";
    try {
      const { key } = await appliance.newAccount("pro");
      appliance.clock.set("2026-11-30T23:30:00Z");
      expect((await get(key)).body.meta.quota.month).toBe("2026-11");
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });
});
