/** Reads what a request says: its body, within a bound, and its address. */
import { Problem } from "../contract/problem.ts";

/**
 * The body of a request as JSON, whoever sent it and however: in UTF-8, as it is, within a bound.
 *
 * @param bytesMax stops there, whether the length was announced or comes in chunks.
 * @throws Problem invalid_request: 400 for bytes that are no text or no JSON, 413 and 415.
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null) refuseOtherThanJson(type);
  const coding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity") {
    throw refused("send the body as it is, without Content-Encoding", 415);
  }
  const bytes = await readBody(request, bytesMax);
  if (bytes.byteLength === 0) throw refused("the body is missing: send a JSON object");
  if (type === null) refuseOtherThanJson("nothing");
  return parsed(bytes);
}

const refused = (message: string, status = 400) =>
  new Problem("invalid_request", { message, status });

function refuseOtherThanJson(type: string): void {
  const [media, ...parameters] = type.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name, value] = parameter.split("=").map((part) => part.trim().replaceAll('"', ""));
    return name !== "charset" || value === "utf-8" || value === "utf8";
  });
  if (media?.trim() === "application/json" && isUtf8) return;
  throw refused("Content-Type must be application/json, in UTF-8", 415);
}

/** `ignoreBOM` keeps the mark in the text, where JSON refuses it: RFC 8259 forbids sending one. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parsed(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw refused("the body must be valid UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refused("the body must be valid JSON, without a byte order mark");
  }
}

/**
 * The bytes of a request's body, within a bound.
 *
 * @param bytesMax stops there, whether the length was announced or comes in chunks.
 * @throws Problem invalid_request: 413, and 400 for a body that ends too early.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > bytesMax) throw tooLarge(bytesMax);
  try {
    // In one piece where the length is known: more than twice as fast as the stream (measured).
    return announced === null ? await readChunks(request, bytesMax) : await request.bytes();
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    // A sender that goes away in the middle is no fault of ours.
    throw refused("the body ended before its announced end");
  }
}

async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, so a sender without end is cut off.
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (bytesMax: number) => refused(`the body must be at most ${bytesMax} bytes`, 413);

/**
 * Holds path and query to percent-encoded UTF-8 (decision 8). Bun has put U+FFFD in place of each raw byte that is
 * none before anybody sees it, so a U+FFFD is refused too, even where the caller encoded one: nothing tells them apart.
 *
 * @throws Problem invalid_request
 */
export function requireDecodableUrl(url: string): void {
  try {
    if (!decodeURIComponent(url).includes("\uFFFD")) return;
  } catch {
    // Refused like the replacement character.
  }
  throw refused("path and query must be percent-encoded UTF-8, without U+FFFD");
}
