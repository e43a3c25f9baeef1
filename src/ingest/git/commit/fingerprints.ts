/** Returns the first 64 bits of a commit id. */
export function fingerprintSha(sha: string): bigint {
  return BigInt(`0x${sha.slice(0, 16)}`);
}

export function fingerprintText(text: string): bigint {
  return BigInt(Bun.hash(text));
}
