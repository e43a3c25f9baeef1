/** `roster mcp` as an assistant starts it: a process of its own, asking a service that really listens. */
import { afterAll, describe, expect, test } from "bun:test";
import { type ClientOptions, Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { toolOperations } from "../../../src/operations/index.ts";
import { openTestAppliance } from "../../appliance.ts";
import { program } from "../../faults/server-process.ts";
import { modernCall, toolCall } from "./rpc.ts";

const appliance = await openTestAppliance();
const address = appliance.listen();
afterAll(() => appliance.close());

const command = (key: string, url = address) => ({
  command: program[0] as string,
  args: [...program.slice(1), "mcp"],
  env: { ROSTER_API_KEY: key, ROSTER_URL: url },
  stderr: "ignore" as const,
});
const self = { name: "roster-test", version: "1" };
const openModern = (options: ClientOptions) => async (key: string) => {
  const client = new ModernClient(self, options);
  await client.connect(new ModernTransport(command(key)));
  return client;
};
const clients = {
  "the client of 2025": async (key: string) => {
    const client = new LegacyClient(self);
    await client.connect(new LegacyTransport(command(key)) as Transport);
    return client;
  },
  "the client of 2026, by default": openModern({}),
  "the client of 2026 that looks first": openModern({ versionNegotiation: { mode: "auto" } }),
  "the client of 2026 that takes nothing older": openModern({
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  }),
};

for (const [name, open] of Object.entries(clients)) {
  test(`${name} lists and calls the tools, and each call counts once`, async () => {
    const { key } = await appliance.newAccount("pro");
    const client = await open(key);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolOperations.map((each) => each.name));
    let used = 0;
    for (const { name: tool, example, isFree } of toolOperations) {
      const result = await client.callTool({ name: tool, arguments: { ...example } });
      expect(result.isError).toBeFalsy();
      const { calls = 1 } = result.structuredContent as { calls?: number };
      if (!isFree) used += calls;
      expect(result._meta?.["roster/meta"]).toMatchObject({ quota: { used } });
    }
    await client.close();
  });
}

interface Run {
  readonly code: number;
  readonly lines: readonly string[];
  readonly err: string;
}

/** The process by itself: what it says on either stream, and how it ends. */
async function run(
  env: Record<string, string>,
  input: string | undefined,
  args: readonly string[] = [],
): Promise<Run> {
  const child = Bun.spawn([...program, "mcp", ...args], {
    env,
    stdin: input === undefined ? "pipe" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const told = async () => {
    let text = "";
    for await (const chunk of child.stderr) {
      text += new TextDecoder().decode(chunk);
      // Only when it serves is there anything to interrupt.
      if (input === undefined && text.includes("Ctrl-C")) child.kill("SIGINT");
    }
    return text;
  };
  const [out, err] = await Promise.all([child.stdout.text(), told()]);
  return { code: await child.exited, lines: out.split("\n").filter((line) => line !== ""), err };
}

const ask = (login: string, id: number | string = 1) =>
  `${JSON.stringify(toolCall("get_developer", { login }, id))}\n`;

describe("The process", () => {
  const keyed = (key: string, own: Record<string, string> = {}) => ({
    ...{ ROSTER_API_KEY: key, ROSTER_URL: address, ...own },
  });

  test("answers every call before it ends with its input, and writes nothing else to standard output", async () => {
    const { key } = await appliance.newAccount("pro");
    const asked = `${ask("ada-example", 1)}${ask("Ben-Sample", 2)}${ask("nobody-here", "three").trim()}`;
    const { code, lines, err } = await run(keyed(key), asked);
    expect(code).toBe(0);
    const replies = lines.map((line) => JSON.parse(line));
    const named = new Map(replies.map(({ id, result }) => [id, result]));
    expect(named.get(1).structuredContent.username).toBe("ada-example");
    expect(named.get(2).structuredContent.username).toBe("Ben-Sample");
    expect(named.get("three")._meta["roster/error"].code).toBe("not_found");
    expect(replies).toHaveLength(3);
    expect(err).toContain(address);
    expect(err).not.toContain(key);
  });

  test("ends with 0 at the end of its input and at Ctrl-C", async () => {
    const { key } = await appliance.newAccount("pro");
    expect((await run(keyed(key), "")).code).toBe(0);
    expect(await run(keyed(key), undefined)).toMatchObject({ code: 0, lines: [] });
  });

  test("ends with its input although a subscription is open, and a call was cancelled", async () => {
    const { key } = await appliance.newAccount("pro");
    const { _meta } = modernCall("get_developer", {}).body.params;
    const notifications = { toolsListChanged: true };
    const say = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    const input = [
      say({ id: "open", method: "subscriptions/listen", params: { _meta, notifications } }),
      say({ ...toolCall("get_developer", {}, 2), params: { _meta, name: "get_developer" } }),
      say({ method: "notifications/cancelled", params: { _meta, requestId: 2 } }),
    ].join("");
    expect((await run(keyed(key), input)).code).toBe(0);
  });

  test("passes over lines that are no JSON, and refuses JSON that is no message", async () => {
    const { key } = await appliance.newAccount("pro");
    const { code, lines } = await run(keyed(key), `hello\n\n{"x":1}\n${ask("ada-example")}`);
    expect(code).toBe(0);
    expect(lines.map((line) => JSON.parse(line).error?.code)).toEqual([-32600, undefined]);
  });

  const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ["no key", { ROSTER_URL: "http://127.0.0.1:7171" }, /KEY is not set.*:7171.*account create/],
    ["what is no key", { ROSTER_API_KEY: "hunter2" }, /API_KEY is not a key: it must be rst_/],
    ["a misspelt variable", { ROSTER_APIKEY: "x" }, /did you mean ROSTER_API_KEY\?/],
    ["a wrong address", { ROSTER_URL: "roster:7171" }, /ROSTER_URL.*http or https address/],
    ["a key file that is not there", { ROSTER_API_KEY_FILE: "/nowhere" }, /does not exist/],
  ];
  for (const [what, env, words] of refusals) {
    test(`ends with 2 for ${what}, saying so on standard error alone`, async () => {
      const { code, lines, err } = await run(env, "");
      expect({ code, lines }).toEqual({ code: 2, lines: [] });
      expect(err).toMatch(words);
      expect(err).not.toContain("hunter2");
    });
  }

  test("tells less where it is asked to, by a flag or a variable", async () => {
    const { key } = await appliance.newAccount("pro");
    const asked = `${JSON.stringify(toolCall("search_developers", { location: "Berlin" }))}\n`;
    const fields = async (own: Record<string, string>, args: readonly string[] = []) => {
      const { lines } = await run(keyed(key, own), asked, args);
      return Object.keys(JSON.parse(lines[0] as string).result.structuredContent.results[0]);
    };
    expect(await fields({})).toContain("bio");
    expect(await fields({ ROSTER_MCP_DETAIL: "slim" })).not.toContain("bio");
    expect(await fields({}, ["--mcp-detail", "slim"])).not.toContain("bio");
    const { code, err } = await run(keyed(key, { ROSTER_MCP_DETAIL: "tiny" }), "");
    expect([code, err]).toEqual([2, expect.stringContaining("one of full, slim")]);
  });

  test("a service that does not answer is an error of the call, and names the address", async () => {
    const { key } = await appliance.newAccount("pro");
    const away = ["--url", "http://127.0.0.1:9"];
    const { code, lines } = await run(keyed(key), ask("ada-example"), away);
    expect(code).toBe(0);
    const { result } = JSON.parse(lines[0] as string);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(
      /^internal: no Roster service answers at http:\/\/127\.0\.0\.1:9 .* set its address with --url/,
    );
  });

  test("what answers and is no Roster is told as that", async () => {
    const other = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response("<html>"),
    });
    const { key } = await appliance.newAccount("pro");
    const { lines } = await run(keyed(key, { ROSTER_URL: other.url.origin }), ask("ada-example"));
    expect(JSON.parse(lines[0] as string).result.content[0].text).toBe(
      `internal: the server at ${other.url.origin} is not a Roster service (HTTP 200); set its address with --url`,
    );
    await other.stop(true);
  });

  test("a key that the service does not know is refused in the service's words", async () => {
    const { email, key } = await appliance.newAccount("pro");
    await appliance.modules.accounts.regenerateKey(email);
    const { lines } = await run(keyed(key), ask("ada-example"));
    expect(JSON.parse(lines[0] as string).result.content[0].text).toBe(
      "unauthorized: API key missing, invalid or revoked.",
    );
  });
});
