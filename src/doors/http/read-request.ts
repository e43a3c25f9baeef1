import { limits } from "../../contract/limits.ts";
import { Problem } from "../../contract/problem.ts";
import type { Operation } from "../../operations/operation.ts";

/**
 * What a request says, before anybody judges it: the fields of its path, and those of its JSON body.
 *
 * @returns the fields; for a body that is no object, that body, which `read` then refuses in its own words.
 * @throws Problem invalid_request: 400 for bytes that are no text or no JSON, 413 and 415.
 */
export async function readRequest(operation: Operation, request: Request): Promise<unknown> {
  const fields = pathFields(operation.path, request.url);
  if (operation.method === "GET") return fields;
  const body = await readJson(request);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return { ...body, ...fields };
}

const refused = (message: string, status = 400) =>
  new Problem("invalid_request", { message, status });
const tooLarge = () => refused(`the body must be at most ${limits.bodyBytesMax} bytes`, 413);

/** Read off the address itself and decoded once: the framework turns bad encoding into `null`. */
function pathFields(template: string, url: string): Record<string, string> {
  const words = new URL(url).pathname.split("/");
  const fields: Record<string, string> = {};
  for (const [index, segment] of template.split("/").entries()) {
    if (segment.startsWith(":")) fields[segment.slice(1)] = decoded(words[index] ?? "", segment);
  }
  return fields;
}

function decoded(word: string, segment: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw refused(`the ${segment.slice(1)} in the path must be percent-encoded UTF-8`);
  }
}

async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null) refuseOtherThanJson(type);
  const coding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (coding !== "identity") {
    throw refused("send the body as it is, without Content-Encoding", 415);
  }
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) throw refused("the body is missing: send a JSON object");
  if (type === null) refuseOtherThanJson("nothing");
  return parsed(bytes);
}

function refuseOtherThanJson(type: string): void {
  const [media, ...parameters] = type.toLowerCase().split(";");
  const isUtf8 = parameters.every((parameter) => {
    const [name, value] = parameter.split("=").map((part) => part.trim().replaceAll('"', ""));
    return name !== "charset" || value === "utf-8" || value === "utf8";
  });
  if (media?.trim() === "application/json" && isUtf8) return;
  throw refused("Content-Type must be application/json, in UTF-8", 415);
}

/** Stops at our own bound, whether the length was announced or comes in chunks. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limits.bodyBytesMax) throw tooLarge();
  try {
    // In one piece where the length is known: more than twice as fast as the stream (measured).
    return announced === null ? await readChunks(request) : await request.bytes();
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    // A sender that goes away in the middle is no fault of ours.
    throw refused("the body ended before its announced end");
  }
}

async function readChunks(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, so a sender without end is cut off.
    if (bytes > limits.bodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
