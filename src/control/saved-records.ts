/**
 * The saved items of an account: lists of people with notes, and searches with the people they found. No other account
 * sees them. An erasure removes people from all of them.
 */

export const savedLimits = {
  /** The limit per account. */
  listsMax: 50,
  searchesMax: 50,
  /** The limit per list. */
  entriesMax: 500,
  nameLengthMax: 80,
  noteLengthMax: 500,
  /** The length limit of a search's query in URL form. */
  queryLengthMax: 4000,
  /** People stored per search: one page of the largest size. */
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
  /** Empty if there is no note. */
  readonly note: string;
  readonly addedAt: string;
}

export interface PeopleList extends ListSummary {
  /** The most recently added first. */
  readonly entries: readonly ListEntry[];
}

/** One list that a person is on. */
export interface ListedPerson {
  readonly login: string;
  readonly listId: string;
  readonly listName: string;
}

/** How the people that a search finds now differ from those found when the account last looked. */
interface SearchChanges {
  readonly new: number;
  readonly gone: number;
  /** The number of people found both times, with different scores. */
  readonly moved: number;
}

export interface SavedSearch extends SearchChanges {
  readonly id: string;
  readonly name: string;
  /** The query in the form of the search's URL. */
  readonly query: string;
  /** The number of people who matched in the latest run. At most `foundMax` of them are stored. */
  readonly total: number;
  /** When the account looked at the results that later runs are compared with. */
  readonly seenAt: string;
  readonly ranAt: string;
  /** Whether the account has looked at the results of the latest run. */
  readonly isLookedAt: boolean;
}

/** A search that is due to run for an account. */
export interface PendingSearch extends Pick<SavedSearch, "id" | "query"> {
  readonly accountId: string;
}

export interface RankedLogin {
  readonly login: string;
  /** The score when the account last looked; undefined if the person was not found then. `score` is from the latest run. */
  readonly seenScore: number | undefined;
  readonly score: number | undefined;
}

export interface SearchRun {
  readonly total: number;
  /** At most `foundMax`, best first. */
  readonly people: readonly { readonly login: string; readonly score: number }[];
  readonly at: Date;
  /** The version of the model behind the scores. Scores of two models are not compared. */
  readonly model: string;
}

/** Why nothing was stored. `unknown`: the account has no such list or search. */
export type SavedRefusal = "too many" | "name taken" | "unknown";
