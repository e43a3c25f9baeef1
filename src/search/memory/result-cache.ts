import type { Generation } from "../generation/generation.ts";
import type { SearchQuery, SearchResult } from "../search-index.ts";

/** Bounds the memory of cached results; all requests are shorter than 64 kB and nearly all than 300 letters. */
const hitsMax = 32_768;
const queryLettersMax = 1000;
/** Of questions that were asked once. */
const onceMax = 2048;

/**
 * What one generation has answered lately, by question: callers ask the same again, and nothing in a generation changes. A
 * result is cached when its question comes the second time: to keep each cost a fifth of a search that is not asked again.
 *
 * @package
 */
export interface ResultCache {
  find(query: SearchQuery, generation: Generation): SearchResult;
}

/** @param search is called for a question that is not cached; what it throws is not cached either. */
export function createResultCache(
  search: (query: SearchQuery, generation: Generation) => SearchResult,
): ResultCache {
  const cached = new Map<string, SearchResult>();
  const once = new Set<number>();
  let keptOf: Generation | undefined;
  let hits = 0;
  // One without hits takes memory too.
  const weigh = (result: SearchResult) => 1 + result.hits.length;
  const forget = () => {
    cached.clear();
    hits = 0;
  };
  const isAskedAgain = (name: string) => {
    const hash = Bun.hash.crc32(name);
    if (once.delete(hash)) return true;
    if (once.size >= onceMax) once.clear();
    once.add(hash);
    return false;
  };
  const keep = (name: string, result: SearchResult) => {
    cached.set(name, result);
    hits += weigh(result);
    for (const [oldest, other] of cached) {
      if (hits <= hitsMax) break;
      cached.delete(oldest);
      hits -= weigh(other);
    }
    return result;
  };
  return {
    find(query, generation) {
      if (generation !== keptOf) forget();
      keptOf = generation;
      const name = JSON.stringify(query);
      const known = cached.get(name);
      if (known) return known;
      const found = search(query, generation);
      if (name.length > queryLettersMax || !isAskedAgain(name)) return found;
      return keep(name, found);
    },
  };
}
