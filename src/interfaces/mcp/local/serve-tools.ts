import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createModernServer } from "../modern-server.ts";
import type { ToolContext } from "../tools.ts";
import { createLineTransport, type LineStreams } from "./line-transport.ts";
import type { LocalOptions } from "./local.ts";

/** Serves the tools over two streams, in whichever protocol the client opens with, until they end or the signal comes. */
export async function serveTools(
  streams: LineStreams,
  asking: ToolContext,
  { version, note, signal }: Pick<LocalOptions, "version" | "note" | "signal">,
): Promise<void> {
  const { transport, ended } = createLineTransport(streams);
  const serving = serveStdio(() => createModernServer(asking, version), {
    transport,
    onerror: ({ message }) => note(`roster mcp: ${message}`),
  });
  const stop = () => void serving.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await ended;
  signal.removeEventListener("abort", stop);
}
