/** A CODEOWNERS file that is read from a repository to be changed, line by line; and the change as a unified diff. */
import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { Fault } from "../../../contract/fault.ts";
import type { ForgeKind } from "../../../contract/forge-kinds.ts";
import type { PresentOwners } from "../../../contract/people/owners-proposal.ts";
import type { KnownRule } from "../../../contract/people/ownership-rule.ts";
import { checkVersion, decodeGitText, type GitOptions, openGit } from "../git-command.ts";
import type { KnownPeople } from "../ledger/known-people.ts";
import { findObject, readBlobs, readTree, toFileText } from "../repository/objects.ts";
import { openClone } from "../repository/open-repository.ts";
import { parseCodeOwners } from "./code-owners.ts";
import { chooseNewPlace, codeOwnersBytesMax, findCodeOwners, findForm } from "./read-ownership.ts";
import { readRecentNames } from "./recent-names.ts";
import { createOwnershipResolver } from "./resolve-owners.ts";

/** A line as bytes, a letter each, without its end: it may be of any encoding. */
interface FileLine {
  readonly bytes: string;
  /** Where it is in the file of the repository, from 0; undefined for a new one. */
  readonly at: number | undefined;
}

export interface OwnersFile {
  /** Path in the repository. */
  readonly path: string;
  readonly form: "github" | "gitlab";
  /** Undefined where the repository has none. */
  readonly before: readonly string[] | undefined;
  readonly lines: readonly FileLine[];
  /** Otherwise it is read as Latin-1. */
  readonly isUtf8: boolean;
  /** Whether the last line of the repository's file ends as the others do. */
  readonly isEnded: boolean;
  /** The commit that it was read from. */
  readonly head: string;
  /** Everything in that commit, also links and submodules. */
  readonly paths: readonly string[];
  /** As `readRecentNames` gives it. */
  readonly recent: readonly string[] | undefined;
}

export interface ReadingOptions extends GitOptions {
  /** Of the repository's forge, where it is known. */
  readonly kind: ForgeKind | undefined;
  /** ISO day from which on names are recent. */
  readonly since: string;
}

/**
 * Reads the file from what is HEAD now.
 *
 * @param clone a place of the ledger. @throws Fault when it cannot be read, or is no file.
 */
export async function readOwnersFile(
  { directory, forge }: { readonly directory: string; readonly forge: string | undefined },
  { kind, since, ...options }: ReadingOptions,
): Promise<OwnersFile> {
  const git = openGit(options);
  await checkVersion(git);
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? true;
  const place = { path: directory, directory, kind: isFolder ? "folder" : "bundle" } as const;
  const repository = await openClone(git, place).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.code, `${directory}: ${error.message}`, { cause: error });
  });
  try {
    const { head } = repository;
    const files = await readTree(git, repository);
    const found = findCodeOwners(new Map(files.map((file) => [file.path, file])), forge);
    const recent = await readRecentNames(git, repository, since);
    const list = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head];
    const paths = decodeGitText(await git.read(repository.directory, list)).split("\0");
    const tree = { head, paths: paths.slice(0, -1), recent };
    if (!found) {
      const path = chooseNewPlace(forge, kind);
      if (await findObject(git, repository.directory, `${head}:${path}`)) {
        throw new Fault("refused", `${path} is there, and is no regular file.`);
      }
      const form = findForm(path, "", forge);
      return { path, form, before: undefined, lines: [], isUtf8: true, isEnded: true, ...tree };
    }
    let content: string | undefined;
    let [text, isValid] = ["", true];
    const wanted = { files: [found], bytesMax: codeOwnersBytesMax };
    await readBlobs(git, repository.directory, wanted, (_, blob) => {
      content = blob.toString("latin1");
      text = toFileText(blob);
      isValid = isUtf8(blob);
    });
    if (content === undefined) {
      const most = `${codeOwnersBytesMax} bytes`;
      throw new Fault("refused", `${found.path} is larger than ${most}, or not in this clone.`);
    }
    const isEnded = content === "" || content.endsWith("\n");
    const before = content.split("\n").slice(0, content === "" || isEnded ? -1 : undefined);
    const lines = before.map((bytes, at) => ({ bytes, at }));
    return {
      ...{ path: found.path, form: findForm(found.path, text, forge), before, lines, isEnded },
      ...{ isUtf8: isValid, ...tree },
    };
  } finally {
    repository.close();
  }
}

/** @returns its rules, each owner with the person where the ledger knows them. */
export function resolveOwnersFile(
  file: OwnersFile,
  people: Pick<KnownPeople, "holdersOf" | "find">,
  forge: string | undefined,
): readonly KnownRule[] {
  const ownership = parseFileText(file);
  return createOwnershipResolver(people)({ ownership, forge, accountless: [] }).rules;
}

/** @returns the lines that the forge ignores. */
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

const contextLines = 3;
const noEnd = "\\ No newline at end of file";

interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** @returns a diff that `git apply` takes, as bytes; undefined where nothing was changed. */
export function formatOwnersDiff({ path, before, lines, isEnded }: OwnersFile): Buffer | undefined {
  const old = before ?? [];
  const all = listDiffLines(old, lines, isEnded);
  const changed = [...all.keys()].filter((at) => all[at]?.sign !== " ");
  if (changed.length === 0) return undefined;
  const isNear = (at: number) => changed.some((one) => Math.abs(one - at) <= contextLines);
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && isNear(end)) end += 1;
    const hunk = all.slice(at, end);
    const olds = hunk.filter(({ sign }) => sign !== "+").length;
    const news = hunk.filter(({ sign }) => sign !== "-").length;
    if (hunk.length > 0) {
      const from = `-${olds === 0 ? oldLine - 1 : oldLine},${olds}`;
      const to = `+${news === 0 ? newLine - 1 : newLine},${news}`;
      hunks.push(`@@ ${from} ${to} @@`, ...hunk.map(({ sign, text }) => sign + text));
    }
    oldLine += olds;
    newLine += news;
    at = end;
    if (hunk.length > 0) continue;
    oldLine += 1;
    newLine += 1;
    at += 1;
  }
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(before ? [`--- a/${path}`] : ["new file mode 100644", "--- /dev/null"]),
    `+++ b/${path}`,
  ];
  return Buffer.from([...head, ...hunks, ""].join("\n"), "latin1");
}

function listDiffLines(
  old: readonly string[],
  lines: readonly FileLine[],
  isEnded: boolean,
): readonly DiffLine[] {
  const all: DiffLine[] = [];
  const last = old.length - 1;
  let next = 0;
  let added: DiffLine[] = [];
  const write = (sign: DiffLine["sign"], at: number): void => {
    const text = old[at] ?? "";
    all.push({ sign, text: at === last && !isEnded ? `${text}\n${noEnd}` : text });
  };
  const flush = (to: number): void => {
    for (; next < to; next++) write("-", next);
    all.push(...added);
    added = [];
  };
  for (const [number, { bytes, at }] of lines.entries()) {
    // What follows the last line gives it an end.
    const isKept = at !== undefined && (at < last || isEnded || number === lines.length - 1);
    if (!isKept) added.push({ sign: "+", text: bytes });
    else {
      flush(at);
      write(" ", at);
      next = at + 1;
    }
  }
  flush(old.length);
  return all;
}
