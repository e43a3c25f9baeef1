/**
 * The same questions through REST, hosted MCP, local MCP and the command line, over one data folder: the same data, but for what
 * the tools add and make harmless; the same errors; and every interface that takes a key counts the same.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveLocal } from "../../src/interfaces/mcp/mcp.ts";
import { cleanData, describeData } from "../../src/interfaces/mcp/tool-schemas.ts";
import { operations } from "../../src/operations/index.ts";
import { openTestAppliance, type TestAccount } from "../appliance.ts";
import { openCommandLine, toFlags } from "./cli/command-line.ts";
import { openRpc, toolCall } from "./mcp/rpc.ts";
import { type ParityInput, parityInputs } from "./parity-inputs.ts";

/** Either the data or the error, as every interface has them. */
interface Told {
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}
type InterfaceClient = (asked: ParityInput) => Promise<Told>;

const root = mkdtempSync(join(tmpdir(), "roster-parity-"));
const folder = join(root, "data");

const appliance = await openTestAppliance({ folder });
const address = appliance.listen();
const commandLine = openCommandLine(appliance.clock.now);
afterAll(async () => {
  await appliance.close();
  commandLine.close();
  rmSync(root, { recursive: true });
});

function rest({ key }: TestAccount): InterfaceClient {
  return async ({ operation, input }) => {
    const { method, path } = operationOf(operation);
    const [first] = Object.values(input);
    const filled = path.replace(/:\w+/, () => encodeURIComponent(String(first)));
    const asTexts = Object.entries(input).map(([field, value]) => [field, String(value)] as const);
    const isInPath = path.includes(":");
    const query = isInPath ? "" : `?${new URLSearchParams(Object.fromEntries(asTexts))}`;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const init = { method, headers, body: method === "POST" ? JSON.stringify(input) : null };
    const answer = await fetch(address + filled + (method === "GET" ? query : ""), init);
    return told(await answer.json());
  };
}

function hosted({ key }: TestAccount): InterfaceClient {
  const { call } = openRpc(fetch, key, address);
  return async ({ operation, input }) => toldByTool((await call(operation, input)).result);
}

/** The local server itself, over streams of the test's own. */
function local({ key }: TestAccount): InterfaceClient & { close(): Promise<void> } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const waiting = new Map<number, (result: unknown) => void>();
  const ended = serveLocal({
    answers: { url: address, key },
    detail: "full",
    version: "0.0.0-test",
    input: readable,
    write: (line) => {
      const { id, result } = JSON.parse(line);
      waiting.get(id)?.(result);
    },
    note: () => {},
    signal: new AbortController().signal,
  });
  let ids = 0;
  const ask: InterfaceClient = async ({ operation, input }) => {
    const id = ++ids;
    const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    const line = `${JSON.stringify(toolCall(operation, input, id))}\n`;
    await writer.write(new TextEncoder().encode(line));
    return toldByTool(await answered);
  };
  const close = async () => {
    await writer.close();
    await ended;
  };
  return Object.assign(ask, { close });
}

const cli: InterfaceClient = async ({ operation, input }) => {
  const { command } = operationOf(operation);
  const ran = await commandLine.run(command, ...toFlags(input), "--json", "--data", folder);
  return told(JSON.parse(ran.out));
};

function operationOf(name: string) {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`there is no ${name}`);
  return operation;
}

function told(envelope: unknown): Told {
  const { success, data, error } = envelope as Told & { success: boolean };
  return success ? { data } : { error: error as NonNullable<Told["error"]> };
}

/** Such an answer as the tools tell it. */
function madeHarmless({ data, error }: Told, operation: string): Told {
  if (error) return { error };
  return { data: cleanData(data, describeData(operationOf(operation), "full").schema) };
}

function toldByTool(result: unknown): Told {
  const { isError, structuredContent, content, _meta } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content: { text: string }[];
    _meta: {
      "roster/error"?: { code: string; message: string };
      "roster/meta": { quota: object };
    };
  };
  if (!isError) {
    const { meta, ...data } = structuredContent as { meta: { quota: object } };
    expect(meta.quota).toEqual(_meta["roster/meta"].quota);
    return { data };
  }
  const { code, message } = _meta["roster/error"] ?? { code: "none", message: "none" };
  // What the model reads is the same.
  expect(content[0]?.text).toBe(`${code}: ${message}`);
  return { error: { code, message } };
}

const used = async ({ key }: TestAccount) => {
  const identity = await appliance.modules.accounts.authenticate(key);
  if (!identity) throw new Error("no such key");
  return (await appliance.modules.quota.usage(identity)).quota.used;
};

describe("The same question at every interface", () => {
  const accounts = {} as Record<"rest" | "hosted" | "local", TestAccount>;
  let clients: { rest: InterfaceClient; hosted: InterfaceClient; local: ReturnType<typeof local> };

  beforeAll(async () => {
    for (const client of ["rest", "hosted", "local"] as const) {
      accounts[client] = await appliance.newAccount("pro");
    }
    clients = {
      rest: rest(accounts.rest),
      hosted: hosted(accounts.hosted),
      local: local(accounts.local),
    };
  });
  afterAll(() => clients.local.close());

  for (const asked of parityInputs) {
    const shown = JSON.stringify(asked.input).slice(0, 90);
    test(`${asked.operation} ${shown}`, async () => {
      const before = { hosted: await used(accounts.hosted), local: await used(accounts.local) };
      const answer = await clients.hosted(asked);
      const isAnswered = answer.data !== undefined || answer.error?.code === "not_found";
      const counts = isAnswered && !operationOf(asked.operation).isFree ? 1 : 0;
      expect((await used(accounts.hosted)) - before.hosted).toBe(counts);
      expect(await clients.local(asked)).toEqual(answer);
      expect((await used(accounts.local)) - before.local).toBe(counts);
      const { operation, cannot } = asked;
      if (cannot?.cli === undefined) {
        expect(madeHarmless(await cli(asked), operation)).toEqual(answer);
      }
      if (cannot?.rest === undefined) {
        const earlier = await used(accounts.rest);
        expect(madeHarmless(await clients.rest(asked), operation)).toEqual(answer);
        expect((await used(accounts.rest)) - earlier).toBe(counts);
      }
    });
  }

  test("there are at least 50 questions for every interface, with data and with each kind of refusal", async () => {
    const everywhere = parityInputs.filter(({ cannot }) => !cannot?.rest && !cannot?.cli);
    expect(everywhere.length).toBeGreaterThanOrEqual(50);
    const answers = await Promise.all(
      everywhere.map(hosted(await appliance.newAccount("enterprise"))),
    );
    const kinds = new Set(answers.map(({ error }) => error?.code ?? "data"));
    expect([...kinds].sort()).toEqual(["data", "invalid_request", "not_found"]);
  });
});

describe("The refusals that need no question", () => {
  const asked: ParityInput = { operation: "get_developer", input: { login: "ada-example" } };

  test("a spent quota is told in the same words, and counts nothing", async () => {
    const limited = () => appliance.newAccount("pro", { callsPerMonth: 1 });
    const accounts = [await limited(), await limited(), await limited()] as const;
    const atHome = local(accounts[2]);
    const clients = [rest(accounts[0]), hosted(accounts[1]), atHome];
    for (const client of clients) expect(await client(asked)).toHaveProperty("data");
    const refusals = [];
    for (const client of clients) refusals.push(await client(asked));
    expect(refusals[0]?.error?.code).toBe("quota_exceeded");
    expect(refusals[0]?.error?.message).toContain("it resets at 2026-12-01T00:00:00Z");
    expect(refusals[1]).toEqual(refusals[0] as Told);
    expect(refusals[2]).toEqual(refusals[0] as Told);
    expect(await Promise.all(accounts.map(used))).toEqual([1, 1, 1]);
    await atHome.close();
  });

  test("a dead key is told in the same words", async () => {
    const account = await appliance.newAccount("pro");
    await appliance.modules.accounts.setDisabled(account.email, true);
    const refused = await rest(account)(asked);
    expect(refused.error?.code).toBe("unauthorized");
    const atHome = local(account);
    expect(await atHome(asked)).toEqual(refused);
    await atHome.close();
    // At /mcp it may have been a token: test/interfaces/mcp/challenge.test.ts.
    const { status } = await openRpc(fetch, account.key, address).post(
      toolCall(asked.operation, asked.input),
    );
    expect(status).toBe(401);
  });
});
