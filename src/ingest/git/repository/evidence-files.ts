/**
 * Which packages each file of the newest tree speaks for: manifests list them, code imports them.
 * Only packages that the vocabulary knows are kept, so this stays small whatever the repository's size.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import type { Git } from "../git-command.ts";
import { findImports, listImports } from "./imports.ts";
import { findManifest, type PackageName } from "./manifests.ts";
import { readBlobs, type TreeFile, toFileText } from "./objects.ts";

/** What touching a file is evidence of. */
export interface EvidenceFile {
  readonly kind: "import" | "manifest" | "readme";
  /** `ecosystem:package`, of a README ids of skills; each once. */
  readonly names: readonly string[];
}

/** By path in the newest tree. */
export type EvidenceFiles = ReadonlyMap<string, EvidenceFile>;

/** Files and bytes of one repository that are read at most. */
const filesMax = 5000;
const bytesMax = 256 * 1024;

/**
 * Reads the manifests of tools first, then code, spread evenly when there is more of it than is read. Manifests that
 * list packages are no evidence files: what is added to them tells, see `openAddedPackages`.
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
  const code = spread(
    small.filter(({ path }) => !findManifest(path) && findImports(path)),
    filesMax - manifests.length,
  );
  const known = selectKnownPackages(vocabulary);
  const found = new Map<string, EvidenceFile>();
  const wanted = [...(readme ? [readme] : []), ...manifests, ...code];
  await readBlobs(git, directory, { files: wanted, bytesMax }, ({ path }, content) => {
    const text = toFileText(content);
    if (path === readme?.path) {
      const names = skillsNamed(text, vocabulary);
      if (names.length > 0) found.set(path, { kind: "readme", names });
      return;
    }
    const manifest = findManifest(path);
    const names = known(manifest ? manifest.parse(text) : listImports(path, text));
    if (names.length > 0) found.set(path, { kind: manifest ? "manifest" : "import", names });
  });
  return found;
}

/** The one that the repository is shown with. */
const isReadme = /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|rdoc|textile))?$/i;

/**
 * Characters of a README that say what it is about; further down stand the systems it can be installed on, its
 * rivals and its contributors' tools (seen in 22 public repositories).
 */
const readmeMax = 1500;

/** Code, addresses and marks are not what a README says of its repository. */
function skillsNamed(text: string, vocabulary: Pick<Vocabulary, "textSkills">): string[] {
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
 * Tells what a path speaks for, also under the names that the file had before. Where several files of
 * the newest tree once had one name, the one with fewest renames between decides, then the first by
 * path: so it does not matter in which order, or in how many readings, the renames were learnt.
 *
 * @param renames numbers of paths, in pairs that lie flat: from, to.
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
    const held = sources.get(to);
    if (held) held.push(from);
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

/** Those that the vocabulary knows, by one name for each, in order. */
export function selectKnownPackages(vocabulary: Pick<Vocabulary, "packageSkill">) {
  const held = new Map<string, string | undefined>();
  return (packages: Iterable<PackageName>): string[] => {
    const names = new Set<string>();
    for (const { ecosystem, spellings, isForDevelopment } of packages) {
      const key = `${isForDevelopment ? "development " : ""}${ecosystem}:${spellings[0]}`;
      if (!held.has(key)) {
        const isMeant = !isForDevelopment || isTool(vocabulary, ecosystem, spellings[0]);
        held.set(key, isMeant ? findName(vocabulary, ecosystem, spellings) : undefined);
      }
      const name = held.get(key);
      if (name !== undefined) names.add(name);
    }
    return [...names].sort();
  };
}

/** A library that is only there to be tested with is nobody's skill; a test runner, a linter or a bundler is. */
function isTool(
  vocabulary: Pick<Vocabulary, "packageSkill">,
  ecosystem: string,
  name: string,
): boolean {
  return vocabulary.packageSkill(ecosystem, name)?.type === "tool";
}

/** The shortest spelling that stands for the same skill as the most exact known one: fewer, plainer names. */
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

/** The contract's limit on a name of evidence. */
const nameMax = 214;

function spread<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items];
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as T);
}
