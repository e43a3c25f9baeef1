#!/usr/bin/env node
/**
 * The small local MCP server. It passes the messages of an assistant, one a line, on to the /mcp of a Roster, and its answers back.
 * It runs in Node 20 or newer and needs no other package. scripts/releasing/assistants.ts packs it.
 *
 * Notifications stay here, because /mcp keeps no session. A cancelled call is broken off instead.
 */
import process, { env } from "node:process";

/** Set by the bundler. */
declare const VERSION: string;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<"name" | "requestId", unknown>> & {
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: unknown;
  readonly error?: { readonly message?: unknown };
}

/** Why a call has no answer of the Roster, with a code of the API. */
class Refusal extends Error {
  code: "internal" | "unauthorized" = "internal";
}

const usage = `roster-mcp gives an assistant the tools of a Roster, on standard input and output.
It takes no arguments, and reads from its environment:
  ROSTER_API_KEY     your API key, rst_...
  ROSTER_URL         the address of the Roster (default: http://127.0.0.1:7171)
  ROSTER_MCP_DETAIL  how much detail the assistant gets, full or slim`;

const versionField = "io.modelcontextprotocol/protocolVersion";
/** Assistants give up after a minute, so the timeout is shorter. */
const timeoutMs = 30_000;
const megabytesMax = 16;
/** The most characters of a line, and the most calls at once. Further input waits. */
const lineMax = 10 * 2 ** 20;
const callsMax = 32;

const calls = new Map<unknown, AbortController>();

function exit(code: 0 | 2, text: string): never {
  (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
}

function readSettings() {
  const { ROSTER_URL, ROSTER_API_KEY: key, ROSTER_MCP_DETAIL: detail } = env;
  const [flag] = process.argv.slice(2);
  if (flag === "--version") exit(0, VERSION);
  if (flag !== undefined) exit(flag === "--help" ? 0 : 2, usage);
  const given = ROSTER_URL || "http://127.0.0.1:7171";
  const url = given.replace(/\/(mcp\/?)?$/, "");
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(url) || !URL.canParse(url)) {
    exit(2, "ROSTER_URL must be an http or https address, such as https://roster.example.com");
  }
  if (!key) {
    const how = "your administrator gives you one, or roster account create prints it";
    exit(2, `ROSTER_API_KEY is not set: set it to your key for ${url}; ${how}`);
  }
  if (!/^rst_[0-9A-Za-z]{49}$/.test(key)) {
    exit(2, "ROSTER_API_KEY is not a key: it must be rst_ and 49 letters and digits");
  }
  if (detail && detail !== "full" && detail !== "slim") {
    exit(2, "ROSTER_MCP_DETAIL must be one of full, slim");
  }
  return { url, key, endpoint: `${url}/mcp${detail ? `?detail=${detail}` : ""}` };
}

type Settings = ReturnType<typeof readSettings>;

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function createHeaders({ method, params }: Message, key: string): Record<string, string> {
  const version = params?._meta?.[versionField];
  const common = {
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "user-agent": `roster-mcp/${VERSION}`,
  };
  if (version === undefined) return common;
  // Since 2026 headers repeat what the message says.
  const modern = {
    ...common,
    "mcp-protocol-version": String(version),
    "mcp-method": String(method),
  };
  return params?.name === undefined ? modern : { ...modern, "mcp-name": encode(`${params.name}`) };
}

/** Writes a text that a header cannot have in base64. */
function encode(text: string): string {
  const isPlain = /^[\x21-\x7e]+$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > megabytesMax * 2 ** 20) throw new Error(`it sends more than ${megabytesMax} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function send(message: Message, { url, endpoint, key }: Settings, signal: AbortSignal) {
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: createHeaders(message, key),
      body: JSON.stringify(message),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { response, text: await readText(response) };
  } catch (thrown) {
    const { message: text, cause } = thrown as Error & { cause?: { code?: string } & Error };
    const why = cause?.code || cause?.message || text;
    throw new Refusal(
      `no Roster answers at ${url} (${why}); start one there, or set its address in ROSTER_URL`,
    );
  }
}

/** Reads the messages of a body, which is JSON or a stream of events. */
function readMessages(response: Response, text: string): Message[] {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const data = (line: string) => (line.startsWith("data:") ? line.slice(5) : "");
  const bodies = isStream ? text.split(/\r?\n/).map(data) : [text];
  try {
    return bodies.filter((body) => body.trim() !== "").map((body) => JSON.parse(body));
  } catch {
    return [];
  }
}

/** @returns the messages to pass on. The last one answers the call. @throws Refusal if there is no answer. */
async function ask(call: Message, settings: Settings, signal: AbortSignal): Promise<Message[]> {
  const { response, text } = await send(call, settings, signal);
  const { status, headers } = response;
  const messages = readMessages(response, text);
  const last = messages.at(-1);
  const said = typeof last?.error?.message === "string" ? last.error.message.slice(0, 500) : "";
  if (status === 401) {
    const refusal = new Refusal(`${settings.url} refuses the key in ROSTER_API_KEY. ${said}`);
    throw Object.assign(refusal, { code: "unauthorized" });
  }
  if (last && (last.id ?? call.id) === call.id && (last.result || last.error)) {
    // The refusal of a whole request names no call.
    return [...messages.slice(0, -1), { ...last, id: call.id }];
  }
  const target = headers.get("location");
  const what = target === null ? "" : `: it leads to ${target.slice(0, 200)}`;
  throw new Refusal(
    `the server at ${settings.url} gives no answer of a Roster (HTTP ${status}${what}); set its address in ROSTER_URL`,
  );
}

/** Answers as a Roster does: a refused tool call is a result, so that the model reads why. */
function refuse({ id, method }: Message, { code, message }: Refusal): object {
  const text = `${code}: ${message.trim()}`;
  if (method !== "tools/call")
    return { jsonrpc: "2.0", id, error: { code: -32000, message: text } };
  const content = [{ type: "text", text }];
  const _meta = { "roster/error": { code, message } };
  return { jsonrpc: "2.0", id, result: { content, isError: true, resultType: "complete", _meta } };
}

async function answer(call: Message, settings: Settings): Promise<void> {
  const stop = new AbortController();
  calls.set(call.id, stop);
  try {
    const messages = await ask(call, settings, stop.signal);
    if (stop.signal.aborted) return;
    for (const message of messages) write(message);
  } catch (thrown) {
    if (stop.signal.aborted) return;
    write(refuse(call, thrown instanceof Refusal ? thrown : new Refusal(String(thrown))));
  } finally {
    calls.delete(call.id);
  }
}

/** Lines that are not JSON are passed over, as by roster mcp. */
function receive(line: string, settings: Settings): Promise<void> | undefined {
  let message: Message | null;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof message?.method === "string") {
    if (message.id !== undefined) return answer(message, settings);
    if (message.method === "notifications/cancelled") {
      calls.get(message.params?.requestId)?.abort();
    }
  } else if (message?.id === undefined) {
    const text = "Invalid Request: each line must be one JSON-RPC message";
    write({ jsonrpc: "2.0", error: { code: -32600, message: text }, id: null });
  }
  return undefined;
}

async function serve(settings: Settings): Promise<void> {
  const open = new Set<Promise<void>>();
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > lineMax) exit(2, "a line of the input is too long");
    for (const line of lines) take(receive(line, settings));
    while (open.size >= callsMax) await Promise.race(open);
  }
  // The last line may have no line feed.
  take(receive(rest, settings));

  function take(call: Promise<void> | undefined): void {
    if (!call) return;
    open.add(call);
    void call.finally(() => open.delete(call));
  }
}

const settings = readSettings();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
// The assistant has gone.
process.stdout.on("error", () => process.exit(0));
process.stderr.write(`Tools of ${settings.url} on standard input and output. Ctrl-C ends it.\n`);
await serve(settings);
