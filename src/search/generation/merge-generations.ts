/**
 * Merges generations of different people into one. It is equal, byte for byte, to one that is built of all of them,
 * and takes time in proportion to its bytes, without a look into the pool.
 */
import { type GenerationSource, sealGeneration } from "./file.ts";
import { createGeneration, type Generation } from "./generation.ts";
import { countBytesNeeded, layOutLists, viewSections } from "./layout.ts";
import { mergeLists, writeLists } from "./merge-lists.ts";
import { type GenerationPart, mergePeople, writePeople } from "./merge-people.ts";

/** @param parts a few; no developer may be in two of them, except those that are left out. */
export function mergeGenerations(
  parts: readonly GenerationPart[],
  made: GenerationSource,
): Generation {
  const people = mergePeople(parts);
  const lists = mergeLists(parts);
  const developers = people.logins.positions.length;
  const spans = layOutLists(lists.counts, (list) => lists.isStrong[list] === 1, developers);
  const extent = {
    developers,
    loginUnits: people.logins.units,
    lists: lists.counts.length,
    keyUnits: lists.keys.units,
    ordinals: spans.ordinals,
    strengths: spans.strengths,
  };
  const buffer = new ArrayBuffer(countBytesNeeded(extent));
  const columns = viewSections(buffer, extent);
  columns.ordinalStarts.set(spans.ordinalStarts);
  columns.strengthStarts.set(spans.strengthStarts);
  writePeople(parts, people, columns);
  writeLists(parts, lists, people.ordinals, columns);
  sealGeneration(buffer, extent, made);
  return createGeneration(buffer, extent, made.revision);
}
