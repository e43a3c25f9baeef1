/** Reads all bytes. @throws the result of `refuse` if there are more than `bytesMax` bytes. This cancels a stream. */
export async function gatherBytes(
  stored: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
  refuse: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stored) {
    size += chunk.length;
    if (size > bytesMax) throw refuse();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
