import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { TestAppliance } from "../../appliance.ts";
import { openSignInAppliance } from "../sign-in/browser.ts";
import { authorizationQuery, newClient, pkce, redirectUri, register } from "./assistant.ts";

let roster: TestAppliance;
beforeAll(async () => {
  roster = await openSignInAppliance();
});
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
      scope: "search profile offline_access",
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
  ])("redirects to %p are refused", async (uri) => {
    const response = await register(roster, { redirect_uris: [redirectUri, uri] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "invalid_redirect_uri",
      error_description: expect.stringContaining("https, or http on 127.0.0.1"),
    });
  });

  test.each([
    [{ redirect_uris: [] }, "redirect_uris must be a list"],
    [{ redirect_uris: "https://app.example.com" }, "redirect_uris must be a list"],
    [{ client_name: "x".repeat(201) }, "client_name must be a text"],
    [{ client_name: "Roster\u202egpj" }, "client_name must be a text"],
    [{ client_name: 7 }, "client_name must be a text"],
    // What cannot be seen, breaks the line, piles up, or is a speech.
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

  test("twenty an hour from one address, then later", async () => {
    for (let n = 0; n < 20; n++) expect((await register(roster)).status).toBe(201);
    const refused = await register(roster);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    roster.clock.advance(3600);
    expect((await register(roster)).status).toBe(201);
  });

  test("is forgotten a day later when nobody consented to it", async () => {
    const clientId = await newClient(roster);
    roster.clock.advance(24 * 3600 + 1);
    await newClient(roster);
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
