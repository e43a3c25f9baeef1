import type { Pool } from "../../pool/pool.ts";
import { buildGeneration } from "./build.ts";
import { clearTexts } from "./clear-texts.ts";
import type { Generation } from "./generation.ts";
import { mergeGenerations } from "./merge-generations.ts";
import type { GenerationPart } from "./merge-people.ts";

/** From this share of new people on, all are read: a few of the old ones are hardly worth the merging. */
const newShareMax = 0.5;

/**
 * Makes the generation of the newest revision: of the one before, without those who have left, and of those who came.
 * It is the same, byte for byte, whatever it is made of. Only who came is read, in parts.
 */
export async function renewGeneration(source: {
  readonly pool: Pick<Pool, "searchableRows" | "rankingFeatures">;
  readonly ancestors: (placeId: string) => readonly string[];
  readonly edition: string;
  /** Of the same edition; undefined when there is none. */
  readonly previous: Generation | undefined;
  /** So many people are in memory at once. */
  readonly rowsPerPart?: number;
}): Promise<Generation> {
  const { pool, ancestors, edition, previous, rowsPerPart = 2 ** 17 } = source;
  const { revision, rowIds } = await pool.searchableRows();
  // Another process may have made it already.
  if (previous?.revision === revision) return previous;
  const made = { revision, edition };
  const parts: GenerationPart[] = [];
  const difference = previous && compareRows(previous, rowIds);
  const isWorth = difference && difference.added.length <= newShareMax * rowIds.length;
  if (isWorth) parts.push({ generation: previous, gone: difference.gone });
  const added = isWorth ? difference.added : rowIds;
  for (let from = 0; from < added.length; from += rowsPerPart) {
    const rankingFeatures = pool.rankingFeatures(added.subarray(from, from + rowsPerPart));
    parts.push({ generation: await buildGeneration({ rankingFeatures, ancestors, made }) });
    // The texts of one part are as much memory as the whole index.
    if (added.length > rowsPerPart) clearTexts(rowsPerPart);
  }
  const [only] = parts;
  // What is new is sealed for this revision already.
  return only && parts.length === 1 && !isWorth ? only.generation : mergeGenerations(parts, made);
}

/** Whether so many people came since that it is less work to read an index which another node has built. */
export async function isFar(
  generation: Generation | undefined,
  pool: Pick<Pool, "searchableRows">,
): Promise<boolean> {
  const { rowIds } = await pool.searchableRows();
  if (!generation) return rowIds.length > 0;
  return compareRows(generation, rowIds).added.length > farShare * rowIds.length;
}

/** Reading all of an index costs about as much as building a twentieth of it. */
const farShare = 0.05;

/** @param rowIds ascending. */
function compareRows(
  { columns, developers }: Generation,
  rowIds: Uint32Array,
): { readonly added: Uint32Array; readonly gone: Uint8Array | undefined } {
  const before = columns.rowIds.slice().sort();
  const added = new Uint32Array(rowIds.length);
  const left = new Set<number>();
  let [count, at] = [0, 0];
  for (const rowId of rowIds) {
    for (; at < developers && (before[at] as number) < rowId; at++) left.add(before[at] as number);
    if (before[at] === rowId) at++;
    else added[count++] = rowId;
  }
  for (; at < developers; at++) left.add(before[at] as number);
  const gone = left.size > 0 ? columns.rowIds.map((rowId) => (left.has(rowId) ? 1 : 0)) : undefined;
  return { added: added.subarray(0, count), gone: gone && Uint8Array.from(gone) };
}
