/** The mirrors of addresses in a data folder. Each mirror stores its address, so that no other list must agree with it. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type GitAddress, parseGitAddress } from "../../contract/git-address.ts";
import { findRealPath } from "../git/find-left-out.ts";
import { isRepository } from "../git/repository/find-repositories.ts";

/** A mirror, and what later runs need to fetch it again. */
interface AddressMirror {
  /** Real path. */
  readonly path: string;
  readonly address: GitAddress;
  readonly tokenFile: string | undefined;
}

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
  const named = paths.map(findRealPath);
  const searched = named.filter((path) => !isRepository(path)).map((path) => join(path, sep));
  return listAddressMirrors(home).filter(
    ({ path }) => named.includes(path) || searched.some((folder) => path.startsWith(folder)),
  );
}

function readMirror(path: string): readonly AddressMirror[] {
  try {
    const text = readFileSync(join(path, "config"), "utf8");
    const lines = text.matchAll(/^\t(url|tokenFile) = "?([^"\n]+)/gm);
    const { url = "", tokenFile } = Object.fromEntries([...lines].map((line) => line.slice(1)));
    const address = parseGitAddress(url, ["http", "file"]);
    const file = tokenFile && fileURLToPath(tokenFile);
    return [{ path: realpathSync(path), address, tokenFile: file }];
  } catch {
    // The first fetch has not ended.
    return [];
  }
}
