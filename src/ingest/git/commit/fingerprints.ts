/**
 * A map from 64-bit fingerprints to numbers in typed arrays: a million commits take about 25 MB, a Map of strings
 * hundreds.
 */
export class Fingerprints {
  private keys = new BigUint64Array(1 << 10);
  private values = new Uint32Array(1 << 10);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @returns the number of a fingerprint, or undefined when it is absent. */
  find(fingerprint: bigint): number | undefined {
    const slot = this.slotOf(asKey(fingerprint));
    const value = this.values[slot];
    return value ? value - 1 : undefined;
  }

  /** Adds a fingerprint; a present one keeps its number. @returns whether it was new. */
  add(fingerprint: bigint, value = 0): boolean {
    if (this.count * 2 >= this.keys.length) this.grow();
    const key = asKey(fingerprint);
    const slot = this.slotOf(key);
    if (this.values[slot]) return false;
    this.keys[slot] = key;
    this.values[slot] = value + 1;
    this.count += 1;
    return true;
  }

  /** Adds all fingerprints of another map. */
  addAll(other: Fingerprints): void {
    for (let slot = 0; slot < other.keys.length; slot++) {
      const value = other.values[slot];
      if (value) this.add(other.keys[slot] ?? 0n, value - 1);
    }
  }

  private slotOf(key: bigint): number {
    const mask = this.keys.length - 1;
    let slot = Number(key & BigInt(mask));
    while (this.values[slot] && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new BigUint64Array(keys.length * 2);
    this.values = new Uint32Array(keys.length * 2);
    this.count = 0;
    for (let slot = 0; slot < keys.length; slot++) {
      const value = values[slot];
      if (value) this.add(keys[slot] ?? 0n, value - 1);
    }
  }
}

function asKey(fingerprint: bigint): bigint {
  return BigInt.asUintN(64, fingerprint);
}

/** The first 64 bits of a commit id. */
export function fingerprintSha(sha: string): bigint {
  return BigInt(`0x${sha.slice(0, 16)}`);
}

export function fingerprintText(text: string): bigint {
  return BigInt(Bun.hash(text));
}
