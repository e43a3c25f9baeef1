/** Finds people by the beginning of a text or by a whole text. */

/**
 * @package The texts of each ordinal. Each text follows a tag, a byte that is at most the separator. All bytes of the text are
 * greater than the separator.
 */
export interface TextRun {
  readonly bytes: Buffer;
  /** The start of the texts of each ordinal, and one more entry for the end. */
  readonly starts: Uint32Array;
  readonly separator: number;
}

/** @package */
export interface TextBuckets {
  /** The start of each bucket in the arrays below. The last entry is the end. */
  readonly starts: Uint32Array;
  /** The ordinals of the people with the texts, ascending in each bucket. */
  readonly ordinals: Uint32Array;
}

/**
 * @package Buckets that also store codes of the fourth to sixth byte of each text. The codes rule out most other texts
 * of a bucket.
 */
export interface BeginningBuckets extends TextBuckets {
  readonly marks: Uint16Array;
}

const ordinalsAtOnce = 2 ** 15;

interface Grouping {
  bucketOf(bytes: Uint8Array, tagAt: number, separator: number): number;
  /** Called once with the number of texts, before `note` is called. */
  begin?(count: number): void;
  note?(at: number, tagAt: number): void;
}

/** Groups the texts. Pauses regularly, so that other calls run. */
async function groupTexts(
  { bytes, starts, separator }: TextRun,
  buckets: number,
  { bucketOf, begin, note }: Grouping,
): Promise<TextBuckets> {
  const ends = new Uint32Array(buckets + 1);
  const size = starts.length - 1;
  const takeEach = async (take: (ordinal: number, tagAt: number, bucket: number) => void) => {
    for (let from = 0; from < size; from += ordinalsAtOnce) {
      const to = Math.min(from + ordinalsAtOnce, size);
      for (let ordinal = from; ordinal < to; ordinal++) {
        const end = starts[ordinal + 1] as number;
        for (let at = starts[ordinal] as number; at < end; at++) {
          if ((bytes[at] as number) > separator) continue;
          take(ordinal, at, bucketOf(bytes, at, separator));
        }
      }
      await Bun.sleep(0);
    }
  };
  await takeEach((_, __, bucket) => {
    ends[bucket + 1] = (ends[bucket + 1] as number) + 1;
  });
  for (let bucket = 0; bucket < buckets; bucket++) {
    ends[bucket + 1] = (ends[bucket + 1] as number) + (ends[bucket] as number);
  }
  const begins = ends.slice();
  const ordinals = new Uint32Array(ends[buckets] as number);
  begin?.(ordinals.length);
  await takeEach((ordinal, tagAt, bucket) => {
    const at = ends[bucket] as number;
    ordinals[at] = ordinal;
    note?.(at, tagAt);
    ends[bucket] = at + 1;
  });
  return { starts: begins, ordinals };
}

/** The number of letters that determine a bucket. */
const letters = 3;
const bitsOfCode = 5;
const bitsOfTag = 2;

/** The code of each byte: letters from a to z have different codes, and 0 is the end of a text. */
const codes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x60;
  return byte >= 0x80 ? 27 + (byte & 3) : 31;
});

/** @package Groups texts by their tags and first three bytes, so that texts with the same beginning are adjacent. */
export async function groupByBeginning(run: TextRun): Promise<BeginningBuckets> {
  const { bytes, separator } = run;
  let marks = new Uint16Array(0);
  const grouped = await groupTexts(run, 2 ** (bitsOfTag + letters * bitsOfCode), {
    bucketOf: bucketOfBeginning,
    begin: (count) => {
      marks = new Uint16Array(count);
    },
    note: (at, tagAt) => {
      marks[at] = markOf(bytes, tagAt, separator);
    },
  });
  return { ...grouped, marks };
}

/** Computes the bucket from the tag and the first letters. */
function bucketOfBeginning(bytes: Uint8Array, tagAt: number, separator: number): number {
  const tag = (bytes[tagAt] as number) & (2 ** bitsOfTag - 1);
  return (tag << (letters * bitsOfCode)) | codeLetters(bytes, tagAt + 1, separator);
}

function markOf(bytes: Uint8Array, tagAt: number, separator: number): number {
  for (let at = tagAt + 1; at <= tagAt + letters; at++) {
    if ((bytes[at] ?? 0) <= separator) return 0;
  }
  return codeLetters(bytes, tagAt + 1 + letters, separator);
}

/** Combines the codes of the next bytes into one number. */
function codeLetters(bytes: Uint8Array, from: number, separator: number): number {
  let number = 0;
  let isOver = false;
  for (let at = from; at < from + letters; at++) {
    const byte = bytes[at] ?? 0;
    isOver ||= byte <= separator;
    number = (number << bitsOfCode) | (isOver ? 0 : (codes[byte] as number));
  }
  return number;
}

/**
 * Calls `take` for each person with a text that begins with `text`. One person may be taken several times. `isWhole` tells
 * whether both texts are equal.
 * @package
 * @param text with its tag.
 */
export function takeBeginnings(
  run: TextRun,
  { starts, ordinals, marks }: BeginningBuckets,
  text: string,
  take: (ordinal: number, isWhole: boolean) => void,
): void {
  const wanted = Buffer.from(text);
  const length = wanted.length - 1;
  const first = bucketOfBeginning(wanted, 0, run.separator);
  const last = first + 2 ** openBits(length);
  const mark = markOf(wanted, 0, run.separator);
  const open = openBits(length - letters);
  const isKnown = length < 2 * letters && onlyLetters.test(text);
  for (let bucket = first; bucket < last; bucket++) {
    const end = starts[bucket + 1] as number;
    for (let at = starts[bucket] as number; at < end; at++) {
      const own = marks[at] as number;
      if (own >>> open !== mark >>> open) continue;
      const ordinal = ordinals[at] as number;
      if (isKnown) take(ordinal, bucket === first && own === mark);
      else {
        const found = findText(run, ordinal, wanted);
        if (found) take(ordinal, found === "whole");
      }
    }
  }
}

/** Returns how many low bits of a bucket number do not depend on a text of this length. */
function openBits(length: number): number {
  return Math.min(letters, Math.max(0, letters - length)) * bitsOfCode;
}

/** Matches a tag followed by letters only. */
const onlyLetters = /^.[a-z]*$/;

/** Whether the person has this text, or a text that begins with it. */
function findText(
  run: TextRun,
  ordinal: number,
  wanted: Uint8Array,
): "whole" | "beginning" | undefined {
  const { begun, whole } = countTexts(run, ordinal, wanted);
  if (whole > 0) return "whole";
  return begun > 0 ? "beginning" : undefined;
}

/** @package Counts a person's texts that begin with `wanted`, and those that equal it. @param wanted a text with its tag. */
export function countTexts(
  { bytes, starts, separator }: TextRun,
  ordinal: number,
  wanted: Uint8Array,
): { readonly begun: number; readonly whole: number } {
  const end = starts[ordinal + 1] as number;
  let [begun, whole] = [0, 0];
  for (let at = starts[ordinal] as number; at + wanted.length <= end; at++) {
    let same = 0;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same < wanted.length) continue;
    begun++;
    const next = at + same;
    if (next === end || (bytes[next] as number) <= separator) whole++;
  }
  return { begun, whole };
}

/**
 * @package Calls `take` for all people with one of these texts. It may also call `take` for people with a similar text.
 * @param texts without their tag.
 */
export function takeLikely(
  run: TextRun,
  { starts, ordinals, marks }: BeginningBuckets,
  texts: ReadonlySet<string>,
  tag: string,
  take: (ordinal: number) => void,
): void {
  const sought = new Uint8Array(2 ** (letters * bitsOfCode));
  const buckets = new Set<number>();
  for (const text of texts) {
    // Reuse one buffer: allocating many small ones would take most of the time.
    scratch[scratch.write(tag + text)] = 0;
    sought[markOf(scratch, 0, run.separator)] = 1;
    buckets.add(bucketOfBeginning(scratch, 0, run.separator));
  }
  for (const bucket of buckets) {
    const end = starts[bucket + 1] as number;
    for (let at = starts[bucket] as number; at < end; at++) {
      if (sought[marks[at] as number] !== 0) take(ordinals[at] as number);
    }
  }
}

const scratch = Buffer.alloc(1024);

/** @package */
export function groupByHash(run: TextRun): Promise<TextBuckets> {
  const buckets = 2 ** Math.ceil(Math.log2(run.starts.length));
  const bucketOf = (bytes: Uint8Array, tagAt: number, separator: number) =>
    hashText(bytes, tagAt, separator) & (buckets - 1);
  return groupTexts(run, buckets, { bucketOf });
}

/** @package Calls `take` for the people who have exactly this text. @param text with its tag. */
export function takeHolders(
  run: TextRun,
  { starts, ordinals }: TextBuckets,
  text: string,
  take: (ordinal: number) => void,
): void {
  const wanted = Buffer.from(text);
  const bucket = hashText(wanted, 0, run.separator) & (starts.length - 2);
  const end = starts[bucket + 1] as number;
  for (let at = starts[bucket] as number; at < end; at++) {
    const ordinal = ordinals[at] as number;
    if (findText(run, ordinal, wanted) === "whole") take(ordinal);
  }
}

/** Returns the FNV-1a hash of a text without its tag. */
function hashText(bytes: Uint8Array, tagAt: number, separator: number): number {
  let hash = 0x811c9dc5;
  for (let at = tagAt + 1; at < bytes.length && (bytes[at] as number) > separator; at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  }
  // Mix the high bits into the low ones, because the last bytes change only the high bits.
  return hash ^ (hash >>> 15);
}
