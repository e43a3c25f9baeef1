import { toPrintable } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import { parseFieldText } from "../../contract/read.ts";
import { readJsonBody, requireDecodableUrl } from "../../network/request.ts";
import type { PathParams } from "../../network/route.ts";
import { listQueryFields, type Operation } from "../../operations/operation.ts";

/**
 * What a request says, before anybody judges it: the fields of its path, and those of its query or its JSON body.
 *
 * @returns the fields; for a body that is no object, that body, which `read` then refuses in its own words.
 * @throws Problem invalid_request: 400 for bytes that are no text or no JSON and for a field twice, 413 and 415.
 */
export async function readRequest(
  operation: Operation,
  request: Request,
  params: PathParams,
): Promise<unknown> {
  requireDecodableUrl(request.url);
  if (operation.method === "GET") {
    return { ...params, ...queryFields(operation, new URL(request.url)) };
  }
  const body = await readJsonBody(request, limits.bodyBytesMax);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...params };
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
