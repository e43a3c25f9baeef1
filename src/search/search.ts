import type { Card, Ranked } from "../contract/people/developer.ts";
import type { SearchRequest } from "../contract/requests.ts";

/** Finds people: filters, ranks and counts over one immutable generation in memory. */
export interface Search {
  /** True once a generation is loaded; before that `find` throws Problem internal. */
  readonly isReady: boolean;
  readonly generation: { readonly revision: number; readonly developers: number } | undefined;
  /** @throws Problem invalid_request for an unknown role, naming the roles and the nearest (decision 11). */
  find(query: SearchQuery): Found;
  /** Display names of what was asked and this developer has evidence for; nothing asked: the strongest keywords (decision 17). */
  matchedKeywords(card: Card, asked: Asked): readonly string[];
  /** Loads the generation file, or rebuilds it; then follows the pool's revision until closed. */
  start(): Promise<void>;
  /** Rebuilds off this thread if the pool has moved on, and swaps the result in whole. */
  refresh(): Promise<void>;
  close(): void;
}

export type SearchQuery = SearchRequest & { readonly maxResults: number; readonly offset: number };

/** What the request's words resolved to. */
export interface Asked {
  readonly role: string | undefined;
  /** Display names of asked-for skills and languages, in the order asked. */
  readonly names: readonly string[];
}

export interface Hit extends Ranked {
  readonly rowId: number;
}

export interface Found {
  readonly total: number;
  readonly hits: readonly Hit[];
  readonly asked: Asked;
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}
