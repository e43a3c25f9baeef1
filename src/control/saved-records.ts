/**
 * What an account keeps for itself: lists of people with notes, and searches with the people that they found. No other
 * account sees them. An erasure removes people from all of them.
 */
import type { NewAuditEntry } from "./account-records.ts";

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
export interface DueSearch extends Pick<SavedSearch, "id" | "query"> {
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

export interface SavedRecords {
  /** By name. */
  lists(accountId: string): Promise<readonly ListSummary[]>;
  findList(accountId: string, id: string): Promise<PeopleList | undefined>;
  addList(
    accountId: string,
    list: { readonly id: string; readonly name: string },
    by: NewAuditEntry,
  ): Promise<SavedRefusal | undefined>;
  /** @returns whether there was one. */
  removeList(accountId: string, id: string, by: NewAuditEntry): Promise<boolean>;
  /** Adds a person, or replaces the note of one who is on the list. */
  putEntry(
    accountId: string,
    listId: string,
    entry: { readonly login: string; readonly note: string; readonly at: Date },
  ): Promise<SavedRefusal | undefined>;
  /** Changes the note of a person who is on the list, also of one who has left the pool. @returns whether there is one. */
  changeNote(
    accountId: string,
    listId: string,
    entry: { readonly login: string; readonly note: string; readonly at: Date },
  ): Promise<boolean>;
  /** @returns whether the person was on the list. */
  removeEntry(accountId: string, listId: string, login: string, at: Date): Promise<boolean>;
  /** The lists of the account that these people are on, by name. */
  listed(accountId: string, logins: readonly string[]): Promise<readonly ListedPerson[]>;
  /** By name. */
  searches(accountId: string): Promise<readonly SavedSearch[]>;
  /** With the people found, best first; those no longer found come last. */
  findSearch(
    accountId: string,
    id: string,
  ): Promise<(SavedSearch & { readonly found: readonly RankedLogin[] }) | undefined>;
  addSearch(
    accountId: string,
    search: { readonly id: string; readonly name: string; readonly query: string },
    run: SearchRun,
    by: NewAuditEntry,
  ): Promise<SavedRefusal | undefined>;
  /**
   * Takes the search that was run longest ago among those that were not run for this revision of the pool, of accounts that
   * are not disabled. No other call gets it for the same revision, on no other node either.
   */
  claimDue(revision: number): Promise<DueSearch | undefined>;
  /**
   * Stores the people that it finds now. They are compared with those that the account saw when it last looked. @returns
   * whether there is such a search.
   */
  noteRun(accountId: string, id: string, run: SearchRun): Promise<boolean>;
  /** The account has looked at the latest run: the next one is compared with it. @returns whether there is such a search. */
  noteLook(accountId: string, id: string, at: Date): Promise<boolean>;
  /** How many people are new in searches whose latest run the account has not looked at; each person counts once. */
  countNew(accountId: string): Promise<number>;
  removeSearch(accountId: string, id: string, by: NewAuditEntry): Promise<boolean>;
  /** Every login on any list or in any search, once. */
  keptLogins(): Promise<readonly string[]>;
  /** What lists say about these people: for the copy of their data that people may ask for. */
  notesAbout(logins: readonly string[]): Promise<readonly ListEntry[]>;
  /** How many entries of lists and searches these people have. */
  countEntries(logins: readonly string[]): Promise<number>;
  /** Removes people from every list and search, and their bytes from the file. @returns how many entries were removed. */
  erase(logins: readonly string[]): Promise<number>;
}
