/** Who knows a set of files, as src/knowledge first told it: a map entry for each person of each file. Slow and plain. */
import type { Model } from "../../src/analysis/analysis.ts";
import type {
  FileSelection,
  Knowledge,
  PersonKnowledge,
} from "../../src/knowledge/measure-knowledge.ts";
import type { SelectedFiles } from "../../src/knowledge/select-files.ts";
import {
  type AuthorshipHead,
  commitFlags,
  type PathBlock,
  pathFlags,
} from "../../src/pool/pool.ts";

type Constants = Model["knowledge"];

type MutablePerson = { -readonly [Field in keyof PersonKnowledge]: PersonKnowledge[Field] };

/** Sums while the files are walked. */
interface Sums {
  readonly constants: Constants;
  readonly asOfDay: number;
  readonly people: Map<string, MutablePerson>;
  readonly files: { repository: number; path: string; known: [MutablePerson, number][] }[];
  commits: number;
  lines: number;
}

const daysPerMonth = 30.4375;

/** @param asOfDay UTC days since 1970; what is later is as if it were not there. */
export function measurePlainly(
  selections: readonly FileSelection[],
  { asOfDay, constants }: { readonly asOfDay: number; readonly constants: Constants },
): Knowledge {
  const sums: Sums = { constants, asOfDay, people: new Map(), files: [], commits: 0, lines: 0 };
  for (const selection of selections) addSelection(sums, selection);
  return finish(sums);
}

function addSelection(sums: Sums, { repository, head, files }: FileSelection): void {
  const view = viewCommits(head, files, {
    asOfDay: sums.asOfDay,
    personOf: (login) => personOf(sums, login),
  });
  addCommits(sums, view);
  const scratch = createScratch();
  for (const { block, from, to } of files) {
    for (let file = from; file < to; file++) {
      if (walkFile(sums, view, { block, file, scratch }) === 0) continue;
      const isPresent = ((block.flags[file] ?? 0) & pathFlags.isPresent) !== 0;
      const known = closeFile(sums, scratch);
      if (isPresent) sums.files.push({ repository, path: block.paths[file] ?? "", known });
    }
  }
}

function personOf({ people }: Sums, login: string): MutablePerson {
  const known = people.get(login);
  if (known) return known;
  const none = { share: 0, recentShare: 0, lineShare: 0, commits: 0, assisted: 0, reviews: 0 };
  const person = {
    ...none,
    login,
    files: 0,
    lines: 0,
    first: 0,
    last: 0,
    lastAnywhere: 0,
    lastWork: 0,
  };
  people.set(login, person);
  return person;
}

/** Credits each commit once, however many of the files it changed. */
function addCommits(sums: Sums, view: CommitView<MutablePerson>): void {
  const { constants, asOfDay } = sums;
  const { day, author, flags } = view.head.columns;
  const halfLife = constants.halfLifeMonths * daysPerMonth;
  for (let commit = 0; commit < day.length; commit++) {
    if (!view.inside[commit]) continue;
    const bits = flags[commit] ?? 0;
    sums.commits += 1;
    const on = day[commit] ?? 0;
    const weight =
      2 ** ((on - asOfDay) / halfLife) *
      (view.isSubstance[commit] ? 1 : constants.weights.routine) *
      findFocus(view, commit, constants) *
      weighCommit(bits, constants);
    const { writers, reviewers } = listParticipants(view, commit, author[commit] ?? 0);
    const sharers = 1 + constants.weights.coAuthor * (writers.length - 1);
    for (const [at, person] of writers.entries()) {
      if (!person) continue;
      person.recentShare += (weight * (at === 0 ? 1 : constants.weights.coAuthor)) / sharers;
      person.commits += 1;
      if (bits & commitFlags.isAssisted) person.assisted += 1;
      noteDay(person, on);
    }
    for (const person of reviewers) {
      if (!person) continue;
      person.recentShare += weight * constants.weights.review;
      person.reviews += 1;
      noteDay(person, on);
    }
  }
}

function noteDay(person: MutablePerson, day: number): void {
  if (person.first === 0 || day < person.first) person.first = day;
  if (day > person.last) person.last = day;
}

/** Sums of one file; kept and emptied, since there are many files. */
interface Scratch {
  /** Lines that stand, and recent commits, by person. */
  readonly lines: Map<MutablePerson | undefined, number>;
  readonly recent: Map<MutablePerson, number>;
  readonly weighed: Map<MutablePerson, number>;
}

function createScratch(): Scratch {
  return { lines: new Map(), recent: new Map(), weighed: new Map() };
}

/**
 * Follows a file through its changes. Deleted lines are taken from everybody in proportion to what each has, which is an
 * honest guess at what blame would say, without reading a diff.
 *
 * @returns the changes that count.
 */
function walkFile(
  { constants, asOfDay }: Sums,
  view: CommitView<MutablePerson>,
  { block, file, scratch }: { block: PathBlock; file: number; scratch: Scratch },
): number {
  const { day, author, flags } = view.head.columns;
  const { lines, recent, weighed } = scratch;
  lines.clear();
  recent.clear();
  weighed.clear();
  const isRoutine = ((block.flags[file] ?? 0) & pathFlags.isRoutine) !== 0;
  const kindWeight = isRoutine ? constants.weights.routine : 1;
  const halfLife = constants.halfLifeMonths * daysPerMonth;
  const numbers = Array.from({
    length: (block.starts[file + 1] ?? 0) - (block.starts[file] ?? 0),
  }).map((_, at) => (block.starts[file] ?? 0) + at);
  const isWorkedOn = numbers.some((at) => {
    const commit = block.commit[at] ?? 0;
    const sweep = (flags[commit] ?? 0) & (commitFlags.isImport | commitFlags.isMechanical);
    const lines = (block.added[at] ?? 0) + (block.deleted[at] ?? 0);
    return (day[commit] ?? 0) <= asOfDay && lines > 0 && sweep === 0;
  });
  let [total, changes] = [0, 0];
  for (let at = block.starts[file] ?? 0; at < (block.starts[file + 1] ?? 0); at++) {
    const commit = block.commit[at] ?? 0;
    const on = day[commit] ?? 0;
    const [added, deleted] = [block.added[at] ?? 0, block.deleted[at] ?? 0];
    if (on > asOfDay || added + deleted === 0) continue;
    changes += 1;
    const bits = flags[commit] ?? 0;
    const { writers } = listParticipants(view, commit, author[commit] ?? 0);
    const isMechanical = (bits & commitFlags.isMechanical) !== 0;
    const weight = bits & commitFlags.isImport && !isWorkedOn ? constants.weights.import : 1;
    const now =
      2 ** ((on - asOfDay) / halfLife) *
      findFocus(view, commit, constants) *
      weighCommit(bits, constants);
    const sharers = 1 + constants.weights.coAuthor * (writers.length - 1);
    if (!isMechanical && total > 0 && deleted > 0) {
      const kept = Math.max(0, 1 - deleted / total);
      for (const [person, stand] of lines) lines.set(person, stand * kept);
      for (const [person, stand] of weighed) weighed.set(person, stand * kept);
      total *= kept;
    }
    if (!isMechanical) total += added;
    for (const [rank, person] of writers.entries()) {
      const part = (rank === 0 ? 1 : constants.weights.coAuthor) / sharers;
      if (!isMechanical) lines.set(person, (lines.get(person) ?? 0) + added * part);
      if (!person) continue;
      recent.set(person, (recent.get(person) ?? 0) + now * part);
      const counted = isMechanical ? 0 : Math.min(added, constants.linesMax);
      weighed.set(person, (weighed.get(person) ?? 0) + counted * part * kindWeight * weight);
    }
  }
  return changes;
}

function findFocus(
  { head, inside }: CommitView<MutablePerson>,
  commit: number,
  { focusExponent }: Constants,
): number {
  const all = Math.max(1, head.columns.files[commit] ?? 0);
  return Math.min(1, ((inside[commit] ?? 0) / all) ** focusExponent);
}

function weighCommit(bits: number, { weights }: Constants): number {
  if (bits & commitFlags.isMechanical) return weights.mechanical;
  return bits & commitFlags.isImport ? weights.import : 1;
}

/** Adds the file to its people. @returns those who know it, and how much of it. */
function closeFile(sums: Sums, { lines, recent, weighed }: Scratch): [MutablePerson, number][] {
  for (const stand of lines.values()) sums.lines += stand;
  const known: [MutablePerson, number][] = [];
  const parts = [...recent].map(([person, now]) => ({ now, lines: weighed.get(person) ?? 0 }));
  const shares = mix(parts, sums.constants);
  for (const [at, person] of [...recent.keys()].entries()) {
    person.files += 1;
    person.lines += lines.get(person) ?? 0;
    person.lineShare += parts[at]?.lines ?? 0;
    const share = shares[at] ?? 0;
    if (share >= sums.constants.files.knownShareMin) known.push([person, share]);
  }
  return known;
}

/** The quadratic mean of both shares, each counting as much as there is of it, as a share of that of everybody. */
function mix(
  people: readonly { readonly now: number; readonly lines: number }[],
  { recentShare, quietCommits }: Constants,
): readonly number[] {
  const [now, lines] = people.reduce(
    ([now, lines], one) => [now + one.now, lines + one.lines],
    [0, 0],
  );
  const part = lines > 0 ? recentShare * (now / (now + quietCommits)) : 1;
  const means = people.map((one) =>
    Math.hypot(
      Math.sqrt(part) * (now > 0 ? one.now / now : 0),
      Math.sqrt(1 - part) * (lines > 0 ? one.lines / lines : 0),
    ),
  );
  const whole = means.reduce((sum, mean) => sum + mean, 0);
  return means.map((mean) => (whole > 0 ? mean / whole : 0));
}

function finish({ constants, asOfDay, people, files, commits, lines }: Sums): Knowledge {
  let [recent, standing] = [0, 0];
  for (const person of people.values()) {
    recent += person.recentShare;
    standing += person.lineShare;
  }
  const everybody = [...people.values()];
  const shares = mix(
    everybody.map((person) => ({ now: person.recentShare, lines: person.lineShare })),
    constants,
  );
  const ranked: MutablePerson[] = [];
  for (const [at, person] of everybody.entries()) {
    person.recentShare = recent > 0 ? person.recentShare / recent : 0;
    person.lineShare = standing > 0 ? person.lineShare / standing : 0;
    person.share = shares[at] ?? 0;
    // Whoever only reformatted the files knows nothing of them.
    if (person.share > 0) ranked.push(person);
  }
  ranked.sort((a, b) => b.share - a.share || (a.login < b.login ? -1 : 1));
  const numbers = new Map(ranked.map((person, at) => [person, at]));
  const awaySince = asOfDay - constants.awayMonths * daysPerMonth;
  const knownFiles = files.map(({ repository, path, known }) => {
    const stayed = known.filter(([{ lastAnywhere }]) => lastAnywhere >= awaySince);
    stayed.sort(([a, x], [b, y]) => y - x || (a.login < b.login ? -1 : 1));
    return { repository, path, knownBy: stayed.map(([person]) => numbers.get(person) ?? -1) };
  });
  const whole = { people: ranked, files: knownFiles, knowers: [] };
  return { ...whole, commits, lines: Math.round(lines) };
}

/** What is looked up for each change, by number of the commit. */
interface CommitView<Person> {
  readonly head: AuthorshipHead;
  /** By author: the person; undefined for nobody whom one could ask. */
  readonly people: readonly (Person | undefined)[];
  /** By commit: files of the selection that it changed; 0 for commits that do not count. */
  readonly inside: Uint32Array;
  /** By commit: whether it changed more here than manifests and change logs. */
  readonly isSubstance: Uint8Array;
  /** By commit: where its participants begin in `head.columns.others`; for those without any, absent. */
  readonly others: ReadonlyMap<number, number>;
}

interface KnownWriter {
  lastAnywhere: number;
  lastWork: number;
}

/** @param personOf by lower-cased login. */
function viewCommits<Person extends KnownWriter>(
  head: AuthorshipHead,
  files: readonly SelectedFiles[],
  { asOfDay, personOf }: { asOfDay: number; personOf: (login: string) => Person },
): CommitView<Person> {
  const { day, author, others } = head.columns;
  const inside = new Uint32Array(day.length);
  const isSubstance = new Uint8Array(day.length);
  for (const { block, from, to } of files) {
    for (let file = from; file < to; file++) {
      const isRoutine = ((block.flags[file] ?? 0) & pathFlags.isRoutine) !== 0;
      for (let at = block.starts[file] ?? 0; at < (block.starts[file + 1] ?? 0); at++) {
        const commit = block.commit[at] ?? 0;
        if ((day[commit] ?? 0) > asOfDay) continue;
        if (block.added[at] === 0 && block.deleted[at] === 0) continue;
        inside[commit] = (inside[commit] ?? 0) + 1;
        if (!isRoutine) isSubstance[commit] = 1;
      }
    }
  }
  const people = head.logins.map((login) => (login === undefined ? undefined : personOf(login)));
  for (const [commit, writer] of author.entries()) {
    const person = people[writer];
    const on = day[commit] ?? 0;
    if (person && on <= asOfDay && on > person.lastAnywhere) person.lastAnywhere = on;
  }
  for (const person of people) if (person) person.lastWork = person.lastAnywhere;
  for (const [row, commit] of others.commit.entries()) {
    const person = people[others.author[row] ?? -1];
    const on = day[commit] ?? 0;
    if (person && on <= asOfDay && on > person.lastWork) person.lastWork = on;
  }
  const starts = new Map<number, number>();
  for (const [at, commit] of others.commit.entries())
    if (!starts.has(commit)) starts.set(commit, at);
  return { head, people, inside, isSubstance, others: starts };
}

/** The author first, then the co-authors. */
function listParticipants<Person>(
  { head, people, others }: CommitView<Person>,
  commit: number,
  author: number,
): {
  readonly writers: readonly (Person | undefined)[];
  readonly reviewers: readonly (Person | undefined)[];
} {
  const writer = people[author];
  const start = others.get(commit);
  if (start === undefined) return { writers: [writer], reviewers: [] };
  const { others: rows } = head.columns;
  const [writers, reviewers]: [Person[], Person[]] = [[], []];
  for (let at = start; rows.commit[at] === commit; at++) {
    const person = people[rows.author[at] ?? -1];
    if (person && person !== writer) (rows.kind[at] === 0 ? writers : reviewers).push(person);
  }
  return { writers: [writer, ...new Set(writers)], reviewers: [...new Set(reviewers)] };
}
