import type { RankedRow } from "../../pool/pool.ts";
import { type CollectedFeatures, collectFeatures } from "./collect.ts";
import { type GenerationSource, sealGeneration } from "./file.ts";
import { createGeneration, type Generation, hasStrengths, type PostingsKey } from "./generation.ts";
import {
  countBytesNeeded,
  type GenerationSections,
  layOutLists,
  noStrengths,
  viewSections,
} from "./layout.ts";
import { isDense } from "./postings.ts";

/**
 * Builds one generation from ranking features, in two passes: the first streams them into flat arrays and counts, the
 * second distributes every developer's entries in order of ordinal. So each list is sorted without a sort, in time and
 * memory proportional to the entries.
 */
export async function buildGeneration(source: {
  readonly rankingFeatures: AsyncIterable<readonly RankedRow[]>;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly made: GenerationSource;
}): Promise<Generation> {
  const collected = await collectFeatures(source.rankingFeatures, source.ancestors);
  const { developers, logins, keys, counts } = collected;
  const order = orderOf(collected);
  const lists = sortByText(keys);
  const spans = layOutLists(
    lists.map((list) => counts[list] as number),
    (at) => hasStrengths(keys[lists[at] as number] as PostingsKey),
    developers,
  );
  const extent = {
    developers,
    loginUnits: countUnits(logins),
    lists: keys.length,
    keyUnits: countUnits(keys),
    ordinals: spans.ordinals,
    strengths: spans.strengths,
  };
  const buffer = new ArrayBuffer(countBytesNeeded(extent));
  const columns = viewSections(buffer, extent);
  writePeople(columns, collected, order);
  writeTexts(logins, order.byLogin, columns.loginStarts, columns.loginUnits);
  writeTexts(keys, lists, columns.keyStarts, columns.keyUnits);
  columns.counts.set(lists.map((list) => counts[list] as number));
  columns.ordinalStarts.set(spans.ordinalStarts);
  columns.strengthStarts.set(spans.strengthStarts);
  writePostings(columns, collected, order, lists);
  sealGeneration(buffer, extent, source.made);
  return createGeneration(buffer, extent, source.made.revision);
}

interface Order {
  /** By ordinal: the developer's number in order of arrival. */
  readonly arrivals: Uint32Array;
  /** By rank of the lower-cased login by code unit: the same number. */
  readonly byLogin: Uint32Array;
  /** By arrival: that rank. */
  readonly loginRanks: Uint32Array;
}

/** Orders by base, descending, with a counting sort, which keeps equals in order of login. */
function orderOf({ developers, logins, bases }: CollectedFeatures): Order {
  const byLogin = sortByText(logins);
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
    const place = 1000 - (bases[arrival] as number);
    const ordinal = starts[place] as number;
    starts[place] = ordinal + 1;
    arrivals[ordinal] = arrival;
  }
  return { arrivals, byLogin, loginRanks };
}

/** Positions of the texts, which all differ, in order of code units. */
function sortByText(texts: readonly string[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(texts.keys()).sort((a, b) =>
    (texts[a] as string) < (texts[b] as string) ? -1 : 1,
  );
}

function countUnits(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
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

function writeTexts(
  texts: readonly string[],
  order: Uint32Array,
  starts: Uint32Array,
  units: Uint16Array,
): void {
  let unit = 0;
  order.forEach((text, position) => {
    const written = texts[text] as string;
    starts[position] = unit;
    for (let at = 0; at < written.length; at++) units[unit++] = written.charCodeAt(at);
  });
  starts[order.length] = unit;
}

/** Goes through the ordinals in ascending order, so each list is filled in ascending order. */
function writePostings(
  columns: GenerationSections,
  collected: CollectedFeatures,
  order: Order,
  lists: Uint32Array,
): void {
  const { entryStarts, entries, entryStrengths, developers } = collected;
  const positions = new Uint32Array(lists.length);
  lists.forEach((list, position) => {
    positions[list] = position;
  });
  const filled = new Uint32Array(lists.length);
  for (let ordinal = 0; ordinal < developers; ordinal++) {
    const arrival = order.arrivals[ordinal] as number;
    const end = entryStarts[arrival + 1] as number;
    for (let entry = entryStarts[arrival] as number; entry < end; entry++) {
      const list = positions[entries[entry] as number] as number;
      const dense = isDense(columns.counts[list] as number, developers);
      const start = columns.ordinalStarts[list] as number;
      const strengthStart = columns.strengthStarts[list] as number;
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
