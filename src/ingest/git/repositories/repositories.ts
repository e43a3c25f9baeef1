/**
 * Finds what `ingest git PATH...` means: clones, bare mirrors and bundles, or folders of them. What
 * cannot be read truthfully is refused with a line that says what helps, and the others go on.
 */
import { lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Git, GitFault } from "../git-command.ts";
import { type Origin, originOfPath, originOfUrl } from "./origin.ts";
import { type Place, searchPlaces } from "./search-places.ts";

export interface FoundRepository {
  /** As the caller named it, or below the folder he named. */
  readonly path: string;
  /** Where git is to run; for a bundle a copy that `close` removes. */
  readonly directory: string;
  /** The commit to read from: HEAD, or a branch where a bundle has no HEAD. */
  readonly head: string;
  /** Fingerprint of all by which git maps authors here. */
  readonly mailmap: string;
  readonly origin: Origin;
  close(): void;
}

export interface Refusal {
  readonly path: string;
  readonly reason: string;
}

/** Every place below the paths, each once, in an order that does not depend on how they were given. */
export function listPlaces(paths: readonly string[]): readonly (Place | Refusal)[] {
  const found = new Map<string, Place | Refusal>();
  for (const path of paths) {
    for (const place of searchPlaces(path)) {
      const key = "reason" in place ? `refused:${place.path}` : realpathSync(place.directory);
      if (!found.has(key)) found.set(key, place);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/**
 * The commit that would be read from a bundle, without unpacking it.
 *
 * @returns undefined when only unpacking tells.
 */
export async function peekBundle(git: Git, file: string): Promise<string | undefined> {
  const output = await readOr(git, tmpdir(), ["bundle", "list-heads", resolve(file)]);
  const heads = new Map(
    output.split("\n").map((line) => [line.slice(line.indexOf(" ") + 1), line.split(" ")[0]]),
  );
  return heads.get("HEAD") ?? heads.get("refs/heads/main") ?? heads.get("refs/heads/master");
}

/** Opens one place. @returns a refusal instead when its history cannot be read truthfully. */
export async function openPlace(git: Git, place: Place): Promise<FoundRepository | Refusal> {
  try {
    return place.kind === "bundle" ? await openBundle(git, place) : await openFolder(git, place);
  } catch (error) {
    if (error instanceof GitFault) return { path: place.path, reason: reasonOf(error) };
    throw error;
  }
}

async function openFolder(git: Git, place: Place): Promise<FoundRepository> {
  const directory = resolve(place.directory);
  const shallow = (await git.read(directory, ["rev-parse", "--is-shallow-repository"])).toString();
  const [settings, head, mailmap] = await Promise.all([
    readSettings(git, directory),
    readOr(git, directory, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
    readOr(git, directory, ["rev-parse", "--verify", "--quiet", "HEAD:.mailmap"]),
  ]);
  refuseCutHistory(shallow.trim() === "true", settings);
  if (!head) throw await headless(git, directory);
  return {
    path: place.path,
    directory,
    head,
    mailmap: fingerprintMailmap(directory, mailmap, settings),
    origin:
      originOfUrl(settings.get("remote.origin.url") ?? "") ?? originOfPath(realpathSync(directory)),
    close: () => undefined,
  };
}

async function headless(git: Git, directory: string): Promise<GitFault> {
  const named = await readOr(git, directory, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  return new GitFault(
    named
      ? `damaged repository: the commit that HEAD names, ${named}, is missing.`
      : "empty repository: HEAD has no commit.",
  );
}

/** Of the repository's own settings those that matter, by lower-cased name. */
async function readSettings(git: Git, directory: string): Promise<ReadonlyMap<string, string>> {
  const pattern = "^(remote\\..*\\.(url|promisor)|extensions\\.partialclone|mailmap\\..*)$";
  const output = await readOr(git, directory, ["config", "-z", "--get-regexp", pattern]);
  const found = new Map<string, string>();
  for (const entry of output.split("\0")) {
    const [, name, value = ""] = /^([^\n]+)(?:\n(.*))?$/s.exec(entry) ?? [];
    // The last one is in force, as for git itself.
    if (name) found.set(name, value);
  }
  return found;
}

/** Git maps by the file in a clone, the newest tree of a bare one, and what its settings name. */
function fingerprintMailmap(
  directory: string,
  inTree: string,
  settings: ReadonlyMap<string, string>,
): string {
  const file = settings.get("mailmap.file");
  const texts = [
    readRegular(resolve(directory, ".mailmap"), lstatSync),
    file === undefined ? "" : readRegular(resolve(directory, file), statSync),
  ];
  const named = [...settings].filter(([name]) => name.startsWith("mailmap."));
  return Bun.hash(JSON.stringify([inTree, texts, named])).toString(36);
}

/**
 * As git does: a folder or a file that cannot be read maps nobody, and a link is followed only where a
 * setting names it. One that comes with a clone may lead anywhere, to a device without end say.
 */
function readRegular(path: string, look: typeof lstatSync | typeof statSync): string {
  try {
    return look(path).isFile() ? readFileSync(path, "latin1") : "";
  } catch {
    return "";
  }
}

async function openBundle(git: Git, place: Place): Promise<FoundRepository> {
  const parent = mkdtempSync(join(tmpdir(), "roster-bundle-"));
  const close = (): void => rmSync(parent, { recursive: true, force: true });
  try {
    const directory = join(parent, "repository.git");
    await git.read(parent, ["clone", "--quiet", "--mirror", resolve(place.directory), directory]);
    const head = await findHead(git, directory);
    if (!head) throw new GitFault("empty bundle: it holds no branch with a commit.");
    const mailmap = await readOr(git, directory, [
      "rev-parse",
      "--verify",
      "--quiet",
      `${head}:.mailmap`,
    ]);
    const origin = originOfPath(place.directory);
    return { path: place.path, directory, head, mailmap, origin, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A bundle may lack HEAD: then its main branch, or its only one. */
async function findHead(git: Git, directory: string): Promise<string | undefined> {
  for (const name of ["HEAD", "refs/heads/main", "refs/heads/master"]) {
    const sha = await readOr(git, directory, [
      "rev-parse",
      "--verify",
      "--quiet",
      `${name}^{commit}`,
    ]);
    if (sha) return sha;
  }
  const branches = await readOr(git, directory, [
    "for-each-ref",
    "--format=%(objectname)",
    "refs/heads",
  ]);
  const [only, ...others] = branches.split("\n").filter(Boolean);
  return others.length === 0 ? only : undefined;
}

function refuseCutHistory(isShallow: boolean, settings: ReadonlyMap<string, string>): void {
  if (isShallow) {
    throw new GitFault(
      "shallow clone: its history is cut, so every count would be wrong. Run `git fetch --unshallow` in it first.",
    );
  }
  const isPartial = [...settings].some(
    ([name, value]) =>
      name === "extensions.partialclone" || (name.endsWith(".promisor") && value === "true"),
  );
  if (isPartial) {
    throw new GitFault(
      "partial clone: objects are missing and nothing is fetched here. Clone it again without --filter.",
    );
  }
}

async function readOr(git: Git, directory: string, args: readonly string[]): Promise<string> {
  const output = await git.read(directory, args).catch(notGit);
  return output?.toString().trim() ?? "";
}

/** A question that git answers with a failure: no. Whatever else went wrong is not swallowed. */
function notGit(error: unknown): undefined {
  if (error instanceof GitFault) return undefined;
  throw error;
}

function reasonOf(error: GitFault): string {
  if (/not a git repository/.test(error.complaint)) return "not a git repository.";
  if (/prerequisite/.test(error.complaint)) {
    return "incomplete bundle: it needs commits that it does not hold. Make it with `git bundle create FILE --all`.";
  }
  if (/early EOF|index-pack|pack signature/.test(error.complaint)) {
    return "damaged bundle: it ends too early or was changed. Make or copy it anew.";
  }
  return error.message;
}
