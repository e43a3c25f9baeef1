import { toPrintable } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { parseFieldText } from "../../contract/read.ts";
import { readJsonBody, requireDecodableUrl } from "../../network/request.ts";
import { listQueryFields, type Operation } from "../../operations/operation.ts";

/**
 * What a request says, before anybody judges it: the fields of its path, and those of its query or its JSON body.
 *
 * @returns the fields; for a body that is no object, that body, which `read` then refuses in its own words.
 * @throws Problem invalid_request: 400 for bytes that are no text or no JSON and for a field twice, 413 and 415.
 */
export async function readRequest(operation: Operation, request: Request): Promise<unknown> {
  requireDecodableUrl(request.url);
  const url = new URL(request.url);
  const fields = pathFields(operation.path, url);
  if (operation.method === "GET") return { ...fields, ...queryFields(operation, url) };
  const body = await readJsonBody(request, limits.bodyBytesMax);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...fields };
}

/** Read off the address itself and decoded once: the framework turns bad encoding into `null`. */
function pathFields(template: string, { pathname }: URL): Record<string, string> {
  const words = pathname.split("/");
  const fields: Record<string, string> = {};
  for (const [index, segment] of template.split("/").entries()) {
    if (segment.startsWith(":")) fields[segment.slice(1)] = decodeURIComponent(words[index] ?? "");
  }
  return fields;
}

/** An operation without fields for it does not look at the query: the documented ones never did. */
function queryFields(operation: Operation, { searchParams }: URL): Record<string, unknown> {
  if (listQueryFields(operation).length === 0) return {};
  const fields = new Map<string, unknown>();
  for (const [field, text] of searchParams) {
    if (fields.has(field)) {
      const name = toPrintable(field).slice(0, nameLettersMax);
      const message = `${name} stands twice in the query; send it once`;
      throw new Problem("invalid_request", { message });
    }
    fields.set(field, parseFieldText(operation.input.properties[field], text));
  }
  return Object.fromEntries(fields);
}

const nameLettersMax = 60;
