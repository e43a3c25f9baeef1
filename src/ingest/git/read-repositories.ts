/** Brings the ledger up to date. Repositories with new commits are continued; new repositories are read completely. */
import { realpathSync } from "node:fs";
import { Fault, isFault } from "../../contract/fault.ts";
import { chooseJobs } from "../choose-jobs.ts";
import { type Linguist, openLinguist } from "../linguist/linguist.ts";
import { startTimeLimit } from "../time-limit.ts";
import { findLeftOut } from "./find-left-out.ts";
import { checkVersion, type Git } from "./git-command.ts";
import { hasCommit } from "./ledger/commit-index.ts";
import { readMetadata, readStoredHistory } from "./ledger/histories.ts";
import { isOfOlderForm, type Ledger } from "./ledger/ledger.ts";
import {
  type KnownClone,
  listLocations,
  noteReading,
  setLocation,
  writeLocation,
} from "./ledger/locations.ts";
import { createRecogniser, type Recogniser } from "./ledger/recognise.ts";
import { readStoredNotes, writeNotes } from "./notes/note-rows.ts";
import { readNotes } from "./notes/read-notes.ts";
import { type HistoryContext, readHistory } from "./read/read.ts";
import { createReadProgress, type GitProgress } from "./read/read-progress.ts";
import { readBundleTips } from "./repository/bundle.ts";
import { describeCuts } from "./repository/cut-history.ts";
import type { ClonePath } from "./repository/find-repositories.ts";
import { openClone } from "./repository/open-repository.ts";
import { type RepositoryRefusal, refuseRepository } from "./repository/refusal.ts";
import type { FoundRepository } from "./repository/view.ts";
import { readCounted } from "./tally/tally-rows.ts";

export interface CloneReading {
  /** The path given by the caller, or a path below a folder given by the caller. */
  readonly path: string;
  /** Real path, as in the ledger. */
  readonly directory: string;
  /** `reread`: the history was rewritten, the mailmap changed, or another version of Roster had read the history. */
  readonly status: ReadStatus;
  readonly newCommits: number;
  /** Whether the repository was read again because its stored form was too old. */
  readonly wasOfOlderForm?: boolean;
}

export type ReadStatus = "new" | "unchanged" | "continued" | "reread";

export interface CloneOptions {
  readonly ledger: Ledger;
  readonly vocabulary: HistoryContext["vocabulary"];
  /** Repositories read in parallel; default: the result of `chooseJobs`. */
  readonly jobs?: number | undefined;
  /** Whether commits from other branches stay after HEAD has moved to another branch; default: false. */
  readonly keepsBranches?: boolean | undefined;
  /** Whether to read, count, identify and publish everything again, even if nothing is new. */
  readonly anew?: boolean | undefined;
  /** Time limit of one repository. A repository that takes longer is refused. Default: an hour. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: GitProgress) => void) | undefined;
}

/**
 * Reads repositories. Each repository is stored as soon as it is read.
 * @throws Fault when git is too old. @throws the signal's reason when the signal is aborted.
 */
export async function readRepositories(
  git: Git,
  locations: readonly (ClonePath | RepositoryRefusal)[],
  options: CloneOptions,
) {
  await checkVersion(git);
  const reader = createReader(git, options, locations.length);
  const outcomes: (CloneReading | RepositoryRefusal)[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < locations.length; at = next++) {
      options.signal?.throwIfAborted();
      const location = locations[at];
      if (location) outcomes[at] = "reason" in location ? location : await reader.read(location);
      reader.done();
    }
  };
  const workers = Array.from({ length: Math.max(1, options.jobs ?? chooseJobs()) }, () =>
    work().catch((error: unknown) => {
      // Lets the other workers finish what they have begun, but start nothing new.
      next = locations.length;
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === "rejected") throw result.reason;
  const read = outcomes.filter((outcome) => "status" in outcome);
  const refused = outcomes.filter((outcome) => "reason" in outcome);
  noteReading(options.ledger, findLeftOut(listLocations(options.ledger), read, refused));
  return { read, refused };
}

function createReader(git: Git, options: CloneOptions, repositories: number) {
  const { ledger } = options;
  const recogniser = createRecogniser(listLocations(ledger));
  const report = createReadProgress(options, repositories);
  let linguist: Linguist | undefined;
  const getLinguist = (): Linguist => {
    linguist ??= openLinguist();
    return linguist;
  };
  const run = { recogniser, report, getLinguist, options };
  const read = async (git: Git, location: ClonePath): Promise<CloneReading> => {
    const mayBeSame = location.kind === "bundle" && !options.anew;
    if (mayBeSame && (await isUnchangedBundle(git, location, recogniser, ledger))) {
      const directory = realpathSync(location.directory);
      return { path: location.path, directory, status: "unchanged", newCommits: 0 };
    }
    const found = await openClone(git, location);
    try {
      return await readOpened(git, location, found, run);
    } finally {
      found.close();
    }
  };
  const { timeoutMs = hourMs } = options;
  const fault = new Fault(
    "time_limit",
    `not read within ${timeoutMs / 1000} seconds (setting ingest.timeout).`,
  );
  return {
    done: report.repositoryDone,
    async read(location: ClonePath): Promise<CloneReading | RepositoryRefusal> {
      const limit = startTimeLimit(timeoutMs, fault);
      try {
        return await read(git.until(limit.signal), location);
      } catch (error) {
        // Faults of one repository do not end the run.
        const refusal = refuseRepository(location.path, error);
        const wasRead =
          refusal?.isEmpty && recogniser.at(realpathSync(location.directory)).length > 0;
        if (refusal) return wasRead ? { ...refusal, isEmpty: false } : refusal;
        throw error;
      } finally {
        // Also stops what is still running, for example counting the commits of a repository.
        limit.end();
      }
    },
  };
}

const hourMs = 3_600_000;

async function readOpened(
  git: Git,
  location: ClonePath,
  found: FoundRepository,
  run: {
    readonly recogniser: Recogniser;
    readonly report: ReturnType<typeof createReadProgress>;
    /** Loads Linguist's data on first use. */
    readonly getLinguist: () => Linguist;
    readonly options: CloneOptions;
  },
): Promise<CloneReading> {
  const { recogniser, report, getLinguist } = run;
  const { ledger, vocabulary } = run.options;
  const directory = realpathSync(location.directory);
  const { keepsBranches = false } = run.options;
  const known = await findKnown(git, recogniser, directory, found, keepsBranches);
  const canContinue =
    known?.isContinued &&
    run.options.anew !== true &&
    isCutAsBefore(known.location, found, ledger) &&
    known.location.mailmap === found.mailmap &&
    known.location.edition === ledger.edition;
  const paths = { path: location.path, directory };
  if (known && canContinue && known.location.head === found.head) {
    const { location: stored } = known;
    const { name, forge, owner } = found.origin;
    const place = { ...paths, name, forge, owner };
    const fields = ["path", "directory", "name", "forge", "owner"] as const;
    const isAlone = recogniser.at(directory).length === 1;
    if (!isAlone || fields.some((field) => stored[field] !== place[field])) {
      setLocation(ledger, stored.id, place);
    }
    const isNoted = stored.notes === found.notes;
    if (!isNoted) await storeNotes(git, found, stored, ledger);
    return { ...paths, status: isNoted ? "unchanged" : "continued", newCommits: 0 };
  }
  const before = known && { location: known.location, isExtended: canContinue === true };
  const readBefore = ({ id }: KnownClone) =>
    keepsBranches ? (sha: string) => hasCommit(ledger.sqlite, id, sha) : () => false;
  const since = before?.isExtended ? before.location : undefined;
  const { history, newCommits } = await readHistory(git, found, {
    ...(since && {
      since: { ...since, ...readStoredHistory(ledger.sqlite, since.id), has: readBefore(since) },
    }),
    linguist: getLinguist(),
    vocabulary,
    report,
  });
  const { origin, head, mailmap } = found;
  const id = writeLocation(ledger, { ...paths, ...origin, head, mailmap }, history, before);
  await storeNotes(git, found, { id }, ledger);
  const wasOfOlderForm = known !== undefined && isOfOlderForm(known.location);
  const status = since ? "continued" : known ? "reread" : "new";
  return { ...paths, status, newCommits, wasOfOlderForm };
}

async function storeNotes(
  git: Git,
  found: FoundRepository,
  { id }: { readonly id: number },
  { sqlite }: Ledger,
): Promise<void> {
  const before = readStoredNotes(sqlite, id);
  const reading = await readNotes(git, found, () => readStoredHistory(sqlite, id), before);
  writeNotes(sqlite, id, reading, found.notes);
}

/** Whether a shallow clone still begins at the same commits. */
function isCutAsBefore(location: KnownClone, { cuts }: FoundRepository, { sqlite }: Ledger) {
  if (cuts.size === 0 && isComplete(location, sqlite)) return true;
  return Bun.deepEquals(describeCuts(cuts)?.some, readMetadata(sqlite, location.id).missing?.some);
}

/** Whether the repository was counted, and no clone of it lacks a part of the history. */
function isComplete({ repositoryId }: KnownClone, sqlite: Ledger["sqlite"]): boolean {
  const repository = readCounted(sqlite, repositoryId ?? 0).get(repositoryId ?? 0);
  return repository !== undefined && !repository.isLacking;
}

async function findKnown(
  git: Git,
  recogniser: Recogniser,
  directory: string,
  found: FoundRepository,
  keepsBranches: boolean,
) {
  const { origin, head: commit } = found;
  // When other branches are kept, any common commit is enough.
  const ancestry = keepsBranches ? [] : ["--is-ancestor"];
  const has = async (head: string): Promise<boolean> => {
    try {
      await git.read(found.directory, ["merge-base", ...ancestry, head, commit]);
      return true;
    } catch (error) {
      // The old HEAD is not an ancestor, or it was removed after a forced push.
      if (isFault(error, "git")) return false;
      throw error;
    }
  };
  return recogniser.recognise({ directory, origin, commit, has }, async () => {
    const list = ["rev-list", "--max-parents=0", commit];
    const output = (await git.read(found.directory, list)).toString();
    return output.split("\n").filter((root) => root && !found.cuts.has(root));
  });
}

async function isUnchangedBundle(
  git: Git,
  location: ClonePath,
  recogniser: Recogniser,
  ledger: Ledger,
): Promise<boolean> {
  const [known, ...others] = recogniser.at(realpathSync(location.directory));
  if (!known || others.length > 0 || known.path !== location.path) return false;
  if (known.edition !== ledger.edition) return false;
  if (known.repositoryId !== undefined && !isComplete(known, ledger.sqlite)) return false;
  const tips = await readBundleTips(git, location.directory);
  return known.head === tips?.head && known.notes === tips.notes;
}
