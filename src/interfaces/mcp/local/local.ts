/** The local server: a process that an assistant starts, with the tools of a Roster service that runs elsewhere. */
import type { Detail } from "../../../contract/caller.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { callService, type ServiceEndpoint } from "./call-service.ts";
import type { LineStreams } from "./line-transport.ts";

export interface LocalOptions extends LineStreams {
  readonly service: ServiceEndpoint;
  readonly detail: Detail;
  readonly version: string;
  /** For people: standard error. */
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Resolves when the input has ended and every call is answered, or when the signal comes. */
export async function serveLocal(options: LocalOptions): Promise<void> {
  const { service, detail, version, note, signal, input, write } = options;
  const { serveTools } = await import("./serve-tools.ts");
  const asking = {
    // The service itself says what its key may not.
    allowed: operations,
    detail,
    ask: (operation: Operation, input: unknown) => callService(service, operation, input),
    fault: ({ cause }: { cause?: unknown }) => note(`roster mcp: ${cause}`),
  };
  await serveTools({ input, write }, asking, { version, note, signal });
}
