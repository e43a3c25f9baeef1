/** The mirrors of addresses in a data folder. Each mirror stores its address, so that no other list must agree with it. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type GitAddress, parseGitAddress } from "../../contract/git-address.ts";
import { isRepository } from "../git/repository/find-repositories.ts";

/** A mirror, and what later runs need to fetch it again. */
export interface AddressMirror {
  /** Real path. */
  readonly path: string;
  readonly address: GitAddress;
  readonly tokenFile?: string;
  readonly megabytes?: number;
}

/** @param data the data folder. @returns the folder of the mirrors of addresses. */
export function getAddressHome(data: string): string {
  return join(data, "mirrors", "addresses");
}

/** Lists the mirrors by path. Mirrors that were never fetched completely are left out. */
export function listAddressMirrors(home: string): readonly AddressMirror[] {
  if (!existsSync(home)) return [];
  return readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(home, name))
    .sort()
    .flatMap((path) => (path.endsWith(".git") ? readMirror(path) : listAddressMirrors(path)));
}

/** Lists the mirrors at the given paths, and below those that are no repository themselves. */
export function listMirrorsAt(home: string, paths: readonly string[]): readonly AddressMirror[] {
  const mirrors = listAddressMirrors(home);
  if (mirrors.length === 0) return [];
  const named = new Set(paths.map(findRealFolder));
  const searched = new Set([...named].filter((path) => !isRepository(path)));
  const isBelow = (path: string): boolean =>
    searched.has(path) || (path !== dirname(path) && isBelow(dirname(path)));
  return mirrors.filter(({ path }) => named.has(path) || isBelow(path));
}

function findRealFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

function readMirror(path: string): readonly AddressMirror[] {
  try {
    const text = readFileSync(join(path, "config"), "utf8");
    const lines = text.matchAll(/^\t(url|tokenFile|megabytes) = "?([^"\n]+)/gm);
    const stored = Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
    const { url = "", tokenFile, megabytes } = stored;
    const address = parseGitAddress(url, ["http", "file"]);
    return [
      {
        ...{ path: realpathSync(path), address },
        ...(tokenFile && { tokenFile: fileURLToPath(tokenFile) }),
        ...(megabytes && { megabytes: Number(megabytes) }),
      },
    ];
  } catch {
    // The first fetch has not ended.
    return [];
  }
}
