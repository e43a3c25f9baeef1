/** Sums up the work of one spelling in one repository. */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import { formatMonthOfDay } from "../commit/day-number.ts";
import type { MessageFindings, StoredFile } from "../commit/stored-commit.ts";
import type { PathMeaning } from "../evidence/path-meaning.ts";
import { isClassOfProse, proseClass } from "../evidence/prose.ts";
import type { Exclusion } from "./exclusion.ts";

export interface EvidenceTally {
  readonly kind: EvidenceKind;
  readonly name: string;
  commits: number;
  lines: number;
  /** Commits by UTC month. Unpacking a tally fills this map. */
  readonly months: Map<string, number>;
  /** Commits by UTC day, at most `perDayMax` each. */
  readonly days: Map<number, number>;
}

export type Tally = ReturnType<typeof createTally>;

/** Limit of counted commits per person, repository and UTC day; docs/scoring.md, "Figures". */
export const perDayMax = 5;

const templatesMax = 200;

export function createTally() {
  return {
    /** Number of non-merge commits, whether they count or not. */
    commits: 0,
    merges: 0,
    /** Number of non-merge commits that count in another repository instead. */
    elsewhere: 0,
    /** Author dates of the earliest and latest commit, in seconds; infinite if no commit has a date. */
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    /** UTC days of the counted commits with one author and without a statement about agents. */
    days: [] as number[],
    semantic: { eligible: 0, matches: 0 },
    quality: { n: 0, good: 0, withBody: 0, withReference: 0, withReason: 0 },
    excluded: new Map<Exclusion, number>(),
    evidence: new Map<string, EvidenceTally>(),
    /** Fingerprints of the forms of commit subjects. */
    templates: new Set<number>(),
    /** Commits that change only lock files and manifests. */
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
  if (findings.semantic) tally.semantic.matches += 1;
  if (findings.isToolWritten) return;
  tally.quality.n += 1;
  if (findings.good) tally.quality.good += 1;
  if (findings.withBody) tally.quality.withBody += 1;
  if (findings.withReference) tally.quality.withReference += 1;
  if (findings.withReason) tally.quality.withReason += 1;
}

/** Counts one commit for a piece of evidence, up to `perDayMax` per day. */
function countEvidence(
  { evidence }: Tally,
  key: string,
  piece: { readonly kind: EvidenceKind; readonly name: string; readonly lines?: number },
  day: number,
): void {
  const { kind, name, lines = 0 } = piece;
  const sum = evidence.getOrInsertComputed(key, () => ({
    ...{ kind, name, commits: 0, lines: 0, months: new Map(), days: new Map() },
  }));
  const { days } = sum;
  const today = days.get(day) ?? 0;
  if (today >= perDayMax) return;
  days.set(day, today + 1);
  sum.commits += 1;
  sum.lines += lines;
}

export function countBehaviour(tally: Tally, template: number, routine: boolean): void {
  if (tally.templates.size < templatesMax) tally.templates.add(template);
  if (routine) tally.routine += 1;
}

/** Joins the evidence of a person's author identities in one repository. Together they have one daily limit. */
export function joinEvidence(tallies: readonly Tally[]): Iterable<EvidenceTally> {
  const [first, ...others] = tallies;
  if (others.length === 0) return first?.evidence.values() ?? [];
  const pieces = tallies.flatMap(({ evidence }) => [...evidence]);
  const byKey = Map.groupBy(pieces, ([key]) => key);
  return [...byKey.values()].flatMap((entries) => joinPieces(entries.map(([, piece]) => piece)));
}

/** Joins all pieces in one step, so that rounding does not depend on the order of the pieces. */
function joinPieces(pieces: readonly EvidenceTally[]): readonly EvidenceTally[] {
  const [first, ...others] = pieces;
  if (!first || others.length === 0) return pieces;
  const days = new Map<number, number>();
  let [all, lines] = [0, 0];
  for (const piece of pieces) {
    all += piece.commits;
    lines += piece.lines;
    for (const [day, commits] of piece.days) {
      days.set(day, Math.min(perDayMax, (days.get(day) ?? 0) + commits));
    }
  }
  const { commits, months } = sumDays(days);
  const { kind, name } = first;
  return [{ kind, name, commits, lines: Math.round((lines * commits) / all), months, days }];
}

/** @param days commits by UTC day. @returns the number of commits, in all and by UTC month. */
export function sumDays(days: ReadonlyMap<number, number>) {
  const months = new Map<string, number>();
  let commits = 0;
  for (const [day, count] of days) {
    const month = monthOf.getOrInsertComputed(day, formatMonthOfDay);
    commits += count;
    months.set(month, (months.get(month) ?? 0) + count);
  }
  return { commits, months };
}

const monthOf = new Map<number, string>();

interface Work {
  readonly files: readonly StoredFile[];
  /** Meanings of the changed files, in the order of the files. */
  readonly meanings: readonly PathMeaning[];
  /** Packages added to manifests, as `ecosystem:package`. */
  readonly added: readonly string[];
  /** Whether the repository used a package when the commit was made. */
  readonly had: (name: string) => boolean;
  /** The product that the repository's name stands for, as `repository:NAME`. */
  readonly product: string | undefined;
  /** UTC days since 1970. */
  readonly day: number;
}

/** Counts the evidence of one commit: languages by lines, kinds of path, packages, products. */
export function countWork(tally: Tally, work: Work): void {
  const { meanings, added, had, product, day } = work;
  const { languages, imports } = countLines(work);
  for (const [name, lines] of languages) {
    countEvidence(tally, `language:${name}`, { kind: "language", name, lines }, day);
  }
  const found = new Map<string, { kind: EvidenceKind; name: string; lines: number }>();
  const add = (kind: EvidenceKind, name: string, lines = 0): void => {
    const key = `${kind}:${name}`;
    if (!found.has(key)) found.set(key, { kind, name, lines });
  };
  const isWriting = isMostlyProse(work);
  for (const name of added) add("manifest", name);
  for (const { classes, touchstone, products } of meanings) {
    for (const name of classes) if (!isClassOfProse(name) || isWriting) add("path", name);
    const { kind, names } = touchstone ?? { kind: "import", names: [] };
    for (const name of names) {
      if (kind !== "import") add(kind, name);
      else if (had(name)) add(kind, name, imports.get(name));
    }
    if (products && product) add("product", product);
    for (const name of products ?? []) add("product", name);
  }
  for (const [key, piece] of found) countEvidence(tally, key, piece, day);
}

/** Whether most of the lines that people wrote are prose. */
function isMostlyProse({ files, meanings }: Pick<Work, "files" | "meanings">): boolean {
  let [prose, all] = [0, 0];
  for (const [at, { added, deleted, isRegular }] of files.entries()) {
    const meaning = meanings[at];
    if (!meaning || !isRegular || meaning.kind.generated || meaning.kind.foreign) continue;
    const lines = added + deleted;
    all += lines;
    if (meaning.classes.includes(proseClass)) prose += lines;
  }
  return prose > all / 2;
}

/** Limit of counted lines per commit, over all its languages; docs/scoring.md, "Languages". */
const linesMax = 1000;

/** Counts hand-written lines of code by language, and by the packages that the file uses. */
function countLines({ files, meanings }: Pick<Work, "files" | "meanings">) {
  const languages = new Map<string, number>();
  const imports = new Map<string, number>();
  let total = 0;
  for (const [at, { added, deleted, isRegular }] of files.entries()) {
    const { kind, touchstone } = meanings[at] ?? {};
    if (!kind?.language || !kind.counts || !isRegular) continue;
    if (kind.vendored || kind.generated || kind.documentation) continue;
    const lines = added + deleted;
    addLines(languages, kind.language, lines);
    if (touchstone?.kind === "import") {
      for (const name of touchstone.names) addLines(imports, name, lines);
    }
    total += lines;
  }
  if (total > linesMax) {
    for (const lines of [languages, imports]) {
      for (const [name, count] of lines) lines.set(name, Math.round((count * linesMax) / total));
    }
  }
  return { languages, imports };
}

function addLines(to: Map<string, number>, name: string, lines: number): void {
  to.set(name, (to.get(name) ?? 0) + lines);
}
