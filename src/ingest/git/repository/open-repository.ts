/** Opens repositories and bundles. */
import { realpathSync, statSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import { deriveOriginFromPath, parseOriginUrl } from "../../origin.ts";
import type { Git } from "../git-command.ts";
import { openBundle } from "./bundle.ts";
import { cutAtBoundary } from "./cut-history.ts";
import type { ClonePath } from "./find-repositories.ts";
import { findObject } from "./objects.ts";
import { RepositoryFault } from "./refusal.ts";
import { type FoundRepository, notesRef, openRepositoryView } from "./view.ts";

/** Opens one location. @throws Fault, or a system error, when its history cannot be read. */
export function openClone(git: Git, location: ClonePath): Promise<FoundRepository> {
  return location.kind === "bundle" ? openBundle(git, location) : openFolder(git, location);
}

/** Opens a location of the ledger. @throws Fault that names the location if it cannot be read. */
export async function openKnownClone(git: Git, directory: string): Promise<FoundRepository> {
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? true;
  const location = { path: directory, directory, kind: isFolder ? "folder" : "bundle" } as const;
  return await openClone(git, location).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${directory}: ${error.message}`, { cause: error });
  });
}

async function openFolder(git: Git, location: ClonePath): Promise<FoundRepository> {
  const view = await openRepositoryView(git, location.directory);
  const { directory, mailmap, settings, close } = view;
  try {
    const head = await findObject(git, directory, "HEAD^{commit}");
    if (!head) throw await createHeadFault(git, directory);
    const mapping = mailmap ?? (await findObject(git, directory, "HEAD:.mailmap")) ?? "";
    return {
      path: location.path,
      directory,
      head,
      mailmap: Bun.hash(mapping).toString(36),
      notes: (await findObject(git, directory, `${notesRef}^{commit}`)) ?? "",
      origin:
        parseOriginUrl(settings.get("remote.origin.url") ?? "") ??
        deriveOriginFromPath(realpathSync(location.directory)),
      cuts: await cutAtBoundary(git, directory, view.boundary),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function createHeadFault(git: Git, directory: string): Promise<RepositoryFault> {
  const named = await findObject(git, directory, "HEAD");
  if (named) {
    return new RepositoryFault(
      `damaged repository: the commit that HEAD names, ${named}, is missing.`,
      "Clone it again, or set its branch to a commit that it has with `git update-ref`.",
    );
  }
  const refs = await git.read(directory, ["for-each-ref", "--count=1"]);
  return refs.length === 0
    ? new RepositoryFault("it is empty.", "A later run reads it, once it has a commit.", true)
    : new RepositoryFault(
        "HEAD has no commit, but another branch has.",
        "`git symbolic-ref HEAD refs/heads/BRANCH` in it names the branch to read.",
      );
}
