import type { Server } from "bun";
import type { Log } from "../../../operations/log-call.ts";
import { type CertificateFiles, readCertificate, watchCertificate } from "./certificate.ts";
import { watchDescriptors } from "./descriptor-watch.ts";
import { getSocketPath, openToGroup } from "./unix-socket.ts";

/** Our own limit is far smaller (`limits.bodyBytesMax`); up to this size, refusals still carry our envelope. */
const socketBytesMax = 64 * 1024 * 1024;
/** A connection without traffic for this long is dropped. */
const idleSeconds = 10;
/**
 * What clients are told, as `Keep-Alive: timeout`: a second less, so that none sends a request on a connection that is
 * being dropped.
 */
export const idleSecondsTold = idleSeconds - 1;
/** What is waited for may take longer, such as a database that is silent: whoever asked hears of it, too. */
const answerSeconds = 30;
/** How long calls in flight may take once the server closes. */
const drainMilliseconds = 10_000;
const pollMilliseconds = 5;
/** By then, every connection of a listener whose answers say `close` has ended by itself. */
const lingerMilliseconds = 1000 * (idleSeconds + 1);
/** For what is on its way while a server that has no descriptors left closes its connections. */
const graceMilliseconds = 1000;

/** Answers one request; never throws. */
export type RequestHandler = (request: Request) => Promise<Response>;

/** Where to listen: a host and a port, with TLS if there are files; or `unix:` and the path of a socket. */
export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly [File in keyof CertificateFiles]: string | undefined };
}

/** The socket side of the HTTP interface. It can listen before anything is loaded that answers calls. */
export interface Listener {
  /** From now on, this answers. */
  answerWith(handle: RequestHandler): void;
  /**
   * @returns the port, also when it already listens; undefined at a socket.
   * @throws the system's error when the port is taken; Fault for a certificate that cannot be used.
   */
  listen(at: ListenTarget): number | undefined;
  /** Stops accepting connections, waits for calls in flight, then closes idle connections. */
  close(): Promise<void>;
  /** The peer's address, `unix` at a socket; `undefined` for a request that came by none. */
  addressOf(request: Request): string | undefined;
}

/** What `addressOf` says of whoever is allowed to open the socket. */
export const socketPeer = "unix";

interface ListenerOptions {
  readonly log: Log;
  /** How often the certificate's files are looked at; default: five seconds. */
  readonly lookEveryMs?: number;
}

/** @param handle answers until `answerWith` names another. */
export function createListener(handle: RequestHandler, options: ListenerOptions): Listener {
  const { log } = options;
  let current = handle;
  let isClosing = false;
  const ends: (() => void)[] = [];
  // Several while connections that began under an older certificate are still open.
  const servers: Server<undefined>[] = [];
  let at: ListenTarget | undefined;

  const answer = async (request: Request, server: Server<undefined>) => {
    server.timeout(request, answerSeconds);
    const response = await current(request);
    server.timeout(request, idleSeconds);
    if (isClosing || server !== servers[0]) response.headers.set("connection", "close");
    return response;
  };
  let place: Place | undefined;
  const open = (next: Place) => {
    place = next;
    servers.unshift(Bun.serve({ ...createServing(answer, log), ...next } as Serving));
    if ("unix" in next) openToGroup(next.unix);
  };

  function listen(target: ListenTarget): number | undefined {
    if (at) return servers[0]?.port;
    const path = getSocketPath(target.host);
    const files = getFiles(target.tls);
    if (path !== undefined) {
      open({ unix: path });
    } else if (files) {
      ends.push(listenWithTls(target, files, { ...options, open, servers }));
    } else {
      open({ hostname: target.host, port: target.port, reusePort: false });
    }
    at = target;
    const port = servers[0]?.port;
    const reopen = () =>
      place && open("port" in place ? { ...place, port: port as number } : place);
    ends.push(watchDescriptors(log, { shed: () => shed(servers), reopen }));
    return port;
  }

  async function close(): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    for (const end of ends) end();
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

/** Takes no more connections, waits for calls in flight, then closes what is left: idle connections and overlong calls. */
async function drain(servers: readonly Server<undefined>[], leastMs = 0): Promise<void> {
  const stopping = servers.map((server) => server.stop(false));
  const isBusy = () => servers.some((server) => server.pendingRequests > 0);
  for (let waited = 0; isBusy() || waited < leastMs; waited += pollMilliseconds) {
    if (waited >= drainMilliseconds) break;
    await Bun.sleep(pollMilliseconds);
  }
  await Promise.all(servers.map((server) => server.stop(true)));
  await Promise.all(stopping);
}

/** Nothing else closes connections on which half a request came. */
async function shed(servers: Server<undefined>[]): Promise<void> {
  const before = [...servers];
  await drain(before, graceMilliseconds);
  for (const server of before) servers.splice(servers.indexOf(server), 1);
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

type Answerer = (request: Request, server: Server<undefined>) => Promise<Response>;

function createServing(fetch: Answerer, log: Log) {
  return {
    idleTimeout: idleSeconds,
    maxRequestBodySize: socketBytesMax,
    development: false,
    fetch,
    error: (error: unknown) => {
      log.error({ err: error }, "an answer could not be sent");
      return new Response(null, { status: 500 });
    },
  };
}

function getFiles(tls: ListenTarget["tls"]): CertificateFiles | undefined {
  const { certFile, keyFile } = tls ?? {};
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
}

interface TlsParts extends ListenerOptions {
  readonly open: (place: Place) => void;
  readonly servers: Server<undefined>[];
}

/**
 * A listener keeps the certificate that it began with, and one that stops cuts its idle connections. So a new certificate
 * gets a second listener on the same port, and the first goes on until its connections have ended: each answer asks for
 * that, and idle ones are dropped. Meanwhile new connections may get either certificate.
 *
 * @returns what ends the watch for new files.
 */
function listenWithTls(
  { host: hostname, port }: ListenTarget,
  files: CertificateFiles,
  { log, lookEveryMs, open, servers }: TlsParts,
): () => void {
  const tls = readCertificate(files);
  // Sharing must not hide that another program has the port: only who asks for it alone is told.
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
