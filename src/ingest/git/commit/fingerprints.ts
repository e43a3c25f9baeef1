/** Numbers by 64-bit fingerprints. */
export class Fingerprints {
  private readonly numbers = new Map<bigint, number>();

  /** @returns the number of a fingerprint, or undefined when it is absent. */
  find(fingerprint: bigint): number | undefined {
    return this.numbers.get(fingerprint);
  }

  /** Adds a fingerprint; a present one keeps its number. @returns whether it was new. */
  add(fingerprint: bigint, value = 0): boolean {
    const { size } = this.numbers;
    this.numbers.getOrInsert(fingerprint, value);
    return this.numbers.size > size;
  }
}

/** The first 64 bits of a commit id. */
export function fingerprintSha(sha: string): bigint {
  return BigInt(`0x${sha.slice(0, 16)}`);
}

export function fingerprintText(text: string): bigint {
  return BigInt(Bun.hash(text));
}
