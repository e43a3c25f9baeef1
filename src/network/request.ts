/** Reads the body of a request, up to a limit, and checks the request's URL. */

import { OversizedJson, parseForeignJson } from "../contract/foreign-json.ts";
import { gatherBytes } from "../contract/gather-bytes.ts";
import { createInvalidRequest, Problem } from "../contract/problem.ts";
import { createBodyPlaces } from "./body-places.ts";

/**
 * Parses the body of a request as JSON.
 * @throws Problem `invalid_request`: 400 if it is not JSON in UTF-8, 413 if it is too long, 415 if it has another type.
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null) requireJsonType(type);
  const coding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity") {
    throw createInvalidRequest("send the body uncompressed, without Content-Encoding", 415);
  }
  const bytes = await readBody(request, bytesMax);
  if (bytes.byteLength === 0) throw createInvalidRequest("the body is missing: send a JSON object");
  if (type === null) requireJsonType("nothing");
  return parseJson(bytes);
}

function requireJsonType(type: string): void {
  const [media, ...parameters] = type.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name, value] = parameter.split("=").map((part) => part.trim().replaceAll('"', ""));
    return name !== "charset" || value === "utf-8" || value === "utf8";
  });
  if (media?.trim() === "application/json" && isUtf8) return;
  throw createInvalidRequest("Content-Type must be application/json, in UTF-8", 415);
}

/** `ignoreBOM` leaves a byte order mark in the text, so that JSON.parse refuses it. RFC 8259 does not allow the mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw createInvalidRequest("the body must be valid UTF-8");
  }
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (error instanceof OversizedJson) throw createInvalidRequest(`the body ${error.message}`);
    throw createInvalidRequest("the body must be valid JSON, without a byte order mark");
  }
}

/** The limits that all requests to this process share. */
const places = createBodyPlaces();

/**
 * @param bytesMax the limit, also for a body in chunks without a stated length.
 * @param sender the account that sends the body, if known. At most two large bodies of an account are read at once.
 * @throws Problem with status 413 if the body is too long, 400 if it ends too early, or 503 if too many bodies are being read.
 */
export async function readBody(
  request: Request,
  bytesMax: number,
  sender?: string,
): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  const tooLong = () => createInvalidRequest(`the body must be at most ${bytesMax} bytes`, 413);
  if (Number(length) > bytesMax) throw tooLong();
  const bytes = length === null ? bytesMax : Number(length);
  const leave = places.take({ bytes, kind: bytesMax, sender });
  try {
    // `bytes` is more than twice as fast as reading the stream, but has no limit for a body in chunks.
    if (length !== null) return await request.bytes();
    return await gatherBytes(request.body ?? [], bytesMax, tooLong);
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    // The sender has disconnected, which is not an internal error.
    throw createInvalidRequest("the body is shorter than its Content-Length");
  } finally {
    leave();
  }
}

/**
 * @throws Problem `invalid_request` if the URL is not percent-encoded UTF-8 (decision 8). U+FFFD is refused too, because Bun
 * replaces bytes that are not UTF-8 by it.
 */
export function requireDecodableUrl(url: string): void {
  try {
    if (!decodeURIComponent(url).includes("\uFFFD")) return;
  } catch {
    // The text cannot be decoded, so it is refused below.
  }
  throw createInvalidRequest("path and query must be percent-encoded UTF-8, without U+FFFD");
}
