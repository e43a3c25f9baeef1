/** Reads and writes numbers and fingerprints in few bytes. */

/** Compresses content with a checksum, because SQLite does not detect a flipped bit. */
export function compress(content: string | Uint8Array): Buffer {
  // Loads the library on first use, because most servers do not need it.
  const { constants, zstdCompressSync } = process.getBuiltinModule("node:zlib");
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  return zstdCompressSync(content, { params });
}

export function packValue(value: unknown): Buffer {
  return compress(JSON.stringify(value));
}

export function unpackValue<Value>(stored: Uint8Array): Value {
  return JSON.parse(Bun.zstdDecompressSync(stored).toString("utf8"));
}

/** A growing buffer of compact numbers. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafe(1 << 12);
  length = 0;

  /** Writes a whole number from 0 to 2^53, seven bits in each byte. */
  number(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  fingerprint(value: bigint): void {
    this.reserve(8);
    this.length = this.bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.length);
  }

  append(other: ByteWriter): void {
    this.reserve(other.length);
    other.bytes.copy(this.bytes, this.length, 0, other.length);
    this.length += other.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** The written bytes. The next write may change them. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}

/** Reads the numbers and fingerprints that `ByteWriter` wrote. */
export class ByteReader {
  at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new Error("A stored history ends in the middle of a commit.");
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
    }
  }

  fingerprint(): bigint {
    const value = this.bytes.readBigUInt64LE(this.at);
    this.at += 8;
    return value;
  }
}
