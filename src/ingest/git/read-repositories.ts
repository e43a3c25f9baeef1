/**
 * Brings the ledger up to date with what lies at some paths: repositories that did not change are passed
 * over, those that went on are read from where the last reading ended, all others whole.
 */

import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Fault, isFault } from "../../contract/fault.ts";
import type { Vocabulary } from "../../vocabulary/vocabulary.ts";
import { type Linguist, openLinguist } from "../linguist/linguist.ts";
import type { ClonePath, RepositoryRefusal } from "./find-repositories.ts";
import { checkVersion, type Git } from "./git-command.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { createRecogniser, type Recogniser } from "./ledger/recognise.ts";
import { readHistory } from "./read-history.ts";
import { readBundleHead } from "./repository/bundle.ts";
import { openClone } from "./repository/open-repository.ts";
import type { FoundRepository } from "./repository/view.ts";

export interface CloneReading {
  /** As the caller named it, or below the folder he named. */
  readonly path: string;
  /** Real path, by which the ledger has it. */
  readonly directory: string;
  /** `reread`: its history was rewritten, or its mailmap changed, or another Roster had read it. */
  readonly status: ReadStatus;
  /** Commits read now. */
  readonly newCommits: number;
}

export type ReadStatus = "new" | "unchanged" | "continued" | "reread";

export interface GitProgress {
  /** The repository that was last heard of. */
  readonly path: string;
  readonly repositoriesDone: number;
  readonly repositories: number;
  /** Over all repositories: commits read, and commits to read as far as they are counted. */
  readonly commits: number;
  readonly commitsInAll: number;
}

export interface CloneOptions {
  readonly ledger: Ledger;
  readonly vocabulary: Pick<Vocabulary, "pathClasses" | "packageSkill" | "textSkills">;
  /** Repositories read at a time; default 2, or 1 on a machine with one processor. */
  readonly jobs?: number | undefined;
  /** What one repository may take; one that takes longer is left out. Default: an hour. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: GitProgress) => void) | undefined;
}

/**
 * Stages 2 and 3, read log and keep, for each of the places. A repository is kept as soon as it is read: a run that
 * is cut off loses only the ones at hand.
 *
 * @throws Fault when git is too old; the signal's reason when it is aborted.
 */
export async function readRepositories(
  git: Git,
  places: readonly (ClonePath | RepositoryRefusal)[],
  options: CloneOptions,
): Promise<{
  readonly read: readonly CloneReading[];
  readonly refused: readonly RepositoryRefusal[];
}> {
  await checkVersion(git);
  const reader = openReader(git, options, places.length);
  const outcomes: (CloneReading | RepositoryRefusal)[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < places.length; at = next++) {
      options.signal?.throwIfAborted();
      const place = places[at];
      if (place) outcomes[at] = "reason" in place ? place : await reader.read(place);
      reader.done();
    }
  };
  const jobs = options.jobs ?? Math.min(2, availableParallelism());
  const workers = Array.from({ length: Math.max(1, jobs) }, () =>
    work().catch((error: unknown) => {
      // The others take nothing new, so that all have ended when this is heard of.
      next = places.length;
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return {
    read: outcomes.filter((outcome) => "status" in outcome),
    refused: outcomes.filter((outcome) => "reason" in outcome),
  };
}

function openReader(git: Git, options: CloneOptions, repositories: number) {
  const { ledger } = options;
  const recogniser = createRecogniser(ledger.places());
  const report = openReport(options, repositories);
  let opened: Linguist | undefined;
  const linguist = (): Linguist => {
    opened ??= openLinguist();
    return opened;
  };
  const run = { recogniser, report, linguist, options };
  const read = async (git: Git, place: ClonePath): Promise<CloneReading | RepositoryRefusal> => {
    if (place.kind === "bundle" && (await isUnchangedBundle(git, place, recogniser, ledger))) {
      const directory = realpathSync(place.directory);
      return { path: place.path, directory, status: "unchanged", newCommits: 0 };
    }
    const found = await openClone(git, place);
    if ("reason" in found) return found;
    try {
      return await readOpened(git, place, found, run);
    } finally {
      found.close();
    }
  };
  return {
    done: report.repositoryDone,
    async read(place: ClonePath): Promise<CloneReading | RepositoryRefusal> {
      const limit = startLimit(options.timeoutMs ?? hourMs);
      try {
        return await read(git.until(limit.signal), place);
      } catch (error) {
        const isItsOwn = isFault(error, "git") || isFault(error, "time_limit");
        if (!isItsOwn) throw error;
        return { path: place.path, reason: error.message };
      } finally {
        limit.end();
      }
    },
  };
}

const hourMs = 3_600_000;

/** @returns `end` ends what is still running, such as a count beside a reading that failed. */
function startLimit(timeoutMs: number): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const fault = new Fault(
    "time_limit",
    `not read within ${timeoutMs / 1000} seconds (setting ingest.timeout).`,
  );
  const timer = setTimeout(() => controller.abort(fault), timeoutMs);
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(fault);
  };
  return { signal: controller.signal, end };
}

async function readOpened(
  git: Git,
  place: ClonePath,
  found: FoundRepository,
  run: {
    readonly recogniser: Recogniser;
    readonly report: ReturnType<typeof openReport>;
    /** Its data are not read unless a repository changed. */
    readonly linguist: () => Linguist;
    readonly options: CloneOptions;
  },
): Promise<CloneReading> {
  const { recogniser, report, linguist } = run;
  const { ledger, vocabulary } = run.options;
  const directory = realpathSync(place.directory);
  const known = await findKnown(git, recogniser, { directory, found });
  const isSameReading =
    known?.isContinued &&
    known.place.mailmap === found.mailmap &&
    known.place.edition === ledger.edition;
  const told = { path: place.path, directory };
  if (known && isSameReading && known.place.head === found.head) {
    const { place: held } = known;
    if (held.directory !== directory || held.path !== place.path) ledger.move(held.id, told);
    const { origin } = found;
    const isRenamed =
      held.name !== origin.name || held.forge !== origin.forge || held.owner !== origin.owner;
    if (isRenamed) ledger.rename(held.id, origin);
    return { ...told, status: "unchanged", newCommits: 0 };
  }
  const before = known && { place: known.place, isExtended: isSameReading === true };
  const since = before?.isExtended ? before.place : undefined;
  const { history, newCommits } = await readHistory(git, found, {
    ...(since && { since: { ...since, ...ledger.history(since.id) } }),
    linguist: linguist(),
    vocabulary,
    report,
  });
  const displaced = recogniser.at(directory);
  if (displaced && displaced !== known?.place) {
    ledger.move(displaced.id, { directory: null, path: displaced.path });
  }
  const { origin, head, mailmap } = found;
  ledger.save({ ...told, ...origin, head, mailmap }, history, before);
  return { ...told, status: since ? "continued" : known ? "reread" : "new", newCommits };
}

async function findKnown(
  git: Git,
  recogniser: Recogniser,
  { directory, found }: { readonly directory: string; readonly found: FoundRepository },
) {
  const { origin, head: commit } = found;
  const has = async (head: string): Promise<boolean> => {
    try {
      await git.read(found.directory, ["merge-base", "--is-ancestor", head, commit]);
      return true;
    } catch (error) {
      // No ancestor, or an object that was swept away after a forced push.
      if (isFault(error, "git")) return false;
      throw error;
    }
  };
  return recogniser.recognise({ directory, origin, commit, has }, async () => {
    const output = await git.read(found.directory, ["rev-list", "--max-parents=0", commit]);
    return output.toString().split("\n").filter(Boolean);
  });
}

async function isUnchangedBundle(
  git: Git,
  place: ClonePath,
  recogniser: Recogniser,
  { edition }: Ledger,
): Promise<boolean> {
  const known = recogniser.at(realpathSync(place.directory));
  if (!known || known.edition !== edition || known.path !== place.path) return false;
  return known.head === (await readBundleHead(git, place.directory));
}

function openReport({ onProgress }: CloneOptions, repositories: number) {
  let [repositoriesDone, commits, commitsInAll] = [0, 0, 0];
  const report = (path: string): void =>
    onProgress?.({ path, repositoriesDone, repositories, commits, commitsInAll });
  return {
    repositoryDone: (): void => {
      repositoriesDone += 1;
    },
    now: report,
    commit: (path: string): void => {
      commits += 1;
      if (commits % 500 === 0) report(path);
    },
    count: async (git: Git, range: { directory: string; head: string; since?: string }) => {
      if (!onProgress) return;
      const not = range.since ? ["--not", range.since] : [];
      const counted = await git.read(range.directory, ["rev-list", "--count", range.head, ...not]);
      commitsInAll += Number(counted);
    },
  };
}
