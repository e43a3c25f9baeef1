/**
 * Finds what each file of the newest tree is evidence of: code of the packages that it imports, the README of skills.
 * Only names that the vocabulary knows are kept, so the result stays small for any repository. Manifests are no evidence files:
 * for them, the packages that a commit adds count (`createManifestLog`).
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { FileClassification } from "../../linguist/linguist.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import { findImports, listImports } from "./imports.ts";
import { selectKnownPackages } from "./known-packages.ts";
import { findManifest } from "./manifests.ts";

/** What an edit of a file is evidence of. */
export interface EvidenceFile {
  readonly kind: "import" | "readme";
  /** Distinct `ecosystem:package`, or skill ids for a README. */
  readonly names: readonly string[];
}

/** By path in the newest tree. */
export type EvidenceFiles = ReadonlyMap<string, EvidenceFile>;

/** Limit of files read per repository. */
const filesMax = 5000;
/** Limit of bytes per file; larger files are skipped. */
const bytesMax = 256 * 1024;

/**
 * Reads the README and code, sampled evenly when there is more than the limit. Code that others or tools wrote, and examples in
 * documentation, are no evidence for their committers.
 */
export async function readEvidenceFiles(
  git: Git,
  directory: string,
  { files, kindOf }: { readonly files: readonly TreeFile[]; readonly kindOf: KindOf },
  vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills">,
): Promise<EvidenceFiles> {
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= bytesMax);
  const readme = small.find(({ path }) => isReadme.test(path));
  const isOwnCode = ({ path }: TreeFile): boolean => {
    if (findManifest(path) || !findImports(path)) return false;
    const { vendored, generated, documentation } = kindOf(path);
    return !vendored && !generated && !documentation;
  };
  const code = sample(small.filter(isOwnCode), filesMax);
  const known = selectKnownPackages(vocabulary);
  const found = new Map<string, EvidenceFile>();
  const wanted = [...(readme ? [readme] : []), ...code];
  await readBlobs(git, directory, { files: wanted, bytesMax }, ({ path }, content) => {
    const text = toFileText(content);
    const isOfReadme = path === readme?.path;
    const names = isOfReadme
      ? findReadmeSkills(text, vocabulary)
      : known.namesOf(listImports(path, text));
    if (names.length > 0) found.set(path, { kind: isOfReadme ? "readme" : "import", names });
  });
  return found;
}

type KindOf = (path: string) => FileClassification;

/** @package The README that forges show for the repository. */
export const isReadme = /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i;

/**
 * Characters of a README that describe the project. Supported systems, competitors and contributors' tools come
 * further down (seen in 22 public repositories).
 */
const readmeMax = 1500;

/** The prose of a README that describes the project, without code, links and HTML tags. */
function cutReadme(text: string): string {
  return text
    .slice(0, readmeMax)
    .replace(/^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm, "\n")
    .replace(/<[^<>]{0,1000}>|\]\([^()\n]{0,1000}\)/g, " , ");
}

function findReadmeSkills(text: string, vocabulary: Pick<Vocabulary, "textSkills">): string[] {
  return vocabulary
    .textSkills(cutReadme(text))
    .map(({ id }) => id)
    .sort();
}

/**
 * Finds the file of the newest tree that a path of the history became. If several files once had this path, the file with the
 * fewest renames since is returned, then the first by path. So the result does not depend on the order in which the renames
 * were read, or on the number of runs.
 *
 * @param history.renames numbers of paths as a flat list of pairs: from, to.
 */
export function followRenames(
  newestPaths: Iterable<string>,
  { paths, renames }: { readonly paths: readonly string[]; readonly renames: readonly number[] },
): (path: string) => string | undefined {
  const sources = new Map<string, string[]>();
  for (let at = 0; at < renames.length; at += 2) {
    const [from, to] = [paths[renames[at] ?? -1], paths[renames[at + 1] ?? -1]];
    if (from === undefined || to === undefined) continue;
    sources.getOrInsertComputed(to, () => []).push(from);
  }
  let edge = [...newestPaths].sort();
  const found = new Map(edge.map((path) => [path, path]));
  while (edge.length > 0) {
    const next: string[] = [];
    for (const path of edge) {
      const newest = found.get(path);
      for (const from of [...(sources.get(path) ?? [])].sort()) {
        if (newest === undefined || found.has(from)) continue;
        found.set(from, newest);
        next.push(from);
      }
    }
    edge = next;
  }
  return (path) => found.get(path);
}

function sample<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items];
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
}
