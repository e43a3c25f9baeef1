/**
 * Ranks the people who should review a change. Active people who reviewed or wrote these files come first. Work on the files
 * counts more than work elsewhere, and recent work counts more than old work.
 */
import type { Model } from "../analysis/analysis.ts";
import type { AuthorshipHead } from "../pool/pool.ts";
import { type CommitView, findOnlyWriter, listParticipants, viewCommits } from "./commit-view.ts";
import { describeHead, nobody } from "./head-index.ts";
import { type FileSelection, findLeavingDay } from "./measure-knowledge.ts";
import { findDecay, findFocus, findKindWeight } from "./walk-file.ts";

type Constants = Model["knowledge"];

/** The files of a change, as far as the history knows them. */
export interface ChangedFiles {
  readonly files: FileSelection;
  /** All files in the folders of the change. */
  readonly folders: FileSelection;
}

export interface ReviewerQuestion {
  /** In UTC days since 1970. Later commits are ignored. */
  readonly asOfDay: number;
  readonly constants: Constants;
  /** Lower-cased logins of people who must not be named: the authors of the change. */
  readonly excluded: ReadonlySet<string>;
  /** Leaves out people without commits or reviews since this day, in UTC days since 1970. */
  readonly activeSince?: number | undefined;
  /** Ranks by suitability alone, regardless of how much people already review. */
  readonly ignoreLoad?: boolean | undefined;
}

/** Numbers of a person's reviews of other people's work, and of the person's own commits. */
export interface ReviewWork {
  readonly reviews: number;
  readonly commits: number;
}

export interface Reviewer {
  /** Lower-cased. */
  readonly login: string;
  /** Share of everyone's total score, 0 to 1. */
  readonly share: number;
  readonly files: ReviewWork;
  /** Work in the folders of the change, including its files. */
  readonly folders: ReviewWork;
  readonly repository: ReviewWork;
  /** 0 for active people who worked on these files, 2 for people who have left, and 1 for others. Groups come in this order. */
  readonly group: 0 | 1 | 2;
  readonly hasLeft: boolean;
  /** Work in the repository in the last `days` days. */
  readonly lately: ReviewWork & { readonly days: number };
  /** Reviews in the whole repository in the last weeks. */
  readonly recentReviews: number;
  /** Day of the person's latest review or commit in the repository, in UTC days since 1970. */
  readonly lastDay: number;
  /** A more suitable person, who has more recent reviews and therefore ranks lower. Undefined if there is none. */
  readonly relieved: Pick<Reviewer, "login" | "recentReviews"> | undefined;
}

/** People without work in this many days are not active. */
export const activeDays = 365;

/** People's work in one part of a repository. Arrays are indexed by the person's number. */
interface Level {
  readonly credits: Float64Array;
  readonly reviews: Uint32Array;
  readonly commits: Uint32Array;
}

/** @returns everyone who has worked in the repository and is not excluded, best first. */
export function rankReviewers(
  { files, folders }: ChangedFiles,
  question: ReviewerQuestion,
): readonly Reviewer[] {
  const { asOfDay, constants, excluded, activeSince = 0 } = question;
  const { head } = files;
  const index = describeHead(head);
  const { days: lastWork, end } = index.lastWork(asOfDay);
  const { personOf } = index;
  const lately = readLately(head, question);
  const ofFiles = sumLevel(viewCommits(head, files.files, asOfDay), question);
  const ofFolders = sumLevel(viewCommits(head, folders.files, asOfDay), question);
  const people = Int32Array.from(personOf.keys()).filter((number) => {
    const isPerson = personOf[number] === number && !excluded.has(head.logins[number] ?? "");
    return isPerson && (lastWork[number] ?? 0) >= Math.max(1, activeSince);
  });
  const shares = mixLevels([ofFiles, ofFolders, lately.level], people, constants.reviewers.known);
  const leavingDay = findLeavingDay(end, constants);
  const ranked: Reviewer[] = [];
  for (const number of people) {
    const share = (shares[number] ?? 0) * Math.sqrt((lately.work.credits[number] ?? 0) + idleWork);
    if (share === 0) continue;
    const [own, lastDay] = [workOf(ofFiles, number), lastWork[number] ?? 0];
    const isFirst = own.reviews + own.commits > 0 && lastDay >= asOfDay - activeDays;
    ranked.push({
      login: head.logins[number] ?? "",
      share,
      files: own,
      folders: workOf(ofFolders, number),
      repository: workOf(lately.level, number),
      group: lastDay < leavingDay ? 2 : isFirst ? 0 : 1,
      hasLeft: lastDay < leavingDay,
      lately: { ...workOf(lately.work, number), days: constants.reviewers.workDays },
      recentReviews: lately.reviews[number] ?? 0,
      lastDay,
      relieved: undefined,
    });
  }
  const best = ranked.sort(
    (a, b) => a.group - b.group || b.share - a.share || (a.login < b.login ? -1 : 1),
  );
  return scoreGroups(question.ignoreLoad ? best : shareLoad(best, constants.reviewers.alike));
}

/** Adds the best score of the next group to the scores of each group, so that scores agree with the order. */
function scoreGroups(named: readonly Reviewer[]): readonly Reviewer[] {
  let [lift, most, whole] = [0, 0, 0];
  const scored = named.toReversed().map((one, at, all) => {
    if (one.group !== all[at - 1]?.group) lift = most;
    const share = one.share + lift;
    most = Math.max(most, share);
    whole += share;
    return { ...one, share };
  });
  return scored.reverse().map((one) => ({ ...one, share: one.share / whole }));
}

/** Added to everyone's recent work, so that people differ even if nobody worked recently. */
const idleWork = 0.01;

/** Reviews are spread over this many of the best people. */
const sharersMax = 20;

/** Among people who are about equally suitable, puts the person with the fewest recent reviews first. */
function shareLoad(best: readonly Reviewer[], alike: number): readonly Reviewer[] {
  const left = best.slice(0, sharersMax);
  const shared: Reviewer[] = [];
  while (left.length > 0) {
    const [first] = left;
    if (!first) break;
    const end = left.findIndex(
      ({ share, group }) => share < first.share * alike || group !== first.group,
    );
    const equals = end === -1 ? left : left.slice(0, end);
    const next = equals.reduce((least, one) =>
      one.recentReviews < least.recentReviews ? one : least,
    );
    left.splice(left.indexOf(next), 1);
    shared.push(next === first ? next : { ...next, relieved: first });
  }
  return [...shared, ...best.slice(sharersMax)];
}

/** Weighs the levels in turn. A level with much work takes a large part of the weight that is left. */
function mixLevels(levels: readonly Level[], people: Int32Array, known: number): Float64Array {
  const shares = new Float64Array(levels[0]?.credits.length ?? 0);
  let left = 1;
  for (const [at, { credits }] of levels.entries()) {
    let all = 0;
    for (const number of people) all += credits[number] ?? 0;
    if (all === 0) continue;
    const part = at === levels.length - 1 ? left : left * (all / (all + known));
    for (const number of people) {
      shares[number] = (shares[number] ?? 0) + (part * (credits[number] ?? 0)) / all;
    }
    left -= part;
  }
  return shares;
}

function workOf({ reviews, commits }: Level, number: number): ReviewWork {
  return { reviews: reviews[number] ?? 0, commits: commits[number] ?? 0 };
}

function createLevel(people: number): Level {
  return {
    credits: new Float64Array(people),
    reviews: new Uint32Array(people),
    commits: new Uint32Array(people),
  };
}

function sumLevel(
  view: CommitView,
  { asOfDay, constants }: Pick<ReviewerQuestion, "asOfDay" | "constants">,
): Level {
  const level = createLevel(view.index.personOf.length);
  const { day, flags } = view.head.columns;
  for (let commit = 0; commit < day.length; commit++) {
    if (!view.inside[commit]) continue;
    const weight =
      findDecay(constants, asOfDay - (day[commit] ?? 0)) *
      findFocus(view, commit, constants) *
      findKindWeight(flags[commit] ?? 0, constants);
    addCommit(level, view, { commit, weight, constants });
  }
  return level;
}

function addCommit(
  { credits, reviews, commits }: Level,
  view: CommitView,
  { commit, weight, constants }: { commit: number; weight: number; constants: Constants },
): void {
  const { writer } = constants.reviewers;
  const only = findOnlyWriter(view, commit);
  if (only !== undefined) {
    if (only === nobody) return;
    credits[only] = (credits[only] ?? 0) + weight * writer;
    commits[only] = (commits[only] ?? 0) + 1;
    return;
  }
  const { writers, reviewers: readers } = listParticipants(view, commit);
  for (const [rank, number] of writers.entries()) {
    if (number === nobody) continue;
    const part = rank === 0 ? 1 : constants.weights.coAuthor;
    credits[number] = (credits[number] ?? 0) + weight * writer * part;
    commits[number] = (commits[number] ?? 0) + 1;
  }
  for (const number of readers) {
    credits[number] = (credits[number] ?? 0) + weight;
    reviews[number] = (reviews[number] ?? 0) + 1;
  }
}

/** People's work in the whole repository up to a day. */
interface Lately {
  readonly asOfDay: number;
  readonly level: Level;
  readonly work: Level;
  /** By person: reviews in the last weeks. */
  readonly reviews: Uint32Array;
}

/** The latest result for each repository. Questions about the same day share it. */
const cached = new WeakMap<AuthorshipHead, Lately>();

function readLately(
  head: AuthorshipHead,
  { asOfDay, constants }: Pick<ReviewerQuestion, "asOfDay" | "constants">,
): Lately {
  const before = cached.get(head);
  if (before?.asOfDay === asOfDay) return before;
  const { day } = head.columns;
  const view = viewCommits(head, [], asOfDay);
  const people = view.index.personOf.length;
  const [level, work, recent] = [createLevel(people), createLevel(people), createLevel(people)];
  const { workDays, loadDays } = constants.reviewers;
  for (let commit = 0; commit < day.length; commit++) {
    const on = day[commit] ?? 0;
    if (on > asOfDay) continue;
    const age = asOfDay - on;
    addCommit(level, view, { commit, weight: findDecay(constants, age), constants });
    if (age < workDays) addCommit(work, view, { commit, weight: 1, constants });
    if (age < loadDays) addCommit(recent, view, { commit, weight: 1, constants });
  }
  const lately = { asOfDay, level, work, reviews: recent.reviews };
  cached.set(head, lately);
  return lately;
}
