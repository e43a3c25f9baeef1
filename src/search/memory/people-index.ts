/** An index of names, logins, accounts and e-mail addresses. */
import { GrowableArray } from "../../contract/growable-array.ts";
import { type FindableRow, formatNames, listKeys, type Pool } from "../../pool/pool.ts";
import {
  type BeginningBuckets,
  groupByBeginning,
  groupByHash,
  type TextBuckets,
  type TextRun,
} from "./text-buckets.ts";

export interface PeopleIndex {
  readonly revision: number;
  readonly size: number;
  readonly rowIds: Uint32Array;
  /** The score of each person, in tenths of a point. */
  readonly scores: Uint16Array;
  /** For each ordinal, the result of `formatNames`. */
  readonly names: TextRun;
  /** Logins and words, grouped by their beginnings. */
  readonly words: BeginningBuckets;
  /** For each ordinal, the results of `listKeys`, concatenated. */
  readonly keys: TextRun;
  /** Keys, grouped by a hash of the text. */
  readonly wholeKeys: TextBuckets;
}

/** Each text follows a tag or a space. These bytes are at most the separator. */
const wordSeparator = 0x20;
const keySeparator = 0x1f;

/**
 * Creates the index of a revision. Copies known rows from the previous index, because copying is faster than reading. Rows never
 * change.
 */
export async function renewPeopleIndex(
  pool: Pick<Pool, "findables">,
  revision: number,
  previous: PeopleIndex | undefined,
): Promise<PeopleIndex> {
  const isKnown = previous && createRowTest(previous.rowIds);
  return buildPeopleIndex(pool.findables(isKnown), revision, previous);
}

/** @returns a function that tests whether a row is in the set. */
function createRowTest(rowIds: Uint32Array): (rowId: number) => boolean {
  const last = rowIds.reduce((last, rowId) => Math.max(last, rowId), 0);
  const words = new Uint32Array((last >>> 5) + 1);
  for (const rowId of rowIds) {
    words[rowId >>> 5] = (words[rowId >>> 5] as number) | (1 << (rowId & 31));
  }
  return (rowId) => (((words[rowId >>> 5] ?? 0) >>> (rowId & 31)) & 1) === 1;
}

/** @param people in the order in which equal matches are shown. @param previous the index to copy unchanged rows from. */
export async function buildPeopleIndex(
  people: AsyncIterable<readonly FindableRow[]>,
  revision: number,
  previous: typeof nobody = nobody,
): Promise<PeopleIndex> {
  const named = createRun(previous.names);
  const keyed = createRun(previous.keys);
  const rowIds = new GrowableArray(Uint32Array);
  const scores = new GrowableArray(Uint16Array);
  let known = 0;
  for await (const batch of people) {
    for (const person of batch) {
      rowIds.push(person.rowId);
      if ("isKnown" in person) {
        while (previous.rowIds[known] !== person.rowId) {
          if (++known >= previous.size) throw new Error("The rows are in another order.");
        }
        scores.push(previous.scores[known] as number);
        named.copy(known);
        keyed.copy(known);
      } else {
        scores.push(Math.round(person.score * 10));
        named.add(formatNames(person));
        keyed.add(listKeys(person).join(""));
      }
    }
    // Lets other calls run between two batches.
    await Bun.sleep(0);
  }
  const size = rowIds.length;
  const [names, keys] = [named.end(), keyed.end()];
  return {
    ...{ revision, size, rowIds: rowIds.whole().slice(), scores: scores.whole().slice() },
    ...{ names, words: await groupByBeginning(names) },
    ...{ keys, wholeKeys: await groupByHash(keys) },
  };
}

const none = { bytes: Buffer.alloc(0), starts: new Uint32Array(1) };
const nobody: Pick<PeopleIndex, "rowIds" | "scores" | "size" | "names" | "keys"> = {
  ...{ size: 0, rowIds: new Uint32Array(0), scores: new Uint16Array(0) },
  names: { ...none, separator: wordSeparator },
  keys: { ...none, separator: keySeparator },
};

function createRun(previous: TextRun) {
  const parts: Buffer[] = [];
  const starts = new GrowableArray(Uint32Array);
  let length = 0;
  // Copies adjacent rows of the previous index at once.
  let [from, to] = [0, 0];
  const endCopy = () => {
    if (to > from) parts.push(previous.bytes.subarray(from, to));
    from = to;
  };
  starts.push(0);
  return {
    add(text: string): void {
      endCopy();
      const bytes = Buffer.from(text);
      parts.push(bytes);
      length += bytes.length;
      starts.push(length);
    },
    copy(ordinal: number): void {
      const start = previous.starts[ordinal] as number;
      if (start !== to) {
        endCopy();
        from = start;
      }
      to = previous.starts[ordinal + 1] as number;
      length += to - start;
      starts.push(length);
    },
    end(): TextRun {
      endCopy();
      const { separator } = previous;
      return { bytes: Buffer.concat(parts, length), starts: starts.whole().slice(), separator };
    },
  };
}
