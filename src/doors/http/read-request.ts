import { requireDecodableUrl } from "../../contract/http/decodable-url.ts";
import { readJsonBody } from "../../contract/http/json-body.ts";
import { limits } from "../../contract/limits.ts";
import type { Operation } from "../../operations/operation.ts";

/**
 * What a request says, before anybody judges it: the fields of its path, and those of its JSON body.
 *
 * @returns the fields; for a body that is no object, that body, which `read` then refuses in its own words.
 * @throws Problem invalid_request: 400 for bytes that are no text or no JSON, 413 and 415.
 */
export async function readRequest(operation: Operation, request: Request): Promise<unknown> {
  requireDecodableUrl(request.url);
  const fields = pathFields(operation.path, request.url);
  if (operation.method === "GET") return fields;
  const body = await readJsonBody(request, limits.bodyBytesMax);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...fields };
}

/** Read off the address itself and decoded once: the framework turns bad encoding into `null`. */
function pathFields(template: string, url: string): Record<string, string> {
  const words = new URL(url).pathname.split("/");
  const fields: Record<string, string> = {};
  for (const [index, segment] of template.split("/").entries()) {
    if (segment.startsWith(":")) fields[segment.slice(1)] = decodeURIComponent(words[index] ?? "");
  }
  return fields;
}
