/**
 * What an account keeps for itself: lists of people with notes, and searches with the people that they found. No other
 * account sees them. An erasure removes people from all of them.
 */

export const savedLimits = {
  /** Per account. */
  listsMax: 50,
  searchesMax: 50,
  /** Per list. */
  entriesMax: 500,
  nameLengthMax: 80,
  noteLengthMax: 500,
  /** The query of a search, as its address has it. */
  queryLengthMax: 4000,
  /** People kept per search: one page of the largest size. */
  foundMax: 100,
} as const;

export interface ListSummary {
  readonly id: string;
  readonly name: string;
  readonly people: number;
  /** ISO 8601, UTC, here and below. */
  readonly changedAt: string;
}

export interface ListEntry {
  readonly login: string;
  /** Empty without one. */
  readonly note: string;
  readonly addedAt: string;
}

export interface PeopleList extends ListSummary {
  /** The latest added first. */
  readonly entries: readonly ListEntry[];
}

/** A list that a person is on. */
export interface ListedPerson {
  readonly login: string;
  readonly listId: string;
  readonly listName: string;
}

/** How the people that a search finds now differ from those that it found when the account last looked. */
interface SearchChanges {
  readonly new: number;
  readonly gone: number;
  /** Found both times, with different scores. */
  readonly moved: number;
}

export interface SavedSearch extends SearchChanges {
  readonly id: string;
  readonly name: string;
  /** As the address of the search has it. */
  readonly query: string;
  /** How many people matched in the latest run; at most `foundMax` of them are kept. */
  readonly total: number;
  /** When the account looked at the people that these are compared with, and when the search was last run. */
  readonly seenAt: string;
  readonly ranAt: string;
  /** Whether the account has looked at what the latest run found. */
  readonly isLookedAt: boolean;
}

/** A search that is to be run for the account. */
export interface PendingSearch extends Pick<SavedSearch, "id" | "query"> {
  readonly accountId: string;
}

export interface RankedLogin {
  readonly login: string;
  /** When the account last looked, and in the latest run; undefined where the person was not found. */
  readonly seenScore: number | undefined;
  readonly score: number | undefined;
}

export interface SearchRun {
  readonly total: number;
  /** At most `foundMax`, best first. */
  readonly people: readonly { readonly login: string; readonly score: number }[];
  readonly at: Date;
  /** By which model the scores are: those of two models are not compared. */
  readonly model: string;
}

/** Why nothing was stored. `unknown`: the account has no such list or search. */
export type SavedRefusal = "too many" | "name taken" | "unknown";
