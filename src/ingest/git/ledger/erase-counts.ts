/**
 * Takes erased people out of what was counted of a repository, which is then as counting it without them would leave it. Else an
 * erasure would have every commit of all their repositories read again.
 */
import { fingerprintText } from "../commit/fingerprints.ts";
import { formatSignedName, type SignedName } from "../commit/logged-commit.ts";
import { rewriteShared, unpackWork } from "../commits/pack-tally.ts";
import type { Tally } from "../commits/tally.ts";
import type { NamedPeople } from "../read/history.ts";
import { chooseDue } from "./compare-work.ts";
import {
  type CountedRepository,
  forgetCapped,
  hashLine,
  sumExcluded,
  toDigestText,
  writeOwnerKeys,
} from "./counted-repository.ts";
import type { CountRows } from "./write-count.ts";

interface ErasedPlace {
  readonly place: number;
  /** Numbers of the spellings that are about to be removed everywhere. */
  readonly theirs: readonly number[];
  /** Whom the place named, and whom it names now. */
  readonly before: NamedPeople;
  readonly after: NamedPeople;
}

/**
 * @package Call it inside a transaction, while the rows of the erased are still there.
 * @returns false where nothing was changed, and the repository must be counted again.
 */
export function removeErased(rows: CountRows, erased: ErasedPlace): boolean {
  const repository = findRepository(rows, erased.place);
  const gone = findGone(rows, erased);
  const lines = listLines(erased);
  if (repository === undefined || !gone || !lines) return false;
  const spellings = new Set(gone.map(({ spelling }) => spelling));
  const tallies = takeWork(rows, repository, spellings);
  takeCredits(rows, repository, spellings);
  const numbers = gone.map(({ number }) => number);
  changeRepository(rows, repository, {
    tallies,
    lines,
    numbers,
    ownership: erased.after.ownership,
  });
  return true;
}

/** Of several clones it is not known which one's signature a commit was counted by. */
function findRepository({ sqlite }: CountRows, place: number): number | undefined {
  return sqlite.readValue<number>`
    SELECT repository_id FROM place WHERE id = ${place} AND is_counted = 1
      AND NOT EXISTS (SELECT 1 FROM place AS other
        WHERE other.repository_id = place.repository_id AND other.id <> ${place})`;
}

/** The rows of those whom the place names no more; undefined where they are others than those who are removed. */
function findGone({ sqlite }: CountRows, { place, theirs, before, after }: ErasedPlace) {
  type Row = SignedName & { readonly spelling: number; readonly number: number };
  const read = sqlite.query<Row, [number, number]>(
    `SELECT spelling_id AS spelling, number, name, email, raw_email AS rawEmail
     FROM mention JOIN spelling ON spelling.id = mention.spelling_id WHERE place_id = ? AND spelling_id = ?`,
  );
  const gone = theirs.flatMap((spelling) => read.get(place, spelling) ?? []);
  const erased = [
    ...before.signatures.filter((one, at) => !one.isErased && after.signatures[at]?.isErased),
    ...before.coAuthors.filter((one, at) => one !== null && after.coAuthors[at] === null),
  ];
  const texts = new Set(erased.map((one) => formatSignedName(one as SignedName)));
  const isSame = texts.symmetricDifference(new Set(gone.map(formatSignedName))).size === 0;
  return isSame ? gone : undefined;
}

/**
 * Hashes of the lines that leave the authors report; undefined where somebody else has such a line. By their lines copies of
 * commits are recognised too.
 */
function listLines({ before, after }: ErasedPlace): ReadonlySet<bigint> | undefined {
  const gone = before.signatures.filter((_, at) => after.signatures[at]?.isErased);
  const lines = new Set(gone.map(({ line }) => line));
  const isShared = after.signatures.some(({ isErased, line }) => !isErased && lines.has(line));
  return isShared ? undefined : new Set([...lines].map(hashLine));
}

/** Their commits leave the rows of those who shared them. @returns what they did. */
function takeWork(
  { sqlite, spellings }: CountRows,
  repository: number,
  gone: ReadonlySet<number>,
): readonly Tally[] {
  const read = sqlite.query<{ content: Uint8Array }, [number, number]>(
    "SELECT content FROM work WHERE spelling_id = ? AND repository_id = ?",
  );
  const find = (spelling: number) => read.get(spelling, repository)?.content;
  const works = [...gone].flatMap((spelling) => find(spelling) ?? []).map(unpackWork);
  const sharers = new Set(
    works.flatMap(({ shared }) =>
      shared.flatMap(({ author, coAuthors }) => [author, ...coAuthors]),
    ),
  );
  const write = sqlite.query(
    "UPDATE work SET content = ?, is_work = ? WHERE spelling_id = ? AND repository_id = ?",
  );
  const remove = sqlite.query("DELETE FROM work WHERE spelling_id = ? AND repository_id = ?");
  for (const spelling of sharers.difference(gone)) {
    const stored = find(spelling);
    if (!stored) continue;
    const rest = rewriteShared(stored, (shared) =>
      shared
        .filter(({ author }) => !gone.has(author))
        .map((one) => ({ ...one, coAuthors: one.coAuthors.filter((other) => !gone.has(other)) })),
    );
    if (rest) {
      write.run(rest.content, rest.isWork ? 1 : 0, spelling, repository);
      if (rest.isWork !== rest.wasWork) spellings.touch([spelling]);
      else spellings.due(spelling, chooseDue(spelling, stored, rest.content));
      continue;
    }
    // While its row is still there: it shows who else is concerned.
    spellings.touchWithNeighbours([spelling]);
    forgetCapped(sqlite, repository, spelling);
    remove.run(spelling, repository);
  }
  return works.map(({ tally }) => tally);
}

function takeCredits(
  { sqlite, spellings }: CountRows,
  repository: number,
  gone: ReadonlySet<number>,
): void {
  const take = sqlite.query<{ named: number }, [number, number]>(
    "DELETE FROM credit WHERE repository_id = ? AND author_id = ? RETURNING named_id AS named",
  );
  const named = [...gone].flatMap((author) => take.all(repository, author));
  spellings.touchCredited(new Set(named.map((credit) => credit.named)));
}

function changeRepository(
  { sqlite }: CountRows,
  id: number,
  gone: {
    readonly tallies: readonly Tally[];
    readonly lines: ReadonlySet<bigint>;
    readonly numbers: readonly number[];
    readonly ownership: NamedPeople["ownership"];
  },
): void {
  const row = sqlite.readRow<{ digest: string; lines: Uint8Array; authors: string }>`
    SELECT digest, lines, authors FROM repository WHERE id = ${id}`;
  if (!row) throw new Error("A counted place without a repository.");
  const before = JSON.parse(row.digest) as Omit<CountedRepository, "id">;
  const sum = (of: (tally: Tally) => number) =>
    gone.tallies.reduce((all, tally) => all + of(tally), 0);
  const after = {
    ...before,
    ownership: [gone.ownership ?? null],
    elsewhere: before.elsewhere - sum(({ elsewhere }) => elsewhere),
    forgotten: before.forgotten + sum(({ commits, merges }) => commits + merges),
    excluded: { ...before.excluded },
  };
  for (const [reason, commits] of Object.entries(sumExcluded(gone.tallies))) {
    after.excluded[reason] = (before.excluded[reason] ?? 0) - commits;
  }
  writeOwnerKeys(sqlite, id, after);
  const lines = new BigUint64Array(row.lines.slice().buffer).filter((one) => !gone.lines.has(one));
  // Their numbers stay free.
  const authors = fingerprintText(`${row.authors} ${gone.numbers.join(" ")}`).toString(36);
  sqlite.execute`
    UPDATE repository SET digest = ${toDigestText(after)}, lines = ${Buffer.from(lines.buffer)},
      authors = ${authors}, erased_from = coalesce(erased_from, authors), is_due = 1
    WHERE id = ${id}`;
}
