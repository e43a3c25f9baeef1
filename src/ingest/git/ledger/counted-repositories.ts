/**
 * What was counted in each repository, kept by repository and spelling of the author. A repository is counted again when its own
 * commits change, or which of them others hold. Only rows that differ then are written, and only their authors are touched.
 */

import type { AuthorClass } from "../../../contract/people/facts.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { CreditKind } from "../commit/kept-commit.ts";
import { type AuthorWork, unpackWork } from "../commits/pack-tally.ts";
import type { RepositoryDigest } from "../commits/repository-digest.ts";
import { hashLinkKey } from "../identity/links.ts";
import type { CountedRepository } from "./counted-repository.ts";
import type { SpellingRows } from "./spelling-rows.ts";
import { removeCount, writeCount } from "./write-count.ts";

/** Figures of a repository that depend on who is who. */
export interface RepositoryStanding {
  /** Humans with a non-merge commit. */
  readonly humans: number;
  /** The human with more than half of the counted commits of humans. */
  readonly majority?: number | undefined;
  /** Commits to its source from which a person is one of those who make it. */
  readonly makersFrom: number;
  /** Non-merge commits by class of their authors. */
  readonly byClass: Readonly<Partial<Record<AuthorClass, number>>>;
  /** Commits that count, and those beyond the limit of a person and day. */
  readonly counted: number;
  readonly capped: number;
}

/** Those whom the histories of a repository name, and who they are. */
export interface RepositoryAuthors {
  /** Of their texts by number. */
  readonly digest: string;
  /** The digest as it was published, where some were erased since. */
  readonly erasedFrom: string | undefined;
  /** By number, where it is known who they are. */
  readonly people: readonly {
    readonly number: number;
    /** null for somebody who has no work anywhere, and so no place in the pool. */
    readonly login: string | null;
    readonly class: AuthorClass;
    readonly hasAccount: boolean;
  }[];
}

/** What one spelling did in one repository. */
export interface CountedWork extends AuthorWork {
  readonly spelling: number;
  readonly repository: number;
}

export interface CountedCredit {
  readonly repository: number;
  readonly author: number;
  readonly kind: CreditKind;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export interface CountedRepositories {
  /** By repository, the text of what it was counted from; empty where it must be counted again. */
  inputs(): ReadonlyMap<number, string>;
  /** Stores a count in one transaction, which touches the authors whose rows differ. */
  save(
    repository: number,
    places: readonly number[],
    inputs: string,
    digest: RepositoryDigest,
  ): void;
  /** Removes all repositories but these, and what was counted in them. */
  keepOnly(repositories: ReadonlySet<number>): void;
  all(): ReadonlyMap<number, CountedRepository>;
  find(repository: number): CountedRepository | undefined;
  /** The places of some repositories. */
  placesOf(repositories: Iterable<number>): readonly number[];
  ofPlaces(places: Iterable<number>): ReadonlySet<number>;
  authorsOf(repository: number): RepositoryAuthors;
  /** @returns undefined before people were identified. */
  standing(repository: number): RepositoryStanding | undefined;
  /**
   * Stores it, and marks everybody with work in the repository as due when their facts tell something else of it.
   *
   * @param told what they tell of the repository, as text.
   */
  setStanding(repository: number, standing: RepositoryStanding, told: string): void;
  /**
   * Notes how far each repository was read, and marks everybody with work in it as due when their facts tell something else.
   *
   * @param describe gives what facts tell of a repository's `lastDay`.
   */
  setEnds(describe: (lastDay: number) => string): void;
  /** Hashes of the lines of the authors report. */
  lines(repository: number): BigUint64Array;
  workOf(spellings: readonly number[]): readonly CountedWork[];
  /** What trailers say of people who are looked up by one of these keys, by the number of the trailer's spelling. */
  creditsAt(keys: readonly string[]): ReadonlyMap<number, readonly CountedCredit[]>;
}

/** @package */
export function openCountedRepositories(
  store: Database,
  spellings: SpellingRows,
): CountedRepositories {
  const { sqlite } = store;
  return {
    ...openCounts(store, spellings),
    ...openStandings(store),
    workOf: (some) => some.flatMap((spelling) => readWork(sqlite, spelling)),
    creditsAt: (keys) => readCredits(sqlite, keys),
  };
}

function openCounts({ sqlite }: Database, spellings: SpellingRows) {
  return {
    inputs: () =>
      new Map(
        sqlite.readRows<{ id: number; inputs: string }>`SELECT id, inputs FROM repository`.map(
          ({ id, inputs }) => [id, inputs],
        ),
      ),
    save: (repository, places, inputs, digest) => {
      sqlite.transact(() =>
        writeCount({ sqlite, spellings }, { repository, places, inputs, digest }),
      );
    },
    keepOnly(repositories) {
      const known = sqlite.readColumn<number>`SELECT id FROM repository`;
      const gone = known.filter((id) => !repositories.has(id));
      if (gone.length === 0) return;
      sqlite.transact(() => {
        for (const id of gone) removeCount({ sqlite, spellings }, id);
      });
    },
  } satisfies Partial<CountedRepositories>;
}

function openStandings({ sqlite }: Database) {
  return {
    all: () =>
      new Map(
        sqlite.readRows<RepositoryRow>`SELECT id, digest FROM repository`.map((row) => [
          row.id,
          toCounted(row),
        ]),
      ),
    find(id) {
      const row = sqlite.readRow<RepositoryRow>`SELECT id, digest FROM repository WHERE id = ${id}`;
      return row ? toCounted(row) : undefined;
    },
    placesOf(repositories) {
      const places = sqlite.query<{ id: number }, [number]>(
        "SELECT id FROM place WHERE repository_id = ? AND is_leaving = 0 ORDER BY id",
      );
      return [...repositories].flatMap((id) => places.all(id).map((place) => place.id));
    },
    ofPlaces(places) {
      const repository = sqlite.query<{ id: number | null }, [number]>(
        "SELECT repository_id AS id FROM place WHERE id = ?",
      );
      return new Set([...places].flatMap((place) => repository.get(place)?.id ?? []));
    },
    authorsOf: (repository) => readAuthors(sqlite, repository),
    standing(repository) {
      const text = sqlite.readValue<string>`SELECT standing FROM repository WHERE id = ${repository}`;
      return text ? (JSON.parse(text) as RepositoryStanding) : undefined;
    },
    setStanding(repository, standing, told) {
      const before = sqlite.readValue<string>`
        SELECT standing ->> 'told' FROM repository WHERE id = ${repository}`;
      const stored = JSON.stringify({ ...standing, told });
      sqlite.execute`
        UPDATE repository SET standing = json_set(json(${stored}), '$.end', standing ->> 'end')
        WHERE id = ${repository}`;
      if (before !== told) markDue(sqlite, repository);
    },
    setEnds(describe) {
      for (const { id, lastDay, told } of readEnds(sqlite)) {
        const end = lastDay === null ? null : describe(lastDay);
        if (end === told) continue;
        sqlite.execute`UPDATE repository SET standing = json_set(standing, '$.end', ${end})
          WHERE id = ${id}`;
        markDue(sqlite, id);
      }
    },
    lines(repository) {
      const lines = sqlite.readValue<Uint8Array>`
        SELECT lines FROM repository WHERE id = ${repository}`;
      return new BigUint64Array((lines ?? new Uint8Array()).slice().buffer);
    },
  } satisfies Partial<CountedRepositories>;
}

function readEnds(sqlite: Connection) {
  return sqlite.readRows<{ id: number; lastDay: number | null; told: string | null }>`
    SELECT id, digest ->> 'lastDay' AS lastDay, standing ->> 'end' AS told FROM repository`;
}

function markDue(sqlite: Connection, repository: number): void {
  sqlite.execute`
    UPDATE person SET is_due = 1 WHERE id IN (SELECT spelling.person_id FROM work
      JOIN spelling ON spelling.id = work.spelling_id WHERE work.repository_id = ${repository})`;
}

type AuthorRow = Omit<RepositoryAuthors["people"][number], "hasAccount"> & { hasAccount: number };

function readAuthors(sqlite: Connection, repository: number): RepositoryAuthors {
  const row = sqlite.readRow<{ digest: string; erasedFrom: string | null }>`
    SELECT authors AS digest, erased_from AS erasedFrom FROM repository WHERE id = ${repository}`;
  const people = sqlite.readRows<AuthorRow>`
    SELECT DISTINCT mention.number, iif(person.is_shown, person.login, NULL) AS login, person.class,
      person.has_account AS hasAccount
    FROM place CROSS JOIN mention ON mention.place_id = place.id
      CROSS JOIN spelling ON spelling.id = mention.spelling_id
      CROSS JOIN person ON person.id = spelling.person_id
    WHERE place.repository_id = ${repository} AND place.is_leaving = 0 ORDER BY mention.number`;
  return {
    digest: row?.digest ?? "",
    erasedFrom: row?.erasedFrom ?? undefined,
    people: people.map((each) => ({ ...each, hasAccount: each.hasAccount === 1 })),
  };
}

interface RepositoryRow {
  readonly id: number;
  readonly digest: string;
}

function toCounted({ id, digest }: RepositoryRow): CountedRepository {
  return { id, ...(JSON.parse(digest) as Omit<CountedRepository, "id">) };
}

function readWork(sqlite: Connection, spelling: number): CountedWork[] {
  const rows = sqlite.readRows<{ repository: number; content: Uint8Array }>`
    SELECT repository_id AS repository, content FROM work
    WHERE spelling_id = ${spelling} AND is_work = 1 ORDER BY repository_id`;
  return rows.map(({ repository, content }) => ({ spelling, repository, ...unpackWork(content) }));
}

function readCredits(
  sqlite: Connection,
  keys: readonly string[],
): ReadonlyMap<number, readonly CountedCredit[]> {
  const found = new Map<number, readonly CountedCredit[]>();
  const named = sqlite.query<{ named: number }, [number]>(
    "SELECT named_id AS named FROM credit_key WHERE key = ?",
  );
  const credits = sqlite.query<CountedCredit, [number]>(
    `SELECT repository_id AS repository, author_id AS author, kind, count, first, last FROM credit
     WHERE named_id = ? ORDER BY repository_id, author_id, kind`,
  );
  for (const key of keys) {
    for (const { named: one } of named.all(hashLinkKey(key))) {
      if (!found.has(one)) found.set(one, credits.all(one));
    }
  }
  return found;
}
