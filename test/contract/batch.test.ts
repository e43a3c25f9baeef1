/** POST /v1/users/batch: many profiles in one call, each of which costs a call. */
import { afterAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { openTestAppliance } from "../appliance.ts";
import { inventedPeople } from "../invented-people.ts";

const [someone] = inventedPeople as [Facts];
const [formerLogin, currentLogin] = ["old-name", "new-name"] as const;
const appliance = await openTestAppliance({
  people: [
    ...inventedPeople,
    { ...someone, login: "batch" },
    { ...someone, login: currentLogin, formerLogins: [formerLogin] },
  ],
  config: { quota: { countInvalid: false, trialDays: undefined, lookupsPerMinute: 3 } },
});
afterAll(() => appliance.close());
const { client } = appliance;

const batch = (logins: unknown, key: string) =>
  client.ask({ path: "/v1/users/batch", method: "POST", body: { logins }, key });
const namesOf = (users: readonly { readonly username: string }[]) =>
  users.map(({ username }) => username);
const newKey = async (callsPerMonth?: number) =>
  (await appliance.newAccount("pro", callsPerMonth ? { callsPerMonth } : {})).key;

describe("POST /v1/users/batch", () => {
  test("200 with the profiles of get_developer in the order asked, each once, and who is missing", async () => {
    const key = await newKey();
    const asked = [
      "grace-placeholder",
      "nobody",
      "BEN-sample",
      "ada-example",
      "Ben-Sample",
      "!",
      "nobody",
    ];
    const { status, body } = await batch(asked, key);
    expect(status).toBe(200);
    const { users, missing, calls, renamed } = body.data;
    expect(namesOf(users)).toEqual(["grace-placeholder", "Ben-Sample", "ada-example"]);
    expect([missing, calls, renamed]).toEqual([["nobody", "!"], 3, undefined]);
    expect(body.meta.quota.used).toBe(3);
    expect(users[2]).toEqual((await client.get("ada-example", key)).body.data);
  });

  test("200 with a former login: the person once, and what the login is now", async () => {
    const { body } = await batch([formerLogin, currentLogin], await newKey());
    const { users, renamed, missing } = body.data;
    expect(namesOf(users)).toEqual([currentLogin]);
    expect([renamed, missing]).toEqual([[{ asked: formerLogin, username: currentLogin }], []]);
  });

  test("200 with nobody costs nothing, and is held to the rate of look-ups", async () => {
    const key = await newKey();
    const replies = [];
    for (let turn = 0; turn < 4; turn += 1) replies.push(await batch(["nobody", "none"], key));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(replies[0]?.body.data).toEqual({ users: [], missing: ["nobody", "none"], calls: 0 });
    expect(replies[2]?.body.meta.quota.used).toBe(0);
    appliance.clock.advance(61);
    // What costs calls does not count toward the rate.
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await batch(["ada-example"], key)).status).toBe(200);
    }
  });

  test("429 at the limit, all or nothing, with what is left and needed", async () => {
    const key = await newKey(4);
    const three = ["ada-example", "Ben-Sample", "iris-dummy"];
    expect((await batch(three, key)).body.meta.quota.used).toBe(3);
    const refused = await batch(three, key);
    expect([refused.status, refused.body.error]).toEqual([
      429,
      {
        code: "quota_exceeded",
        message:
          "This costs 3 calls, and the monthly call quota has 1 of 4 left; it resets at 2026-12-01T00:00:00Z.",
      },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.body.meta.quota.used).toBe(3);
    expect((await batch(["iris-dummy", "nobody"], key)).body.meta.quota.used).toBe(4);
  });

  test("400 for no login, too many, or what is no text, and it costs nothing", async () => {
    const key = await newKey();
    const many = Array.from({ length: limits.batchMax + 1 }, (_, at) => `login-${at}`);
    for (const logins of [[], many, ["ada-example", 5], ["ada-example", ""], "ada-example", null]) {
      appliance.clock.advance(61);
      const { status, body } = await batch(logins, key);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("logins")]);
    }
    expect((await batch(many.slice(1), key)).status).toBe(200);
    expect((await client.get("ada-example", key)).body.meta.quota.used).toBe(1);
  });

  test("a developer with the login batch is found by GET", async () => {
    const { status, body } = await client.get("batch", await newKey());
    expect([status, body.data.username]).toEqual([200, "batch"]);
  });
});
