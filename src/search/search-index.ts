/** The port (docs/architecture.md, "Ports") that hides where the index over the pool is stored. */
import type { Card, RankedScores } from "../contract/people/developer.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { KnownTerm, TermKind } from "../contract/terms.ts";
import type { PeopleFound, PeopleQuery, RankedRow } from "../pool/pool.ts";
import type { NearTerms } from "./near-terms.ts";
import type { SparseFilter } from "./sparse-filters.ts";

/** Finds developers: filters, ranks and counts over one immutable generation of the pool. */
export interface SearchIndex {
  /** True once a generation is loaded; before that `find` rejects with Problem internal. */
  readonly isReady: boolean;
  readonly generation: LoadedGeneration | undefined;
  /** @throws Problem invalid_request for an unknown role, with all known roles and the nearest one (decision 11). */
  find(query: SearchQuery): Promise<SearchResult>;
  /**
   * Explains why one developer is in the result of a query or not, with the same resolution, lists and ranking as `find`.
   *
   * @param person the developer's row in the pool, which may belong to a bot or an assistant.
   * @throws Problem invalid_request for an unknown role.
   */
  explain(person: RankedRow, query: SearchRequest): Promise<SearchExplanation>;
  /**
   * Returns, for each developer, the display names of the requested terms that the developer has evidence for. Without requested
   * terms, returns the developer's strongest keywords (decision 17).
   */
  matchedKeywords(
    asked: ResolvedTerms,
    found: readonly FoundDeveloper[],
  ): Promise<readonly (readonly string[])[]>;
  /** Every role that a search accepts, with its display name. */
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  /** Returns the role, skills and languages that the words of a request name, without searching. For pages. */
  understand(query: Pick<SearchRequest, "role" | "skills" | "languages">): UnderstoodWords;
  /**
   * Returns the known places, skills, roles and repositories that a text names or begins to name, best first. If there are none,
   * returns those with a similar spelling.
   */
  lookUp(asked: LookupQuery): Promise<readonly KnownTerm[]>;
  /**
   * Returns how the scores of all people that a search for the role finds are distributed. Counted once per generation;
   * for pages.
   *
   * @param role the role's id.
   * @returns undefined if there are too many people to count quickly.
   */
  countRoleScores(role: string): Promise<RoleScoreCounts | undefined>;
  /**
   * Finds developers by name, login, former login, account or e-mail, best match first. Reads the newest revision of the pool,
   * whatever generation is loaded. Finds bots and assistants only by an exact text, and never by name.
   */
  findPeople(asked: PeopleQuery): Promise<PeopleFound>;
  /** Loads the newest generation, or builds it. Then follows the pool's revision until closed. */
  start(): Promise<void>;
  /** Builds the next generation if the pool has a newer revision, and then replaces the current one. */
  refresh(): Promise<void>;
  /**
   * Removes erased people from the stored index: rebuilds it from the pool, or deletes it so that a server rebuilds it. This is
   * complete when the call returns.
   */
  discard(): Promise<void>;
  close(): Promise<void>;
}

export interface LoadedGeneration {
  readonly revision: number;
  readonly developers: number;
  /** Seconds since it was loaded or built. */
  readonly ageSeconds: number;
  /** How long building it took; undefined if it was loaded from its file. */
  readonly buildSeconds: number | undefined;
}

export type SearchQuery = SearchRequest & { readonly maxResults: number; readonly offset: number };

/** A developer on a page of results, with the keywords of the pool's card. */
export interface FoundDeveloper {
  readonly card: Pick<Card, "keywords" | "roleKeywords">;
  readonly hit: SearchHit;
}

/** The role and names that the request's words resolved to. */
export interface ResolvedTerms {
  readonly role: string | undefined;
  /** Display names of the requested skills and languages, in the order of the request. */
  readonly names: readonly string[];
}

export interface SearchHit extends RankedScores {
  readonly rowId: number;
  /** The names in `ResolvedTerms.names` for which the index has evidence for this developer. */
  readonly evidence: readonly string[];
}

export interface SearchResult {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly asked: ResolvedTerms;
  /** Full name of the place that the location was resolved to. */
  readonly place?: string;
  /** Only for a role that was requested by an alternative name. */
  readonly understoodRole?: UnderstoodRole | undefined;
  /** Requested skills that neither the vocabulary nor any developer has. */
  readonly unknownSkills: readonly string[];
  /** Suggestions for unknown skills and unknown languages. */
  readonly nearTerms: readonly NearTerms[];
  /** Filters that find no one because few people have the field that they test. */
  readonly sparseFilters: readonly SparseFilter[];
  /** Requested repositories that no developer has worked in. */
  readonly unknownRepositories: readonly string[];
  /** Known repositories with similar names. */
  readonly repositorySuggestions: readonly string[];
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}

/** The role that an alternative name stands for (decision 40). */
export interface UnderstoodRole {
  /** Display name. */
  readonly name: string;
  /** Display names of the languages that the name implies. */
  readonly languages?: readonly string[];
  /** Words of seniority in the name. They filter no one. */
  readonly seniority?: readonly string[];
}

export interface UnderstoodWords {
  /** Display name; undefined without a role, or for an unknown one. */
  readonly role: string | undefined;
  /** Display names of the languages that the role's name implies. */
  readonly roleLanguages: readonly string[];
  readonly skills: readonly UnderstoodWord[];
  readonly languages: readonly UnderstoodWord[];
}

export interface UnderstoodWord {
  readonly asked: string;
  /** Display name; undefined when the vocabulary does not know it. */
  readonly name: string | undefined;
}

export interface LookupQuery {
  readonly text: string;
  /** The kind of terms to return; undefined for all kinds. */
  readonly kind: TermKind | undefined;
  readonly limit: number;
}

export interface RoleScoreCounts {
  readonly total: number;
  /** The number of people with each overall score for the role, by tenths of a point: 1001 counts. */
  readonly people: Uint32Array;
}

/** One condition of a query, applied to one developer. */
export interface Verdict {
  /** A field of the request. `class` and `index` are conditions of every search. */
  readonly field: keyof SearchRequest | "class" | "index";
  readonly holds: boolean;
  /** The condition as it was understood, in words. */
  readonly asked: string;
  /** What the developer has, in words. */
  readonly has: string;
}

export interface SearchExplanation {
  readonly login: string;
  /** Whether a search with enough pages shows this developer. */
  readonly isIn: boolean;
  readonly verdicts: readonly Verdict[];
  /** The number of developers that the query finds. */
  readonly total: number;
  /** Only for a developer in the answer: the scores for this query, and the rank among all found, from 1. */
  readonly placing?: RankedScores & { readonly rank: number };
  /** Only for a location that names no known place. */
  readonly locationSuggestions?: string[];
}
