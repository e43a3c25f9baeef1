/** Derives the name and owner of a repository from its remote or its path. */

export interface RepositoryOrigin {
  /** `owner/name`, or the name of the folder. */
  readonly name: string;
  /** Host of the forge; undefined if unknown. */
  readonly forge: string | undefined;
  /** Login of the owner; undefined if unknown. */
  readonly owner: string | undefined;
}

/** @returns undefined for a remote that names no forge, such as a folder. */
export function parseOriginUrl(url: string): RepositoryOrigin | undefined {
  const parsed =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(url) ??
    /^(?:[^@/]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/)(.+)$/.exec(url);
  const [, host, path] = parsed ?? [];
  if (!host || !path) return undefined;
  const parts = partsOf(path);
  const [owner] = parts;
  if (!owner || parts.length < 2) return undefined;
  return { name: parts.join("/").slice(0, nameMax), forge: host.toLowerCase(), owner };
}

/** Reads owner and name from a path such as `owner+name/repo` or `owner+name.git`. Other paths have the folder's name only. */
export function deriveOriginFromPath(path: string): RepositoryOrigin {
  const parts = partsOf(path.replace(/\.bundle$/, ""));
  let last = parts.pop() ?? "repository";
  if (/^(repo|repository|mirror)$/.test(last)) last = parts.pop() ?? last;
  const [, owner, name] = /^([A-Za-z0-9._-]+)\+(.+)$/.exec(last) ?? [];
  const whole = owner && name ? `${owner}/${name}` : last;
  return { name: whole.slice(0, nameMax), forge: undefined, owner };
}

const nameMax = 300;

function partsOf(path: string): string[] {
  return path
    .replace(/(?<!\/)\/+$/, "")
    .replace(/(?:\/\.git|\.git)$/, "")
    .split("/")
    .filter(Boolean);
}
