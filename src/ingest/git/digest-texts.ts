/** Digests texts to detect changes. @returns the first half of SHA-256. */
export function digestTexts(texts: Iterable<string>): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const text of texts) hasher.update(text).update("\0");
  return hasher.digest("base64url").slice(0, 22);
}

export function digestBytes(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
}
