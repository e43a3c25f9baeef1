/** Opens repositories and bundles. Those that would give wrong figures are refused, with a hint where one helps. */

import { realpathSync } from "node:fs";
import { Fault, isFault } from "../../../contract/fault.ts";
import { cutAtBoundary } from "../damage/cut-history.ts";
import {
  type ClonePath,
  describeUnreadable,
  type RepositoryRefusal,
} from "../find-repositories.ts";
import type { Git } from "../git-command.ts";
import { openBundle } from "./bundle.ts";
import { findObject } from "./objects.ts";
import { deriveOriginFromPath, parseOriginUrl } from "./origin.ts";
import { type FoundRepository, openRepositoryView } from "./view.ts";

/** Opens one place. @returns a refusal when its history is unreadable or incomplete. */
export async function openClone(
  git: Git,
  place: ClonePath,
): Promise<FoundRepository | RepositoryRefusal> {
  const { path } = place;
  try {
    return place.kind === "bundle" ? await openBundle(git, place) : await openFolder(git, place);
  } catch (error) {
    if (isFault(error, "git")) return { path, reason: reasonOf(error) };
    // An unreadable file, or a link to itself.
    if (error instanceof Error && "syscall" in error)
      return { path, reason: describeUnreadable(error) };
    throw error;
  }
}

async function openFolder(git: Git, place: ClonePath): Promise<FoundRepository> {
  const view = await openRepositoryView(git, place.directory);
  const { directory, mailmap, remote, close } = view;
  try {
    const head = await findObject(git, directory, "HEAD^{commit}");
    if (!head) throw await createHeadFault(git, directory);
    const mailmapObject = mailmap ? undefined : await findObject(git, directory, "HEAD:.mailmap");
    const mapping = mailmap ?? mailmapObject ?? "";
    return {
      path: place.path,
      directory,
      head,
      mailmap: Bun.hash(mapping).toString(36),
      mailmapObject,
      origin: parseOriginUrl(remote ?? "") ?? deriveOriginFromPath(realpathSync(place.directory)),
      cause: view.cause,
      cuts: await cutAtBoundary(git, directory, view.boundary),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function createHeadFault(git: Git, directory: string): Promise<Fault> {
  const named = await findObject(git, directory, "HEAD");
  return new Fault(
    "git",
    named
      ? `damaged repository: the commit that HEAD names, ${named}, is missing.`
      : "empty repository: HEAD has no commit.",
  );
}

function reasonOf(error: Fault): string {
  const output = String(error.cause);
  if (/not a git repository/.test(output)) return "not a git repository.";
  if (/prerequisite/.test(output)) {
    return "incomplete bundle: it needs commits that it does not hold. Make it with `git bundle create FILE --all`.";
  }
  if (/early EOF|index-pack|pack signature/.test(output)) {
    return "damaged bundle: it ends too early or was changed. Make or copy it anew.";
  }
  return error.message;
}
