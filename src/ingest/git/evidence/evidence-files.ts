/**
 * Finds the packages that each file of the newest tree is evidence of: manifests list packages, code imports them.
 * Only packages that the vocabulary knows are kept, so the result stays small for any repository.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { Git } from "../git-command.ts";
import { readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import { findImports, listImports } from "./imports.ts";
import { findManifest, type PackageName } from "./manifests.ts";

/** What an edit of a file is evidence of. */
export interface EvidenceFile {
  readonly kind: "import" | "manifest" | "readme";
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
 * Reads the README and the manifests of tools first, then code, sampled evenly when there is more than the limit.
 * Manifests that list packages are no evidence files: what counts is what a commit adds (`createAddedPackages`).
 */
export async function readEvidenceFiles(
  git: Git,
  directory: string,
  files: readonly TreeFile[],
  vocabulary: Pick<Vocabulary, "packageSkill" | "textSkills">,
): Promise<EvidenceFiles> {
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= bytesMax);
  const manifests = small
    .filter(({ path }) => findManifest(path)?.lists === false)
    .slice(0, filesMax);
  const readme = small.find(({ path }) => isReadme.test(path));
  const code = sample(
    small.filter(({ path }) => !findManifest(path) && findImports(path)),
    filesMax - manifests.length,
  );
  const known = selectKnownPackages(vocabulary);
  const found = new Map<string, EvidenceFile>();
  const wanted = [...(readme ? [readme] : []), ...manifests, ...code];
  await readBlobs(git, directory, { files: wanted, bytesMax }, ({ path }, content) => {
    const text = toFileText(content);
    if (path === readme?.path) {
      const names = findReadmeSkills(text, vocabulary);
      if (names.length > 0) found.set(path, { kind: "readme", names });
      return;
    }
    const manifest = findManifest(path);
    const names = known(manifest ? manifest.parse(text) : listImports(path, text));
    if (names.length > 0) found.set(path, { kind: manifest ? "manifest" : "import", names });
  });
  return found;
}

/** The README that forges show for the repository. */
const isReadme = /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i;

/**
 * Characters of a README that describe the project. Supported systems, competitors and contributors' tools come
 * further down (seen in 22 public repositories).
 */
const readmeMax = 1500;

/** Finds skills in the prose of a README, without code, links and HTML tags. */
function findReadmeSkills(text: string, vocabulary: Pick<Vocabulary, "textSkills">): string[] {
  const prose = text
    .slice(0, readmeMax)
    .replace(/^(```|~~~)[\s\S]*?(^\1|(?![\s\S]))/gm, "\n")
    .replace(/<[^<>]{0,1000}>|\]\([^()\n]{0,1000}\)/g, " , ");
  return vocabulary
    .textSkills(prose)
    .map(({ id }) => id)
    .sort();
}

/**
 * Looks up evidence files by path, also by earlier names of a file. Where several files of the newest tree once had
 * the same name, the one with the fewest renames since decides, then the first by path. So the result does not depend
 * on the order, or on the number of runs, in which the renames were read.
 *
 * @param renames numbers of paths as a flat list of pairs: from, to.
 */
export function followRenames(
  evidenceFiles: EvidenceFiles,
  paths: readonly string[],
  renames: readonly number[],
): (path: string) => EvidenceFile | undefined {
  const sources = new Map<string, string[]>();
  for (let at = 0; at < renames.length; at += 2) {
    const [from, to] = [paths[renames[at] ?? -1], paths[renames[at + 1] ?? -1]];
    if (from === undefined || to === undefined) continue;
    const earlier = sources.get(to);
    if (earlier) earlier.push(from);
    else sources.set(to, [from]);
  }
  const found = new Map(evidenceFiles);
  let edge = [...evidenceFiles.keys()].sort();
  while (edge.length > 0) {
    const next: string[] = [];
    for (const path of edge) {
      const evidenceFile = found.get(path);
      for (const from of [...(sources.get(path) ?? [])].sort()) {
        if (!evidenceFile || found.has(from)) continue;
        found.set(from, evidenceFile);
        next.push(from);
      }
    }
    edge = next;
  }
  return (path) => found.get(path);
}

/** Selects the packages that the vocabulary knows, with one name each, sorted. */
export function selectKnownPackages(vocabulary: Pick<Vocabulary, "packageSkill">) {
  const known = new Map<string, string | undefined>();
  return (packages: Iterable<PackageName>): string[] => {
    const names = new Set<string>();
    for (const { ecosystem, spellings, isForDevelopment } of packages) {
      const key = `${isForDevelopment ? "development " : ""}${ecosystem}:${spellings[0]}`;
      if (!known.has(key)) {
        // A development dependency is a skill only if it is a tool: a test runner, a linter, a bundler.
        const isSkill =
          !isForDevelopment || vocabulary.packageSkill(ecosystem, spellings[0])?.type === "tool";
        known.set(key, isSkill ? findName(vocabulary, ecosystem, spellings) : undefined);
      }
      const name = known.get(key);
      if (name !== undefined) names.add(name);
    }
    return [...names].sort();
  };
}

/** Finds the shortest spelling with the same skill as the most exact known one, which gives fewer, simpler names. */
function findName(
  vocabulary: Pick<Vocabulary, "packageSkill">,
  ecosystem: string,
  spellings: readonly string[],
): string | undefined {
  let name: string | undefined;
  let skill: string | undefined;
  for (const spelling of spellings) {
    const found = vocabulary.packageSkill(ecosystem, spelling)?.id;
    if (found === undefined || (skill !== undefined && found !== skill)) continue;
    skill = found;
    name = `${ecosystem}:${spelling}`;
  }
  return name !== undefined && name.length <= nameMax ? name : undefined;
}

/** The contract's limit on names of evidence. */
const nameMax = 214;

function sample<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items];
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
}
