/**
 * Git reads a repository that is not ours through a folder that is: with its objects and refs, and settings
 * that we wrote. So no setting, hook, attribute or index of it is ever seen by git, whichever will be thought of.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Fault } from "../../../contract/fault.ts";
import type { Git } from "../git-command.ts";
import type { RepositoryOrigin } from "./origin.ts";
import {
  createPartialCloneFault,
  readMailmap,
  readRegular,
  refBytesMax,
  refuseSpecialObjects,
  refuseSpecialRefs,
} from "./special-files.ts";

export interface FoundRepository {
  /** As the caller named it, or below the folder he named. */
  readonly path: string;
  /** Where git is to run: a folder of ours, which `close` removes. */
  readonly directory: string;
  /** The commit to read from: HEAD, or a branch where a bundle has no HEAD. */
  readonly head: string;
  /** Fingerprint of all by which git maps authors here. */
  readonly mailmap: string;
  readonly origin: RepositoryOrigin;
  close(): void;
}

interface RepositoryView {
  /** Where git is to run. */
  readonly directory: string;
  close(): void;
}

interface FolderView extends RepositoryView {
  /** What the remote is called by, when it says. */
  readonly remote: string | undefined;
  /** What maps authors beside the working tree; undefined in a bare repository, where HEAD has it. */
  readonly mailmap: Buffer | undefined;
}

/** An empty repository of ours, for a bundle to be unpacked into. */
export function createRepository(objectFormat: string): RepositoryView {
  return makeView({ objectFormat }, (directory) => {
    mkdirSync(join(directory, "objects"));
    mkdirSync(join(directory, "refs"));
    writeFileSync(join(directory, "HEAD"), "ref: refs/heads/main\n");
  });
}

/** @throws Fault when it is none, when its history is cut, or when it holds what is no regular file. */
export async function openRepositoryView(git: Git, place: string): Promise<FolderView> {
  const { directory, head, worktree } = locate(resolve(place));
  if (existsSync(join(directory, "shallow"))) {
    throw new Fault(
      "git",
      "shallow clone: its history is cut, so every count would be wrong. Run `git fetch --unshallow` in it first.",
    );
  }
  const settings = await readSettings(git, join(directory, "config"));
  const formats = formatsOf(settings);
  refuseSpecialRefs(directory, head.toString());
  await refuseSpecialObjects(git, join(directory, "objects"));
  const mailmap = worktree === undefined ? undefined : readMailmap(worktree);
  const view = makeView({ ...formats, mailmap }, (made) => {
    for (const name of ["objects", "refs", "packed-refs", "reftable"]) {
      const path = join(directory, name);
      if (existsSync(path)) symlinkSync(realpathSync(path), join(made, name));
    }
    if (!existsSync(join(made, "refs"))) mkdirSync(join(made, "refs"));
    writeFileSync(join(made, "HEAD"), head);
  });
  return { ...view, mailmap, remote: settings.get("remote.origin.url") };
}

interface Formats {
  readonly objectFormat: string;
  readonly refStorage?: string;
}

function makeView(
  { objectFormat, refStorage = "files", mailmap }: Formats & { mailmap?: Buffer | undefined },
  fill: (directory: string) => void,
): RepositoryView {
  const directory = mkdtempSync(join(tmpdir(), "roster-git-"));
  const close = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const settings = ["[core]", "repositoryFormatVersion = 1", "bare = true", "[extensions]"];
    // Named only where they must be: older versions do not know the second.
    if (objectFormat !== "sha1") settings.push(`objectFormat = ${objectFormat}`);
    if (refStorage !== "files") settings.push(`refStorage = ${refStorage}`);
    if (mailmap !== undefined) {
      writeFileSync(join(directory, "mailmap"), mailmap);
      settings.push("[mailmap]", "file = mailmap", "blob =");
    }
    writeFileSync(join(directory, "config"), `${settings.join("\n")}\n`);
    fill(directory);
    return { directory, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The folder with the objects and refs, and what HEAD says: of a linked working tree they lie apart. */
function locate(place: string): { directory: string; head: Buffer; worktree: string | undefined } {
  const dotGit = join(place, ".git");
  const kind = statSync(dotGit, { throwIfNoEntry: false });
  const linked = kind && !kind.isDirectory() ? readText(dotGit) : undefined;
  const [, target] = /^gitdir: ?([^\r\n]+)/.exec(linked ?? "") ?? [];
  if (linked !== undefined && target === undefined) throw new Fault("git", "not a git repository.");
  const own = target !== undefined ? resolve(place, target) : kind ? dotGit : place;
  const common = readText(join(own, "commondir"))?.trim();
  const directory = common ? resolve(own, common) : own;
  const head = readHead(join(own, "HEAD"));
  const objects = statSync(join(directory, "objects"), { throwIfNoEntry: false });
  if (head === undefined || !objects?.isDirectory()) {
    throw new Fault("git", "not a git repository.");
  }
  return { directory, head, worktree: kind && place };
}

/** Old ones have a link there. */
function readHead(path: string): Buffer | undefined {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const target = isLink ? readlinkSync(path) : "";
  return target.startsWith("refs/")
    ? Buffer.from(`ref: ${target}\n`)
    : readRegular(path, refBytesMax);
}

function readText(path: string): string | undefined {
  return readRegular(path, refBytesMax)?.toString();
}

const configBytesMax = 1024 * 1024;

/** The repository's own file by lower-cased name, without what it includes. */
async function readSettings(git: Git, file: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (readRegular(file, configBytesMax) === undefined) return found;
  const asked = ["config", "--file", file, "--no-includes", "-z", "--list"];
  for (const entry of (await git.read("/", asked)).toString().split("\0")) {
    // A name alone, without a value, means yes.
    const [, name, value = "true"] = /^([^\n]+)(?:\n(.*))?$/s.exec(entry) ?? [];
    // The last one is in force, as for git itself.
    if (name) found.set(name, value);
  }
  return found;
}

/** What the settings say of how the repository is laid out. @throws Fault when that is not known here. */
function formatsOf(settings: ReadonlyMap<string, string>): Formats {
  const version = Number(settings.get("core.repositoryformatversion") ?? 0);
  if (version !== 0 && version !== 1) throw unknown(`format version ${version}`);
  for (const [name, value] of settings) {
    if (name === "extensions.partialclone") throw createPartialCloneFault();
    if (/^remote\..*\.promisor$/s.test(name) && !isFalse.test(value))
      throw createPartialCloneFault();
    if (version === 1 && name.startsWith("extensions.") && !harmless.has(name)) {
      throw unknown(name);
    }
  }
  const objectFormat = settings.get("extensions.objectformat")?.toLowerCase() ?? "sha1";
  const refStorage = settings.get("extensions.refstorage")?.toLowerCase() ?? "files";
  if (objectFormat !== "sha1" && objectFormat !== "sha256") throw unknown("its object format");
  if (refStorage !== "files" && refStorage !== "reftable") throw unknown("its ref storage");
  return { objectFormat, refStorage };
}

const isFalse = /^(|false|no|off|0)$/i;

const harmless = new Set([
  "extensions.objectformat",
  "extensions.compatobjectformat",
  "extensions.refstorage",
  "extensions.preciousobjects",
  "extensions.worktreeconfig",
  "extensions.relativeworktrees",
  "extensions.noop",
  "extensions.noop-v1",
]);

function unknown(what: string): Fault {
  return new Fault("git", `a repository of a newer kind: ${what} is not known here.`);
}
