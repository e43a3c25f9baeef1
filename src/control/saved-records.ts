/**
 * What an account keeps for itself: lists of people with notes, and searches with whom they found. Nobody else sees it.
 * An erasure takes people out of all of it.
 */
import type { NewAuditEntry } from "./account-records.ts";

export const savedLimits = {
  /** Of an account. */
  listsMax: 50,
  searchesMax: 50,
  /** Of a list. */
  entriesMax: 500,
  nameLengthMax: 80,
  noteLengthMax: 500,
  /** Of a search, as its address has it. */
  queryLengthMax: 4000,
  /** Of whom a search found: one page of the largest size. */
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

/** How whom a search finds differs from whom it found when the account last looked. */
interface SearchChanges {
  readonly new: number;
  readonly gone: number;
  /** Found both times, with another score. */
  readonly changed: number;
}

export interface SavedSearch extends SearchChanges {
  readonly id: string;
  readonly name: string;
  /** As the address of the search has it. */
  readonly query: string;
  /** How many people fitted when it was last run; more may fit than are kept. */
  readonly total: number;
  /** When the account last looked at whom it found, and when it was last run. */
  readonly seenAt: string;
  readonly ranAt: string;
}

export interface RankedLogin {
  readonly login: string;
  /** Then and now; undefined when not found. */
  readonly seenScore: number | undefined;
  readonly score: number | undefined;
}

export interface SearchRun {
  readonly total: number;
  /** At most `foundMax`, best first. */
  readonly people: readonly { readonly login: string; readonly score: number }[];
  readonly at: Date;
}

/** Why nothing was kept. `unknown`: the account has no such list or search. */
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
  /** @returns whether the person was on the list. */
  removeEntry(accountId: string, listId: string, login: string, at: Date): Promise<boolean>;
  /** By name. */
  searches(accountId: string): Promise<readonly SavedSearch[]>;
  /** With whom it found, best first; those who are gone last. */
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
  /** Keeps whom it finds now; whom the account last saw stays. @returns whether there is such a search. */
  noteRun(accountId: string, id: string, run: SearchRun): Promise<boolean>;
  /** What was found last counts as seen. @returns whether there is such a search. */
  markSeen(accountId: string, id: string): Promise<boolean>;
  removeSearch(accountId: string, id: string, by: NewAuditEntry): Promise<boolean>;
  /** Every login on any list or in any search, once. */
  keptLogins(): Promise<readonly string[]>;
  /** What lists say of these people: for the copy that a person may ask for. */
  notesAbout(logins: readonly string[]): Promise<readonly ListEntry[]>;
  /** How many entries of lists and searches these people have. */
  countEntries(logins: readonly string[]): Promise<number>;
  /** Takes people out of every list and search, and their bytes out of the file. @returns how many entries went. */
  erase(logins: readonly string[]): Promise<number>;
}
