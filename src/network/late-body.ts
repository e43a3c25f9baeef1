/** Bun sends the headers of a shorter answer together with its body. */
const gatheredBytesMax = 15_000;

/**
 * Creates a body that Bun sends fast if the answer is ready only in a later turn of the event loop, such as after a commit.
 *
 * For a long body in such an answer, Bun 1.4 makes a system call for each header (170 us of system time instead of 8). It makes
 * one call for a direct stream that ends before its buffer is full. So the body is a stream with a larger buffer.
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
