/** Bytes that are nearly a request. */
import fc from "fast-check";
import { anyBytes } from "../bytes.ts";
import { bytesOf, type Call } from "./requests.ts";

/** Bytes that need not be HTTP. */
export interface Raw {
  readonly kind: "raw";
  readonly bytes: string;
}

const oddLines = [
  ...[
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 0x5",
  ],
  ...[
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding : chunked",
  ],
  ...[
    " folded",
    "No-Colon",
    ": no name",
    "Nul: \0",
    `X-Long: ${"x".repeat(20_000)}`,
    "Host: b",
    "Host:",
  ],
  ...[
    "Connection: close",
    "Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  ],
];

export function rawBytes(examples: readonly Call[]): fc.Arbitrary<Raw> {
  const lines = fc
    .constantFrom(...examples)
    .map((call) => bytesOf(call).replaceAll("{main}", "{raw}"));
  const line = fc.constantFrom(...oddLines);
  const changed = fc.oneof(
    fc.tuple(lines, line).map(([sent, odd]) => sent.replace("\r\n\r\n", `\r\n${odd}\r\n\r\n`)),
    fc
      .tuple(lines, fc.nat(300), anyBytes(8))
      .map(([sent, at, odd]) => sent.slice(0, at) + odd + sent.slice(at)),
    fc
      .tuple(lines, fc.nat(300), fc.nat(20))
      .map(([sent, at, cut]) => sent.slice(0, at) + sent.slice(at + cut)),
    fc
      .tuple(
        lines,
        fc.constantFrom("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.99", "http/1.1", ""),
      )
      .map(([sent, version]) => sent.replace("HTTP/1.1", version)),
    lines.map((sent) => sent.replaceAll("\r\n", "\n")),
    // Several requests sent before the first is answered. Bun closes such a connection while an answer is being computed.
    fc.array(lines, { minLength: 2, maxLength: 4 }).map((all) => all.join("")),
    lines.map((sent) => sent.replace(/ \//, " http://evil.example/")),
    fc
      .tuple(
        lines,
        fc.constantFrom('5\r\n{"a":', "0\r\n\r\n", "fffffffff\r\n", "-1\r\n\r\n", "z\r\n"),
      )
      .map(([sent, chunk]) =>
        sent.replace(
          /\r\n(?:Content-Length: \d+)?\r\n\r\n.*$/s,
          `\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
        ),
      ),
    fc.constantFrom(
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\r\n\r\n\r\n",
    ),
    anyBytes(200),
  );
  return changed.map((bytes) => ({ kind: "raw", bytes }));
}
