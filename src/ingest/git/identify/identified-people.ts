/** Reads and writes the people that the last run identified, one row for each part of the authors. */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { AccountKey } from "../../forges/forge-people.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import { parseColumn } from "../ledger/ledger.ts";
import { hashLinkKey } from "./links.ts";

/** The lowest number among the person's spellings; for a person without spellings, the key of an account. */
export type PersonId = number | AccountKey;

export interface IdentifiedPerson {
  readonly id: PersonId;
  readonly login: string;
  readonly class: AuthorClass;
  readonly isShown: boolean;
  readonly hasAccount: boolean;
  /** Number of author identities beyond the first. */
  readonly aliases: number;
  /** Numbers of the person's spellings in ascending order. */
  readonly spellings: readonly number[];
  readonly accounts: readonly AccountKey[];
  /** Hashes of the keys by which `holdersOf` finds the person: addresses, accounts, logins. */
  readonly keys: readonly number[];
  /** Digest of everything that identification states about the person. */
  readonly digest: string;
}

export interface IdentifiedPart {
  readonly people: readonly IdentifiedPerson[];
  /** Number of pairs of people who may be one person. */
  readonly suggestions: number;
  /** The operator's statements that could not be followed. */
  readonly rejected: readonly { readonly origin: string; readonly reason: string }[];
  /** First names of humans, from full names and from names of one word. */
  readonly firstNames: {
    readonly ofFullNames: readonly string[];
    readonly alone: readonly string[];
  };
  /** The handles that were first names, as text. If the list changes, the part is identified again. */
  readonly handles: string;
}

export type IdentifiedPeople = ReturnType<typeof collectPeople>;

export function readIdentified(sqlite: Connection): IdentifiedPeople {
  return collectPeople(readParts(sqlite).values());
}

export function collectPeople(parts: Iterable<IdentifiedPart>) {
  const bySpelling = new Map<number, IdentifiedPerson>();
  const byAccount = new Map<AccountKey, IdentifiedPerson>();
  const all: IdentifiedPerson[] = [];
  const rejected = new Map<string, IdentifiedPart["rejected"][number]>();
  let suggestions = 0;
  for (const part of parts) {
    suggestions += part.suggestions;
    for (const one of part.rejected) rejected.set(`${one.origin} ${one.reason}`, one);
    for (const person of part.people) {
      all.push(person);
      for (const spelling of person.spellings) bySpelling.set(spelling, person);
      for (const account of person.accounts) byAccount.set(account, person);
    }
  }
  // Built on first use, since few calls need it.
  let byKey: ReadonlyMap<number, readonly IdentifiedPerson[]> | undefined;
  return {
    all: all as readonly IdentifiedPerson[],
    suggestions,
    rejected: [...rejected.values()] as IdentifiedPart["rejected"],
    /** Returns the person of a spelling; undefined if the spelling was erased after it was counted. */
    personOf: (spelling: number) => bySpelling.get(spelling),
    ofAccount: (key: AccountKey) => byAccount.get(key),
    /** Finds the people with this address, account or login (`toCurrentLoginKey`). */
    holdersOf: (key: string): readonly IdentifiedPerson[] => {
      byKey ??= groupByKeys(all, (person) => person.keys);
      return byKey.get(hashLinkKey(key)) ?? [];
    },
  };
}

export function toCurrentLoginKey(login: string): string {
  return `login ${login.toLowerCase()}`;
}

export function toFormerLoginKey(login: string): string {
  return `former ${login.toLowerCase()}`;
}

/** Reads the stored parts, by digest of their inputs. */
export function readParts(sqlite: Connection): ReadonlyMap<string, IdentifiedPart> {
  const rows = sqlite.readRows<{ digest: string; content: string }>`
    SELECT digest, content FROM identity`;
  return new Map(rows.map(({ digest, content }) => [digest, parseColumn<IdentifiedPart>(content)]));
}

/** Stores parts. Call it inside a transaction. */
export function writeParts(
  sqlite: Connection,
  before: ReadonlyMap<string, IdentifiedPart>,
  after: ReadonlyMap<string, IdentifiedPart>,
): void {
  const remove = sqlite.query("DELETE FROM identity WHERE digest = ?");
  const save = sqlite.query("INSERT OR REPLACE INTO identity (digest, content) VALUES (?, ?)");
  for (const digest of before.keys()) if (!after.has(digest)) remove.run(digest);
  for (const [digest, part] of after) {
    if (before.get(digest) !== part) save.run(digest, JSON.stringify(part));
  }
}

export function removeParts(sqlite: Connection, isTheirs: (person: IdentifiedPerson) => boolean) {
  const remove = sqlite.query("DELETE FROM identity WHERE digest = ?");
  for (const [digest, { people }] of readParts(sqlite)) {
    if (people.some(isTheirs)) remove.run(digest);
  }
}
