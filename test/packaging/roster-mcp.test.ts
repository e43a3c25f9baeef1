/** The small local MCP server as a release has it: packed, unpacked, and started in Node by clients and by hand. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { toolOperations } from "../../src/operations/index.ts";
import { openTestAppliance } from "../appliance.ts";
import { modernCall, toolCall } from "../interfaces/mcp/rpc.ts";
import { kinds } from "../official-clients.ts";

const root = join(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "roster-mcp-"));
const nodePath = Bun.which("node") ?? "node";
const kilobytesMax = 100;

function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  const all = { ...process.env, ...env };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: all });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${exitCode}\n${stdout}${stderr}`);
  return stdout.toString();
}

/** @returns the files that a release has of it. */
function pack(name: string, env: Record<string, string>): string {
  const out = join(folder, name);
  mkdirSync(out);
  const script = join(root, "scripts/releasing/assistants.ts");
  run([process.execPath, script, out], out, { SOURCE_DATE_EPOCH: "1790000001", ...env });
  return out;
}

const packed = pack("one", {});
const fileOf = (end: string) => join(packed, `roster-mcp-${version}.${end}`);
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
run(["tar", "-xzf", fileOf("tgz")], folder);
const program = join(folder, "package/roster-mcp.mjs");

const appliance = await openTestAppliance();
const address = appliance.listen();
afterAll(async () => {
  await appliance.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("The package", () => {
  test(`has at most ${kilobytesMax} kB in each form, without dependencies`, () => {
    for (const end of ["tgz", "mcpb"]) {
      expect(statSync(fileOf(end)).size).toBeLessThanOrEqual(kilobytesMax * 1000);
    }
    const described = readJson(join(folder, "package/package.json"));
    expect(described).toMatchObject({ version, bin: { "roster-mcp": "roster-mcp.mjs" } });
    expect(described).not.toHaveProperty("dependencies");
    expect(readdirSync(join(folder, "package")).sort()).toEqual(
      ["LICENSE", "README.md", "package.json", "roster-mcp.mjs"].sort(),
    );
    const imports = readFileSync(program, "utf8").matchAll(/from ?"([^"]+)"|require\("([^"]+)"\)/g);
    expect([...imports].map(([, from, required]) => from ?? required)).toEqual(["node:process"]);
  });

  test("is the same, byte for byte, in another folder and zone", () => {
    const other = pack("other", { TZ: "Asia/Tokyo" });
    const names = readdirSync(packed).sort();
    expect(readdirSync(other).sort()).toEqual(names);
    for (const name of names) {
      const isSame = readFileSync(join(packed, name)).equals(readFileSync(join(other, name)));
      expect([name, isSame]).toEqual([name, true]);
    }
  });

  test("names itself alike for npm, a desktop and a registry, and asks for the key as a secret", () => {
    const server = readJson(fileOf("server.json"));
    const described = readJson(join(folder, "package/package.json"));
    // A registry compares them.
    expect(server.name).toBe(described.mcpName);
    expect(server.description.length).toBeLessThanOrEqual(100);
    const [entry] = server.packages;
    expect(entry).toMatchObject({
      ...{ registryType: "npm", identifier: described.name, version },
      transport: { type: "stdio" },
    });
    expect(entry.environmentVariables[1]).toMatchObject({
      ...{ name: "ROSTER_API_KEY", isRequired: true, isSecret: true },
    });
    const namespace = "org.example.people";
    const own = pack("own", { ROSTER_NAMESPACE: namespace });
    const named = readJson(join(own, `roster-mcp-${version}.server.json`));
    expect(named.name).toBe(`${namespace}/roster-mcp`);
  });

  test.skipIf(!Bun.which("unzip"))("opens as a desktop extension (skipped without unzip)", () => {
    const opened = join(folder, "extension");
    mkdirSync(opened);
    run(["unzip", "-q", fileOf("mcpb")], opened);
    const manifest = readJson(join(opened, "manifest.json"));
    const { entry_point, mcp_config } = manifest.server;
    expect(readFileSync(join(opened, entry_point))).toEqual(readFileSync(program));
    expect(mcp_config.args).toEqual([`\${__dirname}/${entry_point}`]);
    // Every variable is asked for.
    for (const [name, value] of Object.entries(mcp_config.env)) {
      expect(value).toBe(`\${user_config.${name}}`);
      expect(manifest.user_config[name]).toMatchObject({ type: "string", required: true });
    }
    expect(manifest.user_config.ROSTER_API_KEY.sensitive).toBe(true);
  });
});

const env = (key: string, own: Record<string, string> = {}) => ({
  ...{ ROSTER_API_KEY: key, ROSTER_URL: address, ...own },
});

for (const [name, { openLocal }] of Object.entries(kinds)) {
  test(`${name} lists and calls the tools by it, and each call counts once`, async () => {
    const { key } = await appliance.newAccount("pro");
    const client = await openLocal({ command: nodePath, args: [program], env: env(key) });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(toolOperations.map((each) => each.name));
    let used = 0;
    for (const { name: tool, example, isFree } of toolOperations) {
      if (!isFree) used++;
      const result = await client.callTool({ name: tool, arguments: { ...example } });
      expect(result.isError).toBeFalsy();
      expect(result.structuredContent).toMatchObject({ meta: { quota: { used } } });
    }
    await client.close();
  });
}

interface Run {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: The tests read deep into the messages.
  readonly replies: readonly any[];
  readonly err: string;
}

/** A client of plain lines. Without input, it interrupts the process when that serves. */
async function start(own: Record<string, string>, input?: string): Promise<Run> {
  const child = Bun.spawn([nodePath, program], {
    env: own,
    stdin: input === undefined ? "pipe" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  let err = "";
  const hear = async () => {
    for await (const chunk of child.stderr) {
      err += new TextDecoder().decode(chunk);
      if (input === undefined && err.includes("Ctrl-C")) child.kill("SIGINT");
    }
  };
  const [out] = await Promise.all([child.stdout.text(), hear()]);
  const replies = out.split("\n").filter(Boolean);
  return { code: await child.exited, replies: replies.map((line) => JSON.parse(line)), err };
}

const ask = (login: string, id: number | string = 1) =>
  `${JSON.stringify(toolCall("get_developer", { login }, id))}\n`;
const say = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

/** Another server in place of a Roster. */
async function askOther(answer: (request: Request) => Response | Promise<Response>, input: string) {
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, fetch: answer });
  const { key } = await appliance.newAccount("pro");
  const url = other.url.origin;
  const told = await start(env(key, { ROSTER_URL: url }), input);
  await other.stop(true);
  return { ...told, url };
}

describe("The process", () => {
  test("answers every call before it ends with its input, each by its id", async () => {
    const { key } = await appliance.newAccount("pro");
    const input = `${ask("ada-example", 1)}\nhello\n{"x":1}\n${ask("nobody-here", "two").trim()}`;
    const { code, replies, err } = await start(env(key), input);
    expect(code).toBe(0);
    const named = new Map(replies.map((reply) => [reply.id, reply]));
    expect(named.get(1).result.structuredContent.username).toBe("ada-example");
    expect(named.get("two").result._meta["roster/error"].code).toBe("not_found");
    expect(named.get(null).error.code).toBe(-32600);
    expect(replies).toHaveLength(3);
    expect(err).toContain(address);
    expect(err).not.toContain(key);
  });

  test("speaks the protocol of 2026, also with a subscription and a tool that no header can name", async () => {
    const { key } = await appliance.newAccount("pro");
    const { body } = modernCall("get_developer", { login: "ada-example" });
    const { _meta } = body.params;
    const unknown = { ...modernCall("ünknown tool", {}, 2).body };
    const notifications = { toolsListChanged: true };
    const input = [
      say(body),
      say(unknown),
      say({ id: "open", method: "subscriptions/listen", params: { _meta, notifications } }),
    ].join("");
    const { code, replies } = await start(env(key), input);
    expect(code).toBe(0);
    const named = new Map(replies.map((reply) => [reply.id, reply]));
    expect(named.get(1).result).toMatchObject({ resultType: "complete" });
    expect(named.get(2).error.message).toContain("unknown tool");
    expect(named.get("open").result.resultType).toBe("complete");
    expect(replies.some(({ method }) => method?.endsWith("acknowledged"))).toBe(true);
  });

  test("ends with 0 at the end of its input and at Ctrl-C", async () => {
    const { key } = await appliance.newAccount("pro");
    expect(await start(env(key), "")).toMatchObject({ code: 0, replies: [] });
    expect(await start(env(key))).toMatchObject({ code: 0, replies: [] });
  });

  test("gives slim answers where it is asked to", async () => {
    const { key } = await appliance.newAccount("pro");
    const input = say(toolCall("search_developers", { location: "Berlin" }));
    const fields = async (own: Record<string, string>) => {
      const { replies } = await start(env(key, own), input);
      return Object.keys(replies[0].result.structuredContent.results[0]);
    };
    expect(await fields({})).toContain("bio");
    expect(
      await fields({ ROSTER_MCP_DETAIL: "slim", ROSTER_URL: `${address}/mcp/` }),
    ).not.toContain("bio");
  });

  const refusals: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ["no key", { ROSTER_URL: "http://127.0.0.1:7171" }, /KEY is not set.*:7171.*account create/],
    ["what is no key", { ROSTER_API_KEY: "hunter2" }, /API_KEY is not a key: it must be rst_/],
    ["a wrong address", { ROSTER_URL: "roster:7171" }, /ROSTER_URL must be an http or https/],
    ["a wrong detail", { ROSTER_MCP_DETAIL: "tiny" }, /ROSTER_MCP_DETAIL must be one of full/],
  ];
  for (const [what, own, words] of refusals) {
    test(`ends with 2 for ${what}, saying so on standard error alone`, async () => {
      const { key } = await appliance.newAccount("pro");
      const given = what === "no key" ? own : { ROSTER_API_KEY: key, ...own };
      const { code, replies, err } = await start(given, "");
      expect({ code, replies }).toEqual({ code: 2, replies: [] });
      expect(err).toMatch(words);
      expect(err).not.toContain("hunter2");
    });
  }

  test("tells the model what a key that was revoked and a spent quota mean", async () => {
    const revoked = await appliance.newAccount("pro");
    await appliance.modules.accounts.regenerateKey(revoked.email);
    const { replies } = await start(
      env(revoked.key),
      `${ask("ada-example")}${say({ id: 2, method: "ping" })}`,
    );
    const named = new Map(replies.map((reply) => [reply.id, reply]));
    expect(named.get(1).result.isError).toBe(true);
    expect(named.get(1).result.content[0].text).toMatch(
      /^unauthorized: http.* refuses the key in ROSTER_API_KEY\. .*revoked/,
    );
    expect(named.get(2).error.message).toMatch(/^unauthorized: /);

    const spent = await appliance.newAccount("pro", { callsPerDay: 1 });
    const asked = await start(env(spent.key), ask("ada-example"));
    expect(asked.replies[0].result.isError).toBeFalsy();
    const refused = await start(env(spent.key), ask("ada-example"));
    expect(refused.replies[0].result.content[0].text).toMatch(/^quota_exceeded: /);
  });

  test("an address that does not answer is an error of the call, and not the end", async () => {
    const { key } = await appliance.newAccount("pro");
    const input = `${ask("ada-example")}${say({ id: 2, method: "initialize", params: {} })}`;
    const { code, replies } = await start(env(key, { ROSTER_URL: "http://127.0.0.1:9" }), input);
    expect(code).toBe(0);
    const named = new Map(replies.map((reply) => [reply.id, reply]));
    const words =
      /^internal: no Roster answers at http:\/\/127\.0\.0\.1:9 \(.+\); start one there, or set/;
    expect(named.get(1).result.content[0].text).toMatch(words);
    expect(named.get(2).error.message).toMatch(words);
  });

  const others: readonly (readonly [string, () => Response, RegExp])[] = [
    ["a page", () => new Response("<html>"), /gives no answer of a Roster \(HTTP 200\)/],
    ["a proxy's fault", () => new Response("x", { status: 502 }), /\(HTTP 502\)/],
    ["no body", () => new Response(null, { status: 204 }), /\(HTTP 204\)/],
    ["another call", () => Response.json({ id: 7, result: {} }), /no answer of a Roster/],
    [
      "another address",
      () => Response.redirect("https://there.example", 308),
      /leads to https:..th/,
    ],
    ["too much", () => new Response("x".repeat(17 * 2 ** 20)), /it sends more than 16 MB/],
  ];
  for (const [what, answer, words] of others) {
    test(`says so when the address answers with ${what}`, async () => {
      const { replies } = await askOther(answer, ask("ada-example"));
      expect(replies).toHaveLength(1);
      expect(replies[0].result.content[0].text).toMatch(words);
    });
  }

  test("passes on large answers, and a refusal of the whole request by the id of its call", async () => {
    const text = "ä\u2028".repeat(2 * 2 ** 20);
    const large = await askOther(
      () => Response.json({ jsonrpc: "2.0", id: 1, result: { text } }),
      ask("a"),
    );
    expect(large.replies[0].result.text).toBe(text);
    const refusal = { jsonrpc: "2.0", id: null, error: { code: -32000, message: "no" } };
    const refused = await askOther(() => Response.json(refusal, { status: 403 }), ask("a", "x"));
    expect(refused.replies[0]).toMatchObject({ id: "x", error: { message: "no" } });
  });

  test("breaks off a cancelled call, and gives no answer to it", async () => {
    const never = () => new Promise<Response>(() => undefined);
    const cancel = say({ method: "notifications/cancelled", params: { requestId: 1 } });
    const { code, replies } = await askOther(never, `${ask("ada-example")}${cancel}`);
    expect({ code, replies }).toEqual({ code: 0, replies: [] });
  });

  test("answers every call of a burst", async () => {
    const { key } = await appliance.newAccount("pro");
    const input = Array.from({ length: 200 }, (_, id) => say({ id, method: "ping" })).join("");
    const { replies } = await start(env(key), input);
    expect(replies.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, id) => id),
    );
  });
});
