/** Packs the work of one author in one repository as compressed JSON, and unpacks it. */
import type { EvidenceKind } from "../../../contract/people/facts.ts";
import { packValue, unpackValue } from "../commit/compact-bytes.ts";
import { createTally, type EvidenceTally, sumDays, type Tally } from "./author-tally.ts";
import type { CountedCommit } from "./counted-commits.ts";
import type { Exclusion } from "./exclusion.ts";

/** A commit with several authors, or with a statement about agents. How the commit counts depends on its people. */
export interface SharedCommit<Author> extends Omit<CountedCommit, "weight"> {
  readonly day: number;
  readonly author: Author;
  readonly coAuthors: readonly Author[];
}

/** What one spelling did in one repository. */
export interface AuthorWork {
  readonly tally: Tally;
  /** Shared commits in which the spelling took part. Authors are numbers of spellings. */
  readonly shared: readonly SharedCommit<number>[];
}

/** Packed evidence. A day is stored as its number * 8 plus the number of commits on the day. */
type PackedEvidence = readonly [kind: EvidenceKind, name: string, lines: number, days: number[]];

/** A packed shared commit. The last element exists only if a note says that no agent took part. */
type PackedShared = readonly [
  day: number,
  author: number,
  coAuthors: readonly number[],
  agents: readonly string[],
  isUnassisted?: 1,
];

interface PackedWork {
  readonly c: readonly [commits: number, merges: number, elsewhere: number];
  readonly d: readonly number[];
  readonly s: readonly [eligible: number, matches: number];
  readonly q: readonly [number, number, number, number, number];
  readonly x: readonly (readonly [Exclusion, number])[];
  readonly e: readonly PackedEvidence[];
  readonly t: readonly number[];
  readonly r: number;
  readonly h: readonly PackedShared[];
  readonly f?: number;
  readonly l?: number;
}

export function packWork({ tally, shared }: AuthorWork): Buffer {
  const { semantic, quality } = tally;
  const packed: PackedWork = {
    c: [tally.commits, tally.merges, tally.elsewhere],
    d: toSteps(tally.days),
    s: [semantic.eligible, semantic.matches],
    q: [quality.n, quality.good, quality.withBody, quality.withReference, quality.withReason],
    x: [...tally.excluded].sort(([a], [b]) => (a < b ? -1 : 1)),
    e: [...tally.evidence.values()].map(packEvidence),
    t: [...tally.templates],
    r: tally.routine,
    h: shared.map(fromShared),
    ...(Number.isFinite(tally.first) && { f: tally.first, l: tally.last }),
  };
  return packValue(packed);
}

export function unpackOwnDays(stored: Uint8Array, spelling: number): readonly number[] {
  const { d, h } = unpackValue<PackedWork>(stored);
  return [...fromSteps(d), ...h.flatMap(([day, author]) => (author === spelling ? [day] : []))];
}

function toShared([day, author, coAuthors, agents, isUnassisted]: PackedShared) {
  return { day, author, coAuthors, agents, isUnassisted: isUnassisted === 1 };
}

function fromShared(commit: SharedCommit<number>): PackedShared {
  const { day, author, coAuthors, agents, isUnassisted } = commit;
  return isUnassisted ? [day, author, coAuthors, agents, 1] : [day, author, coAuthors, agents];
}

export function unpackWork(stored: Uint8Array): AuthorWork {
  const packed = unpackValue<PackedWork>(stored);
  const [commits, merges, elsewhere] = packed.c;
  const [eligible, matches] = packed.s;
  const [n, good, withBody, withReference, withReason] = packed.q;
  const evidence = packed.e.map(unpackEvidence);
  const tally: Tally = {
    ...createTally(),
    ...{ commits, merges, elsewhere },
    ...(packed.f !== undefined && packed.l !== undefined && { first: packed.f, last: packed.l }),
    days: fromSteps(packed.d),
    semantic: { eligible, matches },
    quality: { n, good, withBody, withReference, withReason },
    excluded: new Map(packed.x),
    evidence: new Map(evidence.map((piece) => [`${piece.kind}:${piece.name}`, piece])),
    templates: new Set(packed.t),
    routine: packed.r,
  };
  return { tally, shared: packed.h.map(toShared) };
}

function packEvidence({ kind, name, lines, days }: EvidenceTally): PackedEvidence {
  return [kind, name, lines, toSteps([...days].map(([day, commits]) => day * 8 + commits))];
}

/** Unpacks evidence. The numbers of commits and months follow from the days. */
function unpackEvidence([kind, name, lines, steps]: PackedEvidence): EvidenceTally {
  const days = new Map(fromSteps(steps).map((packed) => [Math.floor(packed / 8), packed % 8]));
  return { kind, name, lines, days, ...sumDays(days) };
}

function toSteps(numbers: Iterable<number>): number[] {
  let before = 0;
  return Array.from(numbers, (number) => {
    const step = number - before;
    before = number;
    return step;
  });
}

function fromSteps(steps: readonly number[]): number[] {
  let number = 0;
  return steps.map((step) => {
    number += step;
    return number;
  });
}
