/**
 * Makes a view of a repository: a temporary folder with links to objects and refs, and with Roster's settings. Git runs only
 * there, so it never reads the repository's own settings, hooks, attributes or index.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RepositoryOrigin } from "../../origin.ts";
import { type Git, readVersion } from "../git-command.ts";
import type { Cuts } from "./cut-history.ts";
import { RepositoryFault } from "./refusal.ts";
import {
  readMailmap,
  readRegular,
  refBytesMax,
  refuseSpecial,
  refuseSpecialObjects,
  refuseSpecialRefs,
} from "./special-files.ts";

/** The ref of notes in the standard of git-ai. */
export const notesRef = "refs/notes/ai";

export interface FoundRepository {
  /** The path given by the caller, or a path below a folder given by the caller. */
  readonly path: string;
  /** Temporary folder in which git runs; `close` removes it. */
  readonly directory: string;
  /** The commit to read from: HEAD, or a branch if a bundle has no HEAD. */
  readonly head: string;
  /** Fingerprint of the mailmap that git uses here. */
  readonly mailmap: string;
  /** The last commit of the notes of git-ai; empty without notes. */
  readonly notes: string;
  readonly origin: RepositoryOrigin;
  readonly cuts: Cuts;
  close(): void;
}

/** Creates an empty temporary repository to unpack a bundle into. */
export function createRepository(objectFormat: string) {
  return makeView({ objectFormat }, (directory) => {
    mkdirSync(join(directory, "objects"));
    mkdirSync(join(directory, "refs"));
    writeFileSync(join(directory, "HEAD"), "ref: refs/heads/main\n");
  });
}

/**
 * Opens a view. Also returns the repository's settings, the mailmap of its working tree, and the boundary of a shallow clone.
 * @throws Fault when there is no repository, when its format is unknown, or when it has special files.
 */
export async function openRepositoryView(git: Git, location: string) {
  const { directory, own, head, worktree } = locate(resolve(location));
  const settings = await readSettings(git, join(directory, "config"));
  const formats = parseFormats(settings);
  const boundary = readBoundary(directory);
  if (formats.refStorage === "reftable") {
    for (const one of new Set([directory, own])) await refuseSpecial(git, join(one, "reftable"), 1);
    await requireReftable(git);
  } else {
    for (const start of [head.toString(), `ref: ${notesRef}`]) refuseSpecialRefs(directory, start);
  }
  await refuseSpecialObjects(git, join(directory, "objects"));
  const mailmap = worktree === undefined ? undefined : readMailmap(worktree);
  // With reftable, a linked working tree has a table of its own for HEAD.
  const isLinked = own !== directory && formats.refStorage === "reftable";
  let view = makeView({ ...formats, mailmap }, (made) => {
    for (const name of ["objects", "refs", "packed-refs", "reftable"]) {
      const path = join(directory, name);
      if (existsSync(path)) symlinkSync(realpathSync(path), join(made, name));
    }
    if (!existsSync(join(made, "refs"))) mkdirSync(join(made, "refs"));
    writeFileSync(join(made, "HEAD"), head);
    if (isLinked) linkWorktree(own, join(made, linkedFolder), head);
  });
  if (isLinked) view = { ...view, directory: join(view.directory, linkedFolder) };
  return { ...view, mailmap, settings, boundary };
}

const linkedFolder = "linked";

/** Makes the view of a linked working tree: git reads HEAD in this folder, and everything else in the folder above. */
function linkWorktree(own: string, folder: string, head: Buffer): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "HEAD"), head);
  writeFileSync(join(folder, "commondir"), "..\n");
  symlinkSync(realpathSync(join(own, "reftable")), join(folder, "reftable"));
  symlinkSync("../mailmap", join(folder, "mailmap"));
}

/** @throws Fault when git is older than the first version that reads tables of refs. */
async function requireReftable(git: Git): Promise<void> {
  const { version, number } = await readVersion(git);
  if (number >= 2045) return;
  throw new RepositoryFault(
    `its refs are stored as a reftable, which needs git 2.45 or newer; git ${version} is installed.`,
    "Install a newer git, or convert it with one: `git refs migrate --ref-format=files`; a bundle of it works, too.",
  );
}

function readBoundary(directory: string): readonly string[] {
  const text = readRegular(join(directory, "shallow"), boundaryBytesMax)?.toString("latin1");
  return (text ?? "").split("\n").filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

const boundaryBytesMax = 16 * 1024 * 1024;

interface Formats {
  readonly objectFormat: string;
  readonly refStorage?: string;
}

/** Makes the temporary folder in which git runs; `close` removes it. */
function makeView(
  { objectFormat, refStorage = "files", mailmap }: Formats & { mailmap?: Buffer | undefined },
  fill: (directory: string) => void,
) {
  const directory = mkdtempSync(join(tmpdir(), "roster-git-"));
  const close = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const settings = ["[core]", "repositoryFormatVersion = 1", "bare = true", "[extensions]"];
    // Written only when needed, since older versions of git do not know `refStorage`.
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

/** @returns the folder that the working trees of a repository share. @throws Fault when there is no repository. */
export function findCommonFolder(location: string): string {
  return locate(resolve(location)).directory;
}

/** Finds the folder with objects and refs, and reads HEAD. A linked working tree has its HEAD in a separate folder. */
function locate(location: string) {
  const dotGit = join(location, ".git");
  const kind = statSync(dotGit, { throwIfNoEntry: false });
  const linked = kind && !kind.isDirectory() ? readText(dotGit) : undefined;
  const [, target] = /^gitdir: ?([^\r\n]+)/.exec(linked ?? "") ?? [];
  if (linked !== undefined && target === undefined) throw createNoRepositoryFault();
  const own = target !== undefined ? resolve(location, target) : kind ? dotGit : location;
  const common = readText(join(own, "commondir"))?.trim();
  const directory = common ? resolve(own, common) : own;
  const head = readRegular(join(own, "HEAD"), refBytesMax);
  const objects = statSync(join(directory, "objects"), { throwIfNoEntry: false });
  if (head === undefined || !objects?.isDirectory()) throw createNoRepositoryFault();
  return { directory, own, head, worktree: kind && location };
}

function readText(path: string): string | undefined {
  return readRegular(path, refBytesMax)?.toString();
}

const configBytesMax = 1024 * 1024;

/** Reads the repository's own settings by lower-cased name, without included files. */
async function readSettings(git: Git, file: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (readRegular(file, configBytesMax) === undefined) return found;
  const command = ["config", "--file", file, "--no-includes", "-z", "--list"];
  for (const entry of (await git.read("/", command)).toString().split("\0")) {
    // A name without a value means true.
    const [, name, value = "true"] = /^([^\n]+)(?:\n(.*))?$/s.exec(entry) ?? [];
    // The last value of a name applies, as in git.
    if (name) found.set(name, value);
  }
  return found;
}

/** Reads the formats of objects and refs from the settings. @throws Fault when a format is unknown. */
function parseFormats(settings: ReadonlyMap<string, string>): Formats {
  const version = Number(settings.get("core.repositoryformatversion") ?? 0);
  if (version !== 0 && version !== 1) throw createFormatFault(`format version ${version}`);
  for (const name of settings.keys()) {
    if (version === 1 && name.startsWith("extensions.") && !harmless.has(name)) {
      throw createFormatFault(name);
    }
  }
  const objectFormat = settings.get("extensions.objectformat")?.toLowerCase() ?? "sha1";
  const refStorage = settings.get("extensions.refstorage")?.toLowerCase() ?? "files";
  if (!/^sha(1|256)$/.test(objectFormat)) throw createFormatFault("its object format");
  if (!/^(files|reftable)$/.test(refStorage)) throw createFormatFault("its ref storage");
  return { objectFormat, refStorage };
}

/** Extensions of the repository format that Roster can read. */
const harmless = new Set(
  "partialclone objectformat compatobjectformat refstorage preciousobjects worktreeconfig relativeworktrees noop noop-v1"
    .split(" ")
    .map((name) => `extensions.${name}`),
);

function createNoRepositoryFault(): RepositoryFault {
  const remedy =
    "Name the folder of a clone or of a bare mirror; a linked working tree works only together with its clone.";
  return new RepositoryFault("not a git repository.", remedy);
}

function createFormatFault(what: string): RepositoryFault {
  return new RepositoryFault(
    `a repository of a newer kind: ${what} is not known here.`,
    "A new clone has the usual kind; `git bundle create FILE --all` in it, and the bundle, do too.",
  );
}
