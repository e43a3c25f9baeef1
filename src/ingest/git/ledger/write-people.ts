/** Stores whom an identification found, in place of those whom it replaces, and marks what depends on them. */
import type { Connection } from "../../../sqlite/connection.ts";
import { unpackShared } from "../commits/pack-tally.ts";
import { hashLinkKey } from "../identity/links.ts";
import { findPerson, type IdentifiedPerson, type StoredPerson } from "./known-people.ts";

export interface IdentifiedPeople {
  /** All spellings that were looked at, also those that are nobody's any more. */
  readonly spellings: ReadonlySet<number>;
  readonly touched: ReadonlySet<number>;
  readonly people: readonly IdentifiedPerson[];
  /** Pairs of people who may be one, by their ids. */
  readonly suggestions: readonly (readonly [number, number])[];
  readonly rejected: readonly {
    readonly spelling: number;
    /** Of the statement among all. */
    readonly position: number;
    readonly origin: string;
    readonly reason: string;
  }[];
}

/** Call it inside a transaction. @returns the spellings that belong to another person now, or to one who is told of in another way. */
export function replaceIdentified(
  sqlite: Connection,
  found: IdentifiedPeople,
): ReadonlySet<number> {
  const before = readBefore(sqlite, found.spellings);
  const changedKeys = replacePeople(sqlite, before, found);
  replaceSuggestions(sqlite, before, found);
  const changed = assignSpellings(sqlite, before, found);
  markRepositories(sqlite, changed, changedKeys);
  if (before.people.size > 0) markSharers(sqlite, before, changed);
  markCredited(sqlite, changedKeys);
  return changed;
}

interface Before {
  readonly spellings: ReadonlySet<number>;
  readonly people: ReadonlyMap<number, StoredPerson>;
  readonly personOf: ReadonlyMap<number, number>;
}

function readBefore(sqlite: Connection, spellings: ReadonlySet<number>): Before {
  const of = sqlite.query<{ person: number | null }, [number]>(
    "SELECT person_id AS person FROM spelling WHERE id = ?",
  );
  const personOf = new Map<number, number>();
  const people = new Map<number, StoredPerson>();
  for (const spelling of spellings) {
    const id = of.get(spelling)?.person ?? undefined;
    if (id === undefined) continue;
    personOf.set(spelling, id);
    const person = people.get(id) ?? findPerson(sqlite, id);
    if (person) people.set(id, person);
  }
  return { spellings, people, personOf };
}

/** @returns the keys that another person has now, or a person who is told of in another way. */
function replacePeople(
  sqlite: Connection,
  before: Before,
  { people, touched }: IdentifiedPeople,
): ReadonlySet<number> {
  const changedKeys = new Set<number>();
  const keysOf = sqlite.query<{ key: number }, [number]>(
    "DELETE FROM person_key WHERE person_id = ? RETURNING key",
  );
  const after = new Map(people.map((person) => [person.id, person]));
  const keysBefore = new Map<number, ReadonlySet<number>>();
  for (const id of before.people.keys()) {
    keysBefore.set(id, new Set(keysOf.all(id).map(({ key }) => key)));
  }
  const remove = sqlite.query("DELETE FROM person WHERE id = ?");
  // Only who is shown has a login in the pool.
  const logins = new Set(
    people.flatMap(({ isShown, login }) => (isShown ? [login.toLowerCase()] : [])),
  );
  const depart = sqlite.query("INSERT OR IGNORE INTO departed (login) VALUES (?)");
  const stay = sqlite.query("DELETE FROM departed WHERE login = ?");
  for (const [id, person] of before.people) {
    const login = person.login.toLowerCase();
    if (person.isShown && !logins.has(login)) depart.run(login);
    if (after.has(id)) continue;
    remove.run(id);
    for (const key of keysBefore.get(id) ?? []) changedKeys.add(key);
  }
  const write = sqlite.query(
    `INSERT INTO person (id, login, class, is_shown, has_account, aliases, digest, is_due)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (id) DO UPDATE SET login = ?2, class = ?3, is_shown = ?4, has_account = ?5, aliases = ?6,
       digest = ?7, is_due = max(is_due, ?8)`,
  );
  const addKey = sqlite.query("INSERT OR IGNORE INTO person_key (key, person_id) VALUES (?, ?)");
  for (const person of people) {
    const known = before.people.get(person.id);
    const isChanged = known?.digest !== person.digest;
    const isDue = isChanged || person.spellings.some((spelling) => touched.has(spelling));
    const { id, login, isShown, hasAccount, aliases, digest } = person;
    write.run(
      ...([id, login, person.class, isShown ? 1 : 0, hasAccount ? 1 : 0, aliases] as const),
      ...([digest, isDue ? 1 : 0] as const),
    );
    if (isShown) stay.run(login.toLowerCase());
    const keys = new Set(person.keys.map(hashLinkKey));
    for (const key of keys) addKey.run(key, id);
    const held = keysBefore.get(id) ?? new Set();
    const isToldAnew = !known || isToldOtherwise(known, person);
    for (const key of isToldAnew ? keys.union(held) : keys.symmetricDifference(held)) {
      changedKeys.add(key);
    }
  }
  return changedKeys;
}

function isToldOtherwise(a: StoredPerson, b: StoredPerson): boolean {
  return (
    a.login !== b.login ||
    a.class !== b.class ||
    a.isShown !== b.isShown ||
    a.hasAccount !== b.hasAccount
  );
}

function replaceSuggestions(
  sqlite: Connection,
  before: Before,
  { people, spellings, suggestions, rejected }: IdentifiedPeople,
): void {
  const forget = sqlite.query("DELETE FROM suggestion WHERE one = ?1 OR other = ?1");
  for (const id of new Set([...before.people.keys(), ...people.map(({ id }) => id)])) {
    forget.run(id);
  }
  const suggest = sqlite.query("INSERT OR IGNORE INTO suggestion (one, other) VALUES (?, ?)");
  for (const [one, other] of suggestions) suggest.run(one, other);
  const accept = sqlite.query("DELETE FROM rejected WHERE spelling_id = ?");
  for (const spelling of spellings) accept.run(spelling);
  const reject = sqlite.query(
    "INSERT OR REPLACE INTO rejected (spelling_id, position, origin, reason) VALUES (?, ?, ?, ?)",
  );
  for (const { spelling, position, origin, reason } of rejected) {
    reject.run(spelling, position, origin, reason);
  }
}

/** @returns the spellings that belong to another person now, or to one who is told of in another way. */
function assignSpellings(
  sqlite: Connection,
  before: Before,
  { people, spellings }: IdentifiedPeople,
): ReadonlySet<number> {
  const assign = sqlite.query("UPDATE spelling SET person_id = ? WHERE id = ?");
  const changed = new Set<number>();
  const assigned = new Set<number>();
  for (const person of people) {
    for (const spelling of person.spellings) {
      assigned.add(spelling);
      const id = before.personOf.get(spelling);
      const known = id === undefined ? undefined : before.people.get(id);
      if (id !== person.id) assign.run(person.id, spelling);
      if (id !== person.id || !known || isToldOtherwise(known, person)) changed.add(spelling);
    }
  }
  for (const spelling of spellings) {
    if (assigned.has(spelling) || !before.personOf.has(spelling)) continue;
    assign.run(null, spelling);
    changed.add(spelling);
  }
  recountCapped(sqlite, before, people, changed);
  return changed;
}

/** What is beyond the limit of a day is counted again of those who have other spellings now. */
function recountCapped(
  sqlite: Connection,
  before: Before,
  people: IdentifiedPeople["people"],
  changed: ReadonlySet<number>,
): void {
  const uncap = sqlite.query(
    "UPDATE work SET capped = NULL WHERE spelling_id = ? AND capped IS NOT NULL",
  );
  const isEarlier = new Set([...changed].map((spelling) => before.personOf.get(spelling)));
  for (const { spellings } of people) {
    const isConcerned = spellings.some(
      (spelling) => changed.has(spelling) || isEarlier.has(before.personOf.get(spelling)),
    );
    if (isConcerned) for (const spelling of spellings) uncap.run(spelling);
  }
}

/** Repositories whose figures, authors or stated owners may be others now. */
function markRepositories(
  sqlite: Connection,
  changed: ReadonlySet<number>,
  changedKeys: ReadonlySet<number>,
): void {
  const ofAuthor = sqlite.query(
    `UPDATE repository SET is_due = 1 WHERE is_due = 0
       AND id IN (SELECT repository_id FROM work WHERE spelling_id = ?1)`,
  );
  // A reviewer is named, and has no work there.
  const naming = sqlite.query<{ id: number }, [number]>(
    `SELECT DISTINCT place.repository_id AS id FROM mention JOIN place ON place.id = mention.place_id
     WHERE mention.spelling_id = ? AND place.repository_id IS NOT NULL`,
  );
  const ofOwner = sqlite.query(
    "UPDATE repository SET is_due = 1 WHERE id IN (SELECT repository_id FROM owner_key WHERE key = ?)",
  );
  const named = new Set<number>();
  for (const spelling of changed) {
    ofAuthor.run(spelling);
    for (const { id } of naming.all(spelling)) named.add(id);
  }
  const mark = sqlite.query("UPDATE repository SET is_due = 1 WHERE id = ?");
  for (const repository of named) mark.run(repository);
  for (const key of changedKeys) ofOwner.run(key);
}

/** Whoever shares a commit that more or fewer people share since. */
function markSharers(sqlite: Connection, before: Before, changed: ReadonlySet<number>): void {
  const works = sqlite.query<{ content: Uint8Array }, [number]>(
    "SELECT content FROM work WHERE spelling_id = ? AND is_work = 1",
  );
  const mark = sqlite.query(
    "UPDATE person SET is_due = 1 WHERE id = (SELECT person_id FROM spelling WHERE id = ?)",
  );
  const after = createSharerLookup(sqlite);
  const known = (spelling: number): Sharer | undefined => {
    const id = before.personOf.get(spelling);
    return id === undefined ? undefined : before.people.get(id);
  };
  const earlier = (spelling: number) =>
    before.spellings.has(spelling) ? known(spelling) : after(spelling);
  const found = new Set<number>();
  for (const spelling of changed) {
    for (const { content } of works.all(spelling)) {
      for (const sharers of unpackShared(content)) {
        if (countPeople(sharers, earlier) === countPeople(sharers, after)) continue;
        for (const one of sharers) found.add(one);
      }
    }
  }
  for (const spelling of found) mark.run(spelling);
}

type Sharer = Pick<StoredPerson, "id" | "class">;

function createSharerLookup(sqlite: Connection) {
  const read = sqlite.query<Sharer, [number]>(
    `SELECT person.id, person.class FROM spelling JOIN person ON person.id = spelling.person_id
     WHERE spelling.id = ?`,
  );
  const found = new Map<number, Sharer | undefined>();
  return (spelling: number) =>
    found.getOrInsertComputed(spelling, () => read.get(spelling) ?? undefined);
}

/** As a person's facts count them: the author, and the humans among those named beside. */
function countPeople(
  [author = 0, ...coAuthors]: readonly number[],
  of: (spelling: number) => Sharer | undefined,
): number {
  const humans = coAuthors.map(of).filter((one) => one?.class === "human");
  return new Set([of(author), ...humans].flatMap((one) => one?.id ?? [])).size;
}

/** Whoever a trailer may mean once another person has one of its keys. */
function markCredited(sqlite: Connection, changedKeys: ReadonlySet<number>): void {
  const mark = sqlite.query(
    `UPDATE person SET is_due = 1 WHERE is_due = 0 AND id IN (
       SELECT person_id FROM person_key WHERE key IN (
         SELECT other.key FROM credit_key AS one JOIN credit_key AS other USING (named_id) WHERE one.key = ?))`,
  );
  for (const key of changedKeys) mark.run(key);
}
