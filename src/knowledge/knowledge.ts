/**
 * Finds the files of a question, reads their changes from the pool, and measures how well people know them. It does not use git.
 */
import type { Model } from "../analysis/analysis.ts";
import type { AuthorshipStore } from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { createNameCompletion } from "./complete-names.ts";
import { describeReviewers, type NamedReviewer } from "./describe-reviewers.ts";
import {
  type FoundFiles,
  findFiles,
  type KnowledgeQuestion,
  type KnowledgeRefusal,
  refuseDamaged,
} from "./find-files.ts";
import { findWork } from "./find-work.ts";
import { createFirstKnowers } from "./first-knowers.ts";
import { type Handover, measureHandover } from "./handover.ts";
import { createHeadCache } from "./head-cache.ts";
import { findReviewDay, findUntilDay } from "./history-end.ts";
import { createAuthorsMeasure } from "./measure-authors.ts";
import { type Knowledge, type KnownFile, measureInTurns } from "./measure-knowledge.ts";
import { createOwnersMeasure } from "./ownership/measure-owners.ts";
import { type MeasuredOwnership, measureOwnership } from "./ownership/measure-ownership.ts";
import { groupFiles } from "./ownership/ownership-drift.ts";
import { rankReviewers } from "./rank-reviewers.ts";
import { createRecentWork } from "./recent-work.ts";
import { findTruckFactor } from "./truck-factor.ts";

export { formatUtcDay } from "../contract/people/history-end.ts";
export {
  type KnownPerson,
  toKnowingPerson,
  toOwnershipFiles,
  toReviewingPerson,
} from "./describe-person.ts";
export type { NamedReviewer } from "./describe-reviewers.ts";
export type { KnowledgeRefusal } from "./find-files.ts";
export type { FirstKnower } from "./first-knowers.ts";
export type { HandedPart, Handover } from "./handover.ts";
export { isHistoryStale } from "./history-end.ts";
export { type KnownFolder, listFolders } from "./list-folders.ts";
export type { PersonKnowledge } from "./measure-knowledge.ts";
export { findUnmatchedRules } from "./ownership/ownership.ts";
export { activeDays } from "./rank-reviewers.ts";
export type { BusyPerson, BusyRepository, RecentWork } from "./recent-work.ts";

/** The measured knowledge of the files of a question. */
export interface KnowledgeAnswer
  extends Omit<Knowledge, "knowers">,
    Omit<FoundFiles, "selections" | "around"> {
  /** How ownership files compare with the history. Undefined for a package, and for a day before the newest commit. */
  readonly ownership: MeasuredOwnership | undefined;
  /**
   * The as-of day or the last day of the history that was read, whichever is earlier. People are judged to be active up to this
   * day.
   */
  readonly untilDay: number;
  /** What is lost if the people in `without` leave. */
  readonly handover: Handover | undefined;
  /** Suggested reviewers of the change, best first. Undefined if the question is not about a change. */
  readonly reviewers: readonly NamedReviewer[] | undefined;
  /** Numbers of people. If all of them left, nobody would know half of the files. */
  readonly truckFactor: readonly number[];
}

export type KnowledgeBase = ReturnType<typeof createKnowledgeBase>;

interface KnowledgeModules {
  readonly authorship: AuthorshipStore;
  /** Returns the model in force, which is read on first use. */
  readonly model: () => Model;
  readonly now: () => Date;
}

export function isRefusal(answer: object): answer is KnowledgeRefusal {
  return "isKnown" in answer;
}

export function createKnowledgeBase({ authorship, model, now }: KnowledgeModules) {
  const heads = createHeadCache(authorship);
  const remember = createAnswerCache<KnowledgeAnswer | KnowledgeRefusal>((answer) =>
    isRefusal(answer) ? 0 : answer.people.length + answer.files.length,
  );
  const names = createNameCompletion(authorship, heads);
  const modules = { authorship, heads, model };
  return {
    completeRepository: names.completeRepository,
    completePath: names.completePath,
    repositories: () => authorship.repositories(),
    firstKnowers: createFirstKnowers(modules),
    /** Finds who worked where in the last weeks of the data. */
    recentWork: createRecentWork(modules),
    measureAuthors: createAuthorsMeasure(modules),
    /** Measures a repository, for a proposal of its CODEOWNERS file. */
    measureOwners: createOwnersMeasure(modules),
    /** Returns today, in UTC days since 1970. */
    today: () => Math.floor(now().getTime() / 86_400_000),
    modelVersion: () => model().modelVersion,
    /** Returns the number of commits that gives a confidence of one half. */
    halfCommits: () => model().knowledge.halfCommits,
    async ask(question: KnowledgeQuestion): Promise<KnowledgeAnswer | KnowledgeRefusal> {
      // The edition is read first, because data that changes meanwhile belongs to the next edition.
      const edition = await authorship.edition();
      const { modelVersion, knowledge: constants } = model();
      return remember(`${edition} ${modelVersion}`, JSON.stringify(question), async () => {
        const known = await authorship.repositories();
        const parts = { authorship, open: (id: number) => heads.open(id, edition) };
        const found = await (isAboutPeople(question)
          ? findWork(parts, known, question.without ?? [])
          : findFiles(parts, known, question)
        ).catch(refuseDamaged);
        if ("isKnown" in found) return found;
        const stated = await readOwnership(authorship, found, question.asOfDay);
        return judgeFiles(found, question, { stated, constants });
      });
    },
  };
}

/** Whether the question names no files, but asks what is lost when people leave. */
function isAboutPeople({ repository, paths = [], package: name, without = [] }: KnowledgeQuestion) {
  return repository === undefined && name === undefined && paths.length === 0 && without.length > 0;
}

interface Judging {
  readonly stated: Awaited<ReturnType<typeof readOwnership>>;
  readonly constants: Model["knowledge"];
}

async function judgeFiles(
  found: FoundFiles,
  { asOfDay, change, without = [] }: KnowledgeQuestion,
  { stated, constants }: Judging,
): Promise<KnowledgeAnswer> {
  const { selections, around, ...rest } = found;
  const untilDay = findUntilDay(found.repositories, asOfDay);
  const [changed] = selections;
  const reviewDay = change && changed ? findReviewDay(changed.head, { asOfDay, untilDay }) : 0;
  const measuring = { asOfDay: Math.max(untilDay, reviewDay), constants };
  const knowledge = await measureInTurns(selections, measuring);
  const handover =
    without.length === 0
      ? undefined
      : await measureHandover(knowledge, findLeaving(knowledge, without));
  const files = handover ? forgetKnowers(knowledge.files, handover) : knowledge.files;
  const { people, commits, lines, leftOut } = knowledge;
  const reviewers =
    change && around && changed
      ? describeReviewers(
          rankReviewers(
            { files: changed, folders: around },
            { ...change, excluded: new Set(change.excluded), asOfDay: reviewDay, constants },
          ),
          knowledge,
        )
      : undefined;
  return {
    ...{ ...rest, people, files, commits, lines, leftOut, untilDay, handover, reviewers },
    ownership: stated && judgeOwnership(stated, knowledge, untilDay),
    truckFactor: findTruckFactor(
      files.filter(({ isImported }) => !isImported),
      constants.files.truckCoverage,
    ),
  };
}

function judgeOwnership(
  stated: NonNullable<Judging["stated"]>,
  knowledge: Knowledge,
  asOfDay: number,
): MeasuredOwnership | undefined {
  const paths = knowledge.files.map(({ path }) => path);
  const parts = groupFiles(stated.ownership.rules, paths);
  return measureOwnership({ ...stated, knowledge, parts, asOfDay });
}

function findLeaving({ people }: Knowledge, logins: readonly string[]): ReadonlySet<number> {
  const leaving = new Set(logins);
  return new Set([...people.keys()].filter((number) => leaving.has(people[number]?.login ?? "")));
}

function forgetKnowers(files: readonly KnownFile[], { leaving }: Handover): readonly KnownFile[] {
  return files.map(({ knownBy, ...file }) => ({
    ...file,
    knownBy: knownBy.filter((person) => !leaving.has(person)),
  }));
}

/** Reads the ownership rules of the newest commit. Returns undefined for a package, for several repositories, and for a day before the newest commit. */
async function readOwnership(
  authorship: AuthorshipStore,
  { selections, repositories, paths, package: name }: FoundFiles,
  asOfDay: number,
) {
  const [[selection], [repository]] = [selections, repositories];
  if (!selection || !repository || name || asOfDay < repository.lastDay) return undefined;
  if (selections.length > 1) return undefined;
  const ownership = await authorship.ownership(repository.id);
  const within = paths.length > 0 ? paths : [""];
  return ownership && { ownership, head: selection.head, within };
}
