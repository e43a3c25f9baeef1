/**
 * Finds what `ingest git PATH...` means: clones, bare mirrors and bundles, or folders of them. What
 * cannot be read truthfully is refused with a line that says what helps, and the others go on.
 */

import { realpathSync } from "node:fs";
import { Fault, isFault } from "../../../contract/fault.ts";
import type { Git } from "../git-command.ts";
import { openBundle } from "./bundle.ts";
import { type ClonePath, describeUnreadable, findClones } from "./find-clones.ts";
import { findObject } from "./find-object.ts";
import { deriveOriginFromPath, parseOriginUrl, type RepositoryOrigin } from "./origin.ts";
import { openRepositoryView } from "./view.ts";

export { readBundleHead } from "./bundle.ts";

export interface FoundRepository {
  /** As the caller named it, or below the folder he named. */
  readonly path: string;
  /** Where git is to run: a folder of ours, which `close` removes. */
  readonly directory: string;
  /** The commit to read from: HEAD, or a branch where a bundle has no HEAD. */
  readonly head: string;
  /** Fingerprint of all by which git maps authors here. */
  readonly mailmap: string;
  readonly origin: RepositoryOrigin;
  close(): void;
}

export interface RepositoryRefusal {
  readonly path: string;
  readonly reason: string;
}

/** Every place below the paths, each once, in an order that does not depend on how they were given. */
export function listClones(paths: readonly string[]): readonly (ClonePath | RepositoryRefusal)[] {
  const found = new Map<string, ClonePath | RepositoryRefusal>();
  for (const path of paths) {
    for (const place of findClones(path)) {
      const key = "reason" in place ? `refused:${place.path}` : realpathSync(place.directory);
      if (!found.has(key)) found.set(key, place);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/** Opens one place. @returns a refusal instead when its history cannot be read truthfully. */
export async function openClone(
  git: Git,
  place: ClonePath,
): Promise<FoundRepository | RepositoryRefusal> {
  const { path } = place;
  try {
    return place.kind === "bundle" ? await openBundle(git, place) : await openFolder(git, place);
  } catch (error) {
    if (isFault(error, "git")) return { path, reason: reasonOf(error) };
    // A file that cannot be read, or a link that leads to itself.
    if (error instanceof Error && "syscall" in error)
      return { path, reason: describeUnreadable(error) };
    throw error;
  }
}

async function openFolder(git: Git, place: ClonePath): Promise<FoundRepository> {
  const { directory, mailmap, remote, close } = await openRepositoryView(git, place.directory);
  try {
    const head = await findObject(git, directory, "HEAD^{commit}");
    if (!head) throw await headless(git, directory);
    const mapping = mailmap ?? (await findObject(git, directory, "HEAD:.mailmap")) ?? "";
    return {
      path: place.path,
      directory,
      head,
      mailmap: Bun.hash(mapping).toString(36),
      origin: parseOriginUrl(remote ?? "") ?? deriveOriginFromPath(realpathSync(place.directory)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function headless(git: Git, directory: string): Promise<Fault> {
  const named = await findObject(git, directory, "HEAD");
  return new Fault(
    "git",
    named
      ? `damaged repository: the commit that HEAD names, ${named}, is missing.`
      : "empty repository: HEAD has no commit.",
  );
}

function reasonOf(error: Fault): string {
  const said = String(error.cause);
  if (/not a git repository/.test(said)) return "not a git repository.";
  if (/prerequisite/.test(said)) {
    return "incomplete bundle: it needs commits that it does not hold. Make it with `git bundle create FILE --all`.";
  }
  if (/early EOF|index-pack|pack signature/.test(said)) {
    return "damaged bundle: it ends too early or was changed. Make or copy it anew.";
  }
  return error.message;
}
