/** The port (docs/architecture.md, "Ports"): the index over the pool, wherever it is kept. */
import type { Card, RankedScores } from "../contract/people/developer.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { KnownTerm, TermKind } from "../contract/terms.ts";
import type { RankedRow } from "../pool/pool.ts";

/** Finds people: filters, ranks and counts over one immutable generation of the pool. */
export interface SearchIndex {
  /** True once a generation is loaded; before that `find` rejects with Problem internal. */
  readonly isReady: boolean;
  readonly generation: { readonly revision: number; readonly developers: number } | undefined;
  /** @throws Problem invalid_request for an unknown role, naming the roles and the nearest (decision 11). */
  find(query: SearchQuery): Promise<SearchResult>;
  /**
   * Why one developer is in the answer to a query, or is not: by the same resolution, lists and ranking as `find`.
   *
   * @param person as the pool holds it; bots and assistants too.
   * @throws Problem invalid_request for an unknown role.
   */
  explain(person: RankedRow, query: SearchRequest): Promise<SearchExplanation>;
  /**
   * For each developer found, in order: display names of what was asked and this developer has evidence for; nothing
   * asked: the strongest keywords (decision 17).
   */
  matchedKeywords(
    asked: ResolvedTerms,
    found: readonly FoundDeveloper[],
  ): Promise<readonly (readonly string[])[]>;
  /**
   * The known places, skills and roles that a text names, begins to name or, when there is none, misspells; best
   * first. Needs no caller: pages may complete with it.
   */
  lookUp(asked: LookupQuery): Promise<readonly KnownTerm[]>;
  /** Loads the newest generation, or builds it; then follows the pool's revision until closed. */
  start(): Promise<void>;
  /** Builds the next generation if the pool has moved on, and swaps it in whole. */
  refresh(): Promise<void>;
  /** Removes what is stored of the index: what it was made of is to be forgotten. A server makes it anew. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

export type SearchQuery = SearchRequest & { readonly maxResults: number; readonly offset: number };

/** A developer on the page, with the card that the pool holds. */
export interface FoundDeveloper {
  readonly card: Card;
  readonly hit: SearchHit;
}

/** What the request's words resolved to. */
export interface ResolvedTerms {
  readonly role: string | undefined;
  /** Display names of asked-for skills and languages, in the order asked. */
  readonly names: readonly string[];
}

export interface SearchHit extends RankedScores {
  readonly rowId: number;
  /** Those of `Asked.names` that the index found evidence for in this developer. */
  readonly evidence: readonly string[];
}

export interface SearchResult {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly asked: ResolvedTerms;
  /** Full name of the place understood. */
  readonly place?: string;
  /** Asked-for skills that no vocabulary knows and nobody has. */
  readonly unknownSkills: readonly string[];
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}

export interface LookupQuery {
  readonly text: string;
  /** All kinds when left out. */
  readonly kind: TermKind | undefined;
  readonly limit: number;
}

/** One condition of a query, held against one developer. */
export interface Verdict {
  /** A field of the request; `class` and `index` are conditions of every search. */
  readonly field: keyof SearchRequest | "class" | "index";
  readonly holds: boolean;
  /** In words, as it was understood. */
  readonly asked: string;
  /** In words: what there is of it. */
  readonly has: string;
}

export interface SearchExplanation {
  readonly login: string;
  /** Whether a search with enough pages shows this developer. */
  readonly isIn: boolean;
  readonly verdicts: readonly Verdict[];
  /** How many the query finds. */
  readonly total: number;
  /** When in: the scores for this query, and the place among all found, from 1. */
  readonly placing?: RankedScores & { readonly rank: number };
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}
