/** Calls a Roster service for a command. If the service is busy, waits. */
import { setTimeout } from "node:timers/promises";
import { isKey } from "../../accounts/accounts.ts";
import { readServiceAccess } from "../../config/config.ts";
import { Fault } from "../../contract/fault.ts";
import {
  callService,
  requireAnswer,
  type ServiceEndpoint,
  type ServiceReply,
} from "../../operations/call-service.ts";
import type { Operation } from "../../operations/operation.ts";
import { type CliContext, createUsageFault } from "./cli-context.ts";

/**
 * Reads the address and the key of a service. There is no flag for the key, because every user of the machine can read a command
 * line.
 * @throws Fault that says how to get a key.
 */
export function readService(given: Readonly<Record<string, string | undefined>>) {
  const { apiKey, ...service } = readServiceAccess(given);
  if (apiKey === undefined) {
    throw createUsageFault(
      `ROSTER_API_KEY is not set: it must be the API key of an account of the service at ${service.url}; ` +
        "create one on its page /account/api, or on its machine: roster account create EMAIL --plan free",
    );
  }
  if (!isKey(apiKey)) {
    throw createUsageFault(
      "ROSTER_API_KEY is not a key: it must be rst_ and 49 more letters and digits, with a checksum",
    );
  }
  return { ...service, key: apiKey };
}

const triesMax = 4;
/** The longest wait before a call is repeated. */
const waitMaxSeconds = 60;
/** The statuses after which a call is repeated: 429 for too many calls, 503 for a temporary failure. */
const passing = [429, 503];

/** Calls the service. If the service asks for a wait of at most a minute, waits and repeats the call. */
export async function askService<Shown>(
  service: ServiceEndpoint,
  operation: Operation,
  input: unknown,
  { terminal, signal }: Pick<CliContext, "terminal" | "signal">,
  show: (data: unknown) => Shown,
): Promise<ServiceReply<Shown>> {
  const callKey = crypto.randomUUID();
  const showData = ({ value }: { readonly value: unknown }) => {
    requireAnswer(operation, value);
    return show(value);
  };
  for (let tries = 1; ; tries += 1) {
    const reply = await callService(service, operation, input, showData, callKey);
    if (reply.ok || tries === triesMax || !passing.includes(reply.problem.status)) return reply;
    const seconds = reply.problem.retryAfterSeconds;
    if (seconds === undefined || seconds > waitMaxSeconds) return reply;
    terminal.note(`roster ${operation.command}: ${reply.problem.message}; again in ${seconds} s`);
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {
      throw new Fault("interrupted", "Stopped before the Roster service answered.");
    });
  }
}
