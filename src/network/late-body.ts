/** Bun sends the headers and the body of a shorter answer together. */
const gatheredBytesMax = 15_000;

/**
 * A body for an answer that is ready only after a later turn of the event loop, such as one that waits for a commit.
 *
 * If the body of such an answer is longer, Bun 1.4 sends each header by its own system call, about sixty for 24 kB (170 us
 * of system time instead of 8). It sends the headers of a stream at once. A direct stream that ends before its buffer is
 * full is sent with them, by one system call and with its length: so the buffer is larger than the body. A stream of
 * chunks takes two calls and half as much time again.
 */
export function createLateBody(body: Uint8Array<ArrayBuffer>): typeof body | ReadableStream {
  if (body.byteLength < gatheredBytesMax) return body;
  const source: Bun.DirectUnderlyingSource<typeof body> = {
    type: "direct",
    pull(controller) {
      controller.write(body);
      controller.end();
    },
  };
  return new ReadableStream(source, { highWaterMark: body.byteLength + 1 });
}
