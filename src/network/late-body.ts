import type { Piece } from "../contract/envelope.ts";

/** Bun gathers the headers and the body of a shorter answer before it sends them. */
const gatheredBytesMax = 15_000;

/**
 * A body for an answer that is ready only after a later turn of the event loop, such as one that waits for a commit.
 *
 * If the body of such an answer is longer, Bun 1.4 sends each header by its own system call, about sixty for 24 kB (170 us
 * of system time instead of 8). It sends the headers of a stream at once. A direct stream that ends before its buffer is
 * full is sent with them, by one system call and with its length: so the buffer is larger than the body. A stream of
 * chunks takes two calls and half as much time again.
 */
export function createLateBody(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> | ReadableStream {
  const length = measurePieces(pieces);
  if (length < gatheredBytesMax) return joinPieces(pieces);
  const source: Bun.DirectUnderlyingSource<Piece> = {
    type: "direct",
    pull(controller) {
      for (const piece of pieces) controller.write(piece);
      controller.end();
    },
  };
  return new ReadableStream(source, { highWaterMark: length + 1 });
}

/** In bytes. */
export function measurePieces(pieces: readonly Piece[]): number {
  return pieces.reduce((length, piece) => length + measurePiece(piece), 0);
}

const measurePiece = (piece: Piece) =>
  typeof piece === "string" ? piece.length : piece.byteLength;

/** @returns the piece itself if it is the only one. */
export function joinPieces(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const [first] = pieces;
  if (pieces.length === 1 && first instanceof Uint8Array) return first;
  const joined = Buffer.allocUnsafe(measurePieces(pieces));
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") joined.write(piece, at, "latin1");
    else joined.set(piece, at);
    at += measurePiece(piece);
  }
  return joined;
}
