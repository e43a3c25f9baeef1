import { afterAll, describe, expect, test } from "bun:test";
import { operations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";
import { misspell } from "../random.ts";

const path = "/v1/users/ada-example";

const appliance = await openTestAppliance();
const key = (await appliance.newAccount("pro")).key;
afterAll(() => appliance.close());

const status = async (headers: [string, string][], where = path) => {
  const request = new Request(`http://localhost${where}`, { headers });
  return (await appliance.handle(request)).status;
};

describe("Authentication", () => {
  test.each<[string, string]>([
    ["Authorization", `Bearer ${key}`],
    ["Authorization", `bEARER ${key}`],
    ["X-Api-Key", key],
  ])("200 with the key in %s", async (name, value) => {
    expect(await status([[name, value]])).toBe(200);
  });

  const sentTwice: Record<string, () => [string, string][]> = {
    "both headers": () => [
      ["Authorization", `Bearer ${key}`],
      ["X-Api-Key", key],
    ],
    "the same header twice": () => [
      ["X-Api-Key", key],
      ["X-Api-Key", key],
    ],
    "two bearer tokens": () => [
      ["Authorization", `Bearer ${key}`],
      ["Authorization", `Bearer ${key}`],
    ],
    "two keys that never were": () => [
      ["Authorization", "Bearer rst_nobody"],
      ["X-Api-Key", "rst_nobody"],
    ],
  };
  const refused: Record<string, () => [string, string][]> = {
    "no key": () => [],
    "an empty bearer token": () => [["Authorization", "Bearer "]],
    "an empty X-Api-Key": () => [["X-Api-Key", ""]],
    "another scheme": () => [["Authorization", `Basic ${btoa(`user:${key}`)}`]],
    "no scheme": () => [["Authorization", key]],
    "a key in a cookie": () => [["Cookie", `key=${key}; X-Api-Key=${key}`]],
    "a key with a wrong checksum": () => [["X-Api-Key", misspell(key)]],
    "a key that never was": () => [["X-Api-Key", "rst_nobody"]],
    "a key in upper case": () => [["X-Api-Key", key.toUpperCase()]],
    "the name of an account": () => [["X-Api-Key", "operator"]],
  };
  /** Beside X-Api-Key, with a good key and one that is none. */
  const besideKey = (authorization: string) => ({
    good: (): [string, string][] => [
      ["Authorization", authorization],
      ["X-Api-Key", key],
    ],
    bad: (): [string, string][] => [
      ["Authorization", authorization],
      ["X-Api-Key", "rst_nobody"],
    ],
  });
  for (const [what, authorization] of Object.entries({
    "another scheme": `Basic ${btoa("user:word")}`,
    nothing: "",
    "a scheme alone": "Bearer",
    "no scheme": "rst_nobody",
  })) {
    test(`401 for a header Authorization with ${what} beside X-Api-Key names it, and not a second key`, async () => {
      const [answer = "", ...others] = await answersTo(besideKey(authorization));
      expect(others).toEqual([]);
      expect(JSON.parse(JSON.parse(answer)[0]).error).toEqual({
        code: "unauthorized",
        message:
          'The header Authorization is not "Bearer <API_KEY>": leave it out, or send the key in it and leave out X-Api-Key.',
      });
    });
  }

  test("401 for an empty X-Api-Key beside Authorization names it", async () => {
    const headers = (secret: string) => (): [string, string][] => [
      ["Authorization", `Bearer ${secret}`],
      ["X-Api-Key", " "],
    ];
    const answers = await answersTo({ good: headers(key), bad: headers("rst_nobody") });
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain(
      "The header X-Api-Key is empty: leave it out, because Authorization was sent too.",
    );
  });

  test.each(Object.entries({ ...refused, ...sentTwice }))(
    "401 unauthorized with %s",
    async (_, headers) => expect(await status(headers())).toBe(401),
  );

  test("401 without a key at every operation", async () => {
    for (const { method, path } of operations) {
      const { status } = await appliance.client.ask({ method, path: path.replace(":login", "x") });
      expect([path, status]).toEqual([path, 401]);
    }
  });

  test("401 with the key in the query string only", async () => {
    const asked = `${path}?api_key=${key}&key=${key}&access_token=${key}&X-Api-Key=${key}`;
    expect(await status([], asked)).toBe(401);
  });

  const answersTo = async (sent: typeof refused) => {
    const answers = await Promise.all(
      Object.values(sent).map(async (headers) => {
        const request = new Request(`http://localhost${path}`, { headers: headers() });
        const response = await appliance.handle(request);
        const id = response.headers.get("x-request-id") as string;
        const shown = [...response.headers].filter(
          ([name]) => !/^(x-request-id|content-length)$/.test(name),
        );
        return JSON.stringify([(await response.text()).replace(id, "ID"), shown]);
      }),
    );
    return [...new Set(answers)];
  };

  test("401 answers are the same for every cause, but for the request id", async () => {
    const answers = await answersTo(refused);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain("API key missing, invalid or revoked.");
  });

  test("401 for a key that is sent twice says so, whether the key is good or not", async () => {
    const answers = await answersTo(sentTwice);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain(
      "The request has more than one API key: send it once, in Authorization or X-Api-Key, not in both.",
    );
  });

  test("401 carries the code, WWW-Authenticate, and no quota", async () => {
    const { status, headers, body } = await appliance.client.ask({ path });
    expect(status).toBe(401);
    expect(body.error.code).toBe("unauthorized");
    expect(body.meta).toEqual({ requestId: headers.get("x-request-id") });
    expect(headers.get("www-authenticate")).toBe('Bearer realm="Roster"');
    expect(headers.get("ratelimit")).toBeNull();
  });

  test("401 comes before anything is said about the body", async () => {
    const { client } = appliance;
    const broken = await client.ask({ path: "/v1/search", body: "{" });
    const large = await client.ask({ path: "/v1/search", body: "x".repeat(100_000) });
    const text = await client.ask({
      path: "/v1/search",
      body: "{}",
      headers: { "content-type": "text/plain" },
    });
    expect([broken.status, large.status, text.status]).toEqual([401, 401, 401]);
  });

  test("401 for the old key from the moment a new one is made", async () => {
    const account = await appliance.newAccount("pro");
    expect((await appliance.client.get("ada-example", account.key)).status).toBe(200);
    const fresh = await appliance.modules.accounts.regenerateKey(account.email);
    expect((await appliance.client.get("ada-example", account.key)).status).toBe(401);
    const after = await appliance.client.get("ada-example", fresh);
    expect([after.status, after.body.meta.quota.used]).toEqual([200, 2]);
  });

  test("401 for the key of a disabled account, 200 once it is enabled again", async () => {
    const account = await appliance.newAccount("pro");
    await appliance.modules.accounts.setDisabled(account.email, true);
    expect((await appliance.client.get("ada-example", account.key)).status).toBe(401);
    await appliance.modules.accounts.setDisabled(account.email, false);
    const after = await appliance.client.get("ada-example", account.key);
    expect([after.status, after.body.meta.quota.used]).toEqual([200, 1]);
  });

  test("no key is needed for the document, the pages and the probes", async () => {
    for (const open of ["/v1/openapi.json", "/docs", "/", "/livez", "/readyz"]) {
      expect(await status([], open)).toBe(200);
    }
  });

  test("a key is never shown again, in no answer and no log line", async () => {
    const { key } = await appliance.newAccount("pro");
    await appliance.client.get("ada-example", key);
    await appliance.client.get(key, key);
    await appliance.client.search({ location: key }, key);
    expect(appliance.log()).toContain("key_");
    expect(appliance.log()).not.toContain(key);
  });
});
