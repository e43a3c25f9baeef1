/** Bytes over a socket, and the answers that come back, whatever was sent. */
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { asBytes } from "../bytes.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface Exchange {
  readonly answers: readonly Answered[];
  /** What came and is no whole answer. */
  readonly rest: string;
  /** Neither closed nor answered in time. */
  readonly isSilent: boolean;
}

/**
 * Sends, and waits for `wanted` answers, for the other side to close, or until nothing has come for a while.
 *
 * @param isHead answers have no body then.
 */
export function exchange(
  port: number,
  sent: string,
  { wanted = 1, isHead = false, silenceMs = 30_000 } = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    let received = "";
    const end = (isSilent: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...answersIn(received, isHead), isSilent });
    };
    let timer = setTimeout(() => end(true), silenceMs);
    const socket = connect(port, "127.0.0.1", () => socket.write(asBytes(sent)));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      received += chunk;
      clearTimeout(timer);
      timer = setTimeout(() => end(true), silenceMs);
      if (answersIn(received, isHead).answers.length >= wanted) end(false);
    });
    socket.on("close", () => end(false));
    socket.on("error", () => end(false));
  });
}

function answersIn(received: string, isHead: boolean): Pick<Exchange, "answers" | "rest"> {
  const answers: Answered[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1];
    if (end < 0 || !status) return { answers, rest };
    // A word in between, such as 100 Continue.
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

/** @returns undefined while it is not whole. */
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
