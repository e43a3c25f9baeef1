/** Reads what a branch changes compared with its base, the branch that it will be merged into. */
import { Fault } from "../../contract/fault.ts";
import { type Git, openGit } from "./git-command.ts";
import { findObject } from "./repository/objects.ts";
import { openRepositoryView } from "./repository/view.ts";

/**
 * Compares HEAD of a clone with its upstream, or with the default branch if the upstream has the same name as the branch.
 * @returns `base` such as `origin/main`, the authors as `Name <address>` after the mailmap, most recent first, and the output of
 * `git diff --name-status -z`.
 * @throws Fault when no branch to compare with is found.
 */
export async function readBranchChange(location: string, signal: AbortSignal) {
  const git = openGit({ signal });
  const { directory, settings, close } = await openRepositoryView(git, location);
  const read = async (...args: string[]) => (await git.read(directory, args)).toString();
  try {
    const nameOf = async (revision: string) =>
      (await read("rev-parse", "--symbolic-full-name", revision)).trim();
    // The branch is undefined when HEAD is detached.
    const branch = /^refs\/heads\/(.+)$/.exec(await nameOf("HEAD"))?.[1];
    const found = await findBase(git, directory, listBases(branch, settings));
    // Resolves `origin/HEAD` to the branch that it points to.
    const base = found && (await nameOf(found));
    if (!base) throw new Fault("refused", "the clone has no other branch to compare with.");
    const from = (await read("merge-base", base, "HEAD")).trim();
    const range = `${from}..HEAD`;
    const format = ["log", "--no-merges", "--use-mailmap", "--format=%aN <%aE>"];
    const commits = (await read(...format, range)).split("\n").filter(Boolean);
    const diff = await read("diff-tree", "-r", "-M", "-z", "--name-status", from, "HEAD");
    const name = base.replace(/^refs\/(?:heads|remotes)\//, "");
    return { base: name, commits: commits.length, diff, authors: [...new Set(commits)] };
  } finally {
    close();
  }
}

/** Lists the full names of branches to compare with, best first. */
function listBases(branch: string | undefined, settings: ReadonlyMap<string, string>) {
  const remote = settings.get(`branch.${branch}.remote`);
  const merge = settings.get(`branch.${branch}.merge`);
  const target = merge?.replace(/^refs\/heads\//, "");
  const upstream = remote === "." ? merge : `refs/remotes/${remote}/${target}`;
  const common = ["main", "master", "trunk"];
  const all = [
    ...["HEAD", ...common].map((name) => `refs/remotes/${remote ?? "origin"}/${name}`),
    ...common.map((name) => `refs/heads/${name}`),
  ].filter((name) => name !== `refs/heads/${branch}`);
  if (!merge || !upstream) return all;
  return target === branch ? [...all, upstream] : [upstream, ...all];
}

async function findBase(git: Git, directory: string, bases: readonly string[]) {
  for (const base of bases) {
    if (await findObject(git, directory, `${base}^{commit}`)) return base;
  }
  return undefined;
}
