/** Adds the data of a people file (such as an export of a directory) to people in the pool. A file never creates a person. */
import type { AsOf } from "../../analysis/analysis.ts";
import { Fault } from "../../contract/fault.ts";
import type { Facts, Supplement } from "../../contract/people/facts.ts";
import type { Import, ImportCounts, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { judgeOthers } from "../judge-others.ts";
import { readStored } from "../read-stored.ts";
import type { RejectedLine } from "../refusal.ts";
import { setSupplements } from "../supplements.ts";
import { type MatchedRows, matchRows } from "./match-rows.ts";
import {
  type PeopleFile,
  type PeopleFormat,
  type PeopleReading,
  readPeopleFile,
} from "./read-people-file.ts";
import type { PeopleRow } from "./read-row.ts";

export interface PeopleIngest {
  readonly pool: Pick<Pool, "beginImport" | "holders" | "findFacts" | "findAnalyses" | "erasing">;
  /** Creates a judge as of a day. Each person is judged as of the same day as before. */
  readonly judge: (asOf: AsOf) => Judge;
  /** Name of the source, in lower case. The file replaces all data from an earlier file of this source. */
  readonly source: string;
  /** How to read a file in an unusual format. */
  readonly reading?: PeopleReading;
  /** Whether to refuse the whole file for one wrong, repeated or ambiguous row. */
  readonly strict?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of people handled so far. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number }) => void)
    | undefined;
}

/**
 * The result. `rows` = `matched` + `unmatched` + `ambiguous` + `rejected` + `suppressed`. `removed` counts people who had a row
 * in an earlier file of this source and have none in this file.
 */
export interface PeopleSummary extends ImportCounts {
  readonly file: string;
  readonly source: string;
  /** Number of rows that are not blank. */
  readonly rows: number;
  /** Number of people for whom the file has a row: `added` + `replaced` + `unchanged`. */
  readonly matched: number;
  readonly unmatched: number;
  readonly ambiguous: number;
  /** Number of rows that cannot be read, or whose person occurs in a later row. */
  readonly rejected: number;
  readonly unknownColumns: readonly string[];
  /** Rows that were not used, each with the reason: the first hundred of each kind, by line. */
  readonly rejections: readonly RejectedLine[];
}

/**
 * Adds the data of a file to the people that its rows match: of all good rows at once, or nothing. Reading the same file again
 * changes nothing. The data of rows that a newer file lacks is removed.
 *
 * @param path plain, gzip or zstd; `-` is standard input.
 * @throws Fault when another import runs; when the file is missing, damaged or has no good row; when it matches no person and an
 *   earlier file matched some; or, if strict, when it has a bad row. The pool is then unchanged.
 */
export async function ingestPeople(
  path: string,
  format: PeopleFormat,
  options: PeopleIngest,
): Promise<PeopleSummary> {
  const source = toSource(options.source);
  const load = await options.pool.beginImport("people");
  try {
    const file = await readPeopleFile(path, format, source, options.reading);
    refuseUnusable(path, file);
    const { rows, suppressed } = await leaveOutForgotten(file.rows, options.pool);
    const matched = await matchRows(rows, source, options.pool);
    if (options.strict) refuseImperfect(path, file, matched);
    if (matched.supplements.size === 0 && matched.holders.size > 0) {
      const message = `${path} matches nobody here, but an earlier file of this source matched ${matched.holders.size} people. Check that it is the right file.`;
      throw new Fault("other_list", message);
    }
    const counts = await layOver(load, source, matched, options);
    const { unmatched, ambiguous, repeated } = matched;
    const rejections = [...file.rejections, ...repeated];
    return {
      file: path,
      source: options.source,
      rows: file.count,
      matched: matched.supplements.size,
      ...counts,
      unmatched: unmatched.length,
      ambiguous: ambiguous.length,
      rejected: rejections.length,
      suppressed,
      unknownColumns: file.unknownColumns,
      rejections: [rejections, ambiguous, unmatched]
        .flatMap((some) => some.slice(0, rejectionsNamed))
        .sort((a, b) => a.line - b.line),
    };
  } finally {
    await load.abort();
  }
}

/** Removes all data from files of a source. @throws Fault not_found when there is no data; when another import runs. */
export async function removePeopleSource(options: PeopleIngest) {
  const source = toSource(options.source);
  const load = await options.pool.beginImport("people");
  try {
    const matched = await matchRows([], source, options.pool);
    if (matched.holders.size === 0) {
      throw new Fault(
        "not_found",
        `No data from people files of the source "${options.source}" is stored.`,
      );
    }
    const { removed, revision } = await layOver(load, source, matched, options);
    return { removed, revision };
  } finally {
    await load.abort();
  }
}

const rejectionsNamed = 100;

function toSource(name: string): string {
  return `people:${name}`;
}

/** Leaves out rows with an address or login of an erased person, even if they also have an address of another person. */
async function leaveOutForgotten(all: readonly PeopleRow[], { erasing }: Pick<Pool, "erasing">) {
  const { isSuppressed } = await erasing.suppression();
  const rows = all.filter(
    ({ supplement }) => !isSuppressed({ ...emptyFacts, supplements: [supplement] }),
  );
  return { rows, suppressed: all.length - rows.length };
}

/** Empty facts, to which a row's supplement is added for the check of the suppression list. */
const emptyFacts: Facts = {
  ...{ login: "", source: "people", profile: {} },
  ...{ emails: [], repositories: [], evidence: [] },
};

function refuseUnusable(path: string, { count, rows, rejections: [first] }: PeopleFile): void {
  if (count === 0) throw new Fault("refused", `${path} has no row.`);
  if (rows.length > 0 || !first) return;
  throw new Fault("refused", `${path} has no row that can be used. ${describeRow(first)}.`);
}

function refuseImperfect(
  path: string,
  { rejections }: PeopleFile,
  { ambiguous, repeated }: MatchedRows,
): void {
  const bad = [...rejections, ...repeated, ...ambiguous].sort((a, b) => a.line - b.line);
  const [first] = bad;
  if (!first) return;
  const rows = bad.length === 1 ? "row" : "rows";
  const message = `${path} has ${bad.length} bad ${rows}; nothing was stored, because strict is set. ${describeRow(first)}.`;
  throw new Fault("refused", message, { cause: bad });
}

function describeRow({ line, field, reason }: RejectedLine): string {
  return `Line ${line}: ${field ? `${field} ` : ""}${reason}`;
}

/** Stores the changed supplements, and judges these people again. All changes become visible at once. */
async function layOver(
  load: Import,
  source: string,
  { supplements, holders }: Pick<MatchedRows, "supplements" | "holders">,
  { pool, judge, signal, onProgress }: PeopleIngest,
) {
  // Caches judges by day: creating one takes time, and most people were judged as of the same day.
  const judges = new Map<AsOf, Judge>();
  const counts = { added: 0, replaced: 0, unchanged: 0, removed: 0 };
  const logins = [...new Set([...supplements.keys(), ...holders])].sort();
  for await (const { people, done } of readStored(pool, logins, signal)) {
    const changed = people.flatMap(({ facts: before, analysis: { asOf } }) => {
      const { login } = before;
      const supplement = supplements.get(login);
      const others = (before.supplements ?? []).filter((each) => each.source !== source);
      const facts = setSupplements(before, [...others, ...(supplement ? [supplement] : [])]);
      refuseTooMany(facts);
      const isSame = JSON.stringify(facts) === JSON.stringify(before);
      counts[isSame ? "unchanged" : nameChange(login, supplements, holders)] += 1;
      return isSame ? [] : [{ facts, by: judges.getOrInsertComputed(asOf, judge) }];
    });
    for (const [by, people] of Map.groupBy(changed, ({ by }) => by)) {
      await load.put(
        people.map(({ facts }) => by(facts)),
        by.basis,
      );
    }
    onProgress?.({ done, total: logins.length });
    await load.requireRoom(done / logins.length);
  }
  const [any] = judges.values();
  if (any) await judgeOthers(load, pool, any, signal);
  const { revision } = await load.commit();
  return { ...counts, revision };
}

/** The most supplements that facts may have. With more, the facts could not be imported again. */
const supplementsMax = 50;

function refuseTooMany({ supplements = [] }: Facts): void {
  if (supplements.length <= supplementsMax) return;
  const message = `More than ${supplementsMax} people files have data about one person. Give files of the same list the same source, or remove some.`;
  throw new Fault("refused", message);
}

function nameChange(
  login: string,
  supplements: ReadonlyMap<string, Supplement>,
  holders: ReadonlySet<string>,
) {
  if (!supplements.has(login)) return "removed";
  return holders.has(login) ? "replaced" : "added";
}
