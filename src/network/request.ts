/** Reads a request's body, up to a limit, and checks its URL. */
import { OversizedJson, parseForeignJson } from "../contract/foreign-json.ts";
import { Problem } from "../contract/problem.ts";
import { createBodyPlaces } from "./body-places.ts";

/**
 * The body of a request as JSON: in UTF-8, without Content-Encoding, up to a limit.
 *
 * @param bytesMax the limit, whether the length is announced or the body comes in chunks.
 * @throws Problem invalid_request: 400 for what is not UTF-8 or not JSON, 413 beyond the limit, 415 for another type.
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null) requireJsonType(type);
  const coding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity") {
    throw createRefusal("send the body as it is, without Content-Encoding", 415);
  }
  const bytes = await readBody(request, bytesMax);
  if (bytes.byteLength === 0) throw createRefusal("the body is missing: send a JSON object");
  if (type === null) requireJsonType("nothing");
  return parseJson(bytes);
}

const createRefusal = (message: string, status = 400) =>
  new Problem("invalid_request", { message, status });

function requireJsonType(type: string): void {
  const [media, ...parameters] = type.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name, value] = parameter.split("=").map((part) => part.trim().replaceAll('"', ""));
    return name !== "charset" || value === "utf-8" || value === "utf8";
  });
  if (media?.trim() === "application/json" && isUtf8) return;
  throw createRefusal("Content-Type must be application/json, in UTF-8", 415);
}

/** `ignoreBOM` keeps a byte order mark in the text, where JSON.parse refuses it: RFC 8259 forbids sending one. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw createRefusal("the body must be valid UTF-8");
  }
  try {
    return parseForeignJson(text);
  } catch (error) {
    if (error instanceof OversizedJson) throw createRefusal(`the body ${error.message}`);
    throw createRefusal("the body must be valid JSON, without a byte order mark");
  }
}

/** The limits shared by all readers in this process. */
const places = createBodyPlaces();

/**
 * The bytes of a request's body, up to a limit.
 *
 * @param bytesMax the limit, whether the length is announced or the body comes in chunks.
 * @param sender the account that sends it, if it is known: few large bodies of one are read at once.
 * @throws Problem invalid_request: 413 beyond the limit, 400 for a body that ends too early; internal with status 503 while
 *   too many large bodies are being read.
 */
export async function readBody(
  request: Request,
  bytesMax: number,
  sender?: string,
): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  requireSize(Number(length), bytesMax);
  const bytes = length === null ? bytesMax : Number(length);
  const leave = places.take({ bytes, kind: bytesMax, sender });
  try {
    // Reading it in one piece takes less than half as long as the stream (measured).
    return length === null ? await readChunks(request, bytesMax) : await request.bytes();
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    // A sender that disconnects midway is not an internal error.
    throw createRefusal("the body ended before its announced end");
  } finally {
    leave();
  }
}

async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, so an endless sender is cut off.
    requireSize(bytes, bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function requireSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw createRefusal(`the body must be at most ${bytesMax} bytes`, 413);
}

/**
 * Requires path and query to be percent-encoded UTF-8 (decision 8). Bun replaces each raw byte that is not UTF-8 with
 * U+FFFD before handing over the URL, so U+FFFD is refused too, even one that the caller encoded: they look the same.
 *
 * @throws Problem invalid_request
 */
export function requireDecodableUrl(url: string): void {
  try {
    if (!decodeURIComponent(url).includes("\uFFFD")) return;
  } catch {
    // The URL is refused below.
  }
  throw createRefusal("path and query must be percent-encoded UTF-8, without U+FFFD");
}
