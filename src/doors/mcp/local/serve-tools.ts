import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { modernServer } from "../modern-server.ts";
import type { Asking } from "../tools.ts";
import { openLineTransport, type Streams } from "./line-transport.ts";
import type { LocalOptions } from "./local.ts";

/** Serves the tools over two streams, in whichever protocol the client opens with, until they end or the signal comes. */
export async function serveTools(
  streams: Streams,
  asking: Asking,
  { version, note, signal }: Pick<LocalOptions, "version" | "note" | "signal">,
): Promise<void> {
  const { transport, ended } = openLineTransport(streams);
  const serving = serveStdio(() => modernServer(asking, version), {
    transport,
    onerror: ({ message }) => note(`roster mcp: ${message}`),
  });
  const stop = () => void serving.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await ended;
  signal.removeEventListener("abort", stop);
}
