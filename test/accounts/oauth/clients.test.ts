/**
 * The official clients, against a server that really listens: discovery, registration, authorization, consent,
 * token, call, refresh, revocation. The person's browser is followed redirect by redirect.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  auth as authModern,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { auth as authLegacy } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";
import { type Browser, signedIn } from "../sign-in/browser.ts";
import { consented, newClient, pkce, redeem, type Tokens } from "./assistant.ts";

let roster: TestAppliance;
let address: string;
let ada: Browser;

beforeAll(async () => {
  roster = await openTestAppliance();
  address = roster.listen();
  ada = await signedIn(roster, "ada@example.com");
});
afterAll(() => roster.close());

const redirectUrl = "http://127.0.0.1:43118/callback";
const self = { name: "roster-test", version: "1" };

/** What an assistant remembers between the steps: the clients' own interface, alike in both. */
function memory() {
  const kept: { client?: never; tokens?: never; verifier: string; sentTo?: URL } = { verifier: "" };
  return {
    kept,
    redirectUrl,
    clientMetadata: {
      client_name: "Official client",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client as never;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens as never;
    },
    redirectToAuthorization: (url: URL) => {
      kept.sentTo = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
  };
}

type Memory = ReturnType<typeof memory>;
const tokensOf = ({ kept }: Memory) => kept.tokens as unknown as Tokens;

/** The person's part: opens what the assistant opened, says yes. @returns what comes back to the assistant. */
async function inTheBrowser(url: URL): Promise<URLSearchParams> {
  const headers = { cookie: [...ada.jar].map((pair) => pair.join("=")).join("; ") };
  const page = await fetch(url, { headers, redirect: "manual" });
  const consent = new URL(page.headers.get("location") ?? "");
  expect(consent.href).toStartWith(`${address}/consent?`);
  const { location } = await roster.signIn.decide(
    new Request(consent.href, { headers }),
    consent.search,
    true,
  );
  expect(location).toStartWith(redirectUrl);
  return new URL(location).searchParams;
}

const kinds = {
  "the client of 2025": {
    open: async (provider: Memory) => {
      const client = new LegacyClient(self);
      const transport = new LegacyTransport(new URL(`${address}/mcp`), {
        authProvider: provider as never,
      });
      await client.connect(transport as Transport);
      return client;
    },
    finish: (provider: Memory, callback: URLSearchParams) =>
      authLegacy(provider as never, {
        serverUrl: `${address}/mcp`,
        authorizationCode: callback.get("code") ?? "",
      }),
    renew: (provider: Memory) => authLegacy(provider as never, { serverUrl: `${address}/mcp` }),
  },
  "the client of 2026": {
    open: async (provider: Memory) => {
      const client = new ModernClient(self, { versionNegotiation: { mode: "auto" } });
      await client.connect(
        new ModernTransport(new URL(`${address}/mcp`), { authProvider: provider as never }),
      );
      return client;
    },
    finish: (provider: Memory, callback: URLSearchParams) =>
      authModern(provider as never, {
        serverUrl: `${address}/mcp`,
        authorizationCode: callback.get("code") ?? "",
        iss: callback.get("iss") ?? "",
      }),
    renew: (provider: Memory) => authModern(provider as never, { serverUrl: `${address}/mcp` }),
  },
};

for (const [name, { open, finish, renew }] of Object.entries(kinds)) {
  describe(name, () => {
    const connect = async (provider: Memory) => {
      await expect(open(provider)).rejects.toThrow("Unauthorized");
      const callback = await inTheBrowser(provider.kept.sentTo as URL);
      expect(await finish(provider, callback)).toBe("AUTHORIZED");
      return open(provider);
    };
    const get = { name: "get_developer", arguments: { login: "ada-example" } };

    test("goes the whole way: discovery, registration, consent, token, call, refresh, revocation", async () => {
      const provider = memory();
      const client = await connect(provider);
      expect(tokensOf(provider).scope).toBe("search profile offline_access");
      const answer = await client.callTool(get);
      expect(answer.isError ?? false).toBe(false);
      expect(answer.structuredContent).toMatchObject({ username: "ada-example" });
      const before = tokensOf(provider);
      expect(await renew(provider)).toBe("AUTHORIZED");
      expect(tokensOf(provider).refresh_token).not.toBe(before.refresh_token);
      expect((await client.callTool(get)).isError ?? false).toBe(false);
      const body = new URLSearchParams({
        client_id: (provider.kept.client as unknown as { client_id: string }).client_id,
        token: tokensOf(provider).refresh_token ?? "",
      });
      const revoked = await fetch(`${address}/oauth2/revoke`, { method: "POST", body });
      expect(revoked.status).toBe(200);
      const { access_token: token } = tokensOf(provider);
      expect(await roster.signIn.authenticateToken(token, `${address}/mcp`)).toBeUndefined();
      await client.close();
    });
  });
}

test("an assistant that was granted searching alone may search, and nothing else, which costs nothing", async () => {
  const bob = await signedIn(roster, "bob@example.com");
  const clientId = await newClient(roster);
  const proof = pkce();
  const changes = { scope: "search", resource: `${address}/mcp` };
  const callback = await consented(roster, bob, clientId, proof, changes);
  const response = await redeem(roster, clientId, callback, proof, { resource: `${address}/mcp` });
  const { access_token: token } = (await response.json()) as Tokens;
  const client = new LegacyClient(self);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new LegacyTransport(new URL(`${address}/mcp`), { requestInit }) as Transport,
  );
  const refused = await client.callTool({
    name: "get_developer",
    arguments: { login: "ada-example" },
  });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain("was not granted");
  const found = await client.callTool({
    name: "search_developers",
    arguments: { location: "Berlin" },
  });
  expect(found.isError ?? false).toBe(false);
  const [assistant] = await roster.signIn.assistants(
    roster.rooms.accounts.find("bob@example.com")?.id ?? "",
  );
  expect(assistant?.lastUsedAt).toBeDefined();
  await client.close();
});
