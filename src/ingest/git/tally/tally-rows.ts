/** Stores the results of the stage tally: the work of each spelling in each repository, and figures of each repository. */

import { normaliseAddress } from "../../../identity/address.ts";
import { foldName } from "../../../identity/selector.ts";
import type { Connection } from "../../../sqlite/connection.ts";
import { fingerprintText } from "../commit/fingerprints.ts";
import { formatSignedName } from "../commit/logged-commit.ts";
import type { Spelling } from "../commit/spelling.ts";
import { digestBytes } from "../digest-texts.ts";
import { toCommitKey } from "../ledger/commit-index.ts";
import { parseColumn } from "../ledger/ledger.ts";
import { createTally, type Tally } from "./author-tally.ts";
import type { RepositoryDigest } from "./digest-repository.ts";
import { type AuthorWork, packWork, unpackWork } from "./pack-tally.ts";

/** A counted repository. Its locations are clones of each other. */
export interface CountedRepository
  extends Omit<
    RepositoryDigest,
    "authors" | "tallies" | "shared" | "credits" | "mentions" | "sameCommit" | "sharedAuthors"
  > {
  /** The lowest id of its locations. */
  readonly id: number;
  /** Number of commits by known authors that do not count, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

/** Reads what the count of each repository is based on, as text. If this changes, the repository is counted again. */
export function readInputs(sqlite: Connection): ReadonlyMap<number, string> {
  const rows = sqlite.readRows<{ id: number; inputs: string }>`SELECT id, inputs FROM repository`;
  return new Map(rows.map(({ id, inputs }) => [id, inputs]));
}

interface Count {
  readonly repository: number;
  readonly places: readonly number[];
  readonly inputs: string;
  readonly digest: RepositoryDigest;
}

/** Where a count is stored. `numberOf` returns the number of a spelling. */
interface Target {
  readonly sqlite: Connection;
  readonly repository: number;
  readonly numberOf: (spelling: Spelling) => number;
}

export function writeTally(sqlite: Connection, count: Count): void {
  const { repository, places, inputs, digest } = count;
  sqlite.transact(() => {
    const numbers = new Map<Spelling, number>();
    const numberOf = (spelling: Spelling): number =>
      numbers.getOrInsertComputed(spelling, () => addSpelling(sqlite, spelling));
    const before = sqlite.readColumn<number>`
      SELECT spelling_id FROM work WHERE repository_id = ${repository}
      UNION SELECT named_id FROM credit WHERE repository_id = ${repository}
      UNION SELECT spelling_id FROM mention WHERE place_id IN (SELECT value FROM json_each(${JSON.stringify(places)}))`;
    removeRows(sqlite, repository);
    const target = { sqlite, repository, numberOf };
    saveWork(target, digest);
    saveCredits(target, digest);
    saveSameCommits(target, digest);
    const named = saveMentions(sqlite, count, numberOf);
    saveRepository(sqlite, { repository, inputs, digest }, named);
    const belong = sqlite.query("UPDATE place SET repository_id = ? WHERE id = ?");
    for (const place of places) belong.run(repository, place);
    const author = sqlite.query(
      "UPDATE shared_commit SET author = ? WHERE place_id = ? AND fingerprint = ?",
    );
    for (const { place, sha, author: spelling } of digest.sharedAuthors) {
      author.run(numberOf(spelling), place, toCommitKey(sha));
    }
    sweepSpellings(sqlite, before);
  });
}

/** Removes all repositories except these, with their counts. */
export function keepTallies(sqlite: Connection, repositories: ReadonlySet<number>): void {
  const known = sqlite.readColumn<number>`SELECT id FROM repository`;
  const gone = known.filter((id) => !repositories.has(id));
  if (gone.length === 0) return;
  sqlite.transact(() => {
    for (const id of gone) {
      removeRows(sqlite, id);
      sqlite.execute`DELETE FROM repository WHERE id = ${id}`;
      // A location that is about to be forgotten no longer belongs to a repository.
      sqlite.execute`UPDATE place SET repository_id = NULL WHERE repository_id = ${id}`;
    }
    sweepSpellings(sqlite, sqlite.readColumn<number>`SELECT id FROM spelling`);
  });
}

/** Reads repositories by id. @param only the id to read; default: all. */
export function readCounted(sqlite: Connection, only?: number) {
  const rows = sqlite.readRows<{ id: number; digest: string }>`
    SELECT id, digest FROM repository WHERE id = coalesce(${only ?? null}, id)`;
  return new Map(
    rows.map(({ id, digest }) => [
      id,
      { id, ...parseColumn<Omit<CountedRepository, "id">>(digest) },
    ]),
  );
}

export function listLocationsOf(sqlite: Connection, repository: number): readonly number[] {
  return sqlite.readColumn`SELECT id FROM place WHERE repository_id = ${repository} ORDER BY id`;
}

/** Reads the hashes of a repository's lines in the authors report, sorted. */
export function readReportLines(sqlite: Connection, repository: number): BigUint64Array {
  const lines = sqlite.readValue<Uint8Array>`
    SELECT lines FROM repository WHERE id = ${repository}`;
  return new BigUint64Array((lines ?? new Uint8Array()).slice().buffer);
}

/** What one spelling did in one repository. */
export interface CountedWork extends AuthorWork {
  readonly spelling: number;
  readonly repository: number;
}

/** Reads the work of spellings, in the order of `spellings` and then by repository. */
export function readWork(sqlite: Connection, spellings: readonly number[]): CountedWork[] {
  const read = sqlite.query<{ repository: number; content: Uint8Array }, [number]>(
    `SELECT repository_id AS repository, content FROM work
     WHERE spelling_id = ? AND is_work = 1 ORDER BY repository_id`,
  );
  return spellings.flatMap((spelling) =>
    read
      .all(spelling)
      .map(({ repository, content }) => ({ spelling, repository, ...unpackWork(content) })),
  );
}

function saveRepository(
  sqlite: Connection,
  { repository, inputs, digest }: Omit<Count, "places">,
  named: readonly string[],
): void {
  const { name, forge, owner, language, ownership, commits, merges, lastDay } = digest;
  const { incomplete, missing, isLacking, elsewhere, forgotten, tallies, authors } = digest;
  const counted: Omit<CountedRepository, "id"> = {
    ...{ name, forge, owner, language, ownership, commits, merges, lastDay },
    ...{ incomplete, missing, isLacking, elsewhere, forgotten },
    excluded: sumExcluded(tallies.values()),
  };
  const lines = Buffer.from(BigUint64Array.from(authors.keys(), fingerprintText).sort().buffer);
  const known = fingerprintText(named.join("\n")).toString(36);
  sqlite.execute`
    INSERT INTO repository (id, inputs, name, digest, lines, authors)
    VALUES (${repository}, ${inputs}, ${name}, ${JSON.stringify(counted)}, ${lines}, ${known})
    ON CONFLICT (id) DO UPDATE SET inputs = excluded.inputs, name = excluded.name,
      digest = excluded.digest, lines = excluded.lines, authors = excluded.authors`;
}

function sumExcluded(tallies: Iterable<Tally>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { excluded } of tallies) {
    for (const [reason, commits] of excluded) sums[reason] = (sums[reason] ?? 0) + commits;
  }
  return sums;
}

function removeRows(sqlite: Connection, repository: number): void {
  for (const table of ["work", "credit", "same_commit"]) {
    sqlite.execute(`DELETE FROM ${table} WHERE repository_id = ?`, repository);
  }
}

function saveWork({ sqlite, repository, numberOf }: Target, digest: RepositoryDigest) {
  const insert = sqlite.query(
    `INSERT INTO work (spelling_id, repository_id, commits, elsewhere, counted, busiest, routine, is_work, first, last,
       sharers, digest, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [spelling, work] of listWork(digest, numberOf)) {
    const content = packWork(work);
    insert.run(spelling, repository, ...sumWork(spelling, work, content), content);
  }
}

function sumWork(spelling: number, { tally, shared }: AuthorWork, content: Uint8Array) {
  const own = shared.flatMap(({ author, day }) => (author === spelling ? [day] : []));
  const days = [...tally.days, ...own];
  const isDated = Number.isFinite(tally.first);
  const sharers = new Set(shared.flatMap(({ author, coAuthors }) => [author, ...coAuthors]));
  return [
    ...([tally.commits, tally.elsewhere, days.length, findBusiest(days), tally.routine] as const),
    tally.commits > 0 || shared.length > 0 ? 1 : 0,
    ...([isDated ? tally.first : null, isDated ? tally.last : null] as const),
    ...([[...sharers].join(" "), digestBytes(content)] as const),
  ] as const;
}

/** Reads everything counted in a repository, to check it. @throws Error for unreadable contents. */
export function readTally(sqlite: Connection, repository: number): void {
  readCounted(sqlite, repository);
  const contents = sqlite.query<{ content: Uint8Array }, [number]>(
    "SELECT content FROM work WHERE repository_id = ?",
  );
  for (const { content } of contents.iterate(repository)) unpackWork(content);
}

function findBusiest(days: readonly number[]): number {
  const byDay = Map.groupBy(days, (day) => day);
  return byDay.values().reduce((most, { length }) => Math.max(most, length), 0);
}

/** Lists work. Each participant of a shared commit gets a copy of the commit. */
function* listWork(
  { tallies, shared }: RepositoryDigest,
  numberOf: (spelling: Spelling) => number,
): Generator<readonly [number, AuthorWork]> {
  const sharedBy = new Map<Spelling, AuthorWork["shared"][number][]>();
  for (const { author, coAuthors, ...said } of shared) {
    const commit = { ...said, author: numberOf(author), coAuthors: coAuthors.map(numberOf) };
    for (const one of new Set([author, ...coAuthors])) {
      sharedBy.getOrInsertComputed(one, () => []).push(commit);
    }
  }
  for (const spelling of new Set([...tallies.keys(), ...sharedBy.keys()])) {
    const tally = tallies.get(spelling) ?? createTally();
    yield [numberOf(spelling), { tally, shared: sharedBy.get(spelling) ?? [] }];
  }
}

function saveCredits({ sqlite, repository, numberOf }: Target, digest: RepositoryDigest) {
  const insert = sqlite.query(
    `INSERT INTO credit (named_id, repository_id, author_id, kind, count, first, last)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { named, author, kind, count, first, last } of digest.credits) {
    insert.run(numberOf(named), repository, numberOf(author), kind, count, first, last);
  }
}

function saveSameCommits(
  { sqlite, repository, numberOf }: Target,
  { sameCommit }: RepositoryDigest,
) {
  const insert = sqlite.query(
    "INSERT OR IGNORE INTO same_commit (repository_id, one, other) VALUES (?, ?, ?)",
  );
  for (const [one, spelling] of sameCommit) {
    const other = numberOf(spelling);
    if (one !== other) insert.run(repository, one, other);
  }
}

/** Stores the people named in a repository, numbered in the order of `Name <address>`. @returns these texts. */
function saveMentions(
  sqlite: Connection,
  { places, digest: { mentions } }: Pick<Count, "places" | "digest">,
  numberOf: (spelling: Spelling) => number,
): readonly string[] {
  for (const place of places) sqlite.execute`DELETE FROM mention WHERE place_id = ${place}`;
  const insert = sqlite.query(
    `INSERT INTO mention (place_id, spelling_id, number, sample, replaced) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET sample = coalesce(sample, ?4), replaced = coalesce(replaced || ' ' || ?5, replaced, ?5)`,
  );
  const texts = [...new Set(mentions.map(({ spelling }) => formatSignedName(spelling)))].sort();
  const numbers = new Map(texts.map((text, number) => [text, number]));
  for (const { place, spelling, sample, replaced = [] } of mentions) {
    const number = numbers.get(formatSignedName(spelling)) ?? 0;
    const hashes = replaced.join(" ") || null;
    insert.run(place, numberOf(spelling), number, sample ?? null, hashes);
  }
  return texts;
}

/** @returns the number of a spelling. A new spelling is added. */
function addSpelling(sqlite: Connection, { name, email, rawEmail, place }: Spelling): number {
  const known = sqlite.readValue<number>`SELECT id FROM spelling WHERE raw_email = ${rawEmail}
    AND name = ${name} AND email = ${email} AND place = ${place}`;
  if (known !== undefined) return known;
  const { lastInsertRowid } = sqlite.execute`
    INSERT INTO spelling (name, email, raw_email, place, folded, address, raw_address)
    VALUES (${name}, ${email}, ${rawEmail}, ${place}, ${foldName(name)}, ${normaliseAddress(email)},
      ${normaliseAddress(rawEmail)})`;
  return Number(lastInsertRowid);
}

/** Removes spellings, except those to which something still refers. */
function sweepSpellings(sqlite: Connection, spellings: Iterable<number>): void {
  const remove = sqlite.query(
    `DELETE FROM spelling WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM work WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM mention WHERE spelling_id = ?1)
       AND NOT EXISTS (SELECT 1 FROM credit WHERE named_id = ?1)`,
  );
  for (const spelling of spellings) remove.run(spelling);
}
