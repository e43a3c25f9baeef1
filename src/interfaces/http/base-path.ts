/**
 * Serves everything below the path of the public address, such as https://intra.example/roster: no page, route or
 * redirect knows of it. A proxy may strip the path or keep it: both forms of a request mean the same.
 */
import { getBasePath } from "../../network/public-url.ts";
import type { RequestHandler } from "./socket/listener.ts";

export function serveBelow(publicUrl: () => string, answer: RequestHandler): RequestHandler {
  let known = { publicUrl: "", base: "" };
  return async (request) => {
    const address = publicUrl();
    if (known.publicUrl !== address) known = { publicUrl: address, base: getBasePath(address) };
    const { base } = known;
    const pathAt = request.url.indexOf("/", "https://".length);
    if (base !== "" || pathAt < originLettersMin) setInnerUrl(request, base);
    const response = await answer(request);
    return base === "" ? response : addBase(response, base);
  };
}

/** Elysia looks for the path of a URL behind so many letters. */
const originLettersMin = "https://abc".length;

/**
 * Gives the request the address that the router knows. It stays the same request, since a copy would have no connection, which
 * tells the client's address and whether the client is gone.
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

/** Leading zeros of a port mean nothing: `http://api` and `http://api:00080` are one address. */
function lengthenOrigin(scheme: string, host: string): string {
  const [name, port = scheme === "https" ? "443" : "80"] = host.split(":");
  return `${scheme}://${name}:${port.padStart(5, "0")}`;
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
