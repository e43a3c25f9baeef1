/** Reads a CODEOWNERS file from a repository, in order to change its lines. */
import { isUtf8 } from "node:buffer";
import { Fault } from "../../../contract/fault.ts";
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import type { PresentOwners } from "../../../contract/people/owners-proposal.ts";
import type { KnownRule } from "../../../contract/people/ownership-rule.ts";
import { type ChangedFile, splitFileLines } from "../file-diff.ts";
import { checkVersion, decodeGitText, type Git, type GitOptions, openGit } from "../git-command.ts";
import { findObject, listTree, readBlobs, toFileText } from "../repository/objects.ts";
import { openKnownClone } from "../repository/open-repository.ts";
import type { FoundRepository } from "../repository/view.ts";
import { parseCodeOwners } from "./code-owners.ts";
import { chooseNewPlace, codeOwnersBytesMax, findCodeOwners, findForm } from "./read-ownership.ts";
import { type OwnerLookup, resolveOwners } from "./resolve-owners.ts";

export interface OwnersFile extends ChangedFile {
  readonly form: "github" | "gitlab";
  /** Whether the file is UTF-8. Otherwise it is read as Latin-1. */
  readonly isUtf8: boolean;
  /** The commit from which the file was read. */
  readonly head: string;
  /** All paths in that commit, including links and submodules. */
  readonly paths: readonly string[];
  /** The result of `readRecentNames`. */
  readonly recent: readonly string[] | undefined;
}

export interface ReadingOptions extends GitOptions {
  /** Kind of the repository's forge, if known. */
  readonly kind: ForgeKind | undefined;
  /** ISO day since which names count as recent. */
  readonly since: string;
}

/** Reads the file of HEAD. @throws Fault when the file cannot be read, or is not a regular file. */
export async function readOwnersFile(
  { directory, forge }: { readonly directory: string; readonly forge: string | undefined },
  { kind, since, ...options }: ReadingOptions,
): Promise<OwnersFile> {
  const git = openGit(options);
  await checkVersion(git);
  const repository = await openKnownClone(git, directory);
  try {
    const { head } = repository;
    const files = await listTree(git, repository.directory, head);
    const found = findCodeOwners(new Map(files.map((file) => [file.path, file])), forge);
    const recent = await readRecentNames(git, repository, since);
    const list = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head];
    const paths = decodeGitText(await git.read(repository.directory, list)).split("\0");
    const tree = { head, paths: paths.slice(0, -1), recent };
    if (!found) {
      const path = chooseNewPlace(forge, kind);
      if (await findObject(git, repository.directory, `${head}:${path}`)) {
        throw new Fault("refused", `${path} exists, but is not a regular file.`);
      }
      const form = findForm(path, "", forge);
      return { path, form, before: undefined, lines: [], isUtf8: true, isEnded: true, ...tree };
    }
    const { path } = found;
    let file: OwnersFile | undefined;
    const wanted = { files: [found], bytesMax: codeOwnersBytesMax };
    await readBlobs(git, repository.directory, wanted, (_, blob) => {
      const form = findForm(path, toFileText(blob), forge);
      const content = splitFileLines(path, blob.toString("latin1"));
      file = { ...content, form, isUtf8: isUtf8(blob), ...tree };
    });
    if (file) return file;
    const most = `${codeOwnersBytesMax} bytes`;
    throw new Fault("refused", `${path} is larger than ${most}.`);
  } finally {
    repository.close();
  }
}

/** @returns the file's rules, each owner with the person behind it if the ledger knows the person. */
export function resolveOwnersFile(
  file: OwnersFile,
  people: OwnerLookup,
  forge: string | undefined,
): readonly KnownRule[] {
  return resolveOwners(parseFileText(file).rules, forge, people);
}

/** @returns the lines of the file that the forge ignores. */
export function listIgnoredLines(file: OwnersFile): PresentOwners["ignored"] {
  const { unread } = parseFileText(file);
  return unread.flatMap(({ isLimit, ...one }) => {
    const [pattern = ""] = (file.lines[one.line - 1]?.bytes ?? "").trim().split(/\s/);
    return isLimit ? [] : { ...one, pattern: Buffer.from(pattern, "latin1").toString() };
  });
}

function parseFileText({ path, form, lines }: OwnersFile) {
  const text = toFileText(Buffer.from(lines.map(({ bytes }) => bytes).join("\n"), "latin1"));
  return parseCodeOwners(text, { file: path, form });
}

const files = ["CODEOWNERS", "OWNERS", "OWNERS_ALIASES"];

/**
 * @param since ISO day.
 * @returns addresses in lower case, and new owners in ownership files, such as `@ada`; undefined for a shallow clone.
 */
async function readRecentNames(
  git: Git,
  { directory, head, cuts }: Pick<FoundRepository, "directory" | "head" | "cuts">,
  since: string,
): Promise<readonly string[] | undefined> {
  if (cuts.size > 0) return undefined;
  const read = async (...rest: readonly string[]) =>
    decodeGitText(await git.read(directory, ["log", `--since=${since}`, ...rest])).toLowerCase();
  const changes = ["-p", "-U0", "--no-ext-diff", "--no-textconv", "--format=%x00", head, "--"];
  const addresses = (await read("--format=%ae%n%ce", head)).split("\n");
  const diffs = await read(...changes, ...files.map((name) => `:(glob)**/${name}`));
  return [...new Set([...addresses, ...diffs.split("\0").flatMap(listAdded)])];
}

/** @returns the words that a diff adds more often than it removes them. */
function listAdded(diff: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [, sign, line = ""] of diff.matchAll(/^([+-])(.*)/gm))
    for (const word of line.match(/[\w.+-]+(?:[@/][\w.+-]+)*/g) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + (sign === "+" ? 1 : -1));
  return [...counts].flatMap(([word, count]) => (count > 0 ? `@${word}` : []));
}
