import { type FeatureReader, readTexts } from "../../pool/pool.ts";

type TextSpan = Pick<FeatureReader, "text" | "start" | "end" | "hash">;

/** Remembers a number for each text. Compares code units in place, which is faster than a `Map` of strings. @package */
export class NumberedTexts {
  private readonly toNumber: (texts: readonly string[]) => number;
  /** A hash table of pairs: the hash of a text, and the start of the text's record. The start 0 means that the slot is empty. */
  private slots = new Int32Array(2048);
  private size = 0;
  /** Consecutive records: the number, the length, and the code units of the text. */
  private records = new Uint16Array(4096);
  private end = headUnits;

  /** @param toNumber assigns a number to a new text, or to a new pair of texts. */
  constructor(toNumber: (texts: readonly string[]) => number) {
    this.toNumber = toNumber;
  }

  find(span: TextSpan): number {
    const hash = spread(span.hash);
    const { slots, records } = this;
    const mask = slots.length - 2;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const record = slots[slot + 1] as number;
      if (record === 0) return this.add(span, hash, slot);
      if (slots[slot] === hash && isSame(records, record, span)) return readWord(records, record);
    }
  }

  private add(span: TextSpan, hash: number, slot: number): number {
    const { text, start, end } = span;
    const record = this.end;
    const number = this.toNumber(readTexts(span));
    this.makeRoom(headUnits + end - start);
    writeWord(this.records, record, number);
    writeWord(this.records, record + 2, end - start);
    for (let at = start; at < end; at++) this.records[this.end++] = text.charCodeAt(at);
    this.slots[slot] = hash;
    this.slots[slot + 1] = record;
    if (++this.size * 4 > this.slots.length) this.spreadOut();
    return number;
  }

  private makeRoom(units: number): void {
    const wanted = this.end + units;
    if (wanted > this.records.length) {
      const larger = new Uint16Array(Math.max(wanted, this.records.length * 2));
      larger.set(this.records);
      this.records = larger;
    }
    this.end += headUnits;
  }

  private spreadOut(): void {
    const before = this.slots;
    const after = new Int32Array(before.length * 2);
    const mask = after.length - 2;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from + 1] === 0) continue;
      let slot = ((before[from] as number) << 1) & mask;
      while (after[slot + 1] !== 0) slot = (slot + 2) & mask;
      after[slot] = before[from] as number;
      after[slot + 1] = before[from + 1] as number;
    }
    this.slots = after;
  }
}

/** The length of a record's head: two 32-bit words. */
const headUnits = 4;

function isSame(records: Uint16Array, record: number, { text, start, end }: TextSpan): boolean {
  if (readWord(records, record + 2) !== end - start) return false;
  const toRecord = record + headUnits - start;
  for (let at = start; at < end; at++) {
    if (records[toRecord + at] !== text.charCodeAt(at)) return false;
  }
  return true;
}

function readWord(units: Uint16Array, at: number): number {
  return ((units[at] as number) | ((units[at + 1] as number) << 16)) >>> 0;
}

function writeWord(units: Uint16Array, at: number, word: number): void {
  units[at] = word & 0xffff;
  units[at + 1] = word >>> 16;
}

/** Mixes the bits of a hash so that every bit affects the lowest bits. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16);
}
