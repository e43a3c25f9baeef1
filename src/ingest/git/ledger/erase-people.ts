/** Erases people from what was read, and from what was counted and concluded from it. */
import { eq } from "drizzle-orm";
import { requireClean } from "../../../sqlite/cleaning/clean-file.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database, DatabaseKind } from "../../../sqlite/database.ts";
import { formatSignedName } from "../commit/logged-commit.ts";
import { hashLinkKey } from "../identity/links.ts";
import { eraseOwners, listOwnerLogins } from "../ownership/erase-owners.ts";
import type { KeptSignature, NamedPeople } from "../read/history.ts";
import { removeErased } from "./erase-counts.ts";
import { openIdentityRows } from "./identity-state.ts";
import type { Ledger } from "./ledger.ts";
import type { Histories } from "./rows.ts";
import type { SpellingRows } from "./spelling-rows.ts";
import { places } from "./tables.ts";

type Erased = Parameters<Ledger["erase"]>[0];

interface Parts {
  readonly kind: DatabaseKind;
  readonly histories: Histories;
  readonly spellings: SpellingRows;
}

/** @package */
export function createLedgerErasure(
  store: Database,
  parts: Parts,
): Pick<Ledger, "erase" | "readAnew"> {
  const { orm, sqlite } = store;
  return {
    erase(people) {
      const known = new Map<string, boolean>();
      // Many are named by several repositories.
      const isTheirs: Erased["isTheirs"] = (one) =>
        known.getOrInsertComputed(formatSignedName(one), () => people.isTheirs(one));
      const erased = sqlite.transact(() => eraseAll(store, parts, { ...people, isTheirs }));
      // Freed pages and the log may still hold the bytes.
      requireClean(store, parts.kind);
      return erased;
    },
    readAnew: () => {
      orm.update(places).set({ edition: "" }).run();
    },
  };
}

/** @returns the number of erased signatures and trailers. */
function eraseAll(store: Database, parts: Parts, people: Erased): number {
  const { sqlite } = store;
  const theirs = findTheirs(store, parts, people);
  const listMentioned = (id: number) =>
    sqlite.readColumn<number>`SELECT place_id FROM mention WHERE spelling_id = ${id}`;
  const due = new Set(theirs.flatMap(listMentioned));
  for (const id of findOwnedPlaces(store, people)) due.add(id);
  let erased = 0;
  for (const id of due) erased += eraseFromPlace(store, parts, { id, theirs }, people);
  forgetStatements(store, theirs);
  removeSpellings(store, parts, theirs);
  forgetLogins(store, people);
  return erased;
}

/** Finds their spellings: among all, or among those of the given addresses. */
function findTheirs(
  { sqlite }: Database,
  { spellings }: Parts,
  { isTheirs, among }: Erased,
): readonly number[] {
  const isSpelling = ({ name, email, rawEmail }: Parameters<Erased["isTheirs"]>[0]) =>
    isTheirs({ name, email, rawEmail });
  type Row = { id: number; name: string; email: string; rawEmail: string };
  if (!among) {
    return sqlite.readRows<Row>`SELECT id, name, email, raw_email AS rawEmail FROM spelling`
      .filter(isSpelling)
      .map(({ id }) => id);
  }
  const one = sqlite.query<Row, [number]>(
    "SELECT id, name, email, raw_email AS rawEmail FROM spelling WHERE id = ?",
  );
  const candidates = new Set([
    ...among.spellings,
    ...among.addresses.flatMap((address) => [
      ...spellings.fitting({ address, name: undefined, account: undefined }),
    ]),
    ...among.accounts.flatMap((account) => findByAccount(sqlite, account)),
  ]);
  return [...candidates].filter((id) => {
    const row = one.get(id);
    return row !== null && isSpelling(row);
  });
}

/** Forges write one account into addresses in several forms, and whom only trailers name was never linked with it. */
function findByAccount(sqlite: Connection, account: string): readonly number[] {
  const login = account.slice(account.indexOf("/") + 1);
  const pattern = `%${login.replace(/[\\%_]/g, "\\$&")}@%`;
  return sqlite.readColumn<number>`
    SELECT id FROM spelling WHERE account = ${account} OR raw_address LIKE ${pattern} ESCAPE '\\'
      OR address LIKE ${pattern} ESCAPE '\\'`;
}

/** The places whose ownership files may name them. */
function findOwnedPlaces({ sqlite }: Database, { among }: Erased): readonly number[] {
  if (!among) {
    return sqlite.readColumn<number>`SELECT id FROM place
      WHERE is_counted = 0 OR repository_id IN (SELECT repository_id FROM owner_key)`;
  }
  const listOwned = (key: string) => sqlite.readColumn<number>`
    SELECT place.id FROM owner_key JOIN place USING (repository_id)
    WHERE owner_key.key = ${hashLinkKey(key.toLowerCase())}`;
  const uncounted = sqlite.readColumn<number>`SELECT id FROM place WHERE is_counted = 0`;
  const keys = [...among.addresses, ...among.accounts, ...among.logins.map((login) => `@${login}`)];
  return [...keys.flatMap(listOwned), ...uncounted];
}

function eraseFromPlace(
  { orm, sqlite }: Database,
  { histories, spellings }: Parts,
  { id, theirs }: { readonly id: number; readonly theirs: readonly number[] },
  people: Erased,
): number {
  const place = orm.select({ forge: places.forge }).from(places).where(eq(places.id, id)).get();
  const before = histories.namedPeople(id);
  const { rest, count } = eraseSignatures(before, people.isTheirs);
  const { ownership, owners } = eraseFromRules(before.ownership, people, place?.forge ?? undefined);
  if (count + owners === 0) return 0;
  const after = { ...rest, ownership };
  histories.writePeople(id, after);
  if (!removeErased({ sqlite, spellings }, { place: id, theirs, before, after })) {
    orm.update(places).set({ isCounted: false }).where(eq(places.id, id)).run();
  }
  return count;
}

/** Everything that was counted of them and concluded from it; whoever was linked with them is identified again. */
function removeSpellings(
  { sqlite }: Database,
  { spellings }: Parts,
  theirs: readonly number[],
): void {
  spellings.touchWithNeighbours(theirs);
  const people = new Set<number>();
  for (const spelling of theirs) {
    const id = sqlite.readValue<number>`SELECT person_id FROM spelling WHERE id = ${spelling}`;
    if (id !== undefined) people.add(id);
  }
  for (const person of people) {
    const others = sqlite.readColumn<number>`
      UPDATE spelling SET person_id = NULL WHERE person_id = ${person} RETURNING id`;
    spellings.touch(others);
    for (const sql of personSql) sqlite.execute(sql, person);
  }
  openIdentityRows({ sqlite } as Database).setFirstNames(theirs, new Map());
  sqlite.run("DELETE FROM rejected WHERE spelling_id IN (SELECT spelling_id FROM touched)");
  for (const spelling of theirs) for (const sql of spellingSql) sqlite.execute(sql, spelling);
}

const personSql = [
  "DELETE FROM person WHERE id = ?",
  "DELETE FROM person_key WHERE person_id = ?",
  "DELETE FROM suggestion WHERE one = ?1 OR other = ?1",
];
const spellingSql = [
  "DELETE FROM work WHERE spelling_id = ?",
  "DELETE FROM credit_key WHERE named_id = ?",
  "DELETE FROM credit WHERE named_id = ?",
  "DELETE FROM mention WHERE spelling_id = ?",
  "DELETE FROM link WHERE spelling_id = ?",
  "DELETE FROM same_commit WHERE one = ?1 OR other = ?1",
  "UPDATE shared_commit SET author = NULL WHERE author = ?",
  "DELETE FROM touched WHERE spelling_id = ?",
  "DELETE FROM spelling WHERE id = ?",
];

function forgetLogins({ sqlite }: Database, { isTheirLogin, among }: Erased): void {
  const logins = among
    ? among.logins.map((login) => login.toLowerCase())
    : sqlite.readColumn<string>`SELECT login FROM brought`;
  const depart = sqlite.query("DELETE FROM departed WHERE login = ?");
  for (const login of logins) {
    if (!isTheirLogin(login)) continue;
    sqlite.execute`DELETE FROM brought WHERE login = ${login}`;
    depart.run(login);
  }
}

/** Not even the digest of a statement that names them stays; one that the operator still makes is new in the next run. */
function forgetStatements(store: Database, theirs: readonly number[]): void {
  const identity = openIdentityRows(store);
  const state = identity.state();
  if (!state) return;
  const listKeys = (spelling: number) =>
    store.sqlite.readColumn<number>`SELECT key FROM link WHERE spelling_id = ${spelling}`;
  const keys = new Set(theirs.flatMap(listKeys));
  const statements = state.statements.filter((each) => !each.keys.some((key) => keys.has(key)));
  if (statements.length < state.statements.length) identity.setState({ ...state, statements });
}

function eraseSignatures(named: NamedPeople, isTheirs: Erased["isTheirs"]) {
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
  ownership: NamedPeople["ownership"],
  { isTheirLogin, isTheirs }: Erased,
  forge: string | undefined,
) {
  if (!ownership) return { ownership, owners: 0 };
  const { rest, count } = eraseOwners(ownership, (owner, rule) => {
    if ("login" in owner) return listOwnerLogins(owner.login, rule, forge).some(isTheirLogin);
    if ("team" in owner) return false;
    return isTheirs({ name: "", email: owner.email, rawEmail: owner.email });
  });
  return { ownership: rest, owners: count };
}
