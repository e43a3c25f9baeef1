import { RecentlyUsed } from "../../contract/recently-used.ts";
import type { Generation } from "../generation/generation.ts";
import type { SearchQuery, SearchResult } from "../search-index.ts";

/** The maximum number of hits in the cache. */
const hitsMax = 32_768;
const queryLettersMax = 1000;
/** The maximum number of remembered queries that have arrived only once. */
const onceMax = 2048;

/**
 * Caches recent results of one generation, because callers repeat queries. A result is cached when its query arrives the second
 * time.
 * @package
 * @param search runs a query that is not cached. Errors are not cached.
 */
export function createResultCache(
  search: (query: SearchQuery, generation: Generation) => SearchResult,
): typeof search {
  let cached = new RecentlyUsed<SearchResult>(hitsMax);
  let cachedOf: Generation | undefined;
  const once = new Set<number>();
  const isAskedAgain = (name: string) => {
    const hash = Bun.hash.crc32(name);
    if (once.delete(hash)) return true;
    if (once.size >= onceMax) once.clear();
    once.add(hash);
    return false;
  };
  return (query, generation) => {
    if (generation !== cachedOf) cached = new RecentlyUsed(hitsMax);
    cachedOf = generation;
    const name = JSON.stringify(query);
    const known = cached.get(name);
    if (known) return known;
    const found = search(query, generation);
    if (name.length <= queryLettersMax && isAskedAgain(name)) {
      // A result without hits also takes memory.
      cached.set(name, found, 1 + found.hits.length);
    }
    return found;
  };
}
