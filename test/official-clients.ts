/** The official MCP clients as a person's assistant: they send the person to a browser and wait at a callback. */
import {
  auth as authModern,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { auth as authLegacy } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

export type Memory = ReturnType<typeof memory>;

/** What a client remembers between the steps; both ask for it alike. */
export function memory(name: string, redirectUrl: string) {
  const kept: { client?: never; tokens?: never; verifier: string; sentTo?: URL } = { verifier: "" };
  return {
    kept,
    redirectUrl,
    clientMetadata: {
      client_name: name,
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

/** What the clients of both protocols have in common. */
export interface OpenClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<{
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  }>;
  close(): Promise<void>;
}

/** A command that a client starts. */
interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

export interface Kind {
  /** Rejects with "Unauthorized" when the person must go to the browser first. */
  open(server: string, given: Memory | { readonly key: string }): Promise<OpenClient>;
  openLocal(command: Command): Promise<OpenClient>;
  finish(server: string, provider: Memory, came: URLSearchParams): Promise<unknown>;
  refresh(server: string, provider: Memory): Promise<unknown>;
}

const self = { name: "roster-test", version: "1" };
const optionsOf = (given: Memory | { readonly key: string }) =>
  "key" in given
    ? { requestInit: { headers: { authorization: `Bearer ${given.key}` } } }
    : { authProvider: given as never };

async function connectLegacy(transport: unknown): Promise<OpenClient> {
  const client = new LegacyClient(self);
  await client.connect(transport as Transport);
  return client as never;
}

async function connectModern(transport: ModernTransport | ModernStdio): Promise<OpenClient> {
  const client = new ModernClient(self, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return client as never;
}

export const kinds: Readonly<Record<string, Kind>> = {
  "the client of 2025": {
    open: (server, given) => connectLegacy(new LegacyTransport(new URL(server), optionsOf(given))),
    openLocal: (command) => connectLegacy(new LegacyStdio({ ...command, stderr: "ignore" })),
    finish: (serverUrl, provider, came) =>
      authLegacy(provider as never, { serverUrl, authorizationCode: came.get("code") ?? "" }),
    refresh: (serverUrl, provider) => authLegacy(provider as never, { serverUrl }),
  },
  "the client of 2026": {
    open: (server, given) => connectModern(new ModernTransport(new URL(server), optionsOf(given))),
    openLocal: (command) => connectModern(new ModernStdio({ ...command, stderr: "ignore" })),
    finish: (serverUrl, provider, came) =>
      authModern(provider as never, {
        serverUrl,
        authorizationCode: came.get("code") ?? "",
        iss: came.get("iss") ?? "",
      }),
    refresh: (serverUrl, provider) => authModern(provider as never, { serverUrl }),
  },
};
