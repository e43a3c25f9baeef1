import type { FeatureRow } from "../../pool/pool.ts";
import { baseMax } from "../weighing.ts";
import { type CollectedFeatures, collectFeatures } from "./collect.ts";
import { type GenerationSource, sealGeneration } from "./file.ts";
import { createGeneration, type Generation } from "./generation.ts";
import {
  countBytesNeeded,
  type GenerationSections,
  layOutLists,
  noStrengths,
  viewSections,
} from "./layout.ts";
import { isDense } from "./postings.ts";
import { sortLists, writeKeys } from "./sort-lists.ts";

/**
 * Builds one generation from ranking features in two passes. The first pass streams the features into flat arrays. The second
 * pass fills all lists in order of ordinal, so that no list needs a sort.
 */
export async function buildGeneration(source: {
  readonly rankingFeatures: AsyncGenerator<readonly FeatureRow[]>;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly made: GenerationSource;
}): Promise<Generation> {
  const collected = await collectFeatures(source.rankingFeatures, source.ancestors);
  const { developers } = collected;
  const order = orderOf(collected);
  const sorted = sortLists(collected);
  const counts = sorted.lists.map((list) => collected.counts[list] as number);
  const spans = layOutLists(counts, (at) => sorted.isStrong[at] === 1, developers);
  const extent = {
    developers,
    lists: counts.length,
    keyUnits: sorted.keyUnits,
    ordinals: spans.ordinals,
    strengths: spans.strengths,
  };
  const buffer = new ArrayBuffer(countBytesNeeded(extent));
  const columns = viewSections(buffer, extent);
  writePeople(columns, collected, order);
  writeKeys(sorted, columns);
  columns.counts.set(counts);
  columns.ordinalStarts.set(spans.ordinalStarts);
  columns.strengthStarts.set(spans.strengthStarts);
  writePostings(columns, collected, order, sorted.lists);
  sealGeneration(buffer, extent, source.made);
  return createGeneration(buffer, extent, source.made.revision);
}

interface Order {
  /** For each ordinal, the developer's position in the order of reading. */
  readonly arrivals: Uint32Array;
  /** For each position in the order of reading, the rank of the login. */
  readonly loginRanks: Uint32Array;
}

/** Orders developers by base score, descending, with a counting sort. Equal scores stay in order of login. */
function orderOf({ developers, logins, bases }: CollectedFeatures): Order {
  const byLogin = sortByText(logins);
  const loginRanks = new Uint32Array(developers);
  const starts = new Uint32Array(baseMax + 2);
  byLogin.forEach((arrival, rank) => {
    loginRanks[arrival] = rank;
    const after = baseMax + 1 - (bases[arrival] as number);
    starts[after] = (starts[after] as number) + 1;
  });
  for (let at = 1; at < starts.length; at++) {
    starts[at] = (starts[at] as number) + (starts[at - 1] as number);
  }
  const arrivals = new Uint32Array(developers);
  for (const arrival of byLogin) {
    const place = baseMax - (bases[arrival] as number);
    const ordinal = starts[place] as number;
    starts[place] = ordinal + 1;
    arrivals[ordinal] = arrival;
  }
  return { arrivals, loginRanks };
}

/** Returns the positions of the texts in code-unit order. No two texts may be equal. */
function sortByText(texts: readonly string[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(texts.keys()).sort((a, b) =>
    (texts[a] as string) < (texts[b] as string) ? -1 : 1,
  );
}

function writePeople(
  columns: GenerationSections,
  collected: CollectedFeatures,
  { arrivals, loginRanks }: Order,
): void {
  const { rowIds, experience, bases, followers, profile, activity, techStack } = collected;
  const figures = {
    rowIds,
    loginRanks,
    experience,
    bases,
    followers,
    profile,
    activity,
    techStack,
  };
  for (const [name, ofArrivals] of Object.entries(figures)) {
    const column = columns[name as keyof typeof figures];
    for (let ordinal = 0; ordinal < arrivals.length; ordinal++) {
      column[ordinal] = ofArrivals[arrivals[ordinal] as number] as number;
    }
  }
}

/** Visits the ordinals in ascending order, so that each list is filled in ascending order. */
function writePostings(
  { counts, ordinals, ordinalStarts, strengths, strengthStarts }: GenerationSections,
  { entryStarts, entries, entryStrengths, developers, counts: seen }: CollectedFeatures,
  { arrivals }: Order,
  lists: Uint32Array,
): void {
  // Each of these arrays has one element for each list.
  const [dense, strong] = [new Uint8Array(seen.length), new Uint8Array(seen.length)];
  const [next, toStrength] = [new Uint32Array(seen.length), new Float64Array(seen.length)];
  lists.forEach((list, position) => {
    const start = ordinalStarts[position] as number;
    const strengthStart = strengthStarts[position] as number;
    dense[list] = isDense(counts[position] as number, developers) ? 1 : 0;
    strong[list] = strengthStart === noStrengths ? 0 : 1;
    next[list] = start;
    toStrength[list] = strengthStart - start;
  });
  for (let ordinal = 0; ordinal < developers; ordinal++) {
    const arrival = arrivals[ordinal] as number;
    const end = entryStarts[arrival + 1] as number;
    for (let entry = entryStarts[arrival] as number; entry < end; entry++) {
      const list = entries[entry] as number;
      const at = next[list] as number;
      const strengthAt = at + (toStrength[list] as number);
      const strength = entryStrengths[entry] as number;
      if (dense[list] === 1) {
        const word = at + (ordinal >>> 5);
        ordinals[word] = (ordinals[word] as number) | (1 << (ordinal & 31));
        if (strong[list] === 1) strengths[strengthAt + ordinal] = strength;
      } else {
        ordinals[at] = ordinal;
        next[list] = at + 1;
        if (strong[list] === 1) strengths[strengthAt] = strength;
      }
    }
  }
}
