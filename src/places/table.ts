/**
 * Sorted texts, one after another in a single buffer: found by binary search over their bytes, decoded one
 * at a time, so that half a million names cost no objects.
 *
 * @package
 */
export class TextTable {
  private readonly text: Uint8Array;
  private readonly until: Uint32Array;

  /** @param until where each text ends, after a first 0. */
  constructor(until: Uint32Array, text: Uint8Array) {
    this.text = text;
    this.until = until;
  }

  get length(): number {
    return this.until.length - 1;
  }

  at(row: number): string {
    return decoder.decode(this.text.subarray(this.until[row], this.until[row + 1]));
  }

  bytesOf(row: number): number {
    return (this.until[row + 1] ?? 0) - (this.until[row] ?? 0);
  }

  /** Row of exactly this text; -1 when there is none. */
  find(needle: string): number {
    const row = this.firstFrom(needle);
    const { written } = encoder.encodeInto(needle, scratch);
    return row < this.length && this.compare(row, written) === 0 ? row : -1;
  }

  /** The first row that does not sort before the text. */
  firstFrom(needle: string): number {
    const { written, read } = encoder.encodeInto(needle, scratch);
    if (read < needle.length) return this.length;
    return findFirstNot((row) => this.compare(row, written) < 0, this.length);
  }

  /** Negative when the row sorts before the needle in scratch. */
  private compare(row: number, needleLength: number): number {
    const from = this.until[row] ?? 0;
    const length = (this.until[row + 1] ?? 0) - from;
    const shared = Math.min(length, needleLength);
    for (let at = 0; at < shared; at++) {
      const difference = (this.text[from + at] ?? 0) - (scratch[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - needleLength;
  }
}

/** Longer than any name, so that a longer text is none. */
const scratch = new Uint8Array(1024);
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * The first row for which the test fails; every row before it passes.
 *
 * @package
 */
export function findFirstNot(passes: (row: number) => boolean, rows: number): number {
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
