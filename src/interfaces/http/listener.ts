import { closeSync, openSync } from "node:fs";
import type { Server } from "bun";
import type { Log } from "../../operations/log-call.ts";

/** Ours is far smaller (`limits.bodyBytesMax`): up to here a refusal still carries our envelope. */
const socketBytesMax = 64 * 1024 * 1024;
/** A peer that trickles or rests this long is dropped. */
const idleSeconds = 10;
/** How long calls in flight may take to end once the interface closes. */
const drainMilliseconds = 10_000;
const lookMilliseconds = 5;
const descriptorLookMilliseconds = 1000;

/** The socket side of the interface. */
export function createListener(handle: (request: Request) => Promise<Response>, log: Log) {
  let server: Server<undefined> | undefined;
  let isClosing = false;
  let endWatch = () => {};

  const answer = async (request: Request) => {
    const response = await handle(request);
    if (isClosing) response.headers.set("connection", "close");
    return response;
  };

  function listen({ host, port }: { readonly host: string; readonly port: number }): string {
    server = Bun.serve({
      hostname: host,
      port,
      idleTimeout: idleSeconds,
      maxRequestBodySize: socketBytesMax,
      development: false,
      // Without this, Bun lets two servers share a port when it is not in development.
      reusePort: false,
      fetch: answer,
      error: (error) => {
        log.error({ err: error }, "an answer could not be sent");
        return new Response(null, { status: 500 });
      },
    });
    endWatch = watchDescriptors(log);
    return server.url.origin;
  }

  async function close(): Promise<void> {
    if (!server || isClosing) return;
    isClosing = true;
    endWatch();
    const stopping = server.stop(false);
    for (let waited = 0; server.pendingRequests > 0; waited += lookMilliseconds) {
      if (waited >= drainMilliseconds) break;
      await Bun.sleep(lookMilliseconds);
    }
    // Now only idle connections are left, or calls that took too long.
    await server.stop(true);
    await stopping;
  }

  /** Of the peer; `undefined` for a request that came through no socket. */
  const addressOf = (request: Request) => server?.requestIP(request)?.address;

  return { listen, close, addressOf };
}

/**
 * Says in the log when this process can open nothing more: new connections then wait, unseen, until others end, and
 * nothing else tells the operator why.
 *
 * @returns what ends the watch.
 */
function watchDescriptors(log: Log): () => void {
  let isOut = false;
  const look = () => {
    const wasOut = isOut;
    isOut = hasNoDescriptor();
    if (isOut === wasOut) return;
    if (isOut) log.error({ remedy }, "no file descriptor is left: new connections wait");
    else log.info("file descriptors are free again");
  };
  const timer = setInterval(look, descriptorLookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const remedy =
  "raise the limit (ulimit -n, LimitNOFILE), or put a proxy before Roster that bounds connections";

function hasNoDescriptor(): boolean {
  try {
    closeSync(openSync(process.execPath, "r"));
    return false;
  } catch (error) {
    return /^E[MN]FILE$/.test((error as NodeJS.ErrnoException).code ?? "");
  }
}
