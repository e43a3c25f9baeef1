/** The official clients, against a server that really listens: they find the tools, call them, and read the answers. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  type ClientOptions,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describeInput } from "../../../src/interfaces/mcp/tool-schemas.ts";
import { toolOperations } from "../../../src/operations/index.ts";
import { openTestAppliance } from "../../appliance.ts";

const appliance = await openTestAppliance();
const address = new URL(`${appliance.listen()}/mcp`);
afterAll(() => appliance.close());

const self = { name: "roster-test", version: "1" };
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

const openLegacy = async (key: string) => {
  const client = new LegacyClient(self);
  await client.connect(new LegacyTransport(address, withKey(key)) as Transport);
  return client;
};
const openModern = (options: ClientOptions) => async (key: string) => {
  const client = new ModernClient(self, options);
  await client.connect(new ModernTransport(address, withKey(key)));
  return client;
};

const clients = {
  "the client of 2025": openLegacy,
  "the client of 2026, by default": openModern({}),
  "the client of 2026 that looks first": openModern({ versionNegotiation: { mode: "auto" } }),
  "the client of 2026 that takes nothing older": openModern({
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  }),
};

for (const [name, open] of Object.entries(clients)) {
  describe(name, () => {
    test("lists the tools as the records say, and that costs nothing", async () => {
      const { key } = await appliance.newAccount("pro");
      const client = await open(key);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(toolOperations.map((each) => each.name));
      for (const [index, tool] of tools.entries()) {
        const operation = toolOperations[index] as (typeof toolOperations)[number];
        const { output, aliases = [], description } = operation;
        const shown = Object.keys(output["properties"]).filter((name) => !aliases.includes(name));
        expect(tool.inputSchema).toEqual(JSON.parse(JSON.stringify(describeInput(operation))));
        expect(Object.keys(tool.outputSchema?.properties ?? {})).toEqual(["meta", ...shown]);
        expect(tool.description).toStartWith(`${description} Example: {`);
        const hints = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
        expect(tool.annotations).toMatchObject(hints);
      }
      const src = expect.stringMatching(/^data:image\/svg\+xml;/);
      const icons = [{ mimeType: "image/svg+xml", src }];
      expect(client.getServerVersion()).toMatchObject({ name: "roster", icons });
      expect(client.getInstructions()).toContain("monthly calls");
      await client.close();
      expect((await appliance.client.get("ada-example", key)).body.meta.quota.used).toBe(1);
    });

    // The clients themselves hold structured content against the output schema, and throw.
    test("calls every tool, and each call counts once", async () => {
      const { key } = await appliance.newAccount("pro");
      const client = await open(key);
      await client.listTools();
      let used = 0;
      for (const { name, example, isFree } of toolOperations) {
        const result = await client.callTool({ name, arguments: { ...example } });
        expect(result.isError).toBeFalsy();
        const { calls = 1 } = result.structuredContent as { calls?: number };
        if (!isFree) used += calls;
        expect(result.structuredContent).toMatchObject({ meta: { quota: { used } } });
        expect(result._meta?.["roster/meta"]).toMatchObject({
          dataSource: "candidate_pool",
          quota: { used, limit: 1000, month: "2026-11" },
        });
      }
      await client.close();
    });

    test("a tool that does not exist is an error of the protocol", async () => {
      const client = await open((await appliance.newAccount("pro")).key);
      const call = client.callTool({ name: "search_developer" });
      await expect(call).rejects.toMatchObject({ code: -32602 });
      await expect(call).rejects.toThrow('did you mean "search_developers"?');
      await client.close();
    });

    test("does not get in without a good key", async () => {
      await expect(open("rst_nobody")).rejects.toThrow();
    });
  });
}
