/**
 * The local server: a process that an assistant starts. It offers the tools of a Roster service that runs elsewhere,
 * and calls that service over REST.
 */
import type { Detail } from "../../contract/caller.ts";
import type { ErrorMeta, Meta } from "../../contract/envelope.ts";
import { Problem, type ProblemCode, problems, toProblem } from "../../contract/problem.ts";
import { readInput } from "../../contract/read.ts";
import { operations } from "../../operations/index.ts";
import { listQueryFields, type Operation } from "../../operations/operation.ts";
import type { LineStreams, LocalServerOptions } from "./line-transport.ts";
import type { OperationReply, ShowAnswer } from "./tools.ts";
import { writeUnread } from "./written-answer.ts";

export interface LocalOptions extends LineStreams, LocalServerOptions {
  readonly service: ServiceEndpoint;
  readonly detail: Detail;
}

/** Serves until the input has ended and every call is answered, or until the signal aborts. */
export async function serveLocal(options: LocalOptions): Promise<void> {
  const { service, detail, note } = options;
  const fault = ({ cause }: { readonly cause?: unknown }) => note(`roster mcp: ${cause}`);
  const { serveTools } = await import("./line-transport.ts");
  const context = {
    // The service itself refuses what the key may not call.
    allowed: operations,
    detail,
    ask: (operation: Operation, input: unknown, show: ShowAnswer) =>
      callService(service, operation, input, showWhatWasCounted(show, fault)),
    fault,
  };
  await serveTools(options, context, options);
}

/**
 * The service has counted the call before this process sees its answer. So an answer that cannot be shown as it should, such as
 * one of a service of another release, is shown as it came.
 */
function showWhatWasCounted(
  show: ShowAnswer,
  fault: (about: { readonly cause: unknown }) => void,
): ShowAnswer {
  return (answered) => {
    try {
      return show(answered);
    } catch (cause) {
      fault({ cause });
      return { ...writeUnread(answered), advice: { hints: [] }, foreignFields: [] };
    }
  };
}

interface ServiceEndpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

/** Calls the service and returns its data, or its error code and message, unchanged. Never throws. */
async function callService(
  { url, key }: ServiceEndpoint,
  operation: Operation,
  input: unknown,
  show: ShowAnswer,
): Promise<OperationReply> {
  try {
    const { method } = operation;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const { path, body } = toHttpRequest(operation, input);
    const response = await fetchFromService(url, path, { method, headers, body });
    return await readReply(url, response, show);
  } catch (thrown) {
    return { ok: false, problem: toProblem(thrown), meta: {} };
  }
}

/**
 * A body is sent unchanged, for the service to validate. Fields of the URL must become text first, so they are
 * validated here, by the same reader with the same messages.
 */
function toHttpRequest(operation: Operation, input: unknown) {
  const { method, path } = operation;
  if (method === "POST") return { path, body: JSON.stringify(input) };
  const fields = readInput(operation.input, input) as Record<string, unknown>;
  const encode = (field: string) => encodeURIComponent(String(fields[field]));
  const filledPath = path.replace(/:(\w+)/g, (_, field) => encode(field));
  const query = listQueryFields(operation)
    .filter((field) => fields[field] !== undefined)
    .map((field) => `${field}=${encode(field)}`);
  return { path: query.length > 0 ? `${filledPath}?${query.join("&")}` : filledPath, body: null };
}

async function fetchFromService(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return await fetch(url + path, { ...init, redirect: "error", signal });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Problem("internal", {
      message: `no Roster service answers at ${url} (${why}); start it there, or set ROSTER_URL to its address`,
      cause,
    });
  }
}

/** Far longer than the slowest answer; assistants give up after a minute. */
const timeoutMs = 30_000;

async function readReply(
  url: string,
  response: Response,
  show: ShowAnswer,
): Promise<OperationReply> {
  const envelope = await readEnvelope(response);
  if (envelope?.success === true && envelope.meta) {
    return { ok: true, shown: show({ data: envelope.data }), meta: envelope.meta as Meta };
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
