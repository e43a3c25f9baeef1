import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openBrowser, openSignInAppliance } from "../sign-in/browser.ts";
import {
  authorizationQuery,
  authorize,
  newClient,
  pkce,
  redirectUri,
  register,
} from "./assistant.ts";

const roster = await openSignInAppliance();
beforeEach(() => roster.clock.advance(3601));
afterAll(() => roster.close());

describe("an assistant that registers itself (RFC 7591)", () => {
  test("is a public client with what it is allowed, whatever else it asked for", async () => {
    const response = await register(roster, {
      client_uri: "https://assistant.example",
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["client_credentials", "authorization_code"],
      scope: "search admin",
      jwks_uri: "https://assistant.example/keys",
      backchannel_logout_uri: "https://assistant.example/out",
      skip_consent: true,
      anything: { else: true },
    });
    expect(response.status).toBe(201);
    const client = (await response.json()) as Record<string, unknown>;
    expect(client).toMatchObject({
      client_name: "Test Assistant",
      client_uri: "https://assistant.example",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      scope: "search offline_access",
    });
    for (const name of ["client_secret", "jwks_uri", "backchannel_logout_uri", "anything"]) {
      expect(client[name]).toBeUndefined();
    }
  });

  test.each([
    "http://app.example.com/callback",
    "http://192.0.2.1/callback",
    "https://localhost/callback",
    "https://user:pass@app.example.com/",
    "https://app.example.com/#x",
    "cursor://callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "/callback",
    "",
    7,
  ])("redirects to %p are refused by name, and alone: the others stand", async (uri) => {
    const alone = await register(roster, { redirect_uris: [uri] });
    expect([alone.status, await alone.json()]).toEqual([
      400,
      {
        error: "invalid_redirect_uri",
        error_description: expect.stringMatching(/https, or http on 127\.0\.0\.1.*, got ".*"$/),
      },
    ]);
    const among = await register(roster, { redirect_uris: [uri, redirectUri] });
    expect([among.status, await among.json()]).toMatchObject([
      201,
      { redirect_uris: [redirectUri] },
    ]);
  });

  test.each([
    ["profile", "profile offline_access"],
    ["search profile offline_access", "search profile offline_access"],
    ["openid email profile", "search profile offline_access"],
    ["offline_access", "search profile offline_access"],
    [undefined, "search profile offline_access"],
    [7, "search profile offline_access"],
  ])("the scope %p becomes %p, and no request goes beyond", async (scope, granted) => {
    const response = await register(roster, { scope });
    const client = (await response.json()) as { client_id: string; scope: string };
    expect(client.scope).toBe(granted);
    const ada = openBrowser(roster);
    for (const [asked, path] of [
      [undefined, "/sign-in"],
      ["search profile", granted.startsWith("search") ? "/sign-in" : "/oauth2/error"],
    ] as const) {
      const changes = { scope: asked };
      const query = authorizationQuery(roster, client.client_id, pkce().challenge, changes);
      expect((await authorize(roster, ada, query)).pathname).toBe(path);
    }
  });

  test.each([
    [{ redirect_uris: [] }, "redirect_uris must be a list"],
    [{ redirect_uris: "https://app.example.com" }, "redirect_uris must be a list"],
    [{ client_name: "x".repeat(201) }, "client_name must be a text"],
    [{ client_name: "Roster\u202egpj" }, "client_name must be a text"],
    [{ client_name: 7 }, "client_name must be a text"],
    // Names that are invisible, break the line, pile up accents, or are too long.
    [{ client_name: "\u3164\ufe0f" }, "client_name must be a name that people can read"],
    [{ client_name: "\u2800" }, "client_name must be a name that people can read"],
    [{ client_name: "Editor\u2028Verified" }, "client_name must be a name that people can read"],
    [{ client_name: `E${"\u0301".repeat(9)}` }, "client_name must be a name that people can read"],
    [{ client_name: "x".repeat(101) }, "client_name must be a name that people can read"],
    [{ client_uri: "javascript:alert(1)" }, "client_uri must be an http"],
    [{ client_uri: "https://example.com, verified by Roster" }, "client_uri must be an http"],
  ])("%p is refused in words", async (metadata, words) => {
    const response = await register(roster, metadata);
    const { error_description: said } = (await response.json()) as { error_description: string };
    expect([response.status, said.includes(words)]).toEqual([400, true]);
  });

  test.each(["Ünïcødé エディタ", "Editor ☁️", "नमस्ते", "مساعد", "O'Neil & Söhne <3"])(
    "%p is a name",
    async (client_name) => {
      const response = await register(roster, { client_name });
      expect([response.status, await response.json()]).toMatchObject([201, { client_name }]);
    },
  );

  test("twenty new ones an hour from one address, then later; a known one always", async () => {
    const nth = (n: number) => register(roster, { client_name: `Assistant ${n}` });
    for (let n = 0; n < 20; n++) expect((await nth(n)).status).toBe(201);
    const refused = await nth(20);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await nth(19)).status).toBe(201);
    roster.clock.advance(3600);
    expect((await nth(20)).status).toBe(201);
  });

  test("as many new ones as the operator set", async () => {
    const few = await openSignInAppliance({
      config: { assistants: { registrationsPerHour: 2, privateRedirects: [] } },
    });
    for (const [n, status] of [201, 201, 429].entries()) {
      expect((await register(few, { client_name: `Assistant ${n}` })).status).toBe(status);
    }
    await few.close();
  });

  test("is given the id of the one that said the same of itself, whatever port it got", async () => {
    const known = await newClient(roster, { client_uri: "https://a.example" });
    const ported = { redirect_uris: ["http://127.0.0.1:1/callback"] };
    const again = { client_uri: "https://a.example", ...ported };
    const response = await register(roster, again);
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { client_id: known, ...ported },
    ]);
    for (const other of [
      { client_name: "Other" },
      { client_name: undefined },
      { client_uri: "https://b.example" },
      { scope: "search" },
      { software_id: "x" },
      { redirect_uris: ["http://127.0.0.1:1/other"] },
      { redirect_uris: ["https://127.0.0.2/callback"] },
      { redirect_uris: ["http://127.0.0.1:1/callback", "https://a.example/"] },
    ]) {
      expect(await newClient(roster, { ...again, ...other })).not.toBe(known);
    }
  });

  test("is never given the id of one that the operator vouches for", async () => {
    const { clients } = roster.modules.accounts;
    const { clientId } = await clients.register({ name: "House", redirectUris: [redirectUri] });
    expect(await newClient(roster, { client_name: "House" })).not.toBe(clientId);
  });

  test("is forgotten a day later when nobody consented to it", async () => {
    const clientId = await newClient(roster);
    roster.clock.advance(24 * 3600 - 1);
    expect(await newClient(roster)).toBe(clientId);
    roster.clock.advance(24 * 3600 - 1);
    expect(await newClient(roster)).toBe(clientId);
    roster.clock.advance(24 * 3600 + 1);
    await newClient(roster, { client_name: "Another" });
    const query = authorizationQuery(roster, clientId, pkce().challenge);
    const response = await roster.handle(
      new Request(`${roster.config.publicUrl}/oauth2/authorize?${query}`),
    );
    expect(response.headers.get("location")).toContain("/oauth2/error");
  });

  test("cannot where the operator switched it off, and the metadata says so", async () => {
    const signIn = { signUp: "invitation", assistantsRegister: false, providers: [] } as const;
    const shut = await openSignInAppliance({ config: { signIn } });
    expect((await register(shut)).status).toBe(404);
    const url = `${shut.config.publicUrl}/.well-known/oauth-authorization-server`;
    const metadata = (await (await shut.handle(new Request(url))).json()) as object;
    expect(Object.keys(metadata)).not.toContain("registration_endpoint");
    await shut.close();
  });
});
