/**
 * The MCP interface: the operations as tools of AI assistants. Hosted, it is a route of the HTTP interface; local, a
 * process that an assistant starts, speaking over standard input and output and asking the REST service.
 */
import { getResourceUrl, type Identity } from "../../accounts/accounts.ts";
import { type Detail, details } from "../../contract/caller.ts";
import type { RequestMetadata, Route } from "../../network/route.ts";
import { operations } from "../../operations/index.ts";
import { type Log, logCall, logFault } from "../../operations/log-call.ts";
import type { Modules } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import {
  authenticateCredentials,
  createInsufficientScope,
  createUnauthorized,
  findHostRefusal,
  type TokenAuthenticator,
} from "./access.ts";
import { createRpcRefusal, listCalledTools, readMessages } from "./messages.ts";
import type { ToolContext } from "./tools.ts";

export { type LocalOptions, serveLocal } from "./local.ts";

interface HostedOptions {
  readonly modules: Modules;
  readonly log: Log;
  readonly version: string;
  /** Where callers reach this; a free port is known only after listening. */
  readonly publicUrl: () => string;
  readonly acceptsKeys: boolean;
  /** Unless the address says otherwise: `/mcp?detail=slim`. */
  readonly detail: Detail;
  readonly signIn: TokenAuthenticator;
}

/**
 * No session is kept: GET, which would open a stream, and DELETE, which would end a session, are 405. People add
 * a slash to addresses, and so do some programs.
 */
export function createMcpRoutes(options: HostedOptions): readonly Route[] {
  return ["/mcp", "/mcp/"].map((path) => ({
    path,
    methods: ["POST"],
    handle: (request, visit) => answer(request, visit, options),
  }));
}

async function answer(
  request: Request,
  visit: RequestMetadata,
  options: HostedOptions,
): Promise<Response> {
  const { modules, signIn, acceptsKeys, version } = options;
  const publicUrl = options.publicUrl();
  const hostRefusal = findHostRefusal(request, publicUrl);
  if (hostRefusal !== undefined) return createRpcRefusal(403, hostRefusal);
  const credentials = { accounts: modules.accounts, signIn, acceptsKeys };
  const identity = await authenticateCredentials(
    request.headers,
    getResourceUrl(publicUrl),
    credentials,
  );
  if (!identity) return createUnauthorized(request, { publicUrl, acceptsKeys });
  const detail = readDetail(request, options.detail);
  if (!detail) return createRpcRefusal(400, `detail must be one of ${details.join(", ")}`);
  const read = await readMessages(request);
  if (!read.ok) return read.refusal;
  const allowed = operations.filter(({ scope }) => isGranted(identity, scope));
  const called = listCalledTools(read.messages);
  const refused = operations.find((each) => called.has(each.name) && !allowed.includes(each));
  if (refused) return createInsufficientScope(request, refused, { ...identity, publicUrl });
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
  visit: RequestMetadata,
  { modules, log }: HostedOptions,
): Pick<ToolContext, "ask" | "fault"> {
  const { requestId } = visit;
  const caller = { accountId, plan, credential, ...visit };
  return {
    ask: async (operation, input) => {
      const answer = await perform(operation, input, caller, modules);
      logCall(log, "mcp", operation, caller, answer);
      if (answer.ok) return answer;
      const { problem, usage } = answer;
      return { ok: false, problem, meta: { requestId, ...(usage ? { quota: usage.quota } : {}) } };
    },
    fault: (problem) => logFault(log, problem, requestId),
  };
}
