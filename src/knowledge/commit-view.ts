/** The commits to some files: their dates, their authors, and how much of each commit is in these files. */
import { type AuthorshipHead, commitFlags, participations, pathFlags } from "../pool/pool.ts";
import { describeHead, type HeadIndex, nobody } from "./head-index.ts";
import type { SelectedFiles } from "./select-files.ts";

/** Data about commits, by the number of the commit. */
export interface CommitView {
  readonly head: AuthorshipHead;
  readonly index: HeadIndex;
  /** Commits with one of these `commitFlags` are left out. */
  readonly leftOut: number;
  /** By commit: the number of selected files that it changed; 0 for commits after the as-of day. */
  readonly inside: Uint32Array;
  /** By commit: 1 if it changed a selected file other than manifests and change logs. */
  readonly isSubstance: Uint8Array;
  /** The participants of commits that have several participants. A commit is added when it is first looked up. */
  readonly several: Map<number, Participants>;
}

/** The numbers of the people who took part in a commit. Only `writers` can contain `nobody`. */
export interface Participants {
  /** The author first, then the co-authors. */
  readonly writers: readonly number[];
  readonly reviewers: readonly number[];
}

export function viewCommits(
  head: AuthorshipHead,
  files: readonly SelectedFiles[],
  asOfDay: number,
  leftOut = 0,
): CommitView {
  const { day, flags } = head.columns;
  const inside = new Uint32Array(day.length);
  const isSubstance = new Uint8Array(day.length);
  for (const { block, from, to } of files) {
    for (let file = from; file < to; file++) {
      const isRoutine = ((block.flags[file] ?? 0) & pathFlags.isRoutine) !== 0;
      const end = block.starts[file + 1] ?? 0;
      for (let at = block.starts[file] ?? 0; at < end; at++) {
        const commit = block.commit[at] ?? 0;
        if ((day[commit] ?? 0) > asOfDay || ((flags[commit] ?? 0) & leftOut) !== 0) continue;
        const isEmpty = block.added[at] === 0 && block.deleted[at] === 0;
        if (isEmpty && ((flags[commit] ?? 0) & commitFlags.isReview) === 0) continue;
        inside[commit] = (inside[commit] ?? 0) + 1;
        if (!isRoutine) isSubstance[commit] = 1;
      }
    }
  }
  return { head, index: describeHead(head), leftOut, inside, isSubstance, several: new Map() };
}

/** @returns the author if no one else took part in the commit. */
export function findOnlyWriter({ head, index }: CommitView, commit: number): number | undefined {
  if (index.otherStarts[commit] !== index.otherStarts[commit + 1]) return undefined;
  return index.personOf[head.columns.author[commit] ?? nobody] ?? nobody;
}

export function listParticipants(view: CommitView, commit: number): Participants {
  const known = view.several.get(commit);
  if (known) return known;
  const { head, index } = view;
  const { author, others } = head.columns;
  const writer = index.personOf[author[commit] ?? nobody] ?? nobody;
  const found = participations.map(() => new Set<number>());
  const end = index.otherStarts[commit + 1] ?? 0;
  for (let at = index.otherStarts[commit] ?? 0; at < end; at++) {
    const person = index.personOf[others.author[at] ?? nobody] ?? nobody;
    if (person === nobody || person === writer) continue;
    found[others.kind[at] ?? 0]?.add(person);
  }
  const [coAuthors = [], reviewers = new Set<number>(), counted = new Set<number>()] = found;
  // A reviewer whom both the forge and a trailer name counts once.
  const participants = {
    writers: [writer, ...coAuthors],
    reviewers: [...reviewers.difference(counted)],
  };
  view.several.set(commit, participants);
  return participants;
}
