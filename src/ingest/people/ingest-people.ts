/** Adds the data of a people file, such as an export of a directory, to people in the pool. A file never creates a person. */
import type { AsOf } from "../../analysis/analysis.ts";
import { Fault } from "../../contract/fault.ts";
import type { Facts } from "../../contract/people/facts.ts";
import type { Import, Pool } from "../../pool/pool.ts";
import type { Judge } from "../judge.ts";
import { judgeOthers } from "../judge-others.ts";
import { readStored } from "../read-stored.ts";
import type { LineComplaint, RejectedLine } from "../refusal.ts";
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
  /** Creates a judge as of a day. A person is judged as of the day of the person's earlier analysis. */
  readonly judge: (asOf: AsOf) => Judge;
  /** Name of the source, in lower case. The file replaces the data of earlier files of the source. */
  readonly source: string;
  /** Settings for a file in an unusual format. */
  readonly reading?: PeopleReading;
  /** Whether one bad or ambiguous row makes the run fail. */
  readonly strict?: boolean;
  /** Whether to store nothing, and to say what each row would do. Other imports may run meanwhile. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of people handled so far. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export type PeopleSummary = Awaited<ReturnType<typeof ingestPeople>>;

/**
 * Adds the data of a file to the people whom its rows match. All good rows are added in one transaction, or none is. Data from
 * earlier files of the source is removed.
 * @param path a file, plain or compressed with gzip or zstd; `-` is standard input.
 * @returns counts of rows that are not blank: `rows` = `matched` + `unmatched` + `ambiguous` + `rejected` + `suppressed`;
 *   `matched` = `added` + `replaced` + `unchanged`. `removed` counts people whose row was only in an earlier file of the source.
 *   `rejections` are the rows that were not used, in the order of the file, of each kind the first hundred. A dry run has
 *   a `plan` with every row, and with every person who would lose the data of an earlier file.
 * @throws Fault when the file is missing, damaged or has no good row; during another import; if `strict`, when a row is bad.
 * @throws Fault `other_list` if no row matches, but an earlier file of this source had matches.
 */
export async function ingestPeople(path: string, format: PeopleFormat, options: PeopleIngest) {
  const source = toSource(options.source);
  const load = await beginUnlessDry(options);
  try {
    const file = await readPeopleFile(path, format, source, options.reading);
    refuseUnusable(path, file);
    const { rows, suppressed } = await leaveOutForgotten(file.rows, options.pool);
    const matched = await matchRows(rows, source, options.pool);
    if (options.strict) refuseImperfect(path, file, matched);
    if (matched.rowOf.size === 0 && matched.holders.size > 0) {
      const message = `${path} matches nobody here, but an earlier file of this source matched ${matched.holders.size} people. Check that it is the right file.`;
      throw new Fault("other_list", message);
    }
    const { people, ...counts } = await layOver(load, source, matched, options);
    const { unmatched, ambiguous, repeated } = matched;
    const rejections = [...file.rejections, ...repeated];
    return {
      file: path,
      source: options.source,
      rows: file.count,
      matched: matched.rowOf.size,
      ...counts,
      unmatched: unmatched.length,
      ambiguous: ambiguous.length,
      rejected: rejections.length,
      suppressed: suppressed.length,
      unknownColumns: file.unknownColumns,
      rejections: [rejections, ambiguous, unmatched]
        .flatMap((some) => some.slice(0, rejectionsNamed))
        .sort((a, b) => a.line - b.line),
      ...(!load && {
        dryRun: true,
        plan: listPlan(people, { rejected: rejections, ambiguous, unmatched, suppressed }),
      }),
    };
  } finally {
    await load?.abort();
  }
}

/** Removes all data from files of a source. @throws Fault `not_found` if there is no data. */
export async function removePeopleSource(options: PeopleIngest) {
  const source = toSource(options.source);
  const load = await beginUnlessDry(options);
  try {
    const matched = await matchRows([], source, options.pool);
    if (matched.holders.size === 0) {
      const message = `No data from people files of the source "${options.source}" is stored.`;
      throw new Fault("not_found", message);
    }
    const { removed, revision, people } = await layOver(load, source, matched, options);
    return { removed, revision, ...(!load && { dryRun: true, plan: people }) };
  } finally {
    await load?.abort();
  }
}

const rejectionsNamed = 100;

async function beginUnlessDry({ pool, isDryRun }: PeopleIngest): Promise<Import | undefined> {
  return isDryRun ? undefined : pool.beginImport("people");
}

function toSource(name: string): string {
  return `people:${name}`;
}

async function leaveOutForgotten(all: readonly PeopleRow[], { erasing }: Pick<Pool, "erasing">) {
  const { isSuppressed } = await erasing.suppression();
  const { rows = [], forgotten = [] } = Object.groupBy(all, ({ supplement }) =>
    isSuppressed({ ...emptyFacts, supplements: [supplement] }) ? "forgotten" : "rows",
  );
  const reason = "has an address or login of a forgotten person";
  return { rows, suppressed: forgotten.map(({ line }) => ({ line, reason })) };
}

/** Empty facts. A row's supplement is added to them to check the row against the suppression list. */
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

/** One row of a dry run's plan. `outcome` is the name of the count that includes it, such as `added`. */
export interface PlannedRow extends Partial<LineComplaint> {
  /** Undefined if no row of the file is about the person. */
  readonly line?: number | undefined;
  readonly outcome: string;
  readonly name?: string | undefined;
}

function listPlan(
  people: readonly PlannedRow[],
  leftOut: Readonly<Record<string, readonly RejectedLine[]>>,
): readonly PlannedRow[] {
  const others = Object.entries(leftOut).flatMap(([outcome, lines]) =>
    lines.map((each) => ({ ...each, outcome })),
  );
  const toPlace = ({ line = Number.MAX_SAFE_INTEGER }: PlannedRow) => line;
  return [...people, ...others].sort((a, b) => toPlace(a) - toPlace(b));
}

/** Stores the changed supplements, and judges the changed people again. Without `load`, only finds what would change. */
async function layOver(
  load: Import | undefined,
  source: string,
  { rowOf, holders }: Pick<MatchedRows, "rowOf" | "holders">,
  { pool, judge, signal, onProgress }: PeopleIngest,
) {
  // Caches judges by day, because most people are judged as of the same day.
  const judges = new Map<AsOf, Judge>();
  const counts = { added: 0, replaced: 0, unchanged: 0, removed: 0 };
  const planned: PlannedRow[] = [];
  const logins = [...new Set([...rowOf.keys(), ...holders])].sort();
  for await (const { people, done } of readStored(pool, logins, signal)) {
    const changed = people.flatMap(({ facts: before, analysis: { asOf } }) => {
      const { login, profile } = before;
      const { line, supplement } = rowOf.get(login) ?? {};
      const others = (before.supplements ?? []).filter((each) => each.source !== source);
      const facts = setSupplements(before, [...others, ...(supplement ? [supplement] : [])]);
      refuseTooMany(facts);
      const isSame = JSON.stringify(facts) === JSON.stringify(before);
      const outcome = isSame ? "unchanged" : nameChange(login, rowOf, holders);
      counts[outcome] += 1;
      planned.push({ line, outcome, login, name: profile.name });
      return isSame || !load ? [] : [{ facts, by: judges.getOrInsertComputed(asOf, judge) }];
    });
    for (const [by, people] of Map.groupBy(changed, ({ by }) => by)) {
      const judged = people.map(({ facts }) => by(facts));
      await load?.put(judged, by.basis);
    }
    onProgress?.({ done, total: logins.length });
    await load?.requireRoom(done / logins.length);
  }
  const [any] = judges.values();
  if (load && any) await judgeOthers(load, pool, any, signal);
  return { ...counts, revision: (await load?.commit())?.revision, people: planned };
}

/** The most supplements that the schema of facts allows. */
const supplementsMax = 50;

function refuseTooMany({ supplements = [] }: Facts): void {
  if (supplements.length <= supplementsMax) return;
  const message = `More than ${supplementsMax} people files have data about one person. Give files of the same list the same source, or remove some.`;
  throw new Fault("refused", message);
}

function nameChange(
  login: string,
  rowOf: ReadonlyMap<string, PeopleRow>,
  holders: ReadonlySet<string>,
) {
  if (!rowOf.has(login)) return "removed";
  return holders.has(login) ? "replaced" : "added";
}
