/**
 * Measures who knows a set of files, with pure functions over the repository data in the pool. A score combines a
 * person's recent commits to the files and their surviving lines. The constants come from the model (`knowledge`).
 */
import type { Model } from "../analysis/analysis.ts";
import { type AuthorshipHead, commitFlags, pathFlags } from "../pool/pool.ts";
import { type CommitView, findOnlyWriter, listParticipants, viewCommits } from "./commit-view.ts";
import type { FileKnowers } from "./file-knowers.ts";
import { nobody } from "./head-index.ts";
import { computeShare, createMix } from "./mix-shares.ts";
import type { SelectedFiles } from "./select-files.ts";
import { type FileSums, findDecay, findFocus, findKindWeight, walkFile } from "./walk-file.ts";

export interface FileSelection {
  readonly repository: number;
  readonly head: AuthorshipHead;
  readonly files: readonly SelectedFiles[];
  /** Commits with one of these `commitFlags` are left out; default: none. */
  readonly leftOut?: number;
}

export interface PersonKnowledge {
  /** Lower-cased login. */
  readonly login: string;
  /** Share of the knowledge of the files, 0 to 1. */
  readonly share: number;
  readonly recentShare: number;
  readonly lineShare: number;
  /** The number of commits as author or co-author. */
  readonly commits: number;
  readonly assisted: number;
  readonly reviews: number;
  /** The number of files that the person changed. `lines` is the number of the person's surviving lines. */
  readonly files: number;
  readonly lines: number;
  /** Day of the first commit or review, in UTC days since 1970. */
  readonly first: number;
  readonly last: number;
  /** Day of the latest commit or review in these repositories in which the person took part. */
  readonly lastWork: number;
  /** Whether the person has not worked for long in any of these repositories before the end of what was read of it. */
  readonly hasLeft: boolean;
}

export interface KnownFile {
  readonly repository: number;
  readonly path: string;
  /** Numbers in `Knowledge.people` of the people who know the file and have not left, best first. */
  readonly knownBy: readonly number[];
  /** Whether the file came from elsewhere, so that nobody is expected to know it. */
  readonly isImported: boolean;
}

export interface Knowledge {
  /** People who have not left, best first, and then those who have. Equally good people are ordered by login. */
  readonly people: readonly PersonKnowledge[];
  /** Files that still exist. */
  readonly files: readonly KnownFile[];
  /** The people who know each file, in the order of `files`. */
  readonly knowers: readonly FileKnowers[];
  readonly commits: number;
  readonly lines: number;
  /** Numbers of files that still exist and whose changes do not count. */
  readonly leftOut: { readonly vendored: number; readonly generated: number };
}

type Constants = Model["knowledge"];

/** @returns the day since which a person must have worked in the repository to count as not having left. */
export function findLeavingDay(endDay: number, { awayMonths }: Constants): number {
  return endDay - awayMonths * daysPerMonth;
}

/** The figures of a person without work on the files. */
export const noWork = {
  ...{ share: 0, recentShare: 0, lineShare: 0, commits: 0, assisted: 0, reviews: 0 },
  ...{ files: 0, lines: 0, first: 0, last: 0 },
};

type MutablePerson = { -readonly [Field in keyof PersonKnowledge]: PersonKnowledge[Field] } & {
  /** The position in `Knowledge.people`; -1 for a person who knows nothing. */
  number: number;
};

interface MeasuredFile extends Omit<KnownFile, "knownBy"> {
  readonly lines: number;
  readonly people: readonly { person: MutablePerson; share: number; lastDay: number }[];
}

/** Sums collected while visiting the files. */
interface Sums {
  readonly constants: Constants;
  readonly asOfDay: number;
  readonly people: Map<string, MutablePerson>;
  readonly files: MeasuredFile[];
  commits: number;
  lines: number;
  leftOut: { vendored: number; generated: number };
}

const daysPerMonth = 30.4375;

type Measuring = Pick<Sums, "asOfDay" | "constants">;

/** Commits after `asOfDay` are ignored. Days are UTC days since 1970. */
export function measureKnowledge(
  selections: readonly FileSelection[],
  measuring: Measuring,
): Knowledge {
  const sums = createSums(measuring);
  for (const selection of selections) addSelection(sums, selection);
  return finish(sums);
}

/** Does the same, and lets other requests run after each repository. */
export async function measureInTurns(
  selections: readonly FileSelection[],
  measuring: Measuring,
): Promise<Knowledge> {
  const sums = createSums(measuring);
  for (const selection of selections) {
    addSelection(sums, selection);
    await Bun.sleep(0);
  }
  return finish(sums);
}

const createSums = (measuring: Measuring): Sums => ({
  ...{ ...measuring, people: new Map(), files: [], commits: 0, lines: 0 },
  leftOut: { vendored: 0, generated: 0 },
});

function addSelection(sums: Sums, { repository, head, files, leftOut }: FileSelection): void {
  const { asOfDay, constants } = sums;
  const view = viewCommits(head, files, asOfDay, leftOut);
  const people = listPeople(sums, view);
  addCommits(sums, view, people);
  const file: FileSums = {
    slots: new Int32Array(people.length + 1),
    all: [],
    isImported: true,
    scale: 1,
  };
  for (const { block, from, to } of files) {
    for (let at = from; at < to; at++) {
      const flags = block.flags[at] ?? 0;
      if (flags & pathFlags.isVendored) sums.leftOut.vendored += 1;
      else if (flags & pathFlags.isGenerated) sums.leftOut.generated += 1;
      if (!walkFile(view, { block, file: at }, { sums: file, asOfDay, constants })) continue;
      const closed = closeFile(sums, file, people);
      const isPresent = (flags & pathFlags.isPresent) !== 0;
      if (isPresent) sums.files.push({ repository, path: block.paths[at] ?? "", ...closed });
    }
  }
}

type People = readonly (MutablePerson | undefined)[];

/** @returns the people who took part in a commit to the files, ordered by number. */
function listPeople(sums: Sums, view: CommitView): People {
  const { logins } = view.head;
  const isHere = new Uint8Array(view.index.personOf.length);
  for (let commit = 0; commit < view.inside.length; commit++) {
    if (!view.inside[commit]) continue;
    const only = findOnlyWriter(view, commit);
    if (only !== undefined) {
      if (only >= 0) isHere[only] = 1;
      continue;
    }
    const { writers, reviewers } = listParticipants(view, commit);
    for (const person of writers) if (person >= 0) isHere[person] = 1;
    for (const person of reviewers) isHere[person] = 1;
  }
  const { days, end } = view.index.lastWork(sums.asOfDay);
  const leavingDay = findLeavingDay(end, sums.constants);
  const people = Array.from<MutablePerson | undefined>({ length: isHere.length });
  for (let number = isHere.indexOf(1); number !== -1; number = isHere.indexOf(1, number + 1)) {
    const person = personOf(sums, logins[number] ?? "");
    const day = days[number] ?? 0;
    person.lastWork = Math.max(person.lastWork, day);
    person.hasLeft &&= day < leavingDay;
    people[number] = person;
  }
  return people;
}

function personOf({ people }: Sums, login: string): MutablePerson {
  const known = people.get(login);
  if (known) return known;
  const person = { number: -1, login, ...noWork, lastWork: 0, hasLeft: true };
  people.set(login, person);
  return person;
}

/** Credits each commit once, however many of the files it changed. */
function addCommits(sums: Sums, view: CommitView, people: People): void {
  const { constants, asOfDay } = sums;
  const { day, flags } = view.head.columns;
  for (let commit = 0; commit < day.length; commit++) {
    if (!view.inside[commit]) continue;
    const bits = flags[commit] ?? 0;
    if ((bits & commitFlags.isReview) === 0) sums.commits += 1;
    const on = day[commit] ?? 0;
    const weight =
      findDecay(constants, asOfDay - on) *
      (view.isSubstance[commit] ? 1 : constants.weights.routine) *
      findFocus(view, commit, constants) *
      findKindWeight(bits, constants);
    const isAssisted = (bits & commitFlags.isAssisted) !== 0;
    const credit = { weight, on, isAssisted };
    const only = findOnlyWriter(view, commit);
    if (only !== undefined) {
      creditWriter(people[only], credit);
      continue;
    }
    const { writers, reviewers } = listParticipants(view, commit);
    const sharers = 1 + constants.weights.coAuthor * (writers.length - 1);
    for (const [rank, number] of writers.entries()) {
      const part = (weight * (rank === 0 ? 1 : constants.weights.coAuthor)) / sharers;
      creditWriter(people[number], { ...credit, weight: part });
    }
    for (const number of reviewers) {
      const person = people[number];
      if (!person) continue;
      person.recentShare += weight * constants.weights.review;
      person.reviews += 1;
      noteDay(person, on);
    }
  }
}

interface CommitCredit {
  readonly weight: number;
  readonly on: number;
  readonly isAssisted: boolean;
}

function creditWriter(
  person: MutablePerson | undefined,
  { weight, on, isAssisted }: CommitCredit,
): void {
  if (!person) return;
  person.recentShare += weight;
  person.commits += 1;
  if (isAssisted) person.assisted += 1;
  noteDay(person, on);
}

function noteDay(person: MutablePerson, day: number): void {
  if (person.first === 0 || day < person.first) person.first = day;
  if (day > person.last) person.last = day;
}

/** Adds the file to the people who changed it. @returns the file's surviving lines, and each person's knowledge of it. */
function closeFile(sums: Sums, { all, isImported }: FileSums, people: People) {
  const { constants } = sums;
  let [surviving, weighed, recently] = [0, 0, 0];
  for (const { number, lines, weight, recent } of all) {
    surviving += lines;
    if (number === nobody) continue;
    weighed += weight;
    recently += recent;
  }
  sums.lines += surviving;
  const mix = createMix({ recent: recently, lines: weighed }, constants);
  let whole = 0;
  for (const { number, weight, recent } of all) if (people[number]) whole += mix(recent, weight);
  const known: { person: MutablePerson; share: number; lastDay: number }[] = [];
  for (const { number, lines, weight, recent, last } of all) {
    const person = people[number];
    if (!person) continue;
    person.files += 1;
    person.lines += lines;
    person.lineShare += weight;
    known.push({ person, share: computeShare(mix(recent, weight), whole), lastDay: last });
  }
  return isImported
    ? { lines: 0, isImported, people: [] }
    : { lines: surviving, isImported, people: known };
}

function finish(sums: Sums): Knowledge {
  const { constants, people, files, commits, lines, leftOut } = sums;
  let [recent, surviving] = [0, 0];
  for (const person of people.values()) {
    recent += person.recentShare;
    surviving += person.lineShare;
  }
  const mix = createMix({ recent, lines: surviving }, constants);
  let whole = 0;
  for (const { recentShare, lineShare } of people.values()) whole += mix(recentShare, lineShare);
  const ranked: MutablePerson[] = [];
  for (const person of people.values()) {
    person.share = computeShare(mix(person.recentShare, person.lineShare), whole);
    person.recentShare = computeShare(person.recentShare, recent);
    person.lineShare = computeShare(person.lineShare, surviving);
    // People who only reformatted the files know nothing of them.
    if (person.share > 0) ranked.push(person);
  }
  ranked.sort(
    (a, b) =>
      Number(a.hasLeft) - Number(b.hasLeft) || b.share - a.share || (a.login < b.login ? -1 : 1),
  );
  for (const [number, person] of ranked.entries()) person.number = number;
  const knownFiles = files.map(({ repository, path, isImported, people: all }) => {
    const remaining = all.filter(
      ({ person, share }) => share >= constants.files.knownShareMin && !person.hasLeft,
    );
    remaining.sort((a, b) => b.share - a.share || (a.person.login < b.person.login ? -1 : 1));
    const knownBy = remaining.map(({ person }) => person.number);
    return { repository, path, isImported, knownBy };
  });
  const sum = { commits, lines: Math.round(lines), leftOut };
  return { people: ranked, files: knownFiles, knowers: files, ...sum };
}
