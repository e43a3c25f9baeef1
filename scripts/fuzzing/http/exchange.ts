/** Sends bytes over a socket and reads the answers, whatever was sent. */
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { asBytes } from "../bytes.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Exchange {
  readonly answers: readonly Answered[];
  /** Bytes that arrived and are not a complete answer. */
  readonly rest: string;
  /** Whether the connection was neither closed nor answered in time. */
  readonly isSilent: boolean;
}

interface Manner {
  /** The number of answers to wait for after the last text. With fewer, it waits until nothing has come for `silenceMs`. */
  readonly wanted?: number;
  /** Whether the calls use HEAD, so that their answers have no body. */
  readonly isHead?: boolean;
  readonly silenceMs?: number;
  /** How many bytes are sent at once; 0: all. */
  readonly pieceBytes?: number;
}

/**
 * Sends the texts over one connection, each after the one before it is answered. Ends when the wanted answers have come,
 * the other side closes, or nothing has come for `silenceMs`.
 */
export function exchange(
  port: number,
  texts: readonly string[],
  { wanted = 1, isHead = false, silenceMs = 30_000, pieceBytes = 0 }: Manner = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    let received = "";
    let sent = 0;
    const end = (isSilent: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...answersIn(received, isHead), isSilent });
    };
    // The server may answer before it has read the whole request.
    let sending = Promise.resolve();
    const sendNext = () => {
      const bytes = asBytes(texts[sent++] ?? "");
      sending = sending.then(() => sendPieces(socket, bytes, pieceBytes));
    };
    let timer = setTimeout(() => end(true), silenceMs);
    const socket = connect(port, "127.0.0.1", sendNext);
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      received += chunk;
      clearTimeout(timer);
      timer = setTimeout(() => end(true), silenceMs);
      const { length } = answersIn(received, isHead).answers;
      if (sent < texts.length && length >= sent) sendNext();
      else if (sent === texts.length && length >= texts.length - 1 + wanted) end(false);
    });
    socket.on("close", () => end(false));
    socket.on("error", () => end(false));
  });
}

/** Sends the bytes and closes the connection at once. */
export async function abandon(port: number, text: string, pieceBytes: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", resolve));
  await sendPieces(socket, asBytes(text), pieceBytes);
  socket.destroy();
}

async function sendPieces(socket: Socket, bytes: Buffer, pieceBytes: number): Promise<void> {
  const length = pieceBytes || bytes.length || 1;
  for (let from = 0; from < bytes.length && socket.writable; from += length) {
    if (from > 0) await setImmediate();
    socket.write(bytes.subarray(from, from + length));
  }
}

function answersIn(received: string, isHead: boolean): Pick<Exchange, "answers" | "rest"> {
  const answers: Answered[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1];
    if (end < 0 || !status) return { answers, rest };
    // An interim answer, such as 100 Continue.
    if (status.startsWith("1")) {
      rest = rest.slice(end + 4);
      continue;
    }
    const headers = new Headers();
    for (const line of rest.slice(0, end).split("\r\n").slice(1)) {
      const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      headers.append(name, value);
    }
    const body = isHead ? { bytes: "", end: end + 4 } : readBody(rest, end + 4, headers);
    if (!body) return { answers, rest };
    const bytes = unpack(asBytes(body.bytes), headers.get("content-encoding"));
    answers.push({ status: Number(status), headers, body: bytes.toString("utf8") });
    rest = rest.slice(body.end);
  }
}

function unpack(body: Buffer, coding: string | null): Buffer {
  if (body.length === 0) return body;
  if (coding === "gzip") return gunzipSync(body);
  if (coding === "br") return brotliDecompressSync(body);
  return coding === "zstd" ? zstdDecompressSync(body) : body;
}

/** @returns undefined while the body is incomplete. */
function readBody(received: string, from: number, headers: Headers) {
  if (headers.get("transfer-encoding") !== "chunked") {
    const end = from + Number(headers.get("content-length") ?? 0);
    return received.length < end ? undefined : { bytes: received.slice(from, end), end };
  }
  let bytes = "";
  for (let at = from; ; ) {
    const line = received.indexOf("\r\n", at);
    const length = Number.parseInt(received.slice(at, line), 16);
    const end = line + 2 + length + 2;
    if (line < 0 || received.length < end) return undefined;
    if (length === 0) return { bytes, end };
    bytes += received.slice(line + 2, end - 2);
    at = end;
  }
}
