/** Sends HTTP requests to one forge. The token never reaches another host. Requests keep to the rate limits of the forge. */

import { setTimeout } from "node:timers/promises";
import { getCACertificates } from "node:tls";
import { Fault } from "../../../contract/fault.ts";
import { OversizedJson, parseForeignJson } from "../../../contract/foreign-json.ts";
import { gatherBytes } from "../../../contract/gather-bytes.ts";
import { type ForgeAdapter, ForgeDenial, ForgeOverload, ForgePause } from "../forge.ts";
import { type Clock, createPace, pauseMax, readLimits } from "./pace.ts";

export interface ForgeClientOptions {
  /** The id of the source, for messages. */
  readonly source: string;
  /** Address of the API, such as `https://git.corp.example/api/v1`. No request leaves its origin. */
  readonly api: string;
  readonly token?: string | undefined;
  /** Creates the headers for this kind of forge. By default, the headers accept JSON and contain a bearer token. */
  readonly createHeaders?: ((token: string | undefined) => Record<string, string>) | undefined;
  /** Certificates of a private authority in PEM, trusted in addition to the system's authorities. */
  readonly authorities?: string | undefined;
  readonly requestsPerHour?: number | undefined;
  /** The longest wait for one rate limit, in milliseconds. */
  readonly waitMax: number;
  /** Time limit for one answer in milliseconds; default: 30 seconds. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

interface ForgeRequest {
  /** A path relative to the API's address, such as `users/ada`; or a full address of the same origin. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The JSON body of a POST request; without a body the request is a GET. */
  readonly body?: unknown;
  /** What the request asks for, for messages: "the members of acme". */
  readonly what: string;
  /** The most times that a request is sent while the server is overloaded; default 3. */
  readonly attempts?: number | undefined;
  /** Name of the rate limit that applies to the request, such as `graphql`; default: `core`. */
  readonly bucket?: string | undefined;
  /** Whether refusals, such as 401 and 403, are returned like other answers. */
  readonly takesRefusals?: boolean | undefined;
}

export type ForgeAnswer = ReturnType<typeof toAnswer>;

export type ForgeClient = ReturnType<typeof createForgeClient>;

/** How to reach a kind of forge. */
export interface ForgeConnector extends Pick<ForgeClientOptions, "createHeaders"> {
  /** Derives the address of the API. @param url the address where people open the forge. */
  readonly getApi: (url: string) => string;
  readonly createAdapter: (client: ForgeClient, url: string) => ForgeAdapter;
}

const redirectsMax = 3;

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { ...(signal && { signal }) }).catch(() =>
      signal?.throwIfAborted(),
    ),
};

export function createForgeClient(given: ForgeClientOptions) {
  const { authorities } = given;
  const options =
    authorities === undefined ? given : { ...given, authorities: joinAuthorities(authorities) };
  const { clock = realClock, signal } = options;
  const base = new URL(`${options.api.replace(/(?<!\/)\/+$/, "")}/`);
  const pace = createPace(options, clock);
  let requests = 0;
  const send = async (url: URL, request: ForgeRequest): Promise<Response> => {
    let target = url;
    for (let redirects = 0; ; redirects++) {
      requests += 1;
      const response = await fetch(target, toInit(options, request));
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || !location) return response;
      await response.body?.cancel();
      target = follow(target, location, base, redirects, options.source);
    }
  };
  const waitFor = async (milliseconds: number): Promise<void> => {
    const until = clock.now() + Math.min(milliseconds, pauseMax);
    if (milliseconds > options.waitMax) throw new ForgePause(until);
    await clock.sleep(milliseconds, signal);
  };
  const ask = async (request: ForgeRequest): Promise<ForgeAnswer> => {
    const url = toUrl(base, request);
    const { attempts = 3, bucket = "core" } = request;
    let refusals = 0;
    for (let attempt = 1; ; ) {
      const closed = pace.untilOpen(bucket);
      if (closed > 0) await waitFor(closed);
      const answer = await pace.take(() => tryOnce(() => send(url, request), options, clock));
      if ("fault" in answer) {
        if (attempt === attempts) throw answer.fault;
        await clock.sleep(attempt * 1000, signal);
        attempt += 1;
        continue;
      }
      const wait = pace.note(bucket, answer.limits, answer.status);
      if (wait === undefined) return toAnswer(answer, base, request, options.source);
      // A forge that refuses repeatedly needs more time than it says, so each refusal doubles the wait.
      await waitFor(wait * 2 ** refusals);
      refusals += 1;
    }
  };
  return {
    /**
     * @throws ForgePause if a rate limit asks for a long wait. @throws ForgeDenial if the token may not read the answer.
     * @throws ForgeOverload if the server is overloaded. @throws Fault if the token or the request fails.
     */
    ask,
    /** Number of requests sent, including redirects and repeated requests. */
    requests: () => requests,
    remaining: pace.remaining,
  };
}

type Received = Extract<Awaited<ReturnType<typeof tryOnce>>, { readonly text: string }>;

/** Sends a request once. Returns a fault if the request may be repeated, and throws other faults. */
async function tryOnce(
  send: () => Promise<Response>,
  { source, signal }: Pick<ForgeClientOptions, "source" | "signal">,
  clock: Clock,
) {
  try {
    const response = await send();
    const { status, headers } = response;
    const text = await readText(response, source);
    const limits = readLimits(headers, status === 403 ? text : "", clock.now());
    const isOverloaded = [502, 503, 504].includes(status) && limits.retryAfter === undefined;
    if (isOverloaded) return { fault: new ForgeOverload(`${source} answered ${status}.`) };
    return { status, headers, text, limits };
  } catch (error) {
    if (signal?.aborted || error instanceof Fault) throw signal?.aborted ? signal.reason : error;
    return { fault: toUnreachable(source, error) };
  }
}

function toUnreachable(source: string, error: unknown): Fault {
  const { name, code, message } = error as Error & { readonly code?: string };
  const reason =
    name === "TimeoutError" ? "it took too long to answer" : (code ?? message).replaceAll("_", " ");
  return createForgeFault(source, `cannot be reached: ${reason}.`, error);
}

function toInit(options: ForgeClientOptions, { body }: ForgeRequest): BunFetchRequestInit {
  const { token, createHeaders, authorities, timeout = 30_000, signal } = options;
  const timer = AbortSignal.timeout(timeout);
  return {
    method: body === undefined ? "GET" : "POST",
    redirect: "manual",
    headers: {
      accept: "application/json",
      // Accepts only gzip. Its unpacking stops when an answer becomes too large.
      "accept-encoding": "gzip",
      "user-agent": "roster",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(createHeaders ?? createBearer)(token),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(authorities !== undefined && { tls: { ca: authorities } }),
    signal: signal ? AbortSignal.any([signal, timer]) : timer,
  };
}

/** @package Creates an authorization header with a bearer token. */
export function createBearer(token: string | undefined): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}

function joinAuthorities(authorities: string): string {
  return [...getCACertificates("default"), ...getCACertificates("system"), authorities].join("\n");
}

function toUrl(base: URL, { path, query = {} }: ForgeRequest): URL {
  const url = new URL(path, base);
  if (url.origin !== base.origin) throw new Error("A request that leaves its forge.");
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Resolves a redirect. A redirect to another host is refused, because the token must not reach that host. */
function follow(from: URL, location: string, base: URL, redirects: number, source: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to || to.origin !== base.origin) {
    const where = to ? to.origin : "an address that cannot be read";
    const remedy = "the source's url must be the address where the forge itself answers";
    const message = `redirects to ${where}, and Roster does not follow: ${remedy}.`;
    throw createForgeFault(source, message, to);
  }
  if (redirects === redirectsMax) {
    throw createForgeFault(source, `redirects more than ${redirectsMax} times.`);
  }
  return to;
}

function toAnswer(received: Received, base: URL, request: ForgeRequest, source: string) {
  const { status, headers, text } = received;
  const { what, takesRefusals = false } = request;
  if (status === 401 && !takesRefusals) {
    throw new Fault("forge_token", `The token of source ${source} was refused (401).`);
  }
  if (status === 403 && !takesRefusals) {
    throw new ForgeDenial(describeDenial(source, what, headers));
  }
  const isAnswer = (status >= 200 && status < 300) || [404, 405, 410, 422].includes(status);
  if (!isAnswer && !takesRefusals)
    throw createForgeFault(source, `answered ${status} to a request for ${what}.`);
  return {
    /** The HTTP status: 200 to 299, 404, 405, 410 or 422; any if the request takes refusals. */
    status,
    headers,
    body: parseAnswer(text, status, source, what),
    /** Addresses of the next and the last page, from the Link header. */
    next: findLink(headers, base, "next"),
    last: findLink(headers, base, "last"),
  };
}

function describeDenial(source: string, what: string, headers: Headers): string {
  const needed =
    headers.get("x-accepted-oauth-scopes") ?? headers.get("x-accepted-github-permissions");
  const scope = needed ? `: it needs ${needed}` : "";
  return `The token of source ${source} may not read ${what} (403)${scope}.`;
}

/** The largest answer, in bytes. */
const bytesMax = 16 * 1024 * 1024;

/**
 * @param what end of the message, after the name of the forge: "redirects more than 3 times."
 * @param cause the error of the connection, or the URL of a redirect.
 */
function createForgeFault(source: string, what: string, cause?: unknown): Fault {
  return new Fault("forge", `The forge of source ${source} ${what}`, { cause });
}

/** Reads the body. @throws Fault for a body that is too large, or has an encoding that was not requested. */
async function readText(response: Response, source: string): Promise<string> {
  const coding = response.headers.get("content-encoding") ?? "identity";
  if (!/^(identity|gzip|)$/i.test(coding)) {
    await response.body?.cancel();
    throw createForgeFault(source, "answered in an unknown content encoding.");
  }
  const most = `${bytesMax / 1024 / 1024} MB`;
  const tooMuch = () => createForgeFault(source, `sent more than ${most} in one answer.`);
  return (await gatherBytes(response.body ?? [], bytesMax, tooMuch)).toString("utf8");
}

/** Parses the body. @returns undefined for an empty body, and for a refusal that is not JSON. */
function parseAnswer(text: string, status: number, source: string, what: string): unknown {
  if (text === "") return undefined;
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (status >= 400) return undefined;
    if (!(error instanceof OversizedJson)) {
      const words = `did not answer in JSON to a request for ${what}: check the source's url.`;
      throw createForgeFault(source, words);
    }
    const said = `The answer of the forge of source ${source} to a request for ${what}`;
    throw new Fault("forge", `${said}, ${error.message}.`);
  }
}

/** Finds the address of another page in the Link header. @param relation such as `next`. */
function findLink(headers: Headers, base: URL, relation: string): string | undefined {
  const links = (headers.get("link") ?? "").matchAll(/<([^<>]*)>([^<]*)/g);
  for (const [, address = "", rest = ""] of links) {
    const [, named] = /\brel="?(\w+)/.exec(rest) ?? [];
    if (named !== relation || !URL.canParse(address, base.href)) continue;
    const url = new URL(address, base);
    // Keeps the known origin, because a forge behind a proxy may state another one.
    return `${base.origin}${url.pathname}${url.search}`;
  }
  return undefined;
}
