/** Calls an operation of a Roster service over REST, for the local MCP server and the command line. */

import { cutText, findViolation } from "../contract/complaint.ts";
import {
  createSuccessEnvelope,
  ErrorEnvelope,
  type ErrorMeta,
  type Meta,
} from "../contract/envelope.ts";
import { parseForeignJson } from "../contract/foreign-json.ts";
import { gatherBytes } from "../contract/gather-bytes.ts";
import { Problem, toProblem } from "../contract/problem.ts";
import { readInput } from "../contract/read.ts";
import { type Static, type TSchema, Type } from "../contract/schema.ts";
import { formatPath } from "./example-call.ts";
import type { Operation } from "./operation.ts";
import type { Answer } from "./perform.ts";

export interface ServiceEndpoint {
  /** Address of the service, without a trailing slash. */
  readonly url: string;
  readonly key: string;
}

export type ServiceReply<Shown> =
  | { readonly ok: true; readonly shown: Shown; readonly meta: Meta }
  | { readonly ok: false; readonly problem: Problem; readonly meta: Partial<ErrorMeta> };

/** @returns the answer of this process in the form of a service's reply. */
export function toReply<Shown>(answer: Answer<Shown>, requestId: string): ServiceReply<Shown> {
  if (answer.ok) return answer;
  const { problem, usage } = answer;
  return { ok: false, problem, meta: { requestId, ...(usage ? { quota: usage.quota } : {}) } };
}

type ShowData<Shown> = (answered: { readonly value: unknown }) => Shown;

/**
 * @param callKey the Idempotency-Key. A call that is sent again must have the same key; default: a new key.
 * @returns the data or the error of the service, unchanged. Never throws.
 */
export async function callService<Shown>(
  { url, key }: ServiceEndpoint,
  operation: Operation,
  input: unknown,
  show: ShowData<Shown>,
  callKey: string = crypto.randomUUID(),
): Promise<ServiceReply<Shown>> {
  try {
    const { method } = operation;
    const headers = {
      ...{ "x-api-key": key, "content-type": "application/json" },
      ...(method === "POST" && { "idempotency-key": callKey }),
    };
    const { path, body } = toHttpRequest(operation, input);
    return readReply(url, await fetchFromService(url, path, { method, headers, body }), show);
  } catch (thrown) {
    return { ok: false, problem: toProblem(thrown), meta: {} };
  }
}

/** Validates fields that become part of the URL. A body is sent unchanged. */
function toHttpRequest(operation: Operation, input: unknown) {
  const { method, path } = operation;
  if (method === "POST") return { path, body: JSON.stringify(input) };
  return { path: formatPath(path, readInput(operation.input, input)), body: null };
}

async function fetchFromService(url: string, path: string, init: RequestInit) {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url + path, { ...init, redirect: "manual", signal });
    return { response, value: await readJson(response) };
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split(" For more info");
    throw new Problem("internal", {
      message: `no Roster service answers at ${url} (${why}); start one there, or set its address with --url`,
    });
  }
}

/** Assistants give up after a minute, so the timeout is shorter. */
const timeoutMs = 30_000;
const megabytesMax = 16;

/** @returns undefined if the body is not JSON. */
async function readJson(response: Response): Promise<unknown> {
  const tooMuch = () => new Error(`it sends more than ${megabytesMax} MB`);
  const bytes = await gatherBytes(response.body ?? [], megabytesMax * 2 ** 20, tooMuch);
  try {
    return parseForeignJson(bytes.toString());
  } catch {
    return undefined;
  }
}

const SuccessEnvelope = createSuccessEnvelope(Type.Unknown());

function readReply<Shown>(
  url: string,
  { response: { status, headers }, value: envelope }: Awaited<ReturnType<typeof fetchFromService>>,
  show: ShowData<Shown>,
): ServiceReply<Shown> {
  if (isShaped(SuccessEnvelope, envelope)) {
    return { ok: true, shown: show({ value: envelope.data }), meta: envelope.meta };
  }
  if (!isShaped(ErrorEnvelope, envelope)) {
    const target = status >= 300 && status < 400 ? headers.get("location") : undefined;
    const what = target ? `: it leads to ${cutText(target)}` : "";
    throw new Problem("internal", {
      message: `the server at ${url} is not a Roster service (HTTP ${status}${what}); set its address with --url`,
    });
  }
  const { error, meta } = envelope;
  const seconds = Number(headers.get("retry-after") || Number.NaN);
  const retry = Number.isSafeInteger(seconds) ? { retryAfterSeconds: seconds } : {};
  const problem = new Problem(error.code, { message: error.message, status, ...retry });
  return { ok: false, problem, meta };
}

function isShaped<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return findViolation(schema, value, { allowsUnknown: true }) === undefined;
}

/** @throws Problem if the data do not have the form of the operation's answer. */
export function requireAnswer({ output }: Pick<Operation, "output">, data: unknown): void {
  const wrong = findViolation(output, data, { allowsUnknown: true });
  if (!wrong) return;
  const what = `${wrong.field === "" ? "data" : `data.${wrong.field}`} ${wrong.reason}`;
  throw new Problem("internal", {
    message: `the answer of the service has an unknown form (${what}): it may be another release, or not a Roster service`,
  });
}
