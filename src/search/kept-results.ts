import type { Generation } from "./generation/generation.ts";
import type { SearchQuery, SearchResult } from "./search-index.ts";

/** Bounds the memory of what is kept; of requests, all are shorter than 64 kB and nearly all than 300 letters. */
const hitsMax = 32_768;
const queryLettersMax = 1000;

/**
 * What one generation has answered lately: callers ask the same again, and nothing in a generation changes. The same
 * question gets the same object, so that whoever makes something of it can keep that beside it.
 *
 * @package
 */
export interface KeptResults {
  find(query: SearchQuery, generation: Generation): SearchResult;
}

/** @package @param search is called for a question that is not kept; what it throws is not kept either. */
export function createKeptResults(
  search: (query: SearchQuery, generation: Generation) => SearchResult,
): KeptResults {
  const kept = new Map<string, SearchResult>();
  let keptOf: Generation | undefined;
  let hits = 0;
  // One without hits takes memory too.
  const weigh = (result: SearchResult) => 1 + result.hits.length;
  const forget = () => {
    kept.clear();
    hits = 0;
  };
  return {
    find(query, generation) {
      if (generation !== keptOf) forget();
      keptOf = generation;
      const name = JSON.stringify(query);
      const known = kept.get(name);
      if (known) return known;
      const found = search(query, generation);
      if (name.length > queryLettersMax) return found;
      hits += weigh(found);
      kept.set(name, found);
      for (const [oldest, result] of kept) {
        if (hits <= hitsMax) break;
        kept.delete(oldest);
        hits -= weigh(result);
      }
      return found;
    },
  };
}
