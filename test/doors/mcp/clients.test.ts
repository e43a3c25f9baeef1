/** The official clients, against a server that really listens: they find the tools, call them, and read the answers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { operations } from "../../../src/operations/index.ts";
import { openTestAppliance, type TestAppliance } from "../../appliance.ts";

let appliance: TestAppliance;
let address: URL;

beforeAll(async () => {
  appliance = await openTestAppliance();
  address = new URL(`${appliance.listen()}/mcp`);
});
afterAll(() => appliance.close());

const self = { name: "test", version: "1" };
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

const clients = {
  "the client of 2025": async (key: string) => {
    const client = new LegacyClient(self);
    // biome-ignore lint/suspicious/noExplicitAny: its own types do not agree under exactOptionalPropertyTypes.
    await client.connect(new LegacyTransport(address, withKey(key)) as any);
    return client;
  },
  "the client of 2026 by default": async (key: string) => {
    const client = new ModernClient(self);
    await client.connect(new ModernTransport(address, withKey(key)));
    return client;
  },
  "the client of 2026 that looks first": async (key: string) => {
    const client = new ModernClient(self, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(address, withKey(key)));
    return client;
  },
  "the client of 2026 that insists": async (key: string) => {
    const client = new ModernClient(self, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new ModernTransport(address, withKey(key)));
    return client;
  },
};

for (const [name, open] of Object.entries(clients)) {
  describe(name, () => {
    test("lists the tools as the records say", async () => {
      const client = await open(appliance.newAccount("pro").key);
      const { tools } = await client.listTools();
      console.log(client.getServerVersion(), tools.map((t) => t.name));
      for (const operation of operations) {
        const r = await client.callTool({ name: operation.name, arguments: operation.example as Record<string, unknown> });
        console.log(JSON.stringify(r).slice(0, 300));
      }
      await client.close();
    });
  });
}
