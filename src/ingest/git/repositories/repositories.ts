/**
 * Finds what `ingest git PATH...` means: clones, bare mirrors and bundles, or folders of them. What
 * cannot be read truthfully is refused with a line that says what helps, and the others go on.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Git, GitFault } from "../git-command.ts";
import { type Origin, originOfPath, originOfUrl } from "./origin.ts";
import { type Place, searchPlaces } from "./search-places.ts";

export interface FoundRepository {
  /** As the caller named it, or below the folder he named. */
  readonly path: string;
  /** Where git is to run; for a bundle a copy that `close` removes. */
  readonly directory: string;
  /** What to read from: HEAD, or a branch where a bundle has no HEAD. */
  readonly head: string;
  readonly origin: Origin;
  close(): void;
}

export interface Refusal {
  readonly path: string;
  readonly reason: string;
}

/** Every place below the paths, each once, in an order that does not depend on how they were given. */
export function listPlaces(paths: readonly string[]): readonly (Place | Refusal)[] {
  const found = new Map<string, Place | Refusal>();
  for (const path of paths) {
    for (const place of searchPlaces(path)) {
      const key = "reason" in place ? `refused:${place.path}` : realpathSync(place.directory);
      if (!found.has(key)) found.set(key, place);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/** Opens one place. @returns a refusal instead when its history cannot be read truthfully. */
export async function openPlace(git: Git, place: Place): Promise<FoundRepository | Refusal> {
  try {
    return place.kind === "bundle" ? await openBundle(git, place) : await openFolder(git, place);
  } catch (error) {
    if (error instanceof GitFault) return { path: place.path, reason: reasonOf(error) };
    throw error;
  }
}

async function openFolder(git: Git, place: Place): Promise<FoundRepository> {
  const directory = resolve(place.directory);
  await refuseCutHistory(git, directory);
  const head = await git
    .read(directory, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    .catch(notGit);
  if (!head) {
    const named = await readOr(git, directory, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    throw new GitFault(
      named
        ? `damaged repository: the commit that HEAD names, ${named}, is missing.`
        : "empty repository: HEAD has no commit.",
    );
  }
  const url = await readOr(git, directory, ["config", "--get", "remote.origin.url"]);
  return {
    path: place.path,
    directory,
    head: "HEAD",
    origin: originOfUrl(url) ?? originOfPath(realpathSync(directory)),
    close: () => undefined,
  };
}

async function openBundle(git: Git, place: Place): Promise<FoundRepository> {
  const parent = mkdtempSync(join(tmpdir(), "roster-bundle-"));
  const close = (): void => rmSync(parent, { recursive: true, force: true });
  try {
    const directory = join(parent, "repository.git");
    await git.read(parent, ["clone", "--quiet", "--mirror", resolve(place.directory), directory]);
    const head = await findHead(git, directory);
    if (!head) throw new GitFault("empty bundle: it holds no branch with a commit.");
    return { path: place.path, directory, head, origin: originOfPath(place.directory), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A bundle may lack HEAD: then its main branch, or its only one. */
async function findHead(git: Git, directory: string): Promise<string | undefined> {
  for (const name of ["HEAD", "refs/heads/main", "refs/heads/master"]) {
    const sha = await readOr(git, directory, [
      "rev-parse",
      "--verify",
      "--quiet",
      `${name}^{commit}`,
    ]);
    if (sha) return name;
  }
  const branches = await readOr(git, directory, [
    "for-each-ref",
    "--format=%(refname)",
    "refs/heads",
  ]);
  const [only, ...others] = branches.split("\n").filter(Boolean);
  return others.length === 0 ? only : undefined;
}

async function refuseCutHistory(git: Git, directory: string): Promise<void> {
  const shallow = (await git.read(directory, ["rev-parse", "--is-shallow-repository"])).toString();
  if (shallow.trim() === "true") {
    throw new GitFault(
      "shallow clone: its history is cut, so every count would be wrong. Run `git fetch --unshallow` in it first.",
    );
  }
  const partial = await readOr(git, directory, [
    "config",
    "--get-regexp",
    "^(extensions\\.partialclone|remote\\..*\\.promisor)$",
  ]);
  if (/ true$|^extensions\./m.test(partial)) {
    throw new GitFault(
      "partial clone: objects are missing and nothing is fetched here. Clone it again without --filter.",
    );
  }
}

async function readOr(git: Git, directory: string, args: readonly string[]): Promise<string> {
  const output = await git.read(directory, args).catch(notGit);
  return output?.toString().trim() ?? "";
}

/** A question that git answers with a failure: no. Whatever else went wrong is not swallowed. */
function notGit(error: unknown): undefined {
  if (error instanceof GitFault) return undefined;
  throw error;
}

function reasonOf(error: GitFault): string {
  if (/not a git repository/.test(error.complaint)) return "not a git repository.";
  if (/prerequisite/.test(error.complaint)) {
    return "incomplete bundle: it needs commits that it does not hold. Make it with `git bundle create FILE --all`.";
  }
  return error.message;
}
