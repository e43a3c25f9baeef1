/** Erases people from the ledger. */
import type {
  OwnershipRule,
  RepositoryOwnership,
  StatedOwner,
} from "../../../contract/people/ownership-rule.ts";
import { requireClean } from "../../../sqlite/clean-file.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import { formatSignedName, type SignedName } from "../commit/logged-commit.ts";
import { removeParts } from "../identify/identified-people.ts";
import { readApplied, readBrought } from "../ledger/applied.ts";
import { readNamedPeople, writeNamedPeople } from "../ledger/histories.ts";
import { type Ledger, ledgerFile } from "../ledger/ledger.ts";
import type { StoredSignature } from "../read/history.ts";
import { countRepositories, type TallyOptions } from "../tally/tally.ts";
import { type CountedRepository, listLocationsOf, readCounted } from "../tally/tally-rows.ts";

export interface HistoryErasure {
  readonly isTheirLogin: (login: string) => boolean;
  readonly isTheirs: (signature: SignedName) => boolean;
}

/**
 * Erases people from everything in the ledger. Their commits remain without an author.
 * @returns the repositories that were counted again.
 */
export async function eraseFromHistories(
  ledger: Ledger,
  people: HistoryErasure,
  tally: TallyOptions = { asOf: readLastDay(ledger) },
): Promise<ReadonlySet<number>> {
  const known = new Map<string, boolean>();
  const isTheirs: HistoryErasure["isTheirs"] = (one) =>
    known.getOrInsertComputed(formatSignedName(one), () => people.isTheirs(one));
  ledger.sqlite.transact(() => eraseAll(ledger.sqlite, { ...people, isTheirs }));
  const counted = await countRepositories(ledger, tally);
  // Free pages and the write-ahead log may still contain the erased bytes.
  requireClean(ledger, ledgerFile);
  return counted;
}

/** Returns the as-of day of the last run; the last possible day if there was no run. */
export function readLastDay(ledger: Ledger): string {
  return readApplied(ledger)?.asOf ?? "9999-12-31";
}

function eraseAll(sqlite: Connection, people: HistoryErasure): void {
  const theirs = findTheirs(sqlite, people);
  const placesNaming = (id: number) =>
    sqlite.readColumn<number>`SELECT place_id FROM mention WHERE spelling_id = ${id}`;
  const places = new Set([...theirs.flatMap(placesNaming), ...findOwnedPlaces(sqlite, people)]);
  for (const id of places) eraseFromPlace(sqlite, id, people);
  const erased = new Set(theirs);
  removeParts(
    sqlite,
    (person) =>
      people.isTheirLogin(person.login) || person.spellings.some((one) => erased.has(one)),
  );
  for (const spelling of theirs) for (const sql of spellingSql) sqlite.execute(sql, spelling);
  for (const login of readBrought({ sqlite }).keys()) {
    if (!people.isTheirLogin(login)) continue;
    sqlite.execute`DELETE FROM brought WHERE login = ${login}`;
  }
}

const spellingSql = [
  "DELETE FROM work WHERE spelling_id = ?",
  "DELETE FROM credit WHERE named_id = ?1 OR author_id = ?1",
  "DELETE FROM mention WHERE spelling_id = ?",
  "DELETE FROM same_commit WHERE one = ?1 OR other = ?1",
  "UPDATE shared_commit SET author = NULL WHERE author = ?",
  "DELETE FROM spelling WHERE id = ?",
];

function findTheirs(sqlite: Connection, { isTheirs }: HistoryErasure): readonly number[] {
  const spellings = sqlite.readRows<SignedName & { id: number }>`
    SELECT id, name, email, raw_email AS rawEmail FROM spelling`;
  return spellings.flatMap(({ id, ...one }) => (isTheirs(one) ? id : []));
}

/** Finds locations where ownership files name erased people. Adds all locations that are not counted yet. */
function findOwnedPlaces(sqlite: Connection, people: HistoryErasure): readonly number[] {
  const uncounted = sqlite.readColumn<number>`SELECT id FROM place WHERE repository_id IS NULL`;
  const owned = [...readCounted(sqlite).values()].filter((one) => hasOwners(one, people));
  return [...uncounted, ...owned.flatMap(({ id }) => listLocationsOf(sqlite, id))];
}

/** Whether the ownership files of a repository name one of these people. */
export function hasOwners(
  { ownership, forge }: Pick<CountedRepository, "ownership" | "forge">,
  people: HistoryErasure,
): boolean {
  return ownership.some((stated) => stated && eraseFromRules(stated, people, forge) !== stated);
}

function eraseFromPlace(sqlite: Connection, id: number, people: HistoryErasure): void {
  const { isTheirs } = people;
  const { signatures, coAuthors, ownership } = readNamedPeople(sqlite, id);
  const forge = sqlite.readValue<string>`SELECT forge FROM place WHERE id = ${id}`;
  const after = {
    signatures: signatures.map((one): StoredSignature => {
      if (one.isErased || !isTheirs(one)) return one;
      return { name: "", email: "", rawEmail: "", line: "", commits: one.commits, isErased: true };
    }),
    coAuthors: coAuthors.map((one) => (one && isTheirs(one) ? null : one)),
    ownership: ownership && eraseFromRules(ownership, people, forge),
  };
  const isSame = Bun.deepEquals(after, { signatures, coAuthors, ownership });
  if (!isSame) writeNamedPeople(sqlite, id, after);
}

/**
 * Removes people from ownership rules. A rule without owners stays, because it overrides earlier rules.
 * @returns the same object if nothing was removed.
 */
function eraseFromRules(
  ownership: RepositoryOwnership,
  people: HistoryErasure,
  forge: string | undefined,
): RepositoryOwnership {
  const rules = ownership.rules.map((rule) => {
    const owners = rule.owners.filter((owner) => !isTheirOwner(owner, rule, { people, forge }));
    return owners.length === rule.owners.length ? rule : { ...rule, owners };
  });
  const isSame = rules.every((rule, at) => rule === ownership.rules[at]);
  return isSame ? ownership : { rules, unread: ownership.unread };
}

/** Whether an owner is erased. A login may be listed as `ada` or as `ada@github.com`. */
function isTheirOwner(
  owner: StatedOwner,
  { form }: Pick<OwnershipRule, "form">,
  at: { readonly people: HistoryErasure; readonly forge: string | undefined },
): boolean {
  const { isTheirs, isTheirLogin } = at.people;
  if ("email" in owner) return isTheirs({ name: "", email: owner.email, rawEmail: owner.email });
  if (!("login" in owner)) return false;
  const host = at.forge ?? (form === "gitlab" ? "gitlab.com" : "github.com");
  return [owner.login, `${owner.login}@${host}`].some((one) => isTheirLogin(one.toLowerCase()));
}
