/** A shorter body is not streamed, because Bun sends it together with the headers anyway. */
const gatheredBytesMax = 15_000;

/**
 * Creates the body of an answer that is ready only in a later turn of the event loop. A long body is a stream with a large
 * buffer, because Bun 1.4 would otherwise make a slow system call for each header.
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
