/** Keeps bare mirrors of a forge's public repositories. A mirror has the history of the main branch, and the notes of git-ai. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../contract/fault.ts";
import { lockFile } from "../../sqlite/folder/noted-lock.ts";
import type { ForgeRepository } from "../forges/forge.ts";
import type { KnownClone } from "../git/ledger/locations.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";
import {
  clearLeftovers,
  createMirrorUpdate,
  defaultMegabytes,
  type MirrorRemote,
} from "./update-mirror.ts";

export interface MirrorSettings extends Pick<MirrorRemote, "megabytes"> {
  /** The folder of all mirrors. It has one folder for each forge. */
  readonly folder: string;
  /** The most repositories of one person; default 10. Repositories with the most stars come first. */
  readonly perPerson?: number | undefined;
}

interface MirrorRequest extends MirrorSettings, MirrorRemote {
  readonly forge: string;
  readonly repositories: readonly ForgeRepository[];
  /** Account numbers of the owners who are people. */
  readonly people: ReadonlySet<string>;
  /** The names of the repositories to update; default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly onProgress: (what: string) => void;
}

/** The number of consecutive time-outs after which no more repositories are fetched. */
const silencesMax = 3;

/** @returns the paths of the mirrors, and warnings about repositories that were not mirrored. @throws the signal's reason. */
export async function mirrorRepositories(request: MirrorRequest) {
  const home = getMirrorHome(request.folder, request.forge);
  mkdirSync(home, { recursive: true });
  return lockMirrors(home, request, () => updateMirrors(home, request));
}

const askAgainMs = 1000;

/** Locks a folder of mirrors during a change, because two runs may share it. */
export async function lockMirrors<Result>(
  home: string,
  { onProgress, signal }: Pick<MirrorRequest, "onProgress" | "signal">,
  change: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const release = lockFile(join(home, ".mirroring"), 0);
    if (release) return await change().finally(release);
    onProgress(`waiting: another run updates the mirrors in ${home}`);
    await Bun.sleep(askAgainMs);
  }
}

async function updateMirrors(home: string, request: MirrorRequest) {
  const { warnings, ...all } = chooseRepositories(request);
  const { only } = request;
  const chosen = all.chosen.filter(({ name }) => only?.has(name) ?? true);
  const toPath = ({ name }: ForgeRepository) => join(home, `${name}.git`);
  clearLeftovers(home);
  const update = createMirrorUpdate(request, home);
  let silences = 0;
  for (const [at, repository] of chosen.entries()) {
    if (silences === silencesMax) {
      const why = `the forge's git server did not answer ${silencesMax} times in a row`;
      warnings.push(`${chosen.length - at} more repositories are left for the next run: ${why}.`);
      break;
    }
    request.onProgress(`mirror ${at + 1} of ${chosen.length}, ${repository.name}`);
    try {
      const url = `${request.url}/${repository.name}.git`;
      // Stores the address that the forge lists. Other clones with this address count as the same repository.
      const settings = { "remote.origin.url": repository.urls[0] ?? url };
      await update({ url, path: toPath(repository), settings });
      silences = 0;
    } catch (error) {
      request.signal?.throwIfAborted();
      silences = isFault(error, "time_limit") ? silences + 1 : 0;
      if (error instanceof RepositoryFault && error.isEmpty) continue;
      warnings.push(`${repository.name} is not mirrored: ${(error as Error).message}`);
    }
  }
  // Includes mirrors that could not be updated. Their earlier content remains.
  return { paths: chosen.map(toPath).filter((path) => existsSync(path)), warnings };
}

export function getMirrorHome(folder: string, forge: string): string {
  return join(folder, forge.replace(/[^a-z0-9.-]/g, "+"));
}

/**
 * Warns about mirrored repositories that the forge no longer lists. Their mirrors are kept.
 * @param names the repositories that the forge still lists.
 */
export function warnOfLeftMirrors(
  home: string,
  places: readonly Pick<KnownClone, "name" | "path">[],
  names: ReadonlySet<string>,
): readonly string[] {
  return places.flatMap(({ name, path }) => {
    if (!path.startsWith(`${home}/`)) return [];
    const listed = path.slice(home.length + 1).replace(/\.git$/, "");
    if (names.has(listed)) return [];
    const left = existsSync(path)
      ? `its mirror ${path} and its history in the pool remain`
      : "its history in the pool remains";
    return [
      `${listed} is no longer among the forge's public repositories that are read: ${left} until \`roster ingest forget ${name}\`.`,
    ];
  });
}

function chooseRepositories({
  repositories,
  people,
  perPerson = 10,
  megabytes = defaultMegabytes,
}: MirrorRequest) {
  const warnings: string[] = [];
  const count = new Map<string, number>();
  // Leaves out forks, because most forks have no commits of their own.
  const own = repositories.filter(({ isFork }) => !isFork).sort(compareInterest);
  const chosen = own.filter(({ name, owner, megabytes: size = 0 }) => {
    if (!isSafeName(name)) return false;
    const before = count.get(owner ?? "") ?? 0;
    if (owner !== undefined && people.has(owner) && before >= perPerson) return false;
    if (size > megabytes) {
      warnings.push(`${name} is not mirrored: it has ${Math.round(size)} MB.`);
      return false;
    }
    count.set(owner ?? "", before + 1);
    return true;
  });
  return { chosen, warnings };
}

function compareInterest(a: ForgeRepository, b: ForgeRepository): number {
  const stars = (b.stars ?? 0) - (a.stars ?? 0);
  if (stars !== 0) return stars;
  const [one = "", other = ""] = [a.pushedAt, b.pushedAt];
  return one === other ? (a.name < b.name ? -1 : 1) : one < other ? 1 : -1;
}

/** Whether a name from the forge can be used as a path. A name like `../x` would leave the folder of mirrors. */
function isSafeName(name: string): boolean {
  const parts = name.split("/");
  return parts.length > 1 && parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part));
}
