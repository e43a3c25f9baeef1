import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { Server } from "bun";
import type { Log } from "../../../operations/log-call.ts";
import { type CertificateFiles, readCertificate, watchCertificate } from "./certificate.ts";

/** The largest body that Bun accepts. Roster's own limit is lower. */
const socketBytesMax = 64 * 1024 * 1024;
/** After this time without traffic, Bun closes a connection. */
const idleSeconds = 10;
/** The time in the `Keep-Alive` header. It is shorter than `idleSeconds`, so that the client closes the connection first. */
export const keepAliveSeconds = idleSeconds - 1;
const answerSeconds = 30;
/** The time that running calls get when the server closes. */
const drainMilliseconds = 10_000;
const pollMilliseconds = 5;
/** The permissions of a Unix socket. Its owner and its group may connect. */
const socketMode = 0o660;
/** The time that a server with an old certificate keeps running, so that its connections can end. */
const lingerMilliseconds = 1000 * (idleSeconds + 1);

export type RequestHandler = (request: Request) => Response | Promise<Response>;

/** The address to listen on. The host is a name, an IP address, or `unix:PATH`. With `tls`, the server uses TLS. */
interface ListenTarget {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly [File in keyof CertificateFiles]: string | undefined };
}

/** The socket side of the HTTP interface. It can listen before the rest is loaded. */
export interface Listener {
  answerWith(handle: RequestHandler): void;
  /**
   * Listens once. Later calls change nothing.
   * @returns the port; undefined for a Unix socket.
   * @throws the system's error when the port is taken; Fault if the certificate cannot be used.
   */
  listen(at: ListenTarget): number | undefined;
  /** Stops accepting connections, and waits for running calls. */
  close(): Promise<void>;
  /** The peer's address, or `unix` for a Unix socket; undefined for a request without a connection. */
  addressOf(request: Request): string | undefined;
}

/** `addressOf` returns this for every client of a Unix socket. */
export const socketPeer = "unix";

interface ListenerOptions {
  readonly log: Log;
  /** Time between two checks of the certificate's files; default: five seconds. */
  readonly lookEveryMs?: number;
}

export function createListener(handle: RequestHandler, options: ListenerOptions): Listener {
  const { log } = options;
  let current = handle;
  let isClosing = false;
  let endWatch = () => {};
  // The newest server comes first. Servers with older certificates follow until their connections are closed.
  const servers: Server<undefined>[] = [];
  let at: ListenTarget | undefined;

  const answer = async (request: Request, server: Server<undefined>) => {
    server.timeout(request, answerSeconds);
    const response = await current(request);
    server.timeout(request, idleSeconds);
    if (isClosing || server !== servers[0]) response.headers.set("connection", "close");
    return response;
  };
  const open = (place: Place) => {
    const serving = {
      ...place,
      idleTimeout: idleSeconds,
      maxRequestBodySize: socketBytesMax,
      development: false,
      fetch: answer,
      error: (error: unknown) => {
        log.error({ err: error }, "an answer could not be sent");
        return new Response(null, { status: 500 });
      },
    };
    servers.unshift(Bun.serve(serving as Serving));
  };

  function listen(target: ListenTarget): number | undefined {
    if (at) return servers[0]?.port;
    const path = getSocketPath(target.host);
    const { certFile, keyFile } = target.tls ?? {};
    if (path !== undefined) {
      open({ unix: path });
      chmodSync(path, socketMode);
    } else if (certFile !== undefined && keyFile !== undefined) {
      const files = { certFile, keyFile };
      endWatch = listenWithTls(target, files, { ...options, open, servers });
    } else {
      open({ hostname: target.host, port: target.port, reusePort: false });
    }
    at = target;
    return servers[0]?.port;
  }

  async function close(): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    endWatch();
    await drain(servers);
  }

  const addressOf = (request: Request) => {
    const peer = servers[0]?.requestIP(request)?.address;
    return peer ?? (at && getSocketPath(at.host) !== undefined ? socketPeer : undefined);
  };
  const answerWith: Listener["answerWith"] = (handle) => {
    current = handle;
  };
  return { listen, close, addressOf, answerWith };
}

async function drain(servers: readonly Server<undefined>[]): Promise<void> {
  const stopping = servers.map((server) => server.stop(false));
  const isBusy = () => servers.some((server) => server.pendingRequests > 0);
  for (let waited = 0; isBusy(); waited += pollMilliseconds) {
    if (waited >= drainMilliseconds) break;
    await Bun.sleep(pollMilliseconds);
  }
  await Promise.all(servers.map((server) => server.stop(true)));
  await Promise.all(stopping);
}

type Serving = Parameters<typeof Bun.serve>[0] & object;
type Place =
  | { readonly unix: string }
  | {
      readonly hostname: string;
      readonly port: number;
      readonly reusePort: boolean;
      readonly tls?: { readonly cert: string; readonly key: string };
    };

/**
 * Listens with TLS. Bun cannot change the certificate of a server, so a new certificate gets a second server on the same port.
 * The first server stops when its clients have closed their connections.
 * @returns a function that ends the watch of the files.
 */
function listenWithTls(
  { host: hostname, port }: ListenTarget,
  files: CertificateFiles,
  {
    log,
    lookEveryMs,
    open,
    servers,
  }: ListenerOptions & {
    readonly open: (place: Place) => void;
    readonly servers: Server<undefined>[];
  },
): () => void {
  const tls = readCertificate(files);
  // First opens the port without sharing, because sharing would succeed even if another program uses the port.
  const probe = Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() });
  const own = probe.port as number;
  void probe.stop(true);
  const place = { hostname, port: own, reusePort: true };
  open({ ...place, tls });
  const take = (pair: typeof tls) => {
    const before = [...servers];
    open({ ...place, tls: pair });
    setTimeout(() => {
      for (const server of before) {
        void server.stop(false).then(() => servers.splice(servers.indexOf(server), 1));
      }
    }, lingerMilliseconds).unref();
  };
  return watchCertificate(files, take, { log, everyMs: lookEveryMs });
}

/** Gets the path from a host such as `unix:/run/roster/roster.sock`; undefined for other hosts. */
export function getSocketPath(host: string): string | undefined {
  return host.startsWith("unix:") ? host.slice("unix:".length) : undefined;
}

/** Removes the socket file that a killed server left behind. Never removes a socket in use. */
export async function removeDeadSocket(host: string): Promise<void> {
  const path = getSocketPath(host);
  if (path === undefined || !lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return;
  try {
    const connected = await Bun.connect({ unix: path, socket: { data() {} } });
    connected.end();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNREFUSED") rmSync(path, { force: true });
  }
}
