import type { RankedRow } from "../../pool/pool.ts";
import { type CollectedFeatures, collectFeatures } from "./collect.ts";
import { type GenerationSource, sealGeneration } from "./file.ts";
import { createGeneration, type Generation, hasStrengths, type PostingsKey } from "./generation.ts";
import {
  countBytesNeeded,
  type GenerationExtent,
  type GenerationSections,
  noStrengths,
  viewSections,
} from "./layout.ts";
import { countBitsetWords, isDense } from "./postings.ts";

/**
 * Builds one generation from the ranking features in the pool, in two passes: the first streams them into
 * flat arrays and counts, the second distributes every developer's entries in order of ordinal. So each
 * list is sorted without a sort, in time and memory proportional to the entries.
 */
export async function buildGeneration(source: {
  readonly rankingFeatures: AsyncIterable<readonly RankedRow[]>;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly made: GenerationSource;
}): Promise<Generation> {
  const collected = await collectFeatures(source.rankingFeatures, source.ancestors);
  const order = orderOf(collected);
  const lists = layOutLists(collected);
  const buffer = new ArrayBuffer(countBytesNeeded(lists.extent));
  const columns = viewSections(buffer, lists.extent);
  writePeople(columns, collected, order);
  writeKeys(columns, lists);
  writePostings(columns, collected, order, lists);
  sealGeneration(buffer, lists.extent, source.made);
  return createGeneration(buffer, lists.extent, source.made.revision);
}

interface Order {
  /** By ordinal: the developer's number in order of arrival. */
  readonly arrivals: Uint32Array;
  /** By arrival: rank of the lower-cased login by code unit. */
  readonly loginRanks: Uint32Array;
}

/** Orders by base, descending, with a counting sort, which keeps equals in order of login. */
function orderOf({ developers, logins, bases }: CollectedFeatures): Order {
  const byLogin = Uint32Array.from({ length: developers }, (_, arrival) => arrival).sort((a, b) =>
    (logins[a] as string) < (logins[b] as string) ? -1 : 1,
  );
  const loginRanks = new Uint32Array(developers);
  const starts = new Uint32Array(1002);
  byLogin.forEach((arrival, rank) => {
    loginRanks[arrival] = rank;
    const after = 1001 - (bases[arrival] as number);
    starts[after] = (starts[after] as number) + 1;
  });
  for (let at = 1; at < starts.length; at++) {
    starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  }
  const arrivals = new Uint32Array(developers);
  for (const arrival of byLogin) {
    const score = 1000 - (bases[arrival] as number);
    const ordinal = starts[score] as number;
    starts[score] = ordinal + 1;
    arrivals[ordinal] = arrival;
  }
  return { arrivals, loginRanks };
}

interface ListLayout {
  readonly extent: GenerationExtent;
  /** List numbers, which are in order of first sight, sorted by key. */
  readonly sorted: readonly number[];
  readonly keys: readonly PostingsKey[];
  readonly counts: Uint32Array;
  /** By list number. */
  readonly ordinalStarts: Uint32Array;
  readonly strengthStarts: Uint32Array;
}

function layOutLists({ developers, keys, counts }: CollectedFeatures): ListLayout {
  const sorted = keys
    .map((_, list) => list)
    .sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  const ordinalStarts = new Uint32Array(keys.length);
  const strengthStarts = new Uint32Array(keys.length).fill(noStrengths);
  let ordinals = 0;
  let strengths = 0;
  let keyUnits = 0;
  for (const list of sorted) {
    const key = keys[list] as PostingsKey;
    const count = counts[list] as number;
    const dense = isDense(count, developers);
    ordinalStarts[list] = ordinals;
    ordinals += dense ? countBitsetWords(developers) : count;
    if (hasStrengths(key)) {
      strengthStarts[list] = strengths;
      strengths += dense ? developers : count;
    }
    keyUnits += key.length;
  }
  if (ordinals >= noStrengths || strengths >= noStrengths) {
    throw new Error("The pool is too large for one index: its lists exceed 32-bit positions.");
  }
  const extent = { developers, lists: keys.length, keyUnits, ordinals, strengths };
  return { extent, sorted, keys, counts, ordinalStarts, strengthStarts };
}

function writePeople(
  columns: GenerationSections,
  collected: CollectedFeatures,
  order: Order,
): void {
  for (let ordinal = 0; ordinal < collected.developers; ordinal++) {
    const arrival = order.arrivals[ordinal] as number;
    columns.rowIds[ordinal] = collected.rowIds[arrival] as number;
    columns.loginRanks[ordinal] = order.loginRanks[arrival] as number;
    columns.experience[ordinal] = collected.experience[arrival] as number;
    columns.bases[ordinal] = collected.bases[arrival] as number;
    columns.profile[ordinal] = collected.profile[arrival] as number;
    columns.activity[ordinal] = collected.activity[arrival] as number;
    columns.techStack[ordinal] = collected.techStack[arrival] as number;
  }
}

function writeKeys(columns: GenerationSections, lists: ListLayout): void {
  let unit = 0;
  lists.sorted.forEach((list, position) => {
    const key = lists.keys[list] as string;
    columns.keyStarts[position] = unit;
    for (let at = 0; at < key.length; at++) columns.keyUnits[unit++] = key.charCodeAt(at);
    columns.counts[position] = lists.counts[list] as number;
    columns.ordinalStarts[position] = lists.ordinalStarts[list] as number;
    columns.strengthStarts[position] = lists.strengthStarts[list] as number;
  });
  columns.keyStarts[lists.sorted.length] = unit;
}

/** Goes through the ordinals in ascending order, so each list is filled in ascending order. */
function writePostings(
  columns: GenerationSections,
  collected: CollectedFeatures,
  order: Order,
  lists: ListLayout,
): void {
  const { entryStarts, entries, entryStrengths, developers } = collected;
  const filled = new Uint32Array(lists.keys.length);
  for (let ordinal = 0; ordinal < developers; ordinal++) {
    const arrival = order.arrivals[ordinal] as number;
    const end = entryStarts[arrival + 1] as number;
    for (let entry = entryStarts[arrival] as number; entry < end; entry++) {
      const list = entries[entry] as number;
      const dense = isDense(lists.counts[list] as number, developers);
      const start = lists.ordinalStarts[list] as number;
      const strengthStart = lists.strengthStarts[list] as number;
      const position = dense ? ordinal : (filled[list] as number);
      if (dense) {
        const word = start + (ordinal >>> 5);
        columns.ordinals[word] = (columns.ordinals[word] as number) | (1 << (ordinal & 31));
      } else {
        columns.ordinals[start + position] = ordinal;
        filled[list] = position + 1;
      }
      if (strengthStart !== noStrengths) {
        columns.strengths[strengthStart + position] = entryStrengths[entry] as number;
      }
    }
  }
}
