/** The lists of people and the saved searches of an account. No other account sees them. */

export const savedLimits = {
  /** The most lists of one account. */
  listsMax: 50,
  searchesMax: 50,
  /** The most people on one list. */
  entriesMax: 500,
  nameLengthMax: 80,
  noteLengthMax: 500,
  /** The greatest length of a search's query, in the form of its URL. */
  queryLengthMax: 4000,
  /** The most people who are stored for one search. */
  foundMax: 100,
} as const;

export interface ListSummary {
  readonly id: string;
  readonly name: string;
  readonly people: number;
  /** Time of the last change, ISO 8601, UTC. */
  readonly changedAt: string;
}

export interface ListEntry {
  readonly login: string;
  /** The note about the person. Empty means no note. */
  readonly note: string;
  readonly addedAt: string;
}

export interface PeopleList extends ListSummary {
  /** The people on the list. The person who was added last comes first. */
  readonly entries: readonly ListEntry[];
}

/** A person, and one list with this person. */
export interface ListedPerson {
  readonly login: string;
  readonly listId: string;
  readonly listName: string;
}

export interface SavedSearch {
  readonly id: string;
  readonly name: string;
  /** The query in the form of the search's URL. */
  readonly query: string;
  /** The number of people who matched in the latest run. */
  readonly total: number;
  /** Time of the results with which later results are compared. */
  readonly seenAt: string;
  readonly ranAt: string;
  /** Whether the account has looked at the results of the latest run. */
  readonly isLookedAt: boolean;
  /** A digest of the address to which new people are mailed. Empty until it is confirmed, and null if no mail is wanted. */
  readonly mailTo: string | null;
  /** How the results have changed since the account last looked. `moved` counts people whose score has changed. */
  readonly new: number;
  readonly gone: number;
  readonly moved: number;
}

/** A search that is due to run for an account. */
export interface PendingSearch extends Pick<SavedSearch, "id" | "query"> {
  readonly accountId: string;
}

export interface RankedLogin {
  readonly login: string;
  /** The score when the account last looked. Undefined means that the search did not find the person then. */
  readonly seenScore: number | undefined;
  readonly score: number | undefined;
}

export interface SearchRun {
  readonly total: number;
  /** The people whom the search found, best first. */
  readonly people: readonly { readonly login: string; readonly score: number }[];
  readonly at: Date;
  /** The version of the model that computed the scores. */
  readonly model: string;
}

/** Why nothing was stored. `unknown` means that the account does not have the list or search. */
export type SavedRefusal = "too many" | "name taken" | "unknown";
