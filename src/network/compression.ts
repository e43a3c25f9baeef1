/** Compresses answers for clients that accept compression. */
import Negotiator from "negotiator";
import { measurePieces } from "./late-body.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Coding = "br" | "zstd" | "gzip";

/** Shorter answers are not compressed, because they fit into one packet anyway. */
const bytesMin = 1024;

/** The codings for files, the smallest result first. A file is compressed once and sent often. */
const forFiles: readonly Coding[] = ["br", "zstd", "gzip"];
/** The codings for other answers, the fastest first. Such an answer is compressed for one request. */
const forAnswers = ["zstd", "gzip"] as const;

/** @returns the first offered coding that the client accepts; undefined if the client accepts none. */
function chooseCoding<Offered extends Coding>(
  request: Request,
  offered: readonly Offered[],
): Offered | undefined {
  const accepted = request.headers.get("accept-encoding");
  if (!accepted) return undefined;
  const taken = new Negotiator({ headers: { "accept-encoding": accepted } }).encodings([
    ...offered,
  ]);
  // The client's order of preference is ignored, as HTTP allows.
  return offered.find((coding) => taken.includes(coding));
}

/** @returns the coding for an answer that is compressed for one request, if the client accepts one. */
export const chooseAnswerCoding = (request: Request) => chooseCoding(request, forAnswers);

/** Compresses an answer on this thread, which is faster than passing the answer to another thread. */
function compressFast(bytes: Bytes, coding: Coding): Bytes {
  const level = { level: 1 } as const;
  const compressed =
    coding === "zstd" ? Bun.zstdCompressSync(bytes, level) : Bun.gzipSync(bytes, level);
  return new Uint8Array(compressed);
}

/** Compresses a file strongly, on another thread because that can take a tenth of a second. */
async function compressFully(bytes: Bytes, coding: Coding): Promise<Bytes> {
  if (coding === "zstd") return Uint8Array.from(await Bun.zstdCompress(bytes, { level: 12 }));
  // Imported only here, because loading the module would slow down the start.
  const { brotliCompress, constants, gzip } = await import("node:zlib");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, compressed: Uint8Array) =>
      error ? reject(error) : resolve(Uint8Array.from(compressed));
    if (coding === "br") brotliCompress(bytes, { params }, done);
    else gzip(bytes, { level: 9 }, done);
  });
}

/**
 * Compresses an answer to one request if the client accepts it. Do not use it for answers that contain both a secret and text of
 * the request: the compressed length would reveal the secret.
 */
export function compressAnswer(
  request: Request,
  pieces: readonly Bytes[],
): { readonly body: readonly Bytes[]; readonly headers: Readonly<Record<string, string>> } {
  if (measurePieces(pieces) < bytesMin) return { body: pieces, headers: {} };
  const vary = "accept-encoding";
  const coding = chooseAnswerCoding(request);
  if (!coding) return { body: pieces, headers: { vary } };
  const [first = new Uint8Array(), ...others] = pieces;
  const body = [compressFast(others.length === 0 ? first : Buffer.concat(pieces), coding)];
  return { body, headers: { vary, "content-encoding": coding } };
}

/** Creates a handler that sends a file of the program. It compresses the file once for each coding that a client requests. */
export function createFileAnswer(
  read: () => string | Blob,
  headers: Readonly<Record<string, string>>,
): (request: Request) => Promise<Response> {
  let content: Promise<Bytes> | undefined;
  const forms = new Map<Coding, Promise<Bytes>>();
  return async (request) => {
    content ??= new Response(read()).arrayBuffer().then((read) => new Uint8Array(read));
    const bytes = await content;
    const tag = `"${Bun.hash(bytes).toString(36)}"`;
    const own = { ...headers, etag: tag, vary: "accept-encoding" };
    if (hasTag(request, tag)) return new Response(null, { status: 304, headers: own });
    const coding = bytes.byteLength < bytesMin ? undefined : chooseCoding(request, forFiles);
    if (!coding) return createAnswer(bytes, own);
    const form = forms.getOrInsertComputed(coding, () => compressFully(bytes, coding));
    return createAnswer(await form, { ...own, "content-encoding": coding });
  };
}

function createAnswer(bytes: Bytes, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes, {
    headers: { ...headers, "content-length": String(bytes.byteLength) },
  });
}

/**
 * Whether the client already has the content with this tag. Ignores the prefix `W/` of weak tags, which a proxy may have added
 * (RFC 9110, If-None-Match).
 */
export function hasTag(request: Request, tag: string): boolean {
  const given = request.headers.get("if-none-match");
  if (!given) return false;
  return (
    given.trim() === "*" || given.split(",").some((one) => one.trim().replace(/^W\//, "") === tag)
  );
}
