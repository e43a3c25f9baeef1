/** Updates one mirror with git. A size that the forge reports is not trusted. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "../../contract/fault.ts";
import { type Git, type GitUser, openGit } from "../git/git-command.ts";
import { RepositoryFault } from "../git/repository/refusal.ts";
import { notesRef } from "../git/repository/view.ts";

export interface MirrorRemote {
  readonly token?: string | undefined;
  /** Certificates of private authorities, in PEM. */
  readonly authorities?: string | undefined;
  /** The address where people open the forge, or a repository's address. Mirrors are fetched only from this server. */
  readonly url: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The user's own keys and credential helpers. Git uses them only without a token. */
  readonly user?: GitUser | undefined;
  /** The largest repository that is mirrored, in megabytes; default 500. */
  readonly megabytes?: number | undefined;
  readonly memoryMiB?: number | undefined;
  /** Time limit for one repository in milliseconds; default: an hour. */
  readonly timeoutMs?: number | undefined;
  /** How long a server may send nothing, in milliseconds; default: a minute. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Memory limit for listing branches, in MiB. A million branches need less. */
const headMemoryMiB = 512;
const headMs = 120_000;
const minuteMs = 60_000;
const megabyte = 1_000_000;
export const defaultMegabytes = 500;

interface MirrorTarget {
  /** The address to fetch from. */
  readonly url: string;
  readonly path: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** @returns a function that updates one mirror. It throws a RepositoryFault for a repository without commits. */
export function createMirrorUpdate(remote: MirrorRemote, home: string) {
  const git = openRemote(remote, home);
  const bytesMax = (remote.megabytes ?? defaultMegabytes) * megabyte;
  return async ({ url, path, settings }: MirrorTarget): Promise<void> => {
    const { branch, head, notes } = await findTips(git, url, remote);
    const has = existsSync(path) ? await findCommit(git, path, branch) : "";
    // An unfinished first fetch leaves a folder without HEAD. Such a folder does not count as a mirror.
    const isNew = has === "" && (!existsSync(path) || !(await findCommit(git, path, "HEAD")));
    try {
      if (isNew) {
        removeMirror(path);
        mkdirSync(path, { recursive: true });
        await git.read(path, ["init", "--quiet", "--bare", "--template="]);
      }
      const hasNotes = isNew ? "" : await findCommit(git, path, notesRef);
      const refs = [
        ...(has === head ? [] : [branch]),
        ...(notes === "" || hasNotes === notes ? [] : [notesRef]),
      ];
      if (refs.length > 0) await fetchRefs(git, path, { url, refs, bytesMax });
      if (notes === "" && hasNotes !== "") await git.read(path, ["update-ref", "-d", notesRef]);
      await git.read(path, ["symbolic-ref", "HEAD", branch]);
      for (const setting of Object.entries(settings)) {
        await git.read(path, ["config", ...setting]);
      }
    } catch (error) {
      if (isNew) removeMirror(path);
      clearLeftovers(path);
      throw error;
    }
  };
}

/** @package Opens git for one server. Redirects are not followed. */
export function openRemote(remote: MirrorRemote, home: string): Git {
  const { url, token, authorities, environment = {}, silenceMs = minuteMs } = remote;
  const [protocol = "ssh"] = /^(?:https?|file)(?=:)/.exec(url) ?? [];
  const settings: Record<string, string> = {
    "http.followRedirects": "false",
    // Stops only a silent server. A server that prepares a pack sends just a few bytes every five seconds.
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": String(Math.ceil(silenceMs / 1000)),
    "fetch.recurseSubmodules": "no",
    // Makes git write a single pack file. The limit on file size then limits the whole fetch.
    "fetch.unpackLimit": "1",
    "gc.autoDetach": "false",
  };
  if (authorities !== undefined) {
    const file = join(home, "authorities.pem");
    writeFileSync(file, authorities);
    settings["http.sslCAInfo"] = file;
  }
  if (token) {
    settings["http.extraHeader"] = `Authorization: Basic ${btoa(`x-access-token:${token}`)}`;
  }
  const user = token ? undefined : remote.user;
  return openGit({ ...remote, remote: { protocol, settings, user, environment } });
}

/** @package Asks for the main branch, its last commit, and the last commit of the notes of git-ai. */
export async function findTips(
  git: Git,
  url: string,
  { timeoutMs = headMs }: Pick<MirrorRemote, "timeoutMs">,
) {
  const answer = await git
    .within({ memoryMiB: headMemoryMiB, timeoutMs: Math.min(timeoutMs, headMs) })
    .read("/", ["ls-remote", "--symref", url, "HEAD", notesRef])
    .catch(toSilence);
  const said = answer.toString().slice(0, 10_000);
  const branch = /^ref: (refs\/heads\/[^\s]+)\tHEAD$/m.exec(said)?.[1];
  const head = /^([0-9a-f]{40,64})\tHEAD$/m.exec(said)?.[1];
  if (branch && head) return { branch, head, notes: notesLine.exec(said)?.[1] ?? "" };
  const remedy = "A later run reads it, once it has a commit.";
  throw new RepositoryFault("it is empty, or its HEAD names no commit.", remedy, true);
}

const notesLine = new RegExp(`^([0-9a-f]{40,64})\\t${notesRef}$`, "m");

async function findCommit(git: Git, path: string, branch: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", branch];
  return (await git.read(path, args).catch(() => "")).toString().trim();
}

async function fetchRefs(
  git: Git,
  path: string,
  { url, refs, bytesMax }: { url: string; refs: readonly string[]; bytesMax: number },
): Promise<void> {
  const left = bytesMax - measureFolder(path);
  const tooLarge = (error?: unknown) =>
    new Fault("git", `it is larger than ${bytesMax / megabyte} MB.`, { cause: error });
  if (left <= 0) throw tooLarge();
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  await git
    .within({ fileBytes: left })
    .read(path, [...fetch, url, ...refs.map((ref) => `+${ref}:${ref}`)])
    .catch((error: unknown) => {
      if (isFault(error, "git") && /file too large/i.test(String(error.cause))) {
        throw tooLarge(error);
      }
      return toSilence(error);
    });
  // Joins the packs of many small fetches. If this fails, the packs remain readable.
  await git.read(path, ["gc", "--auto", "--quiet"]).catch(() => undefined);
}

/** Throws git's error. If the server sent nothing, throws a Fault `time_limit` instead. */
function toSilence(error: unknown): never {
  const isSilent = isFault(error, "git") && /too slow|timed out/i.test(String(error.cause));
  if (!isSilent) throw error;
  throw new Fault("time_limit", "the forge's git server does not answer.", { cause: error });
}

function measureFolder(path: string): number {
  const files = new Bun.Glob("**").scanSync({ cwd: path, dot: true });
  return [...files].reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
}

/** @package Removes a mirror. Call it only while the mirrors are locked. */
export function removeMirror(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** @package Removes unfinished files of interrupted fetches. Call it only while the mirrors are locked. */
export function clearLeftovers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const unfinished of ["**/objects/**/tmp_*", "**/*.lock"]) {
    for (const file of new Bun.Glob(unfinished).scanSync({ cwd: folder, dot: true })) {
      rmSync(join(folder, file), { force: true });
    }
  }
}
