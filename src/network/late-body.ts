/** Bun sends the headers of a shorter answer together with its body. */
const gatheredBytesMax = 15_000;

/**
 * Creates a body that Bun sends fast if the answer is ready only in a later turn of the event loop, such as after a commit.
 *
 * For a long body in such an answer, Bun 1.4 makes a system call for each header (170 us of system time instead of 8). It makes
 * one call for a direct stream that ends before its buffer is full. So the body is a stream with a larger buffer.
 */
export function createLateBody(pieces: readonly Bytes[]): Bytes | ReadableStream {
  const length = measurePieces(pieces);
  if (length < gatheredBytesMax)
    return pieces.length === 1 ? (pieces[0] as Bytes) : Buffer.concat(pieces);
  const source: Bun.DirectUnderlyingSource<Bytes> = {
    type: "direct",
    pull(controller) {
      for (const piece of pieces) controller.write(piece);
      controller.end();
    },
  };
  return new ReadableStream(source, { highWaterMark: length + 1 });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** @returns the length of all pieces in bytes. */
export function measurePieces(pieces: readonly Bytes[]): number {
  return pieces.reduce((length, { byteLength }) => length + byteLength, 0);
}
