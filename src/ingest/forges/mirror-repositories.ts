/**
 * Keeps bare mirrors of a forge's public repositories, so that people whom only a forge told of have commits too. They
 * are whole in history and hold the main branch only, which is all that is read.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownClone } from "../git/ledger/ledger.ts";
import type { ForgeRepository } from "./forge.ts";

export interface MirrorSettings {
  /** Folder of all mirrors; each lies below the name of its forge. */
  readonly folder: string;
  /** Default 10: as many of each person, the most starred and latest pushed. */
  readonly perPerson?: number | undefined;
  /** Default 500: larger ones are left out. */
  readonly megabytes?: number | undefined;
}

export interface MirrorRequest extends MirrorSettings {
  readonly token?: string | undefined;
  /** Certificates in PEM. */
  readonly authorities?: string | undefined;
  /** Where people open the forge; mirrors are made from nowhere else. */
  readonly url: string;
  readonly forge: string;
  readonly repositories: readonly ForgeRepository[];
  /** Numbers of the owners who are people. */
  readonly people: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
  /** @param what in words. */
  readonly onProgress: (what: string) => void;
}

/** @returns the mirrors that are there, and what is not and why. @throws the signal's reason. */
export async function mirrorRepositories(
  request: MirrorRequest,
): Promise<{ readonly paths: readonly string[]; readonly warnings: readonly string[] }> {
  const { chosen, warnings } = chooseRepositories(request);
  const paths: string[] = [];
  const home = getMirrorHome(request.folder, request.forge);
  mkdirSync(home, { recursive: true });
  const git = createTransfer(request, home);
  for (const [at, repository] of chosen.entries()) {
    request.onProgress(`mirror ${at + 1} of ${chosen.length}, ${repository.name}`);
    const path = join(home, `${repository.name}.git`);
    try {
      if (await updateMirror(git, repository, path)) paths.push(path);
    } catch (error) {
      request.signal?.throwIfAborted();
      warnings.push(`${repository.name} is not mirrored: ${(error as Error).message}`);
      if (existsSync(path)) paths.push(path);
    }
  }
  return { paths, warnings };
}

/** @package Where the mirrors of a forge lie. */
export function getMirrorHome(folder: string, forge: string): string {
  return join(folder, forge.replace(/[^a-z0-9.-]/g, "+"));
}

/**
 * @package What was mirrored and read while it was public, and is in no list any more: nothing of it goes by itself, so
 *   that a forge that answers badly for a day costs no history.
 * @param names of the repositories that the forge still shows.
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
  megabytes = 500,
}: MirrorRequest) {
  const warnings: string[] = [];
  const count = new Map<string, number>();
  // Whether a fork has commits of its own is known only when it is read.
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

/** A forge's name becomes a path below the folder, and never one beside it. */
function isSafeName(name: string): boolean {
  const parts = name.split("/");
  return parts.length > 1 && parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part));
}

/** @returns false for a repository without commits. */
async function updateMirror(
  git: Transfer,
  { name, urls: [listed] }: ForgeRepository,
  path: string,
): Promise<boolean> {
  const said = await git.ask(["ls-remote", "--symref", git.urlOf(name), "HEAD"]);
  const branch = /^ref: (refs\/heads\/[^\s]+)\tHEAD$/m.exec(said)?.[1];
  const head = /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1];
  if (!branch || !head) return false;
  const isNew = !existsSync(path);
  try {
    if (isNew) await git.ask(["init", "--quiet", "--bare", "--template=", path]);
    const has = await git
      .ask(["-C", path, "rev-parse", "--verify", "--quiet", branch])
      .catch(() => "");
    if (has.trim() !== head) {
      const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
      await git.ask(["-C", path, ...fetch, git.urlOf(name), `+${branch}:${branch}`]);
    }
    await git.ask(["-C", path, "symbolic-ref", "HEAD", branch]);
    // As the forge itself calls it, so that whoever has another clone has the same repository.
    const origin = listed ?? git.urlOf(name);
    await git.ask(["-C", path, "config", "remote.origin.url", origin]);
    return true;
  } catch (error) {
    if (isNew) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

interface Transfer {
  urlOf(name: string): string;
  /** @returns standard output. @throws Error with git's last line. */
  ask(args: readonly string[]): Promise<string>;
}

/**
 * The token comes by standard input into a variable of git's own, since other users see arguments. Redirects are not
 * followed, as everywhere with forges. The proxy is that of the environment.
 */
const script = `IFS= read -r GIT_CONFIG_VALUE_0
GIT_CONFIG_KEY_0=http.extraHeader
GIT_CONFIG_COUNT=1
if [ -z "$GIT_CONFIG_VALUE_0" ]; then GIT_CONFIG_COUNT=0; fi
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 HOME=/nonexistent LC_ALL=C
export GIT_CONFIG_VALUE_0 GIT_CONFIG_KEY_0 GIT_CONFIG_COUNT
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_TERMINAL_PROMPT HOME LC_ALL
exec git "$@" </dev/null`;

function createTransfer(
  { url, token, authorities, signal }: MirrorRequest,
  home: string,
): Transfer {
  const settings = [
    "http.followRedirects=false",
    "core.hooksPath=/dev/null",
    "gc.autoDetach=false",
  ];
  if (authorities !== undefined) {
    const file = join(home, "authorities.pem");
    writeFileSync(file, authorities);
    settings.push(`http.sslCAInfo=${file}`);
  }
  const command = ["sh", "-c", script, "sh", ...settings.flatMap((each) => ["-c", each])];
  const header = token ? `Authorization: Basic ${btoa(`x-access-token:${token}`)}` : "";
  return {
    urlOf: (name) => `${url}/${name}.git`,
    async ask(args) {
      signal?.throwIfAborted();
      const child = Bun.spawn([...command, ...args], {
        stdin: Buffer.from(`${header}\n`),
        stdout: "pipe",
        stderr: "pipe",
        ...(signal && { signal }),
      });
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      if ((await child.exited) === 0) return out;
      throw new Error(err.trim().split("\n").at(-1) || "git was ended.");
    },
  };
}
