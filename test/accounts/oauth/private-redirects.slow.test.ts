/** Assistants that a program on the person's machine answers to by a scheme of its own (RFC 8252, 7.1). */
import { afterAll, describe, expect, test } from "bun:test";
import { openRpc } from "../../interfaces/mcp/rpc.ts";
import { openSignInAppliance, signedIn } from "../sign-in/browser.ts";
import {
  authorizationQuery,
  authorize,
  newClient,
  pkce,
  redeem,
  register,
  type Tokens,
} from "./assistant.ts";

const cursor = "cursor://anysphere.cursor-mcp/oauth/callback";
/** What the present and an earlier version of Cursor send. */
const bodies = {
  alone: { redirect_uris: [cursor] },
  "among others": {
    redirect_uris: [
      ...["http://localhost:8787/callback", cursor],
      ...["https://www.cursor.com/agents/mcp/oauth/callback", "vscode://evil.example/callback"],
    ],
  },
};
const described = {
  client_name: "Cursor",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

const roster = await openSignInAppliance();
const ada = await signedIn(roster, "ada@example.com");
afterAll(() => roster.close());

describe("a private address that the settings name", () => {
  for (const [name, body] of Object.entries(bodies)) {
    test(`${name}, goes the whole way: registration, consent, token, call`, async () => {
      const response = await register(roster, { ...described, ...body });
      const client = (await response.json()) as { client_id: string; redirect_uris: string[] };
      expect(response.status).toBe(201);
      expect(client.redirect_uris).toEqual(
        body.redirect_uris.filter((uri) => !uri.startsWith("vscode:")),
      );
      const proof = pkce();
      const changes = { redirect_uri: cursor };
      const query = authorizationQuery(roster, client.client_id, proof.challenge, changes);
      const page = await authorize(roster, ada, query);
      expect(page.pathname).toBe("/consent");
      const shown = await roster.handle(ada.request(`/consent${page.search}`));
      expect(await shown.text()).toContain(
        `the program on this computer that opens cursor: addresses (${cursor})`,
      );
      const { location } = await roster.signIn.decide(
        ada.request(`/consent${page.search}`),
        page.search,
        true,
      );
      expect(location).toStartWith(`${cursor}?code=`);
      const redeemed = await redeem(roster, client.client_id, new URL(location), proof, changes);
      const tokens = (await redeemed.json()) as Tokens;
      expect(redeemed.status).toBe(200);
      const rpc = openRpc(roster.handle, tokens.access_token, roster.config.publicUrl);
      expect(await rpc.call("search_developers", { location: "Worldwide" })).toMatchObject({
        result: { content: [{ type: "text" }] },
      });
      const id = (await roster.signIn.visitor(ada.request()))?.account.id ?? "";
      const [assistant] = (await roster.signIn.assistants(id)).slice(-1);
      expect(assistant?.destinations).toContain(cursor);
    });
  }

  test("is exact: no other path, host, query, case or scheme goes with it", async () => {
    const near = [
      ...[`${cursor}/`, `${cursor}?x=1`, `${cursor}#`, "cursor://evil.example/oauth/callback"],
      ...["cursor://anysphere.cursor-mcp/", "cursor:/oauth/callback", "Cursor:oauth/callback"],
      ...[
        "cursor://anysphere.cursor-mcp:1/oauth/callback",
        "vscode://anysphere.cursor-mcp/oauth/callback",
      ],
      ...[
        "cursor://a@anysphere.cursor-mcp/oauth/callback",
        "cursor2://anysphere.cursor-mcp/oauth/callback",
      ],
    ];
    for (const uri of near) {
      const response = await register(roster, { ...described, redirect_uris: [uri] });
      expect([uri, response.status]).toEqual([uri, 400]);
    }
    const clientId = await newClient(roster, { ...described, redirect_uris: [cursor] });
    for (const uri of near) {
      const changes = { redirect_uri: uri };
      const query = authorizationQuery(roster, clientId, pkce().challenge, changes);
      expect((await authorize(roster, ada, query)).pathname).toBe("/oauth2/error");
    }
  });

  test("is the operator's to vouch for as well, and no other is", async () => {
    const { clients } = roster.modules.accounts;
    const known = await clients.register({ name: "Cursor", redirectUris: [cursor] });
    expect(known.redirectUris).toEqual([cursor]);
    const both = { name: "Cursor", redirectUris: [cursor, "vscode://evil.example/callback"] };
    await expect(clients.register(both)).rejects.toThrow('got "vscode://evil.example/callback"');
  });

  test("is none where the operator named another, or none", async () => {
    for (const privateRedirects of [[], ["com.example.app:/callback"]]) {
      const config = { assistants: { privateRedirects, registrationsPerHour: 20 } };
      const other = await openSignInAppliance({ config });
      expect((await register(other, { redirect_uris: [cursor] })).status).toBe(400);
      const own = await register(other, { redirect_uris: ["com.example.app:/callback"] });
      expect(own.status).toBe(privateRedirects.length === 0 ? 400 : 201);
      await other.close();
    }
  });
});
