/**
 * The people that the last identification found, and what must be told of them: those whose facts may have changed since they were
 * published, and logins that nobody has any more. Stored with the change itself, so that a run that is cut off loses nothing.
 */
import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import { unpackOwnDays } from "../commits/pack-tally.ts";
import { perDayMax } from "../commits/tally.ts";
import { hashLinkKey } from "../identity/links.ts";

export interface StoredPerson {
  /** The least number of the person's spellings. */
  readonly id: number;
  readonly login: string;
  readonly class: AuthorClass;
  /** Whether the person has a place in the pool. */
  readonly isShown: boolean;
  readonly hasAccount: boolean;
  /** Author identities beyond the first. */
  readonly aliases: number;
  /** Changes with everything that identification says of the person. */
  readonly digest: string;
}

/** A person as identified. */
export interface IdentifiedPerson extends StoredPerson {
  readonly spellings: readonly number[];
  /** By what the person is looked up: addresses, accounts, logins. */
  readonly keys: readonly string[];
}

export interface KnownPeople {
  /** Pairs of spellings of one commit in two repositories. */
  sameCommits(spellings: ReadonlySet<number>): readonly (readonly [number, number])[];
  /** The person of a spelling; undefined before it was identified. */
  personOf(spelling: number): { readonly id: number; readonly class: AuthorClass } | undefined;
  find(id: number): StoredPerson | undefined;
  findBySpelling(spelling: number): StoredPerson | undefined;
  spellingsOf(person: number): readonly number[];
  /** People with one of these keys. */
  holdersOf(key: string): readonly number[];
  /** Ids of people whose facts may have changed. */
  due(): readonly number[];
  /** Ids of everybody. */
  ids(): readonly number[];
  /** How many there are. */
  count(): number;
  departed(): readonly string[];
  repositoriesDue(): readonly number[];
  /** The people of one repository, for its figures. */
  authorsIn(repository: number): readonly RepositoryAuthor[];
  /** People are published, and repositories with them. */
  settle(
    people: readonly number[],
    repositories: readonly number[],
    logins: readonly string[],
  ): void;
  counts(): {
    readonly byClass: ReadonlyMap<string, number>;
    readonly aliases: number;
    readonly suggestions: number;
    readonly rejected: readonly { readonly origin: string; readonly reason: string }[];
  };
}

export interface RepositoryAuthor {
  readonly person: number;
  readonly class: AuthorClass;
  /** Non-merge commits; those of them that count, and how many of those are beyond the limit of a day. */
  readonly commits: number;
  readonly counted: number;
  readonly capped: number;
}

/** @package */
export function openKnownPeople(store: Database): KnownPeople {
  return { ...openLookup(store), ...openDue(store), ...openFigures(store) };
}

function openLookup({ sqlite }: Database) {
  return {
    sameCommits: (spellings) => readSameCommits(sqlite, spellings),
    personOf: (spelling) =>
      sqlite.readRow<{ id: number; class: AuthorClass }>`
        SELECT person.id, person.class FROM spelling JOIN person ON person.id = spelling.person_id
        WHERE spelling.id = ${spelling}`,
    find: (id) => findPerson(sqlite, id),
    findBySpelling(spelling) {
      const id = sqlite.readValue<number>`SELECT person_id FROM spelling WHERE id = ${spelling}`;
      return id === undefined ? undefined : findPerson(sqlite, id);
    },
    spellingsOf: (person) =>
      sqlite.readColumn<number>`SELECT id FROM spelling WHERE person_id = ${person} ORDER BY id`,
    holdersOf: (key) =>
      sqlite.readColumn<number>`SELECT person_id FROM person_key WHERE key = ${hashLinkKey(key)}`,
  } satisfies Partial<KnownPeople>;
}

function openDue({ sqlite }: Database) {
  return {
    due: () => sqlite.readColumn`SELECT id FROM person WHERE is_due = 1 ORDER BY id`,
    ids: () => sqlite.readColumn`SELECT id FROM person ORDER BY id`,
    count: () => sqlite.readValue<number>`SELECT count(*) FROM person` ?? 0,
    departed: () => sqlite.readColumn<string>`SELECT login FROM departed ORDER BY login`,
    repositoriesDue: () =>
      sqlite.readColumn`SELECT id FROM repository WHERE is_due = 1 ORDER BY id`,
    settle(people, repositories, logins) {
      const settlePerson = sqlite.query("UPDATE person SET is_due = 0 WHERE id = ?");
      const settleRepository = sqlite.query(
        "UPDATE repository SET is_due = 0, erased_from = NULL WHERE id = ?",
      );
      const settleLogin = sqlite.query("DELETE FROM departed WHERE login = ?");
      for (const id of people) settlePerson.run(id);
      for (const id of repositories) settleRepository.run(id);
      for (const login of logins) settleLogin.run(login);
    },
  } satisfies Partial<KnownPeople>;
}

function openFigures({ sqlite }: Database) {
  return {
    authorsIn: (repository) =>
      readAuthorsIn(sqlite, repository).map(({ isKnown, ...author }) => {
        if (isKnown === 1) return author;
        return { ...author, capped: countCapped(sqlite, repository, author) };
      }),
    counts() {
      const rows = sqlite.readRows<{ class: string; n: number }>`
        SELECT class, count(*) AS n FROM person WHERE is_shown = 1 GROUP BY class`;
      return {
        byClass: new Map(rows.map((row) => [row.class, row.n])),
        aliases: sqlite.readValue`SELECT sum(aliases) FROM person` ?? 0,
        suggestions: sqlite.readValue`SELECT count(*) FROM suggestion` ?? 0,
        rejected: sqlite.readRows`SELECT DISTINCT origin, reason FROM rejected ORDER BY position`,
      };
    },
  } satisfies Partial<KnownPeople>;
}

function readAuthorsIn(sqlite: Connection, repository: number) {
  return sqlite.readRows<RepositoryAuthor & { readonly isKnown: number }>`
    SELECT person.id AS person, person.class, sum(work.commits) AS commits,
      sum(work.counted) AS counted, coalesce(sum(work.capped), 0) AS capped,
      count(*) = count(work.capped) AS isKnown
    FROM work JOIN spelling ON spelling.id = work.spelling_id JOIN person ON person.id = spelling.person_id
    WHERE work.repository_id = ${repository} GROUP BY person.id`;
}

/** Counts what is beyond the limit of a day, and keeps it in one of the person's rows. */
function countCapped(
  sqlite: Connection,
  repository: number,
  { person, counted }: Pick<RepositoryAuthor, "person" | "counted">,
): number {
  if (counted <= perDayMax) return 0;
  const rows = sqlite.readRows<{ spelling: number; content: Uint8Array }>`
    SELECT spelling_id AS spelling, content
    FROM spelling CROSS JOIN work ON work.spelling_id = spelling.id
    WHERE spelling.person_id = ${person} AND work.repository_id = ${repository}`;
  const perDay = new Map<number, number>();
  const count = (day: number) => perDay.set(day, (perDay.get(day) ?? 0) + 1);
  for (const { spelling, content } of rows) {
    for (const day of unpackOwnDays(content, spelling)) count(day);
  }
  const capped = [...perDay.values()].reduce((sum, n) => sum + Math.max(0, n - perDayMax), 0);
  const keep = sqlite.query(
    "UPDATE work SET capped = ? WHERE spelling_id = ? AND repository_id = ?",
  );
  for (const [at, { spelling }] of rows.entries()) {
    keep.run(at === 0 ? capped : 0, spelling, repository);
  }
  return capped;
}

/** The key of a current login. */
export function toCurrentLoginKey(login: string): string {
  return `login ${login.toLowerCase()}`;
}

/** The key of a former login. */
export function toFormerLoginKey(login: string): string {
  return `former ${login.toLowerCase()}`;
}

function readSameCommits(
  sqlite: Connection,
  spellings: ReadonlySet<number>,
): readonly (readonly [number, number])[] {
  const of = sqlite.query<{ other: number }, [number]>(
    "SELECT DISTINCT other FROM same_commit WHERE one = ? ORDER BY other",
  );
  const pairs: (readonly [number, number])[] = [];
  for (const one of spellings) for (const { other } of of.all(one)) pairs.push([one, other]);
  return pairs;
}

interface PersonRow {
  readonly id: number;
  readonly login: string;
  readonly class: AuthorClass;
  readonly is_shown: number;
  readonly has_account: number;
  readonly aliases: number;
  readonly digest: string;
}

/** @package */
export function findPerson(sqlite: Connection, id: number): StoredPerson | undefined {
  const row = sqlite.readRow<PersonRow>`SELECT * FROM person WHERE id = ${id}`;
  if (!row) return undefined;
  return {
    ...{ id: row.id, login: row.login, class: row.class, aliases: row.aliases, digest: row.digest },
    isShown: row.is_shown === 1,
    hasAccount: row.has_account === 1,
  };
}
