/** The port (docs/architecture.md, "Ports") that hides where the index over the pool is stored. */
import type { Card, RankedScores } from "../contract/people/developer.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { KnownTerm, TermKind } from "../contract/terms.ts";
import type { PeopleFound, PeopleQuery, RankedRow } from "../pool/pool.ts";
import type { NearTerms } from "./near-terms.ts";
import type { SparseFilter } from "./sparse-filters.ts";

/** Finds developers: filters, ranks and counts over one immutable generation of the pool. */
export interface SearchIndex {
  /** Undefined until a generation is loaded. Until then, `find` rejects with Problem `internal`. */
  readonly generation: LoadedGeneration | undefined;
  /** @throws Problem `invalid_request` for an unknown role, with all known roles and the nearest one (decision 11). */
  find(query: SearchQuery): Promise<SearchResult>;
  /**
   * Explains why one developer is in the result of a query or not. The rank is that of the match, whatever `sort` says.
   * @param person the developer's row in the pool, which may belong to a bot or an assistant.
   * @throws Problem `invalid_request` for an unknown role.
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
  /** Returns the role, skills and languages that the words of a request name, without searching. */
  understand(query: Pick<SearchRequest, "role" | "skills" | "languages">): UnderstoodWords;
  /**
   * Returns the known places, skills, roles and repositories that a text names or begins to name, best first. If there are none,
   * returns names with a similar spelling.
   */
  lookUp(asked: LookupQuery): Promise<readonly KnownTerm[]>;
  /**
   * Counts, by score, the people that a search for the role finds. Counts once per generation.
   * @param role the role's id.
   * @returns undefined if there are too many people to count quickly.
   */
  countRoleScores(role: string): Promise<RoleScoreCounts | undefined>;
  /**
   * Finds developers by name, login, former login, account or e-mail, best match first. Reads the newest revision of the pool.
   * Finds bots and assistants only by an exact text, and never by name.
   */
  findPeople(asked: PeopleQuery): Promise<PeopleFound>;
  /** Loads the newest generation, or builds it. Then follows the pool's revision until closed. */
  start(): Promise<void>;
  /** Builds the next generation if the pool has a newer revision, and replaces the current generation. */
  refresh(): Promise<void>;
  /** Removes erased people from the stored index. The index is rebuilt from the pool, or deleted. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

export interface LoadedGeneration {
  readonly revision: number;
  readonly developers: number;
  /** Seconds since the generation was loaded or built. */
  readonly ageSeconds: number;
  /** How many seconds the build took. Undefined if the generation was loaded from its file. */
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
  /** The role, if it was requested by an alternative name. */
  readonly understoodRole?: UnderstoodRole | undefined;
  /** Requested skills that neither the vocabulary nor any developer has. */
  readonly unknownSkills: readonly string[];
  /** Suggestions for unknown skills and unknown languages. */
  readonly nearTerms: readonly NearTerms[];
  /** Filters that find no one because few people have the tested field. */
  readonly sparseFilters: readonly SparseFilter[];
  /** Requested repositories that no developer has worked in. */
  readonly unknownRepositories: readonly string[];
  /** Known repositories with names similar to the unknown ones. */
  readonly repositorySuggestions: readonly string[];
  /** Suggested places, if the location names no known place. */
  readonly locationSuggestions?: string[];
}

/** The role that an alternative name stands for (decision 40). */
export interface UnderstoodRole {
  /** The role's display name. */
  readonly name: string;
  /** Display names of the languages that the name implies. */
  readonly languages?: readonly string[];
  /** Words of seniority in the name, such as `senior`. They filter no one. */
  readonly seniority?: readonly string[];
}

export interface UnderstoodWords {
  /** The role's display name. Undefined if the request names no known role. */
  readonly role: string | undefined;
  /** Display names of the languages that the role's name implies. */
  readonly roleLanguages: readonly string[];
  readonly skills: readonly UnderstoodWord[];
  readonly languages: readonly UnderstoodWord[];
}

export interface UnderstoodWord {
  readonly asked: string;
  /** The term's display name. Undefined if the vocabulary does not know the term. */
  readonly name: string | undefined;
}

export interface LookupQuery {
  /** Empty for the terms with the most people. */
  readonly text: string;
  /** The kind of terms to return. Undefined means all kinds. */
  readonly kind: TermKind | undefined;
  readonly limit: number;
}

export interface RoleScoreCounts {
  readonly total: number;
  /** For each score from 0 to 1000 tenths of a point, the number of people with this overall score for the role. */
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
  /** The scores for this query, and the rank from 1. Absent if the query does not find the developer. */
  readonly placing?: RankedScores & { readonly rank: number };
  /** Suggested places, if the location names no known place. */
  readonly locationSuggestions?: string[];
}
