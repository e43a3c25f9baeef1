/** The hosted endpoint: `/mcp` on the port of the API, for assistants that call from elsewhere. */
import { type Identity, resourceOf } from "../../../accounts/accounts.ts";
import { type Detail, details } from "../../../contract/detail.ts";
import type { Route, Visit } from "../../../contract/http/route.ts";
import { operations } from "../../../operations/index.ts";
import { type Log, logCall, logFault } from "../../../operations/log-call.ts";
import type { Rooms } from "../../../operations/operation.ts";
import { perform } from "../../../operations/perform.ts";
import type { Asking } from "../tools.ts";
import { insufficientScope, unauthorized } from "./challenge.ts";
import { findCaller, type SignIn } from "./find-caller.ts";
import { refusalAtGate } from "./gate.ts";
import { readMessages, refuse, toolsCalled } from "./messages.ts";

export interface HostedOptions {
  readonly rooms: Rooms;
  readonly log: Log;
  readonly version: string;
  /** Where callers reach this; a free port is known only after listening. */
  readonly publicUrl: () => string;
  readonly acceptsKeys: boolean;
  /** Unless the address says otherwise: `/mcp?detail=slim`. */
  readonly detail: Detail;
  readonly signIn: SignIn;
}

/**
 * No session is kept: GET, which would open a stream, and DELETE, which would end a session, are 405. People add
 * a slash to addresses, and so do some programs.
 */
export function mcpRoutes(options: HostedOptions): readonly Route[] {
  return ["/mcp", "/mcp/"].map((path) => ({
    path,
    methods: ["POST"],
    handle: (request, visit) => answer(request, visit, options),
  }));
}

async function answer(request: Request, visit: Visit, options: HostedOptions): Promise<Response> {
  const { rooms, signIn, acceptsKeys, version } = options;
  const publicUrl = options.publicUrl();
  const atGate = refusalAtGate(request, publicUrl);
  if (atGate !== undefined) return refuse(403, atGate);
  const credentials = { accounts: rooms.accounts, signIn, acceptsKeys };
  const identity = await findCaller(request.headers, resourceOf(publicUrl), credentials);
  const entrance = { publicUrl, acceptsKeys };
  if (!identity) return unauthorized(request, entrance);
  const detail = readDetail(request, options.detail);
  if (!detail) return refuse(400, `detail must be one of ${details.join(", ")}`);
  const read = await readMessages(request);
  if (!read.ok) return read.refusal;
  const allowed = operations.filter(({ scope }) => isGranted(identity, scope));
  const called = toolsCalled(read.messages);
  const refused = operations.find((each) => called.has(each.name) && !allowed.includes(each));
  if (refused) return insufficientScope(request, refused, { ...identity, publicUrl });
  // On first use: a start that no assistant follows does not pay for two protocols.
  const { answerMessages } = await import("./protocols.ts");
  const asking = { ...askingFor(identity, visit, options), allowed, detail };
  return answerMessages(request, read.messages, asking, version);
}

/** @returns undefined for one that there is not. */
function readDetail({ url }: Request, usual: Detail): Detail | undefined {
  const asked = new URL(url).searchParams.get("detail");
  return asked === null ? usual : details.find((each) => each === asked);
}

/** A key has no scopes: its holder may call everything. */
function isGranted({ scopes }: Identity, scope: string): boolean {
  return scopes?.includes(scope) !== false;
}

/** Every tool call is one call of the caller's, also inside a batch. */
function askingFor(
  { accountId, plan, credential }: Identity,
  visit: Visit,
  { rooms, log }: HostedOptions,
): Pick<Asking, "ask" | "fault"> {
  const { requestId } = visit;
  const caller = { accountId, plan, credential, ...visit };
  return {
    ask: async (operation, input) => {
      const answer = await perform(operation, input, caller, rooms);
      logCall(log, "mcp", operation, caller, answer);
      if (answer.ok) return answer;
      const { problem, usage } = answer;
      return { ok: false, problem, meta: { requestId, ...(usage ? { quota: usage.quota } : {}) } };
    },
    fault: (problem) => logFault(log, problem, requestId),
  };
}
