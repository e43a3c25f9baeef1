/**
 * Serves MCP over standard input and output, one message a line. The SDK's own transport would drop unanswered calls at the end
 * of the input.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ReadBuffer,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createToolServer } from "./protocols.ts";
import type { ToolContext } from "./tools.ts";

/** Serves the tools over two streams. Returns when the input ends or the signal is aborted. */
export async function serveTools(
  context: ToolContext,
  { note, signal, ...streams }: LocalServerOptions,
): Promise<void> {
  const { transport, ended } = createLineTransport(streams);
  const serving = serveStdio(() => createToolServer(context), {
    transport,
    onerror: ({ message }) => note(`roster mcp: ${message}`),
  });
  const stop = () => void serving.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await ended;
  signal.removeEventListener("abort", stop);
}

export interface LocalServerOptions {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one line to standard output. Nothing else may write there. */
  readonly write: (line: string) => void;
  /** Writes a message for people to standard error. */
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

/** @returns the transport, and a promise that resolves when all input is answered or the transport is closed. */
function createLineTransport({ input, write }: Pick<LocalServerOptions, "input" | "write">) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const open = new Set<unknown>();
  let isOver = false;
  let isClosed = false;

  const settle = () => {
    if (isOver && open.size === 0) void transport.close();
  };
  const receive = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      // Does not wait for subscriptions, because they are answered only when the connection ends.
      if (message.method !== "subscriptions/listen") open.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      // A cancelled request gets no answer.
      open.delete((message.params as { requestId?: unknown } | undefined)?.requestId);
    }
    transport.onmessage?.(message);
  };
  const transport: Transport = {
    start: async () => {
      void readLines(input, receive, () => write(notAMessage))
        .catch((error: Error) => transport.onerror?.(error))
        .finally(() => {
          isOver = true;
          settle();
        });
    },
    send: async (message) => {
      write(JSON.stringify(message));
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      open.delete(message.id);
      settle();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      transport.onclose?.();
      end();
    },
  };
  return { transport, ended };
}

const notAMessage = JSON.stringify({
  jsonrpc: "2.0",
  error: { code: -32600, message: "Invalid Request: each line must be one JSON-RPC message" },
  id: null,
});

/** @throws the error of the input, or an error for a line over 10 MiB. */
async function readLines(
  input: AsyncIterable<Uint8Array>,
  receive: (message: JSONRPCMessage) => void,
  refuse: () => void,
): Promise<void> {
  const buffer = new ReadBuffer();
  const take = (bytes: Uint8Array) => {
    buffer.append(Buffer.from(bytes));
    for (;;) {
      let message: JSONRPCMessage | null;
      try {
        // Skips lines that are not JSON.
        message = buffer.readMessage();
      } catch {
        refuse();
        continue;
      }
      if (message === null) return;
      receive(message);
    }
  };
  for await (const chunk of input) take(chunk);
  // The last line may have no line feed.
  take(Buffer.from("\n"));
}
