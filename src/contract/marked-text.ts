/** @returns the encoding that the text's byte order mark states. A text without a mark is UTF-8. */
export function findEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
