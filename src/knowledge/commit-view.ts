/** What is known of the commits to some files: when, by whom, and how much of each commit is here. */
import { type AuthorshipHead, pathFlags } from "../pool/pool.ts";
import type { SelectedFiles } from "./select-files.ts";

/** @package What is looked up for each change, by number of the commit. */
export interface CommitView<Person> {
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
}

/** @package @param personOf by lower-cased login. */
export function viewCommits<Person extends KnownWriter>(
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
  const starts = new Map<number, number>();
  for (const [at, commit] of others.commit.entries())
    if (!starts.has(commit)) starts.set(commit, at);
  return { head, people, inside, isSubstance, others: starts };
}

/** @package The author first, then the co-authors. */
export function listParticipants<Person>(
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
