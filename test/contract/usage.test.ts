/** GET /v1/usage: what the account has used, free of charge, also when nothing is left. */
import { afterAll, describe, expect, test } from "bun:test";
import { openTestAppliance, type TestAccount } from "../appliance.ts";

const appliance = await openTestAppliance({
  config: { quota: { countInvalid: false, trialDays: 14, lookupsPerMinute: 5 } },
});
afterAll(() => appliance.close());

const ask = ({ key }: Pick<TestAccount, "key">) => appliance.client.ask({ path: "/v1/usage", key });
const resets = {
  month: "2026-12-01T00:00:00.000Z",
  day: "2026-11-22T00:00:00.000Z",
};

describe("GET /v1/usage", () => {
  test("200 with what was used, and it costs nothing", async () => {
    const account = await appliance.newAccount("pro");
    await appliance.client.get("ada-example", account.key);
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body } = await ask(account);
      expect([status, body.data]).toEqual([
        200,
        {
          plan: "pro",
          month: { used: 1, limit: 1000, resetsAt: resets.month },
          day: { used: 1, limit: 2000, resetsAt: resets.day },
        },
      ]);
      expect(body.meta.quota).toEqual({ used: 1, limit: 1000, month: "2026-11" });
    }
  });

  test("200 with the account's own limits, and -1 for an unlimited month", async () => {
    const account = await appliance.newAccount("enterprise", { callsPerDay: 7 });
    expect((await ask(account)).body.data).toEqual({
      plan: "enterprise",
      month: { used: 0, limit: -1, resetsAt: resets.month },
      day: { used: 0, limit: 7, resetsAt: resets.day },
    });
  });

  test("200 with the end of a trial, also after it and with no call left", async () => {
    const account = await appliance.newAccount("free", { callsPerMonth: 1 });
    await appliance.client.get("ada-example", account.key);
    expect((await appliance.client.get("ada-example", account.key)).status).toBe(429);
    const { data } = (await ask(account)).body;
    expect(data).toMatchObject({ plan: "free", month: { used: 1, limit: 1 } });
    const end = appliance.clock.now().getTime() + 14 * 86_400_000;
    expect(Date.parse(data.trialEndsAt)).toBe(end);
  });

  test("401 without a key, and 429 when asked too often in a minute", async () => {
    expect((await appliance.client.ask({ path: "/v1/usage" })).status).toBe(401);
    const account = await appliance.newAccount("pro");
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await ask(account)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
