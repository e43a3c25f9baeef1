/** The MCP endpoint over its socket. */
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import { printed } from "../bytes.ts";
import { defineTarget, type OpenTarget } from "../campaign.ts";
import { exchange } from "../http/exchange.ts";
import { bytesOf, type Call } from "../http/requests.ts";
import { describeServer, startServer } from "../program.ts";
import { asCall, callsOf, type Tool } from "./messages.ts";

/** Tools that cost no call. */
const freeTools = ["lookup_terms"];

export const openMcpTarget: OpenTarget = async (folder) => {
  const server = await startServer(folder);
  const plan = ["--plan", "enterprise", "--calls-per-day", "unlimited"];
  const { key } = await server.command("account", "create", "main@example.com", ...plan);
  const send = async (call: Call) => {
    const sent = bytesOf(call).replaceAll("{main}", key);
    const { answers, isSilent } = await exchange(server.port, [sent], {
      isHead: call.method === "HEAD",
    });
    if (isSilent) throw new Error("hang: no answer");
    const [answer] = answers;
    if (!answer) throw new Error("the connection was closed without an answer");
    return answer;
  };
  const listTools = async (target: string) => {
    const asked = asCall({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = JSON.parse((await send({ ...asked, target })).body);
    return (result as { tools: readonly Tool[] }).tools;
  };
  const tools = await listTools("/mcp");
  const check = openCheck({ full: tools, slim: await listTools("/mcp?detail=slim") });
  const statuses = new Map<number, number>();
  return defineTarget<Call>({
    cases: callsOf(tools),
    tryCase: async (call) => {
      const answer = await send(call);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 431 && answer.body === "") return;
      if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.body.slice(0, 200)}`);
      if (call.method === "HEAD" || answer.body === "") return;
      check(call, messagesIn(answer.body, answer.headers.get("content-type") ?? ""));
    },
    reproduce: (call) => `printf '%b' '${printed(bytesOf(call))}'`,
    ...describeServer(server, statuses),
  });
};

interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: Result;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  readonly _meta?: {
    readonly "roster/meta"?: { readonly quota?: { readonly used: number } };
    readonly "roster/error"?: { readonly code: string };
  };
}

function messagesIn(body: string, type: string): readonly Answer[] {
  const isStream = type.startsWith("text/event-stream");
  const texts = isStream
    ? [...body.matchAll(/^data: (.+)$/gm)].map(([, text]) => text ?? "")
    : [body];
  return texts.flatMap((text) => JSON.parse(text) as Answer | Answer[]);
}

function openCheck(listed: Readonly<Record<"full" | "slim", readonly Tool[]>>) {
  const ajv = new Ajv2020({ strict: false });
  const compile = (tools: readonly Tool[]) =>
    new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]));
  const fitting = { full: compile(listed.full), slim: compile(listed.slim) };
  const checkCount = openCount();
  return (call: Call, answers: readonly Answer[]): void => {
    const asked = toolsById(call.body ?? "");
    const fits = fitting[call.target.includes("detail=slim") ? "slim" : "full"];
    checkCount(asked, answers);
    for (const answer of answers) {
      checkForm(answer);
      const { result } = answer;
      if (result?._meta?.["roster/error"]?.code === "internal") {
        throw new Error("a tool answers internal");
      }
      const name = asked.get(JSON.stringify(answer.id));
      if (result?.content === undefined || result.isError || name === undefined) continue;
      checkContent(name, result, fits.get(name));
    }
  };
}

/**
 * @returns a function that checks the count after each call. It starts again from a wrong count, so that one fault gives
 * one finding.
 */
function openCount() {
  let known: number | undefined;
  return (asked: ReadonlyMap<string, string>, answers: readonly Answer[]): void => {
    let counted = 0;
    let most: number | undefined;
    for (const { id, result } of answers) {
      if (result?.content === undefined) continue;
      const name = asked.get(JSON.stringify(id));
      if (name !== undefined && freeTools.includes(name)) continue;
      if (!result.isError || result._meta?.["roster/error"]?.code === "not_found") counted += 1;
      const used = result._meta?.["roster/meta"]?.quota?.used;
      if (used !== undefined) most = Math.max(most ?? 0, used);
    }
    if (most === undefined) return;
    const expected = known === undefined ? most : known + counted;
    known = most;
    if (most !== expected) {
      throw new Error(`used is ${most} after ${counted} that count, not ${expected}`);
    }
  };
}

function checkForm({ jsonrpc, error, result, ...rest }: Answer): void {
  const shown = JSON.stringify({ jsonrpc, error, ...rest }).slice(0, 200);
  if (jsonrpc !== "2.0") {
    // The answers of other routes have the envelope.
    if ("success" in rest || error === undefined) return;
    throw new Error(`an answer is no JSON-RPC: ${shown}`);
  }
  if ((error === undefined) === (result === undefined))
    throw new Error(`neither or both: ${shown}`);
  if (error === undefined) return;
  if (!Number.isInteger(error.code) || typeof error.message !== "string") {
    throw new Error(`an error has no code or message: ${shown}`);
  }
  if (error.code === -32603) throw new Error(`internal error: ${shown}`);
}

function checkContent(name: string, result: Result, fits: ValidateFunction | undefined): void {
  if (!fits) throw new Error("a tool answers that is not listed");
  if (fits(result.structuredContent)) return;
  throw new Error(`${name} does not fit its output schema: ${JSON.stringify(fits.errors?.[0])}`);
}

/** @returns the tool that was called, by the id of the message. */
function toolsById(body: string): ReadonlyMap<string, string> {
  try {
    const sent = JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
    const messages = (Array.isArray(sent) ? sent : [sent]) as {
      id?: unknown;
      params?: { name?: string };
    }[];
    return new Map(
      messages.flatMap(({ id, params }) =>
        typeof params?.name === "string" ? [[JSON.stringify(id), params.name] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
