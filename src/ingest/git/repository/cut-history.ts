/**
 * Lets git read a history without its older commits: at the boundary of a shallow clone, or where commits were lost. A file of
 * grafts in the view lists the children of missing commits without these parents.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../../contract/fault.ts";
import { composeInput, type Git, graftsFile } from "../git-command.ts";
import { findMissing } from "./missing-objects.ts";

/** The real parents of each commit that is read without some of them. */
export type Cuts = Map<string, readonly string[]>;

/** What is read of a history. */
export interface ReadRange {
  readonly directory: string;
  readonly head: string;
  /** Leaves out this commit and everything reachable from it. */
  readonly since?: string;
  /** The commits without some of their parents; grows when commits are found to be missing. */
  readonly cuts: Cuts;
}

/** The commits of a range, as arguments of git. */
export function listRevisions({ head, since }: ReadRange): readonly string[] {
  return [head, ...(since ? ["--not", since] : [])];
}

/** Cuts a shallow clone at its boundary. @param boundary the commits in its file `shallow`. */
export async function cutAtBoundary(
  git: Git,
  directory: string,
  boundary: readonly string[],
): Promise<Cuts> {
  const missing = await findMissing(git, directory, boundary);
  const there = boundary.filter((commit) => !missing.has(commit));
  writeGrafts(
    directory,
    there.map((commit) => [commit]),
  );
  const cuts: Cuts = new Map();
  for (const commit of there) cuts.set(commit, await readParents(git, directory, commit));
  return cuts;
}

/**
 * Counts the commits to read, and cuts the history where one is missing, until git finds its way through it.
 *
 * @throws Fault when too many are missing.
 */
export async function countOrCut(git: Git, range: ReadRange): Promise<number> {
  const { directory, cuts } = range;
  const count = ["rev-list", "--count", ...listRevisions(range)];
  for (let cut = 0; ; cut++) {
    try {
      return Number(await git.read(directory, count));
    } catch (error) {
      const child = findChild(error);
      if (child === undefined || cuts.has(child) || cut === cutsMax) throw error;
      const parents = await readParents(git, directory, child);
      const missing = await findMissing(git, directory, parents);
      writeGrafts(directory, [[child, ...parents.filter((parent) => !missing.has(parent))]]);
      cuts.set(child, parents);
    }
  }
}

/** Each cut takes a walk through the history; a repository that lost more commits should be cloned again. */
const cutsMax = 100;

/** Git names the missing commit, and then its child. */
function findChild(error: unknown): string | undefined {
  if (!isFault(error, "git")) return undefined;
  return /parents of commit ([0-9a-f]{40,64})/.exec(String(error.cause))?.[1];
}

async function readParents(
  git: Git,
  directory: string,
  commit: string,
): Promise<readonly string[]> {
  const text = (await git.read(directory, ["cat-file", "commit", commit])).toString("latin1");
  const [header = ""] = text.split("\n\n", 1);
  return [...header.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, parent = ""]) => parent);
}

function writeGrafts(directory: string, grafts: readonly (readonly string[])[]): void {
  const lines = grafts.map((commits) => commits.join(" "));
  appendFileSync(join(directory, graftsFile), composeInput(lines));
}
