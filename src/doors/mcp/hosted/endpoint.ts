/** The hosted endpoint: `/mcp` on the port of the API, for assistants that call from elsewhere. */
import {
  httpsOnly,
  type Identity,
  resourceMetadataUrl,
  resourceOf,
} from "../../../accounts/accounts.ts";
import type { Route, Visit } from "../../../contract/http/route.ts";
import { Problem } from "../../../contract/problem.ts";
import { type Log, logCall, logFault } from "../../../operations/log-call.ts";
import type { Operation, Rooms } from "../../../operations/operation.ts";
import { perform } from "../../../operations/perform.ts";
import type { Asking } from "../tools.ts";
import { findCaller, type SignIn } from "./find-caller.ts";
import { refusalAtGate } from "./gate.ts";
import { readMessages, refuse } from "./messages.ts";

export interface HostedOptions {
  readonly rooms: Rooms;
  readonly log: Log;
  readonly version: string;
  /** Where callers reach this; a free port is known only after listening. */
  readonly publicUrl: () => string;
  readonly acceptsKeys: boolean;
  readonly signIn: SignIn;
}

/** No session is kept: GET, which would open a stream, and DELETE, which would end a session, are 405. */
export function mcpRoute(options: HostedOptions): Route {
  return {
    path: "/mcp",
    methods: ["POST"],
    handle: (request, visit) => answer(request, visit, options),
  };
}

async function answer(request: Request, visit: Visit, options: HostedOptions): Promise<Response> {
  const publicUrl = options.publicUrl();
  const atGate = refusalAtGate(request, publicUrl);
  if (atGate !== undefined) return refuse(403, atGate);
  const { rooms, signIn, acceptsKeys } = options;
  const credentials = { accounts: rooms.accounts, signIn, acceptsKeys };
  const identity = await findCaller(request.headers, resourceOf(publicUrl), credentials);
  if (!identity) return unauthorized(resourceMetadataUrl(publicUrl, request));
  const read = await readMessages(request);
  if (!read.ok) return read.refusal;
  // On first use: a start that no assistant follows does not pay for two protocols.
  const { answerMessages } = await import("./protocols.ts");
  return answerMessages(request, read.messages, asking(identity, visit, options), options.version);
}

/** RFC 9728 tells the assistant where to sign in; no scope is named, so that it may ask for all. */
function unauthorized(metadata: string | undefined): Response {
  const { status, message } = new Problem("unauthorized");
  // Where no browser sign-in can be, the one who configures the assistant is told why.
  const reason = metadata === undefined ? `${message} (${httpsOnly})` : message;
  const response = refuse(status, reason);
  const challenge = metadata === undefined ? "Bearer" : `Bearer resource_metadata="${metadata}"`;
  response.headers.set("www-authenticate", challenge);
  return response;
}

/** Every tool call is one call of the caller's, also inside a batch. */
function asking(identity: Identity, { requestId }: Visit, { rooms, log }: HostedOptions): Asking {
  const { accountId, plan, credential, scopes } = identity;
  const caller = { accountId, plan, credential, requestId };
  return {
    ask: async (operation, input) => {
      if (scopes?.includes(operation.scope) === false) return notGranted(operation, requestId);
      const answer = await perform(operation, input, caller, rooms);
      logCall(log, "mcp", operation, caller, answer);
      if (answer.ok) return answer;
      const { problem, usage } = answer;
      return { ok: false, problem, meta: { requestId, ...(usage ? { quota: usage.quota } : {}) } };
    },
    fault: (problem) => logFault(log, problem, requestId),
  };
}

/** Not counted: nothing was answered. */
function notGranted({ scope }: Operation, requestId: string) {
  const message = `this assistant was not granted "${scope}"; connect it anew and allow it`;
  const problem = new Problem("unauthorized", { message });
  return { ok: false, problem, meta: { requestId } } as const;
}
