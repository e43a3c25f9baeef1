/** Who is not let in, or not to a tool, is told why and where to go: RFC 6750, RFC 9728. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { consented, newClient, pkce, redeem, type Tokens } from "../../accounts/oauth/assistant.ts";
import { openSignInAppliance, signedIn } from "../../accounts/sign-in/browser.ts";
import { inventedPeople } from "../../invented-people.ts";
import { modernCall, openRpc, toolCall } from "./rpc.ts";

const appliance = await openSignInAppliance({ people: inventedPeople });
const metadata = `resource_metadata="${appliance.config.publicUrl}/.well-known/oauth-protected-resource/mcp"`;
afterAll(() => appliance.close());

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const search = toolCall("search_developers", { location: "Berlin" });
const get = toolCall("get_developer", { login: "ada-example" }, 2);
const rpc = (secret: string) => openRpc(appliance.handle, secret, appliance.config.publicUrl);

describe("401", () => {
  test("without a credential has no error, and names both ways in", async () => {
    const response = await appliance.handle(
      new Request(`${appliance.config.publicUrl}/mcp`, { method: "POST", body: "{}" }),
    );
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer ${metadata}`,
    ]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      error: {
        code: -32000,
        message: expect.stringMatching(/^Not signed in: sign in by browser .*; or send an API key/),
      },
      id: null,
    });
  });

  test("with one that is not good says so, whatever the cause", async () => {
    const dead = await appliance.newAccount("pro");
    await appliance.modules.accounts.setDisabled(dead.email, true);
    for (const secret of ["rst_at_nobody", "nonsense", dead.key, "two words"]) {
      const { status, headers, body } = await rpc(secret).post(list);
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer error="invalid_token", error_description="The token or key is unknown, expired or revoked", ${metadata}`,
      ]);
      expect(body.error.message).toStartWith("The token or key is unknown, expired or revoked: ");
    }
  });

  test("says nothing of keys where none are taken", async () => {
    const shut = await openSignInAppliance({ config: { mcp: { apiKeys: false, detail: "full" } } });
    const { body } = await openRpc(shut.handle, "x", shut.config.publicUrl).post(list);
    expect(body.error.message).not.toContain("API key");
    await shut.close();
  });
});

describe("403 for a token without the tool's scope", () => {
  let token: string;
  const used = async () => {
    const identity = await appliance.signIn.authenticateToken(
      token,
      `${appliance.config.publicUrl}/mcp`,
    );
    return identity && (await appliance.modules.quota.usage(identity)).quota.used;
  };
  beforeAll(async () => {
    const bob = await signedIn(appliance, "bob@example.com");
    const clientId = await newClient(appliance);
    const proof = pkce();
    const scope = { scope: "search offline_access" };
    const callback = await consented(appliance, bob, clientId, proof, scope);
    const response = await redeem(appliance, clientId, callback, proof);
    ({ access_token: token } = (await response.json()) as Tokens);
  });

  test("names the scopes of the next token, in either protocol, and costs nothing", async () => {
    const modern = modernCall("analyze_profile", { username: "ada-example" });
    for (const { status, headers, body } of [
      await rpc(token).post(get),
      await rpc(token).post(modern.body, modern.headers),
    ]) {
      expect(status).toBe(403);
      const challenge = headers.get("www-authenticate") ?? "";
      expect(challenge).toStartWith('Bearer error="insufficient_scope", error_description="');
      expect(challenge).toContain('scope="search offline_access profile"');
      expect(challenge).toEndWith(metadata);
      expect(body.error.message).toContain("needs the scope profile, which was not granted");
    }
    expect(await used()).toBe(0);
  });

  test("comes as a bearer token alone, never in X-Api-Key", async () => {
    const { status } = await rpc("").post(list, { authorization: "", "x-api-key": token });
    expect([status, await used()]).toEqual([401, 0]);
  });

  test("the whole batch, of which nothing is counted, so that it can be sent again", async () => {
    const { status } = await rpc(token).post([search, get]);
    expect([status, await used()]).toEqual([403, 0]);
    const { body } = await rpc(token).post([search, { ...list, id: 3 }]);
    expect([body.length, await used()]).toEqual([2, 1]);
  });

  test("lists and knows the tools of its scope alone; a key's holder has all", async () => {
    const names = async (secret: string) =>
      (await rpc(secret).post(list)).body.result.tools.map(({ name }: { name: string }) => name);
    expect(await names(token)).toEqual([
      "search_developers",
      "lookup_terms",
      "find_people",
      "who_knows",
    ]);
    expect((await names((await appliance.newAccount("pro")).key)).length).toBeGreaterThan(2);
    const { error } = await rpc(token).call("no_such_tool", {});
    expect(error.message).toBe(
      'unknown tool "no_such_tool"; known: search_developers, lookup_terms, find_people, who_knows',
    );
  });

  test("a list that differs by token is kept by nobody for others", async () => {
    const { body, headers } = modernCall("search_developers", {});
    const { _meta } = body.params;
    const reply = await rpc(token).post(
      { ...list, params: { _meta } },
      { ...headers, "mcp-method": "tools/list", "mcp-name": "" },
    );
    expect(reply.body.result.cacheScope).toBe("private");
  });
});

describe("What clients send in other words", () => {
  for (const accept of [
    ...["*/*", "application/json, */*;q=0.1", "application/json", "Application/JSON;q=0.9"],
    ...["application/*", "application/json, text/plain"],
  ]) {
    test(`Accept: ${accept} is served, in either protocol`, async () => {
      const { key } = await appliance.newAccount("pro");
      const modern = modernCall("get_developer", { login: "ada-example" });
      for (const { status, body } of [
        await rpc(key).post(get, { accept }),
        await rpc(key).post(modern.body, { ...modern.headers, accept }),
      ]) {
        expect([status, body.result.structuredContent.username]).toEqual([200, "ada-example"]);
      }
    });
  }

  test("406 for who takes neither JSON nor a stream", async () => {
    const { key } = await appliance.newAccount("pro");
    expect((await rpc(key).post(list, { accept: "text/html" })).status).toBe(406);
  });

  test("a slash at the end is the same endpoint, and other methods are refused there too", async () => {
    const { key } = await appliance.newAccount("pro");
    const { post } = openRpc(appliance.handle, key, appliance.config.publicUrl, "/mcp/");
    expect((await post(list)).status).toBe(200);
    const get = await appliance.handle(new Request(`${appliance.config.publicUrl}/mcp/`));
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("a page of this machine may ask first and call, one of another origin may not", async () => {
    const { key } = await appliance.newAccount("pro");
    const url = "http://127.0.0.1:8080/mcp";
    const send = (method: string, origin: string) =>
      appliance.handle(
        new Request(url, {
          method,
          headers: {
            ...{ origin, authorization: `Bearer ${key}`, "content-type": "application/json" },
            ...{ accept: "application/json", "access-control-request-method": "POST" },
          },
          ...(method === "POST" && { body: JSON.stringify(list) }),
        }),
      );
    const here = "http://localhost:6274";
    for (const [method, status] of [
      ["OPTIONS", 204],
      ["POST", 200],
    ] as const) {
      const { headers, ...response } = await send(method, here).then((one) => ({
        ...{ status: one.status, headers: one.headers },
      }));
      expect(response.status).toBe(status);
      expect(headers.get("access-control-allow-origin")).toBe(here);
      const foreign = await send(method, "https://elsewhere.example.com");
      expect(foreign.status).toBe(403);
      expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    }
    const asked = await send("OPTIONS", here);
    expect(asked.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
    expect(await asked.text()).toBe("");
  });

  test("400 for a detail that there is not, with those that there are", async () => {
    const { key } = await appliance.newAccount("pro");
    const { publicUrl } = appliance.config;
    const { post } = openRpc(appliance.handle, key, publicUrl, "/mcp?detail=tiny");
    const { status, body } = await post(list);
    expect([status, body.error.message]).toEqual([400, "detail must be one of full, slim"]);
  });
});

test("the setting mcp.detail holds where the address says nothing", async () => {
  const slim = await openSignInAppliance({
    ...{ people: inventedPeople, config: { mcp: { apiKeys: true, detail: "slim" } } },
  });
  const { publicUrl } = slim.config;
  const { key } = await slim.newAccount("pro");
  const bios = async (path: string) => {
    const { call } = openRpc(slim.handle, key, publicUrl, path);
    const { result } = await call("search_developers", { location: "worldwide" });
    return result.structuredContent.results.some(({ bio }: { bio?: string }) => bio !== undefined);
  };
  expect([await bios("/mcp"), await bios("/mcp?detail=full")]).toEqual([false, true]);
  await slim.close();
});
