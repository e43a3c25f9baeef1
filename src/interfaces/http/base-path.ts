/**
 * Serves everything below the path of the public address, such as https://intra.example/roster: no page, route or
 * redirect knows of it. A proxy may strip the path or keep it: both forms of a request mean the same.
 */
import { getBasePath } from "../../network/base-path.ts";
import type { RequestHandler } from "./socket/listener.ts";

interface BasePath {
  readonly handle: RequestHandler;
  /** The request that came in, of one that was passed on without the path. */
  readonly toOriginal: (request: Request) => Request;
}

export function serveBelow(publicUrl: () => string, answer: RequestHandler): BasePath {
  const originals = new WeakMap<Request, Request>();
  const handle: RequestHandler = async (request) => {
    const base = getBasePath(publicUrl());
    const inner = toInner(request, base);
    if (inner !== request) originals.set(inner, request);
    const response = await answer(inner);
    return base === "" ? response : addBase(response, base);
  };
  return { handle, toOriginal: (request) => originals.get(request) ?? request };
}

/** As text, so that the rest of the address stays as it was sent. */
function toInner(request: Request, base: string): Request {
  const isTls = request.url.startsWith("https:");
  if (base === "" && !isTls) return request;
  const [, host = "", path = ""] = /^https?:\/\/([^/?#]*)(.*)$/.exec(request.url) ?? [];
  const below = base === "" ? path : removeBase(path, base);
  if (host === "" || (below === path && !isTls)) return request;
  // The router knows http only: with its setting for hosts of one letter, it finds no path after `https://`.
  return new Request(`http://${host}${below}`, request);
}

function removeBase(path: string, base: string): string {
  // RFC 8414 and RFC 9728 put the path of the address behind the well-known one.
  const [, wellKnown = "", below = path] =
    /^(\/\.well-known\/oauth-[a-z-]+)(\/.*)$/.exec(path) ?? [];
  const rest = below.slice(base.length);
  if (!below.startsWith(base) || !/^([/?]|$)/.test(rest)) return path;
  return wellKnown + (rest.startsWith("/") || wellKnown !== "" ? rest : `/${rest}`);
}

const addressHeaders = ["location", "hx-redirect", "hx-location", "hx-push-url", "hx-replace-url"];

function addBase(response: Response, base: string): Response {
  const { headers } = response;
  for (const name of addressHeaders) {
    const address = headers.get(name);
    if (address !== null) headers.set(name, toBelow(address, base));
  }
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  if (!isPage || headers.has("content-encoding") || response.body === null) return response;
  headers.delete("content-length");
  return new HTMLRewriter()
    .on("*", { element: (element) => moveLinks(element, base) })
    .transform(response);
}

const linkAttributes = [
  "href",
  "src",
  "action",
  "formaction",
  "hx-get",
  "hx-post",
  "hx-put",
  "hx-patch",
  "hx-delete",
  "hx-push-url",
];

function moveLinks(element: HTMLRewriterTypes.Element, base: string): void {
  for (const name of linkAttributes) {
    const address = element.getAttribute(name);
    if (address) element.setAttribute(name, toBelow(address, base));
  }
}

/** Only what begins with one slash is an address of ours; what a library made of the public address is below already. */
function toBelow(address: string, base: string): string {
  const isOurs = /^\/(?!\/)/.test(address);
  const isBelow = address === base || address.startsWith(`${base}/`);
  return isOurs && !isBelow ? base + address : address;
}
