/** Erases people from what was read, and from what is kept of it. */
import { requireClean } from "../../../sqlite/cleaning/clean-file.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import { formatSignedName, type SignedName } from "../commit/logged-commit.ts";
import { removeParts } from "../identify/identified-people.ts";
import { readApplied, readBrought } from "../ledger/applied.ts";
import { readNamedPeople, writeNamedPeople } from "../ledger/histories.ts";
import { type Ledger, ledgerFile } from "../ledger/ledger.ts";
import type { KeptSignature, NamedPeople } from "../read/history.ts";
import { countRepositories, type TallyOptions } from "../tally/tally.ts";
import { type CountedRepository, readCounted } from "../tally/tally-rows.ts";
import { eraseOwners, listOwnerLogins } from "./erase-owners.ts";

export interface HistoryErasure {
  readonly isTheirLogin: (login: string) => boolean;
  readonly isTheirs: (signature: SignedName) => boolean;
  /** Where to look, if that is known: default everywhere. */
  readonly among?: Whereabouts | undefined;
}

export interface Whereabouts {
  readonly spellings: readonly number[];
  /** Normalised. */
  readonly addresses: readonly string[];
  /** `forge/login`, in lower case. */
  readonly accounts: readonly string[];
  readonly logins: readonly string[];
}

/**
 * Erases people from every stored history, its rules of ownership and what was concluded from them, and removes their bytes from the
 * file. Their commits stay without an author. When a repository is read again, the pool keeps forgotten people out.
 *
 * @param tally how their repositories are counted again.
 * @returns the repositories that were counted again. Old bytes stay in the file's log while another process reads it.
 */
export async function eraseFromHistories(
  ledger: Ledger,
  people: HistoryErasure,
  tally: TallyOptions = { asOf: readApplied(ledger)?.asOf ?? lastDay },
): Promise<ReadonlySet<number>> {
  const known = new Map<string, boolean>();
  // Many are named by several repositories.
  const isTheirs: HistoryErasure["isTheirs"] = (one) =>
    known.getOrInsertComputed(formatSignedName(one), () => people.isTheirs(one));
  ledger.sqlite.transact(() => eraseAll(ledger.sqlite, { ...people, isTheirs }));
  const counted = await countRepositories(ledger, tally);
  // Freed pages and the log may still hold the bytes.
  requireClean(ledger, ledgerFile);
  return counted;
}

/** Where nothing was published yet: the next run has its own day. */
const lastDay = "9999-12-31";

function eraseAll(sqlite: Connection, people: HistoryErasure): void {
  const theirs = findTheirs(sqlite, people);
  const placesNaming = (id: number) =>
    sqlite.readColumn<number>`SELECT place_id FROM mention WHERE spelling_id = ${id}`;
  const places = new Set([...theirs.flatMap(placesNaming), ...findOwnedPlaces(sqlite, people)]);
  for (const id of places) eraseFromPlace(sqlite, id, people);
  const spellings = new Set(theirs);
  removeParts(
    sqlite,
    (person) =>
      people.isTheirLogin(person.login) || person.spellings.some((one) => spellings.has(one)),
  );
  for (const spelling of theirs) for (const sql of spellingSql) sqlite.execute(sql, spelling);
  const logins = people.among?.logins ?? readBrought({ sqlite }).keys();
  for (const login of logins) {
    if (!people.isTheirLogin(login)) continue;
    sqlite.execute`DELETE FROM brought WHERE login = ${login.toLowerCase()}`;
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

type SpellingRow = SignedName & { readonly id: number };

/** Finds their spellings: among all, or among those of the given addresses. */
function findTheirs(sqlite: Connection, { isTheirs, among }: HistoryErasure): readonly number[] {
  const columns = "id, name, email, raw_email AS rawEmail";
  const isSpelling = ({ id: _, ...one }: SpellingRow) => isTheirs(one);
  if (!among) {
    const all = sqlite.readRows<SpellingRow>(`SELECT ${columns} FROM spelling`);
    return all.filter(isSpelling).map(({ id }) => id);
  }
  const candidates = new Set([
    ...among.spellings,
    ...among.addresses.flatMap(
      (address) => sqlite.readColumn<number>`
        SELECT id FROM spelling WHERE address = ${address} OR raw_address = ${address}`,
    ),
    ...among.accounts.flatMap((account) => findByAccount(sqlite, account)),
  ]);
  const read = sqlite.query<SpellingRow, [number]>(`SELECT ${columns} FROM spelling WHERE id = ?`);
  return [...candidates].filter((id) => {
    const row = read.get(id);
    return row !== null && isSpelling(row);
  });
}

/** Forges write one account into addresses in several forms. */
function findByAccount(sqlite: Connection, account: string): readonly number[] {
  const login = account.slice(account.indexOf("/") + 1);
  const pattern = `%${login.replace(/[\\%_]/g, "\\$&")}@%`;
  return sqlite.readColumn<number>`SELECT id FROM spelling
    WHERE raw_address LIKE ${pattern} ESCAPE '\\' OR address LIKE ${pattern} ESCAPE '\\'`;
}

/** The places whose ownership files name them, and those of which that is not known. */
function findOwnedPlaces(sqlite: Connection, people: HistoryErasure): readonly number[] {
  const uncounted = sqlite.readColumn<number>`SELECT id FROM place WHERE repository_id IS NULL`;
  const places = sqlite.query<{ id: number }, [number]>(
    "SELECT id FROM place WHERE repository_id = ?",
  );
  const owned = [...readCounted(sqlite).values()].flatMap(({ id, ownership, forge }) =>
    ownership.some((stated) => stated && eraseFromRules(stated, people, forge).count > 0)
      ? places.all(id).map((place) => place.id)
      : [],
  );
  return [...uncounted, ...owned];
}

function eraseFromPlace(sqlite: Connection, id: number, people: HistoryErasure): void {
  const before = readNamedPeople(sqlite, id);
  const forge = sqlite.readValue<string>`SELECT forge FROM place WHERE id = ${id}`;
  const { rest, count } = eraseSignatures(before, people.isTheirs);
  const { ownership } = before;
  const rules = ownership && eraseFromRules(ownership, people, forge);
  if (count + (rules?.count ?? 0) === 0) return;
  writeNamedPeople(sqlite, id, { ...rest, ownership: rules?.rest });
}

function eraseSignatures(named: NamedPeople, isTheirs: HistoryErasure["isTheirs"]) {
  let count = 0;
  const signatures = named.signatures.map((signature): KeptSignature => {
    if (signature.isErased || !isTheirs(signature)) return signature;
    count += 1;
    const { commits } = signature;
    return { name: "", email: "", rawEmail: "", line: "", commits, isErased: true };
  });
  const coAuthors = named.coAuthors.map((signature) => {
    if (!signature || !isTheirs(signature)) return signature;
    count += 1;
    return null;
  });
  return { rest: { signatures, coAuthors }, count };
}

function eraseFromRules(
  ownership: NonNullable<CountedRepository["ownership"][number]>,
  { isTheirLogin, isTheirs }: HistoryErasure,
  forge: string | undefined,
) {
  return eraseOwners(ownership, (owner, rule) => {
    if ("login" in owner) return listOwnerLogins(owner.login, rule, forge).some(isTheirLogin);
    if ("team" in owner) return false;
    return isTheirs({ name: "", email: owner.email, rawEmail: owner.email });
  });
}
