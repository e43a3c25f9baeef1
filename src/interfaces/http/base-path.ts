/**
 * Serves everything below the path of the public URL, such as `https://intra.example/roster`. The path is removed from requests
 * and added to links and redirects. The rest of the code does not know the path.
 */
import { getBasePath } from "../../network/public-url.ts";
import type { RequestHandler } from "./socket/listener.ts";

export function serveBelow(publicUrl: () => string, answer: RequestHandler): RequestHandler {
  return (request) => {
    const base = getBasePath(publicUrl());
    const pathAt = request.url.indexOf("/", "https://".length);
    if (base !== "" || pathAt < originLettersMin) setInnerUrl(request, base);
    if (base === "") return answer(request);
    return Promise.resolve(answer(request)).then((response) => addBase(response, base));
  };
}

/** The length of the shortest origin that Elysia can handle. */
const originLettersMin = "https://abc".length;

/**
 * Removes the base path from the URL of a request. Changes the request itself, because a copy would lose the client's address.
 */
function setInnerUrl(request: Request, base: string): void {
  const { url } = request;
  const [, scheme = "", host = "", path = ""] = /^(https?):\/\/([^/?#]*)(.*)$/.exec(url) ?? [];
  if (host === "") return;
  const origin = `${scheme}://${host}`;
  const longOrigin = origin.length < originLettersMin ? lengthenOrigin(scheme, host) : origin;
  const value = longOrigin + (base === "" ? path : removeBase(path, base));
  if (value !== url) Object.defineProperty(request, "url", { value });
}

/** Makes an origin long enough for Elysia: `http://api` becomes `http://api:00080`. */
function lengthenOrigin(scheme: string, host: string): string {
  const [name, port = scheme === "https" ? "443" : "80"] = host.split(":");
  return `${scheme}://${name}:${port.padStart(5, "0")}`;
}

function removeBase(path: string, base: string): string {
  // RFC 8414 and RFC 9728 put the base path after the well-known path.
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

const linkAttributes =
  "href src action formaction hx-get hx-post hx-put hx-patch hx-delete hx-push-url".split(" ");

function moveLinks(element: HTMLRewriterTypes.Element, base: string): void {
  for (const name of linkAttributes) {
    const address = element.getAttribute(name);
    if (address) element.setAttribute(name, toBelow(address, base));
  }
}

/** Adds the base path to an address such as `/docs`. An address that has the base path stays unchanged. */
function toBelow(address: string, base: string): string {
  const isOurs = /^\/(?!\/)/.test(address);
  const isBelow = address === base || address.startsWith(`${base}/`);
  return isOurs && !isBelow ? base + address : address;
}
