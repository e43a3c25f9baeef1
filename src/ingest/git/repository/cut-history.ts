/** Lets git read a shallow clone. A file of grafts tells git that the commits at the boundary have no parents. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { composeInput, type Git, graftsFile } from "../git-command.ts";
import { resolveObjects } from "./objects.ts";

/** The real parents of each commit that git reads as a commit without parents. */
export type Cuts = ReadonlyMap<string, readonly string[]>;

/** Which part of a history to read. */
export interface ReadRange {
  readonly directory: string;
  readonly head: string;
  /** A commit to leave out, together with everything reachable from it. */
  readonly since?: string;
  readonly cuts: Cuts;
}

/** The commits of a range, as arguments of git. */
export function listRevisions({ head, since }: ReadRange): readonly string[] {
  return [head, ...(since ? ["--not", since] : [])];
}

/** @param boundary the commits in the file `shallow`; it may name commits that the clone does not have. */
export async function cutAtBoundary(
  git: Git,
  directory: string,
  boundary: readonly string[],
): Promise<Cuts> {
  const found = await resolveObjects(git, directory, boundary);
  const present = boundary.filter((_, at) => found[at] !== undefined);
  appendFileSync(join(directory, graftsFile), composeInput(present));
  const cuts = new Map<string, readonly string[]>();
  for (const commit of present) {
    const text = (await git.read(directory, ["cat-file", "commit", commit])).toString("latin1");
    const [header = ""] = text.split("\n\n", 1);
    const lines = [...header.matchAll(/^parent ([0-9a-f]{40,64})$/gm)];
    const parents = lines.map(([, parent = ""]) => parent);
    cuts.set(commit, parents);
  }
  return cuts;
}

/** What is missing from a history. The ledger stores this. */
export interface MissingHistory {
  /** Some ids of missing parents, sorted. If they change, the repository is read again. */
  readonly some: readonly string[];
  /** Number of commits without their parents. */
  readonly cuts: number;
  /** Earlier versions also stored `partial` and `damaged`. */
  readonly cause: "shallow" | "partial" | "damaged";
}

const someMax = 20;

/** @returns undefined for a complete history. */
export function describeCuts(cuts: Cuts): MissingHistory | undefined {
  if (cuts.size === 0) return undefined;
  const some = [...new Set([...cuts.values()].flat())].sort().slice(0, someMax);
  return { some, cuts: cuts.size, cause: "shallow" };
}

/** Explains what a history lacks, and how to get it. */
export function explainMissing(
  { cuts, cause }: MissingHistory,
  { incomplete, commits }: { readonly incomplete: number; readonly commits: number },
): { readonly reason: string; readonly remedy: string } {
  const isShallow = cause === "shallow";
  const why = isShallow ? "it is a shallow clone" : "objects were missing when it was read";
  const what = `${incomplete} of ${commits} commits count without lines, languages and packages`;
  const before = cuts > 0 ? `, and nothing is known of the time before ${cuts} of them` : "";
  return {
    reason: `${what}${before}: ${why}.`,
    remedy: isShallow
      ? "`git fetch --unshallow` in it brings the rest."
      : "Clone it again without --filter.",
  };
}
