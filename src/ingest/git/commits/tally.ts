/**
 * What one spelling of an author did in one repository, summed up while the log streams by. Small:
 * a number for each counted commit, and sums by evidence and month.
 */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import type { AuthorBehaviour } from "../identity/author-class.ts";
import type { EvidenceFile } from "../repository/evidence-files.ts";
import type { PathMeaning } from "../repository/newest-tree.ts";
import type { MessageFindings } from "./assess-message.ts";
import { type Exclusion, formatMonthOfDay } from "./count.ts";
import type { KeptFile } from "./kept-commit.ts";

export interface EvidenceTally {
  readonly kind: EvidenceKind;
  readonly name: string;
  commits: number;
  lines: number;
  /** Commits by UTC month. */
  readonly months: Map<string, number>;
  /** Commits by UTC day: at most `perDayMax` count. Packed when the repository has been read. */
  days: Map<number, number> | PackedDays;
}

/** Eight times the day, and the commits of it: a Map would take twenty times as much. */
type PackedDays = Uint32Array;

export interface Tally {
  /** Non-merge commits read, counted or not. */
  commits: number;
  /** Author date of the earliest and latest of them, in seconds; infinite when none has one. */
  first: number;
  last: number;
  /** UTC day of each counted commit of one author; shared ones are kept apart. */
  readonly days: number[];
  readonly semantic: { eligible: number; matches: number };
  readonly quality: {
    n: number;
    good: number;
    withBody: number;
    withReference: number;
    withReason: number;
  };
  readonly excluded: Map<Exclusion, number>;
  readonly evidence: Map<string, EvidenceTally>;
  /** Forms of subject, as fingerprints. */
  readonly templates: Set<number>;
  routine: number;
}

/** Counted commits of one person, repository and UTC day at most; docs/scoring.md, "Figures". */
export const perDayMax = 5;

const templatesMax = 200;

export function createTally(): Tally {
  return {
    commits: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    days: [],
    semantic: { eligible: 0, matches: 0 },
    quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
    excluded: new Map(),
    evidence: new Map(),
    templates: new Set(),
    routine: 0,
  };
}

export function countExcluded(tally: Tally, reason: Exclusion): void {
  tally.excluded.set(reason, (tally.excluded.get(reason) ?? 0) + 1);
}

export function countDate(tally: Tally, seconds: number): void {
  tally.first = Math.min(tally.first, seconds);
  tally.last = Math.max(tally.last, seconds);
}

export function countMessage(tally: Tally, findings: MessageFindings): void {
  tally.semantic.eligible += 1;
  tally.quality.n += 1;
  if (findings.semantic) tally.semantic.matches += 1;
  if (findings.good) tally.quality.good += 1;
  if (findings.withBody) tally.quality.withBody += 1;
  if (findings.withReference) tally.quality.withReference += 1;
  if (findings.withReason) tally.quality.withReason += 1;
}

/** Counts one commit for a piece of evidence; more than `perDayMax` of a day add nothing. */
export function countEvidence(
  tally: Tally,
  piece: { readonly kind: EvidenceKind; readonly name: string; readonly lines?: number },
  day: number,
): void {
  const key = `${piece.kind}:${piece.name}`;
  let held = tally.evidence.get(key);
  if (!held) {
    held = {
      kind: piece.kind,
      name: piece.name,
      commits: 0,
      lines: 0,
      months: new Map(),
      days: new Map(),
    };
    tally.evidence.set(key, held);
  }
  const { days } = held;
  if (!(days instanceof Map)) throw new Error("A tally that is closed counts no more.");
  const today = days.get(day) ?? 0;
  if (today >= perDayMax) return;
  days.set(day, today + 1);
  held.commits += 1;
  held.lines += piece.lines ?? 0;
  const month = monthOf(day);
  held.months.set(month, (held.months.get(month) ?? 0) + 1);
}

export function countBehaviour(tally: Tally, template: number, routine: boolean): void {
  if (tally.templates.size < templatesMax) tally.templates.add(template);
  if (routine) tally.routine += 1;
}

export function summariseBehaviour(tallies: Iterable<Tally>): AuthorBehaviour {
  const templates = new Set<number>();
  let commits = 0;
  let routine = 0;
  for (const tally of tallies) {
    commits += tally.commits;
    routine += tally.routine;
    for (const template of tally.templates) templates.add(template);
  }
  return { commits, templates: templates.size, routine };
}

/** Makes what was counted small. */
export function closeTally(tally: Tally): void {
  for (const piece of tally.evidence.values()) {
    piece.days = Uint32Array.from(unpacked(piece.days), ([day, commits]) => day * 8 + commits);
  }
}

/** The evidence of one person's spellings in one repository: of a day no more counts than of one spelling. */
export function joinEvidence(tallies: readonly Tally[]): Iterable<EvidenceTally> {
  const [first, ...others] = tallies;
  if (others.length === 0) return first?.evidence.values() ?? [];
  const pieces = tallies.flatMap(({ evidence }) => [...evidence]);
  const byKey = Map.groupBy(pieces, ([key]) => key);
  return [...byKey.values()].flatMap((entries) => joined(entries.map(([, piece]) => piece)));
}

/** All at once: what is rounded step by step would depend on the order of the steps. */
function joined(pieces: readonly EvidenceTally[]): readonly EvidenceTally[] {
  const [first, ...others] = pieces;
  if (!first || others.length === 0) return pieces;
  const days = new Map<number, number>();
  let [all, lines] = [0, 0];
  for (const piece of pieces) {
    all += piece.commits;
    lines += piece.lines;
    for (const [day, commits] of unpacked(piece.days)) {
      days.set(day, Math.min(perDayMax, (days.get(day) ?? 0) + commits));
    }
  }
  const months = new Map<string, number>();
  let commits = 0;
  for (const [day, count] of days) {
    commits += count;
    months.set(monthOf(day), (months.get(monthOf(day)) ?? 0) + count);
  }
  const { kind, name } = first;
  return [{ kind, name, commits, lines: Math.round((lines * commits) / all), months, days }];
}

function unpacked(days: EvidenceTally["days"]): Iterable<readonly [number, number]> {
  if (days instanceof Map) return days;
  return Array.from(days, (packed) => [Math.floor(packed / 8), packed % 8] as const);
}

const months = new Map<number, string>();

function monthOf(day: number): string {
  let month = months.get(day);
  if (month === undefined) {
    month = formatMonthOfDay(day);
    months.set(day, month);
  }
  return month;
}

/** What one counted commit is evidence of: languages by lines, kinds of path, packages touched. */

interface Work {
  readonly files: readonly KeptFile[];
  /** Of the files, in their order. */
  readonly meanings: readonly PathMeaning[];
  /** `ecosystem:package` that it added to manifests. */
  readonly added: readonly string[];
  /** UTC days since 1970. */
  readonly day: number;
}

export function countWork(tally: Tally, { files, meanings, added, day }: Work): void {
  for (const [name, lines] of linesByLanguage(files, meanings)) {
    countEvidence(tally, { kind: "language", name, lines }, day);
  }
  const classes = new Set<string>();
  const packages = new Map<string, { kind: EvidenceFile["kind"]; name: string }>();
  for (const name of added) packages.set(`manifest ${name}`, { kind: "manifest", name });
  for (const { classes: ofPath, touchstone } of meanings) {
    for (const name of ofPath) classes.add(name);
    if (!touchstone) continue;
    const { kind, names } = touchstone;
    for (const name of names) packages.set(`${kind} ${name}`, { kind, name });
  }
  for (const name of classes) countEvidence(tally, { kind: "path", name }, day);
  for (const piece of packages.values()) countEvidence(tally, piece, day);
}

/** Lines changed of one commit that count at most, over all its languages; docs/scoring.md, "Languages". */
const linesMax = 1000;

function linesByLanguage(
  files: readonly KeptFile[],
  meanings: readonly PathMeaning[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let total = 0;
  for (const [at, { lines, regular }] of files.entries()) {
    const kind = meanings[at]?.kind;
    if (!kind?.language || !kind.counts || !regular) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    found.set(kind.language, (found.get(kind.language) ?? 0) + lines);
    total += lines;
  }
  if (total > linesMax) {
    for (const [name, count] of found) found.set(name, Math.round((count * linesMax) / total));
  }
  return found;
}
