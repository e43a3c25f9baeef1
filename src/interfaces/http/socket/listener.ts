import { closeSync, openSync } from "node:fs";
import type { Server } from "bun";
import type { Log } from "../../../operations/log-call.ts";

/** Our own limit is far smaller (`limits.bodyBytesMax`); up to this size, refusals still carry our envelope. */
const socketBytesMax = 64 * 1024 * 1024;
/** A connection without traffic for this long is dropped. */
const idleSeconds = 10;
/**
 * What clients are told, as `Keep-Alive: timeout`: a second less, so that none sends a request on a connection that is
 * being dropped.
 */
export const idleSecondsTold = idleSeconds - 1;
/** How long calls in flight may take once the server closes. */
const drainMilliseconds = 10_000;
const pollMilliseconds = 5;
const descriptorPollMilliseconds = 1000;

/** Answers one request; never throws. */
export type RequestHandler = (request: Request) => Promise<Response>;

/** The socket side of the HTTP interface. It can listen before anything is loaded that answers calls. */
export interface Listener {
  /** From now on, this answers. */
  answerWith(handle: RequestHandler): void;
  /** @returns the URL origin it listens on, also when it already does. @throws the system's error when the port is taken. */
  listen(at: { readonly host: string; readonly port: number }): string;
  /** Stops accepting connections, waits for calls in flight, then closes idle connections. */
  close(): Promise<void>;
  /** The peer's address; `undefined` for a request without a socket. */
  addressOf(request: Request): string | undefined;
}

/** @param handle answers until `answerWith` names another. */
export function createListener(handle: RequestHandler, log: Log): Listener {
  let server: Server<undefined> | undefined;
  let current = handle;
  let isClosing = false;
  let stopWatching = () => {};

  const answer = async (request: Request) => {
    const response = await current(request);
    if (isClosing) response.headers.set("connection", "close");
    return response;
  };

  function listen({ host, port }: { readonly host: string; readonly port: number }): string {
    if (server) return server.url.origin;
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
    stopWatching = watchDescriptors(log);
    return server.url.origin;
  }

  async function close(): Promise<void> {
    if (!server || isClosing) return;
    isClosing = true;
    stopWatching();
    const stopping = server.stop(false);
    for (let waited = 0; server.pendingRequests > 0; waited += pollMilliseconds) {
      if (waited >= drainMilliseconds) break;
      await Bun.sleep(pollMilliseconds);
    }
    // Only idle connections and overlong calls are left now.
    await server.stop(true);
    await stopping;
  }

  return {
    ...{ listen, close },
    answerWith: (handle) => {
      current = handle;
    },
    addressOf: (request) => server?.requestIP(request)?.address,
  };
}

/**
 * Logs when this process runs out of file descriptors: new connections then wait silently until others end, and
 * nothing else tells the operator why.
 *
 * @returns a function that stops watching.
 */
function watchDescriptors(log: Log): () => void {
  let isOut = false;
  const check = () => {
    const wasOut = isOut;
    isOut = hasNoDescriptor();
    if (isOut === wasOut) return;
    if (isOut) log.error({ remedy }, "no file descriptor is left: new connections wait");
    else log.info("file descriptors are free again");
  };
  const timer = setInterval(check, descriptorPollMilliseconds);
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
