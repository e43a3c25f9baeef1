/**
 * Writes what was counted in a repository: only rows that differ, and with them which spellings they touch, in one transaction.
 */
import type { Connection } from "../../../sqlite/connection.ts";
import { fingerprintText } from "../commit/fingerprints.ts";
import { formatSignedName } from "../commit/logged-commit.ts";
import { type AuthorWork, packWork } from "../commits/pack-tally.ts";
import type { RepositoryDigest } from "../commits/repository-digest.ts";
import { createTally } from "../commits/tally.ts";
import { listCreditKeys } from "../credit/credit-tallies.ts";
import { hashLinkKey } from "../identity/links.ts";
import type { Spelling } from "../identity/spelling.ts";
import { toCommitKey } from "./commit-index.ts";
import { chooseDue, isOneToIdentity, type StoredWork, type WorkRow } from "./compare-work.ts";
import {
  type CountedRepository,
  forgetCapped,
  hashLine,
  sumExcluded,
  toDigestText,
  writeOwnerKeys,
} from "./counted-repository.ts";
import type { SpellingRows } from "./spelling-rows.ts";

/** @package */
export interface CountRows {
  readonly sqlite: Connection;
  readonly spellings: SpellingRows;
}

interface Count {
  readonly repository: number;
  readonly places: readonly number[];
  readonly inputs: string;
  readonly digest: RepositoryDigest;
}

/** @package Call it inside a transaction. */
export function writeCount(rows: CountRows, { repository, places, inputs, digest }: Count): void {
  const { sqlite, spellings } = rows;
  const numbers = new Map<Spelling, number>();
  const numberOf = (spelling: Spelling): number =>
    numbers.getOrInsertComputed(spelling, () => spellings.number(spelling));
  const { path, name, forge, owner, language, ownership, commits, merges } = digest;
  const { lastDay, incomplete, missing, elsewhere, forgotten, authors } = digest;
  const kept: Omit<CountedRepository, "id"> = {
    ...{ path, name, forge, owner, language, ownership, commits, merges },
    ...{ lastDay, incomplete, missing, elsewhere, forgotten },
    excluded: sumExcluded(digest.tallies.values()),
  };
  const stored = toDigestText(kept);
  const lines = packLines(authors.keys());
  const before = sqlite.readValue<string>`SELECT digest FROM repository WHERE id = ${repository}`;
  // The name places authors with generic addresses, and joins are made by it.
  const isRenamed = before !== undefined && JSON.parse(before).name !== name;
  sqlite.execute`
    INSERT INTO repository (id, inputs, name, digest, lines, authors)
    VALUES (${repository}, ${inputs}, ${name}, ${stored}, ${lines}, '')
    ON CONFLICT (id) DO UPDATE SET inputs = excluded.inputs, name = excluded.name,
      digest = excluded.digest, lines = excluded.lines, is_due = 1`;
  const isCounted = sqlite.query("UPDATE place SET is_counted = 1, repository_id = ? WHERE id = ?");
  for (const place of places) isCounted.run(repository, place);
  if (isRenamed) spellings.touchWithNeighbours(spellings.in(repository));
  saveWork(rows, repository, digest, numberOf);
  saveCredits(rows, repository, digest, numberOf);
  saveSameCommits(rows, repository, digest, numberOf);
  const named = saveMentions(rows, { repository, places, digest }, numberOf);
  const authorsDigest = fingerprintText(named.join("\n")).toString(36);
  sqlite.execute`UPDATE repository SET authors = ${authorsDigest}, erased_from = NULL
    WHERE id = ${repository}`;
  const author = sqlite.query(
    "UPDATE shared_commit SET author = ? WHERE place_id = ? AND fingerprint = ?",
  );
  for (const { place, sha, author: spelling } of digest.sharedAuthors) {
    author.run(numberOf(spelling), place, toCommitKey(sha));
  }
}

function packLines(lines: Iterable<string>): Buffer {
  return Buffer.from(BigUint64Array.from(lines, hashLine).sort().buffer);
}

function saveWork(
  { sqlite, spellings }: CountRows,
  repository: number,
  digest: RepositoryDigest,
  numberOf: (spelling: Spelling) => number,
): void {
  const stored = sqlite.readRows<StoredWork>`
    SELECT spelling_id AS spelling, commits, routine, is_work AS isWork, first, last, content
    FROM work WHERE repository_id = ${repository}`;
  const before = new Map(stored.map((row) => [row.spelling, row]));
  const insert = sqlite.query(
    `INSERT OR REPLACE INTO work
       (spelling_id, repository_id, commits, counted, routine, is_work, first, last, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const after = new Set<number>();
  for (const [spelling, row] of listWork(digest, numberOf)) {
    after.add(spelling);
    const known = before.get(spelling);
    if (known && row.content.equals(known.content)) continue;
    const { commits, counted, routine, isWork, first, last, content } = row;
    insert.run(spelling, repository, commits, counted, routine, isWork, first, last, content);
    if (known && isOneToIdentity(known, row)) {
      spellings.due(spelling, chooseDue(spelling, known.content, content));
    } else spellings.touch([spelling]);
  }
  const gone = [...before.keys()].filter((spelling) => !after.has(spelling));
  // While their rows are still there: they show who else is concerned.
  spellings.touchWithNeighbours(gone);
  const remove = sqlite.query("DELETE FROM work WHERE spelling_id = ? AND repository_id = ?");
  for (const spelling of gone) {
    forgetCapped(sqlite, repository, spelling);
    remove.run(spelling, repository);
  }
}

/** Whoever took part in a shared commit has a copy of it, so that a person's facts need no other person's rows. */
function* listWork(
  { tallies, shared }: RepositoryDigest,
  numberOf: (spelling: Spelling) => number,
): Generator<readonly [number, WorkRow]> {
  const sharedBy = new Map<Spelling, AuthorWork["shared"][number][]>();
  const counted = new Map<Spelling, number>();
  for (const { author, coAuthors, ...said } of shared) {
    const commit = { ...said, author: numberOf(author), coAuthors: coAuthors.map(numberOf) };
    counted.set(author, (counted.get(author) ?? 0) + 1);
    for (const one of new Set([author, ...coAuthors])) {
      sharedBy.getOrInsertComputed(one, () => []).push(commit);
    }
  }
  for (const spelling of new Set([...tallies.keys(), ...sharedBy.keys()])) {
    const tally = tallies.get(spelling) ?? createTally();
    const isDated = Number.isFinite(tally.first);
    const own = sharedBy.get(spelling) ?? [];
    yield [
      numberOf(spelling),
      {
        commits: tally.commits,
        counted: tally.days.length + (counted.get(spelling) ?? 0),
        routine: tally.routine,
        isWork: tally.commits > 0 || own.length > 0 ? 1 : 0,
        first: isDated ? tally.first : null,
        last: isDated ? tally.last : null,
        content: packWork({ tally, shared: own }),
      },
    ];
  }
}

function saveCredits(
  { sqlite, spellings }: CountRows,
  repository: number,
  digest: RepositoryDigest,
  numberOf: (spelling: Spelling) => number,
): void {
  const listStored = () =>
    sqlite.readRows<{ named: number; row: string }>`
      SELECT named_id AS named, json_array(named_id, author_id, kind, count, first, last) AS row
      FROM credit WHERE repository_id = ${repository}`;
  const before = new Map(listStored().map(({ named, row }) => [row, named]));
  sqlite.execute`DELETE FROM credit WHERE repository_id = ${repository}`;
  const insert = sqlite.query(
    `INSERT INTO credit (named_id, repository_id, author_id, kind, count, first, last)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const key = sqlite.query("INSERT OR IGNORE INTO credit_key (key, named_id) VALUES (?, ?)");
  const keyed = new Set<Spelling>();
  for (const { named, author, kind, count, first, last } of digest.credits) {
    insert.run(numberOf(named), repository, numberOf(author), kind, count, first, last);
    if (keyed.has(named)) continue;
    keyed.add(named);
    for (const text of listCreditKeys(named)) key.run(hashLinkKey(text), numberOf(named));
  }
  const after = new Map(listStored().map(({ named, row }) => [row, named]));
  const changed = [
    ...[...before].filter(([row]) => !after.has(row)),
    ...[...after].filter(([row]) => !before.has(row)),
  ];
  spellings.touchCredited(new Set(changed.map(([, named]) => named)));
}

function saveSameCommits(
  { sqlite, spellings }: CountRows,
  repository: number,
  { sameCommit }: RepositoryDigest,
  numberOf: (spelling: Spelling) => number,
): void {
  const stored = readSameCommitsOf(sqlite, repository);
  const before = new Set(stored.map(({ one, other }) => `${one} ${other}`));
  const pairs = sameCommit
    .map(([one, other]) => [one, numberOf(other)] as const)
    .filter(([one, other]) => one !== other);
  const after = new Map(pairs.map((pair) => [pair.join(" "), pair]));
  const touched = [
    ...stored
      .filter(({ one, other }) => !after.has(`${one} ${other}`))
      .flatMap(({ one, other }) => [one, other]),
    ...[...after].filter(([text]) => !before.has(text)).flatMap(([, pair]) => pair),
  ];
  spellings.touch(touched);
  if (touched.length === 0) return;
  sqlite.execute`DELETE FROM same_commit WHERE repository_id = ${repository}`;
  const insert = sqlite.query(
    "INSERT INTO same_commit (repository_id, one, other) VALUES (?, ?, ?)",
  );
  for (const [one, other] of after.values()) insert.run(repository, one, other);
}

function readSameCommitsOf(sqlite: Connection, repository: number) {
  return sqlite.readRows<{ one: number; other: number }>`
    SELECT one, other FROM same_commit WHERE repository_id = ${repository}`;
}

/** Numbers the authors of a repository in an order that does not depend on when they were read. @returns their texts. */
function saveMentions(
  { sqlite, spellings }: CountRows,
  { repository: id, places, digest: { mentions, ownership, forge } }: Omit<Count, "inputs">,
  numberOf: (spelling: Spelling) => number,
): readonly string[] {
  const remove = sqlite.query<{ spelling: number; replaced: string | null }, [number]>(
    "DELETE FROM mention WHERE place_id = ? RETURNING spelling_id AS spelling, replaced",
  );
  const before = places.flatMap((place) => remove.all(place));
  const insert = sqlite.query(
    `INSERT INTO mention (place_id, spelling_id, number, sample, replaced) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET sample = coalesce(sample, ?4), replaced = coalesce(replaced || ' ' || ?5, replaced, ?5)`,
  );
  const texts = [...new Set(mentions.map(({ spelling }) => formatSignedName(spelling)))].sort();
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const known = new Map(before.map((row) => [row.spelling, row.replaced]));
  for (const { place, spelling, sample, replaced = [] } of mentions) {
    const [one, hashes] = [numberOf(spelling), replaced.join(" ") || null];
    const number = numbers.get(formatSignedName(spelling)) ?? 0;
    insert.run(place, one, number, sample ?? null, hashes);
    // The same person may have other names now.
    if ((known.get(one) ?? null) !== hashes) spellings.due(one, "anybody");
  }
  spellings.sweep(before.map(({ spelling }) => spelling));
  writeOwnerKeys(sqlite, id, { ownership, forge });
  return texts;
}

/** @package Call it inside a transaction. */
export function removeCount({ sqlite, spellings }: CountRows, repository: number): void {
  spellings.touchWithNeighbours(spellings.in(repository));
  const credited = sqlite.readColumn<number>`
    SELECT DISTINCT named_id FROM credit WHERE repository_id = ${repository}`;
  spellings.touchCredited(new Set(credited));
  for (const { one, other } of readSameCommitsOf(sqlite, repository)) spellings.touch([one, other]);
  for (const table of ["work", "credit", "same_commit", "owner_key"]) {
    sqlite.execute(`DELETE FROM ${table} WHERE repository_id = ?`, repository);
  }
  sqlite.execute`DELETE FROM repository WHERE id = ${repository}`;
  // A place that is about to be forgotten is in no group any more.
  sqlite.execute`UPDATE place SET is_counted = 0, repository_id = NULL
    WHERE repository_id = ${repository}`;
}
