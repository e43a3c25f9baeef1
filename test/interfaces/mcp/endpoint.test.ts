/** The hosted endpoint as HTTP sees it: who gets in, what is counted, what is refused and how. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../src/contract/limits.ts";
import { openTestAppliance } from "../../appliance.ts";
import { rounds } from "../../long.ts";
import { modernCall, openRpc, toolCall } from "./rpc.ts";

const appliance = await openTestAppliance();
const key = (await appliance.newAccount("enterprise", { callsPerDay: "unlimited" })).key;
afterAll(() => appliance.close());

const rpc = (own = key, base?: string) => openRpc(appliance.handle, own, base);
const used = async (of: string) => {
  const identity = await appliance.modules.accounts.authenticate(of);
  if (!identity) throw new Error("no such key");
  return (await appliance.modules.quota.usage(identity)).quota.used;
};
const ada = { login: "ada-example" };
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("Getting in", () => {
  const headersOf: Record<string, (good: string) => Record<string, string>> = {
    "both headers": (good) => ({ authorization: `Bearer ${good}`, "x-api-key": good }),
    "a cookie": (good) => ({ cookie: `key=${good}` }),
  };
  for (const [what, headers] of Object.entries(headersOf)) {
    test(`401 with a challenge for ${what}, before the body is looked at`, async () => {
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers: headers(key),
        body: "not json",
      });
      const response = await appliance.handle(request);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toStartWith("Bearer ");
      expect((await response.json()) as object).toEqual({
        jsonrpc: "2.0",
        error: { code: -32000, message: expect.stringContaining("sign in by browser") },
        id: null,
      });
    });
  }

  test("a key opens it in either header form", async () => {
    expect((await rpc().post(list)).status).toBe(200);
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "x-api-key": key,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(list),
    });
    expect((await appliance.handle(request)).status).toBe(200);
  });

  test("no key opens it where mcp.apiKeys is off, while /v1 takes the key", async () => {
    const shut = await openTestAppliance({ config: { mcp: { apiKeys: false, detail: "full" } } });
    const own = (await shut.newAccount("pro")).key;
    expect((await openRpc(shut.handle, own).post(list)).status).toBe(401);
    expect((await shut.client.get("ada-example", own)).status).toBe(200);
    await shut.close();
  });
});

describe("Host and Origin", () => {
  const ask = async (host: string, origin?: string) => {
    const own: Record<string, string> = origin === undefined ? {} : { origin };
    return (await rpc(key, `http://${host}`).post(list, own)).status;
  };

  test.each([
    [200, ["localhost:7171", "127.0.0.1", "127.0.0.9:80", "[::1]:7171", "192.0.2.7"]],
    [403, ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "roster"]],
  ])("%i without an Origin for the hosts %j", async (status, hosts) => {
    for (const host of hosts) expect([host, await ask(host)]).toEqual([host, status]);
  });

  test.each(["http://localhost:5173", "http://127.0.0.1:6274", "http://[::1]:1"])(
    "the Origin %s may ask a local server, and no other",
    async (origin) => {
      expect(await ask("localhost:7171", origin)).toBe(200);
      expect(await ask("192.0.2.7", origin)).toBe(403);
    },
  );
  test.each(["http://evil.example", "null", "", "http://localhost.evil.example", "file://"])(
    '403 for the Origin "%s"',
    async (origin) => expect(await ask("localhost:7171", origin)).toBe(403),
  );

  test("the public URL names the host and the Origin that are right from elsewhere", async () => {
    const elsewhere = await openTestAppliance({
      people: [],
      config: { publicUrl: "https://roster.example" },
    });
    const own = (await elsewhere.newAccount("pro")).key;
    const at = openRpc(elsewhere.handle, own, "http://roster.example");
    expect((await at.post(list)).status).toBe(200);
    expect((await at.post(list, { origin: "https://roster.example" })).status).toBe(200);
    expect((await at.post(list, { origin: "http://roster.example" })).status).toBe(403);
    expect((await at.post(list, { origin: "http://localhost:1" })).status).toBe(403);
    const refused = await openRpc(elsewhere.handle, own, "http://other.example").post(list);
    expect(refused.body.error.message).toContain("roster.example");
    await elsewhere.close();
  });
});

describe("Counting", () => {
  test("a batch is counted call by call", async () => {
    const { key: own } = await appliance.newAccount("pro");
    const batch = [
      toolCall("get_developer", ada, 1),
      toolCall("search_developers", { location: "Berlin" }, "two"),
      toolCall("search_developers", { location: 5 }, 3),
      { jsonrpc: "2.0", id: 4, method: "tools/list" },
      toolCall("analyze_profile", { username: "nobody-here" }, 5),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    ];
    const { body } = await rpc(own).post(batch);
    expect(body.map(({ id }: { id: unknown }) => id).sort()).toEqual([1, 3, 4, 5, "two"]);
    expect(await used(own)).toBe(3);
  });

  test("a batch gets no more calls than are left, and says so to the others", async () => {
    const { key: own } = await appliance.newAccount("pro", { callsPerMonth: 2 });
    const batch = [1, 2, 3, 4, 5].map((id) => toolCall("get_developer", ada, id));
    const { body } = await rpc(own).post(batch);
    const texts = body.map(({ result }: { result: { content: { text: string }[] } }) =>
      result.content[0]?.text.slice(0, 15),
    );
    expect(texts.filter((text: string) => text === "quota_exceeded:")).toHaveLength(3);
    expect(await used(own)).toBe(2);
  });

  test("a refusal tells the instant of the reset, and the seconds to it", async () => {
    const { key: own } = await appliance.newAccount("pro", { callsPerMonth: 1 });
    const { call, post } = rpc(own);
    await call("get_developer", ada);
    const expected = {
      code: "quota_exceeded",
      message:
        "The monthly call quota is exceeded: 1 of 1 calls are used; it resets at 2026-12-01T00:00:00Z.",
      retryAfterSeconds: (Date.UTC(2026, 11, 1) - appliance.clock.now().getTime()) / 1000,
    };
    const { result } = await call("get_developer", ada);
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([
      { type: "text", text: `${expected.code}: ${expected.message}` },
    ]);
    expect(result._meta["roster/error"]).toEqual(expected);
    expect(result._meta["roster/meta"].quota).toEqual({ used: 1, limit: 1, month: "2026-11" });
    const modern = modernCall("get_developer", ada);
    const { body } = await post(modern.body, modern.headers);
    expect(body.result._meta["roster/error"]).toEqual(expected);
    // Refused before the input is looked at, as REST does.
    expect((await call("get_developer", { login: 5 })).result._meta["roster/error"].code).toBe(
      "quota_exceeded",
    );
    expect(await used(own)).toBe(1);
  });
});

describe("What is no call", () => {
  test.each(["GET", "DELETE", "PUT"])("405 with Allow: POST, OPTIONS for %s", async (method) => {
    const response = await appliance.handle(new Request("http://localhost/mcp", { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  const bodies: readonly (readonly [string, unknown, number, RegExp])[] = [
    ["no JSON", "{", 400, /valid JSON/],
    ["nothing", "", 400, /missing/],
    ["bytes that are no text", new Uint8Array([0x7b, 0xff, 0x7d]), 400, /UTF-8/],
    ["a number", 5, 400, /./],
    ["null", "null", 400, /./],
    ["an empty batch", [], 400, /./],
    ["an object that is no message", { hello: "there" }, 400, /./],
    ["a batch too long", Array(limits.mcpBatchMax + 1).fill(list), 400, /at most 20 .*, got 21/],
    ["two requests of one id", [list, list], 400, /ids of their own/],
    ["too much", `"${"x".repeat(limits.mcpBodyBytesMax)}"`, 413, /at most 262144 bytes/],
  ];
  for (const [what, body, status, words] of bodies) {
    test(`${status} for ${what}, as a JSON-RPC error`, async () => {
      const reply = await rpc().post(body);
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
      expect(reply.body.error.message).toMatch(words);
    });
  }

  test("415 for another content type, and for a compressed body", async () => {
    expect((await rpc().post("a=b", { "content-type": "text/plain" })).status).toBe(415);
    expect((await rpc().post("{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  test("400 for a revision that nobody speaks, 404 for a method that does not exist", async () => {
    expect((await rpc().post(list, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    const { body } = await rpc().post({ jsonrpc: "2.0", id: 1, method: "resources/list" });
    expect(body.error.code).toBe(-32601);
  });

  test("a constructor among the arguments is an unknown field, as over REST", async () => {
    const { body } = await rpc().post(
      toolCall("get_developer", { login: "ada-example", constructor: null }),
    );
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toContain(`unknown field "constructor"`);
  });

  test("parameters of a wrong form are told as that, in either protocol", async () => {
    const wrong = [5, null, []];
    for (const input of wrong) {
      const { body } = await rpc().post(toolCall("get_developer", input));
      expect(body.error).toEqual({ code: -32602, message: "Invalid params for this method" });
    }
    for (const input of wrong) {
      const modern = modernCall("get_developer", input);
      expect((await rpc().post(modern.body, modern.headers)).body.error.code).toBe(-32602);
    }
  });

  test("a notification is taken without an answer", async () => {
    const reply = await rpc().post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([reply.status, reply.body]).toEqual([202, ""]);
  });
});

describe("Whatever is sent", () => {
  const json = fc.jsonValue({ maxDepth: 2 });
  const mostly = <T>(usual: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: json });
  const methods = [
    ...["tools/call", "tools/list", "initialize", "ping", "server/discover", "resources/list"],
    ...["notifications/cancelled", "notifications/initialized", "logging/setLevel", "tasks/get"],
  ];
  const { _meta } = modernCall("get_developer", {}).body.params;
  const params = fc.record(
    {
      name: mostly(fc.constantFrom("search_developers", "get_developer", "analyze_profile")),
      arguments: mostly(
        fc.dictionary(fc.constantFrom("login", "username", "location", "constructor"), json),
      ),
      _meta: mostly(fc.constant(_meta)),
      requestId: json,
      task: json,
    },
    { requiredKeys: [] },
  );
  const message = mostly(
    fc.record(
      {
        jsonrpc: fc.constant("2.0"),
        id: mostly(fc.integer()),
        method: mostly(fc.constantFrom(...methods)),
        params: mostly(params),
      },
      { requiredKeys: ["jsonrpc", "method"] },
    ),
  );
  const headers = fc.record(
    {
      "mcp-protocol-version": fc.constantFrom("2026-07-28", "2025-11-25", "2025-03-26"),
      "mcp-method": fc.constantFrom("tools/call", "tools/list"),
      "mcp-name": fc.constantFrom("get_developer", "analyze_profile"),
    },
    { requiredKeys: [] },
  );

  test("there is an answer, it is no fault, and it tells nothing of the inside", async () => {
    const body = fc.oneof(message, fc.array(message, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, own) => {
        const { status, body: told } = await rpc().post(JSON.stringify(sent), own);
        expect([200, 202, 400, 404]).toContain(status);
        for (const each of [told].flat()) expect(each?.error?.code).not.toBe(-32603);
        expect(JSON.stringify(told)).not.toMatch(/node_modules|\.[jt]s:|evaluating/);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe("Many at once", () => {
  test("nobody gets another's answer, whoever asks in which protocol with whatever id", async () => {
    const address = appliance.listen();
    const logins = ["ada-example", "Ben-Sample", "chloe-specimen", "dmitri-mock", "elena.test"];
    const askers: { login: string; own: string; round: number }[] = [];
    for (const login of logins) {
      const { key: own } = await appliance.newAccount("pro");
      askers.push(...[1, 2, 3, 4].map((round) => ({ login, own, round })));
    }
    const replies = await Promise.all(
      askers.map(async ({ login, own, round }) => {
        // All with the same id: only the connection tells the answers apart.
        const modern = modernCall("get_developer", { login });
        const { post } = openRpc(fetch, own, address);
        const reply =
          round % 2 === 0
            ? await post(modern.body, modern.headers)
            : await post(toolCall("get_developer", { login }));
        return reply.body.result;
      }),
    );
    expect(replies.map(({ structuredContent }) => structuredContent.username)).toEqual(
      askers.map(({ login }) => login),
    );
    for (const { own } of askers) expect(await used(own)).toBe(4);
    const ids = replies.map(({ _meta }) => _meta["roster/meta"].requestId);
    expect(new Set(ids).size).toBe(askers.length);
  });
});
