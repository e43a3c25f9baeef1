import type { Server } from "bun";
import type { Log } from "./app.ts";

/** Ours is far smaller (`limits.bodyBytesMax`): up to here a refusal still carries our envelope. */
export const socketBytesMax = 64 * 1024 * 1024;
/** A peer that trickles or rests this long is dropped. */
const idleSeconds = 10;
/** How long calls in flight may take to end once the door closes. */
const drainSeconds = 10;

/** The socket side of the door. */
export function openListener(handle: (request: Request) => Promise<Response>, log: Log) {
  let server: Server<undefined> | undefined;
  let inFlight = 0;
  let drained: (() => void) | undefined;

  const answered = async (request: Request) => {
    inFlight += 1;
    try {
      const response = await handle(request);
      if (drained) response.headers.set("connection", "close");
      return response;
    } finally {
      inFlight -= 1;
      if (inFlight === 0) drained?.();
    }
  };

  function listen({ host, port }: { readonly host: string; readonly port: number }): string {
    server = Bun.serve({
      hostname: host,
      port,
      idleTimeout: idleSeconds,
      maxRequestBodySize: socketBytesMax,
      development: false,
      fetch: answered,
      error: (error) => {
        log.error({ err: error }, "an answer could not be sent");
        return new Response(null, { status: 500 });
      },
    });
    return server.url.origin;
  }

  async function close(): Promise<void> {
    if (!server) return;
    const stopping = server.stop(false);
    const ended = new Promise<void>((resolve) => {
      drained = resolve;
      if (inFlight === 0) resolve();
    });
    await Promise.race([ended, Bun.sleep(drainSeconds * 1000)]);
    // One turn, so that the last answers are written before idle connections are cut.
    await Bun.sleep(20);
    await Promise.all([server.stop(true), stopping]);
    server = undefined;
  }

  return { listen, close };
}
