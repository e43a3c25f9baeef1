/**
 * The local server: a process that an assistant starts, with the tools of a Roster service that runs elsewhere, which
 * it asks over REST.
 */
import type { Detail } from "../../contract/caller.ts";
import type { ErrorMeta, Meta } from "../../contract/envelope.ts";
import { Problem, type ProblemCode, problems, toProblem } from "../../contract/problem.ts";
import { readInput } from "../../contract/read.ts";
import { operations } from "../../operations/index.ts";
import { listQueryFields, type Operation } from "../../operations/operation.ts";
import type { LineStreams, LocalServerOptions } from "./line-transport.ts";
import type { OperationReply } from "./tools.ts";

export interface LocalOptions extends LineStreams, LocalServerOptions {
  readonly service: ServiceEndpoint;
  readonly detail: Detail;
}

/** Resolves when the input has ended and every call is answered, or when the signal comes. */
export async function serveLocal(options: LocalOptions): Promise<void> {
  const { service, detail, note } = options;
  const { serveTools } = await import("./line-transport.ts");
  const asking = {
    // The service itself says what its key may not.
    allowed: operations,
    detail,
    ask: (operation: Operation, input: unknown) => callService(service, operation, input),
    fault: ({ cause }: { cause?: unknown }) => note(`roster mcp: ${cause}`),
  };
  await serveTools(options, asking, options);
}

interface ServiceEndpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

/** The service's answer as it is: its data, its code and text. Never throws. */
async function callService(
  { url, key }: ServiceEndpoint,
  operation: Operation,
  input: unknown,
): Promise<OperationReply> {
  try {
    const { method } = operation;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const { path, body } = requestOf(operation, input);
    const response = await reach(url, path, { method, headers, body });
    return await readReply(url, response);
  } catch (thrown) {
    return { ok: false, problem: toProblem(thrown), meta: {} };
  }
}

/**
 * A body goes out as it came, for the service to judge. What belongs into the address must be a text first: here
 * the same reader judges it in the same words.
 */
function requestOf(operation: Operation, input: unknown) {
  const { method, path } = operation;
  if (method === "POST") return { path, body: JSON.stringify(input) };
  const fields = readInput(operation.input, input) as Record<string, unknown>;
  const written = (field: string) => encodeURIComponent(String(fields[field]));
  const filled = path.replace(/:(\w+)/g, (_, field) => written(field));
  const query = listQueryFields(operation)
    .filter((field) => fields[field] !== undefined)
    .map((field) => `${field}=${written(field)}`);
  return { path: query.length > 0 ? `${filled}?${query.join("&")}` : filled, body: null };
}

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(patience);
    return await fetch(url + path, { ...init, redirect: "error", signal });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Problem("internal", {
      message: `no Roster service answers at ${url} (${why}); start it there, or set ROSTER_URL to its address`,
      cause,
    });
  }
}

/** Far longer than the slowest answer takes; an assistant gives up after a minute. */
const patience = 30_000;

async function readReply(url: string, response: Response): Promise<OperationReply> {
  const envelope = await readEnvelope(response);
  if (envelope?.success === true && envelope.meta) {
    return { ok: true, data: envelope.data, meta: envelope.meta as Meta };
  }
  const { code, message } = envelope?.error ?? {};
  if (envelope?.success !== false || !code || !(code in problems) || !message) {
    throw new Problem("internal", {
      message: `what answers at ${url} is no Roster service (HTTP ${response.status}); set ROSTER_URL to its address`,
    });
  }
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retry = Number.isSafeInteger(seconds) ? { retryAfterSeconds: seconds } : {};
  const { status } = response;
  return {
    ok: false,
    problem: new Problem(code, { message, status, ...retry }),
    meta: envelope.meta ?? {},
  };
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code?: ProblemCode; readonly message?: string };
  readonly meta?: ErrorMeta | Meta;
}

async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}
