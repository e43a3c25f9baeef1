/** The local MCP server, which an assistant starts as a process. Its data comes from a Roster service or an open data folder. */
import type { Detail } from "../../contract/caller.ts";
import { callService, type ServiceEndpoint, toReply } from "../../operations/call-service.ts";
import { toolOperations } from "../../operations/index.ts";
import type { Modules, Operation } from "../../operations/operation.ts";
import { perform } from "../../operations/perform.ts";
import type { LocalServerOptions } from "./line-transport.ts";
import type { ShowAnswer } from "./tools.ts";
import { writeUnread } from "./written-answer.ts";

interface LocalOptions extends LocalServerOptions {
  readonly answers: ServiceEndpoint | { readonly modules: Modules; newRequestId(): string };
  readonly detail: Detail;
  readonly version: string;
}

/** Serves until all input is answered or the signal is aborted. */
export async function serveLocal(options: LocalOptions): Promise<void> {
  const { answers, detail, version, note } = options;
  const fault = ({ cause }: { readonly cause?: unknown }) => note(`roster mcp: ${cause}`);
  const { serveTools } = await import("./line-transport.ts");
  const context = {
    // Offers all tools. A service itself refuses operations that the key may not call.
    allowed: toolOperations,
    detail,
    version,
    ask: async (operation: Operation, input: unknown, show: ShowAnswer) => {
      if (!("modules" in answers))
        return callService(answers, operation, input, showWhatWasCounted(show, fault));
      const { modules } = answers;
      const caller = { ...modules.accounts.operator, requestId: answers.newRequestId() };
      return toReply(await perform(operation, input, caller, modules, show), caller.requestId);
    },
    fault,
  };
  await serveTools(context, options);
}

/**
 * Shows an answer of a service. If the service has another release and its data cannot be shown, the assistant gets the data as
 * JSON.
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
