import { Problem } from "../problem.ts";
import { readBody } from "./body.ts";

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
