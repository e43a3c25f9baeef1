/** Packs columns and blocks for storage: a checksum, then the compressed arrays. */
import type { CommitColumns, KnownOwnership, PathBlock } from "../../authorship.ts";
import { DamagedRow, parseStored } from "../unpack.ts";

type Column = Uint8Array | Uint16Array | Uint32Array;

export function packColumns(columns: CommitColumns): Buffer {
  const { day, author, files, flags, others, isWhole } = columns;
  const stated = isWhole === undefined ? [] : [Uint8Array.of(Number(isWhole))];
  return pack([day, author, files, flags, others.commit, others.author, others.kind, ...stated]);
}

/** @throws DamagedRow */
export function unpackColumns(stored: Uint8Array): CommitColumns {
  const from = unpack(stored);
  const [day, author] = [from.take(Uint16Array), from.take(Uint32Array)];
  const [files, flags] = [from.take(Uint16Array), from.take(Uint8Array)];
  const others = {
    commit: from.take(Uint32Array),
    author: from.take(Uint32Array),
    kind: from.take(Uint8Array),
  };
  const isWhole = from.isAtEnd() ? undefined : from.take(Uint8Array)[0] === 1;
  return { day, author, files, flags, others, isWhole };
}

export function packBlock({ paths, flags, starts, commit, added, deleted }: PathBlock): Buffer {
  const texts = new TextEncoder().encode(paths.join("\0"));
  return pack([texts, flags, starts, toSteps(starts, commit), added, deleted]);
}

/** @throws DamagedRow */
export function unpackBlock(stored: Uint8Array): PathBlock {
  const from = unpack(stored);
  const texts = Buffer.from(from.take(Uint8Array)).toString("utf8");
  const [flags, starts] = [from.take(Uint8Array), from.take(Uint32Array)];
  const commit = fromSteps(starts, from.take(Uint32Array));
  const [added, deleted] = [from.take(Uint16Array), from.take(Uint16Array)];
  return { paths: texts.split("\0"), flags, starts, commit, added, deleted };
}

export function packNumbers(numbers: Uint32Array): Buffer {
  return pack([toSteps(Uint32Array.of(0, numbers.length), numbers)]);
}

/** @throws DamagedRow */
export function unpackNumbers(stored: Uint8Array): Uint32Array {
  const steps = unpack(stored).take(Uint32Array);
  return fromSteps(Uint32Array.of(0, steps.length), steps);
}

export function packOwnership(ownership: KnownOwnership): Buffer {
  return pack([new TextEncoder().encode(JSON.stringify(ownership))]);
}

/** @throws DamagedRow */
export function unpackOwnership(stored: Uint8Array): KnownOwnership {
  const text = Buffer.from(unpack(stored).take(Uint8Array)).toString("utf8");
  return parseStored(text) as KnownOwnership;
}

/** Replaces ascending numbers by their differences, which compress to a third of the size. */
function toSteps(starts: Uint32Array, numbers: Uint32Array): Uint32Array {
  const steps = new Uint32Array(numbers.length);
  for (let row = 0; row + 1 < starts.length; row++) {
    let before = 0;
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      const number = numbers[at] ?? 0;
      steps[at] = number - before;
      before = number;
    }
  }
  return steps;
}

function fromSteps(starts: Uint32Array, steps: Uint32Array): Uint32Array {
  for (let row = 0; row + 1 < starts.length; row++) {
    let before = 0;
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      before += steps[at] ?? 0;
      steps[at] = before;
    }
  }
  return steps;
}

const checksumBytes = 8;

function pack(columns: readonly Column[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const column of columns) {
    parts.push(new Uint8Array(Uint32Array.of(column.length).buffer), toBytes(column));
    // Fills up to a multiple of four bytes, at which 32-bit views must begin.
    parts.push(new Uint8Array(-column.byteLength & 3));
  }
  const packed = Bun.zstdCompressSync(Buffer.concat(parts), { level: 3 });
  const stored = Buffer.allocUnsafe(checksumBytes + packed.length);
  stored.writeBigUInt64LE(Bun.hash.xxHash64(packed));
  packed.copy(stored, checksumBytes);
  return stored;
}

/** Whether the packed bytes are undamaged. */
export function isIntact(stored: Uint8Array): boolean {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  if (bytes.length < checksumBytes) return false;
  return bytes.readBigUInt64LE() === Bun.hash.xxHash64(bytes.subarray(checksumBytes));
}

function unpack(stored: Uint8Array) {
  const packed = stored.subarray(checksumBytes);
  if (!isIntact(stored)) {
    throw new DamagedRow("the data of a repository is damaged");
  }
  const raw = new Uint8Array(Bun.zstdDecompressSync(packed)).buffer;
  let at = 0;
  return {
    isAtEnd: () => at === raw.byteLength,
    take<C extends Column>(Columns: new (buffer: ArrayBuffer, at: number, length: number) => C): C {
      const [length = 0] = new Uint32Array(raw, at, 1);
      const column = new Columns(raw, at + 4, length);
      at += 4 + column.byteLength + (-column.byteLength & 3);
      return column;
    },
  };
}

function toBytes({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
