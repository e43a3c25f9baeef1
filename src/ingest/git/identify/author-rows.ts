/** Reads the authors of all repositories as commits spell them, with sums of their work. */
import type { ForgeAccount } from "../../../identity/address.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import type { Spelling } from "../commit/spelling.ts";
import { parseColumn } from "../ledger/ledger.ts";
import type { Link } from "./links.ts";

/** A spelling that occurs as an author or co-author. */
export interface AuthorRow extends Spelling {
  readonly id: number;
  /** Number of non-merge commits. `first` and `last` are the earliest and the latest date, in seconds. */
  readonly commits: number;
  /** Number of non-merge commits, each in one repository only. */
  readonly own: number;
  readonly first: number;
  readonly last: number;
  /** Number of commits that change only manifests and lock files. */
  readonly routine: number;
  /** Whether the author has written or co-written a commit that counts. */
  readonly isWork: boolean;
  /** Names of the repositories in which the author occurs, sorted. */
  readonly repositories: readonly string[];
  /** Hashes (`hashName`) of the names that a mailmap replaces by this spelling's name. */
  readonly replaced: readonly string[];
  /** Address after the mailmap, normalized. `rawAddress` is the address before the mailmap, normalized too. */
  readonly address: string;
  readonly rawAddress: string;
  /** The traits stored by the last run; undefined for a new author. */
  readonly traits: AuthorTraits | undefined;
  /** The author's work in each repository, by repository id. */
  readonly work: readonly AuthorWorkRow[];
}

/** What the rules of identity find out about one author without looking at others. */
export interface AuthorTraits {
  /** Digest of the rules that found the traits; empty if the traits must not be reused. */
  readonly rules: string;
  readonly account?: ForgeAccount | undefined;
  /** The account that a forge states for the address. */
  readonly told?: ForgeAccount | undefined;
  /** Whether the name suggests a bot. */
  readonly isSuspect: boolean;
  readonly links: readonly Link[];
}

export interface AuthorWorkRow {
  readonly repository: number;
  readonly commits: number;
  /** Number of counted commits. `busiest` is the highest number of counted commits on one day. */
  readonly counted: number;
  readonly busiest: number;
  /** Numbers of the spellings that took part in the author's shared commits, separated by spaces. */
  readonly sharers: string;
  /** Digest of everything that the author did in the repository. */
  readonly digest: string;
}

export interface AuthorRows {
  readonly all: readonly AuthorRow[];
  readonly byId: ReadonlyMap<number, AuthorRow>;
  /** Pairs of spellings. Two repositories contain the same commit and spell the author in these two ways. */
  readonly sameCommits: readonly (readonly [number, number])[];
}

interface SpellingRow extends Pick<AuthorRow, "id" | "address" | "rawAddress">, Spelling {
  readonly traits: string | null;
}

/** Stores traits. Call it inside a transaction. */
export function writeTraits(sqlite: Connection, traits: ReadonlyMap<number, AuthorTraits>): void {
  const write = sqlite.query("UPDATE spelling SET traits = ? WHERE id = ?");
  for (const [id, found] of traits) write.run(JSON.stringify(found), id);
}

interface WorkRow extends AuthorWorkRow {
  readonly spelling: number;
  readonly name: string;
  readonly elsewhere: number;
  readonly routine: number;
  readonly isWork: number;
  readonly first: number | null;
  readonly last: number | null;
}

/** @param only numbers of the spellings to read; default: all. */
export function readAuthors(sqlite: Connection, only?: readonly number[]): AuthorRows {
  const wanted = only ? JSON.stringify(only) : null;
  const replaced = sqlite.readRows<{ id: number; names: string }>`
    SELECT spelling_id AS id, group_concat(replaced, ' ') AS names FROM mention
    WHERE replaced IS NOT NULL GROUP BY spelling_id`;
  const replacedBy = new Map(replaced.map(({ id, names }) => [id, names.split(" ").sort()]));
  const works = sqlite.query<WorkRow, [string | null]>(
    `SELECT spelling_id AS spelling, repository_id AS repository, repository.name, commits, elsewhere, counted, busiest,
       routine, is_work AS isWork, first, last, sharers, work.digest
     FROM work JOIN repository ON repository.id = repository_id
     WHERE ?1 IS NULL OR spelling_id IN (SELECT value FROM json_each(?1)) ORDER BY spelling_id, repository_id`,
  );
  const spellings = sqlite.query<SpellingRow, [string | null]>(
    `SELECT id, name, email, raw_email AS rawEmail, place, address, raw_address AS rawAddress, traits FROM spelling
     WHERE EXISTS (SELECT 1 FROM work WHERE spelling_id = spelling.id)
       AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1))) ORDER BY id`,
  );
  const worksOf = Map.groupBy(works.iterate(wanted), ({ spelling }) => spelling);
  const toAuthor = (spelling: SpellingRow): AuthorRow => {
    const rows = worksOf.get(spelling.id) ?? [];
    const traits = spelling.traits ? parseColumn<AuthorTraits>(spelling.traits) : undefined;
    return { ...spelling, ...sumWork(rows), traits, replaced: replacedBy.get(spelling.id) ?? [] };
  };
  const all = Array.from(spellings.iterate(wanted), toAuthor);
  const sameCommits = sqlite.readRows<{ one: number; other: number }>`
    SELECT DISTINCT one, other FROM same_commit ORDER BY one, other`;
  return {
    all,
    byId: new Map(all.map((author) => [author.id, author])),
    sameCommits: sameCommits.map(({ one, other }) => [one, other]),
  };
}

function sumWork(rows: readonly WorkRow[]) {
  const sum = (of: (row: WorkRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  return {
    commits: sum(({ commits }) => commits),
    own: sum(({ commits, elsewhere }) => commits - elsewhere),
    routine: sum(({ routine }) => routine),
    first: Math.min(...rows.map(({ first }) => first ?? Number.POSITIVE_INFINITY)),
    last: Math.max(...rows.map(({ last }) => last ?? Number.NEGATIVE_INFINITY)),
    isWork: rows.some(({ isWork }) => isWork === 1),
    repositories: [...new Set(rows.map(({ name }) => name))].sort(),
    work: rows,
  };
}
