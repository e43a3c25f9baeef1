import { toPrintable } from "../../contract/foreign-text.ts";
import { limits } from "../../contract/limits.ts";
import { createInvalidRequest } from "../../contract/problem.ts";
import { parseFieldText } from "../../contract/read.ts";
import { readJsonBody, requireDecodableUrl } from "../../network/request.ts";
import type { PathParams } from "../../network/route.ts";
import { listQueryFields, type Operation } from "../../operations/operation.ts";

/**
 * Reads the unvalidated input of a request from its path and its query or JSON body.
 * @returns the fields, or a body that is not an object.
 * @throws Problem `invalid_request` for invalid UTF-8, invalid JSON, a repeated field, or a body of the wrong size or type.
 */
export function readRequest(
  operation: Operation,
  request: Request,
  params: PathParams,
): unknown | Promise<unknown> {
  requireDecodableUrl(request.url);
  return operation.method === "GET"
    ? { ...params, ...readQueryFields(operation, request.url) }
    : readBodyFields(request, params);
}

async function readBodyFields(request: Request, params: PathParams): Promise<unknown> {
  const body = await readJsonBody(request, limits.bodyBytesMax);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...params };
}

/** Reads the query fields. An operation without query fields ignores the query. */
function readQueryFields(operation: Operation, url: string): Record<string, unknown> {
  if (!url.includes("?") || listQueryFields(operation).length === 0) return {};
  const { searchParams } = new URL(url);
  const fields = new Map<string, unknown>();
  for (const [field, text] of searchParams) {
    if (fields.has(field)) {
      const name = toPrintable(field).slice(0, nameLettersMax);
      throw createInvalidRequest(`${name} is in the query twice; send it once`);
    }
    fields.set(field, parseFieldText(operation.input.properties[field], text));
  }
  return Object.fromEntries(fields);
}

const nameLettersMax = 60;
