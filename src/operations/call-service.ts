/** Calls an operation of a Roster service that runs elsewhere, over REST: for the local server of tools and the command line. */
import type { ErrorMeta, Meta } from "../contract/envelope.ts";
import { Problem, type ProblemCode, problems, toProblem } from "../contract/problem.ts";
import { readInput } from "../contract/read.ts";
import { listQueryFields, type Operation } from "./operation.ts";

export interface ServiceEndpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

/** What an operation answered, and what it counted. */
export type ServiceReply<Shown> =
  | { readonly ok: true; readonly shown: Shown; readonly meta: Meta }
  | { readonly ok: false; readonly problem: Problem; readonly meta: Partial<ErrorMeta> };

type ShowData<Shown> = (answered: { readonly data: unknown }) => Shown;

/** Calls the service and returns its data, or its error code and message, unchanged. Never throws. */
export async function callService<Shown>(
  { url, key }: ServiceEndpoint,
  operation: Operation,
  input: unknown,
  show: ShowData<Shown>,
): Promise<ServiceReply<Shown>> {
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
      message: `no Roster service answers at ${url} (${why}); start it there, or give its address by --url`,
      cause,
    });
  }
}

/** Far longer than the slowest answer; assistants give up after a minute. */
const timeoutMs = 30_000;

async function readReply<Shown>(
  url: string,
  response: Response,
  show: ShowData<Shown>,
): Promise<ServiceReply<Shown>> {
  const envelope = await readEnvelope(response);
  if (envelope?.success === true && envelope.meta) {
    return { ok: true, shown: show({ data: envelope.data }), meta: envelope.meta as Meta };
  }
  const { code, message } = envelope?.error ?? {};
  if (envelope?.success !== false || !code || !(code in problems) || !message) {
    throw new Problem("internal", {
      message: `what answers at ${url} is no Roster service (HTTP ${response.status}); give its address by --url`,
    });
  }
  const seconds = Number(response.headers.get("retry-after") || Number.NaN);
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
