import { realpathSync, statSync } from "node:fs";
import { isAbsolute, normalize, sep } from "node:path";

export type FolderChoice =
  | { readonly ok: true; readonly path: string }
  /** Says why the folder may not be read. */
  | { readonly ok: false; readonly message: string };

/**
 * Checks the folder that an administrator has typed. The folder must be in one of the roots, because administrators may have no
 * other access to the machine. Nothing is said about other folders.
 */
export function chooseIngestFolder(typed: string, roots: readonly string[]): FolderChoice {
  if (roots.length === 0) {
    return refuse(
      "Pages cannot add this folder. The setting `ingest.roots` names the folders that they may read.",
    );
  }
  if (!isAbsolute(typed)) return refuse("The folder must be an absolute path on the server.");
  const allowed = roots.join(", ");
  if (!roots.some((root) => isWithin(normalize(typed), normalize(root)))) {
    return refuse(`The folder must be in ${allowed}.`);
  }
  try {
    const path = realpathSync(typed);
    // A link may lead out of the roots, so the resolved path is checked too.
    const isAllowed = roots.some((root) => isWithin(path, tryRealPath(root)));
    if (!isAllowed) return refuse(`The folder leads out of ${allowed}.`);
    if (statSync(path).isDirectory() || path.endsWith(".bundle")) return { ok: true, path };
    return refuse("That is neither a folder nor a bundle.");
  } catch {
    return refuse("There is no such folder on the server, or Roster may not read it.");
  }
}

const refuse = (message: string) => ({ ok: false, message }) as const;

function isWithin(path: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const folder = root.endsWith(sep) ? root : root + sep;
  return path === root || path.startsWith(folder);
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
