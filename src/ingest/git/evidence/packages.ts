/**
 * Which packages each file of the newest tree speaks for: manifests list them, code imports them.
 * Only packages that the vocabulary knows are kept, so this stays small whatever the repository's size.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { decode, type Git } from "../git-command.ts";
import { readBlobs } from "./blobs.ts";
import { findImports, importsOf } from "./imports.ts";
import { findManifest } from "./manifests.ts";
import type { TreeFile } from "./tree.ts";

export interface PackageName {
  readonly ecosystem: string;
  /** What it may be called there, most exact first. */
  readonly spellings: readonly [string, ...string[]];
}

/** What touching a file is evidence of. */
export interface Touchstone {
  readonly kind: "import" | "manifest";
  /** `ecosystem:package`, each once. */
  readonly names: readonly string[];
}

/** By path in the newest tree. */
export type Touchstones = ReadonlyMap<string, Touchstone>;

/** Files and bytes of one repository that are read at most. */
const filesMax = 5000;
const bytesMax = 256 * 1024;

/** Reads manifests first, then code, spread evenly when there is more of it than is read. */
export async function readTouchstones(
  git: Git,
  directory: string,
  files: readonly TreeFile[],
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<Touchstones> {
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= bytesMax);
  const manifests = small.filter(({ path }) => findManifest(path)).slice(0, filesMax);
  const code = spread(
    small.filter(({ path }) => !findManifest(path) && findImports(path)),
    filesMax - manifests.length,
  );
  const known = knownPackages(vocabulary);
  const found = new Map<string, Touchstone>();
  await readBlobs(git, directory, [...manifests, ...code], ({ path }, content) => {
    const text = decode(content);
    const parse = findManifest(path);
    const packages = parse ? parse(text) : importsOf(path, text);
    const names = known(packages);
    if (names.length > 0) found.set(path, { kind: parse ? "manifest" : "import", names });
  });
  return found;
}

/**
 * Tells what a commit's files speak for. Called newest commit first, so that a file's older names are
 * learnt before the commits that use them.
 */
export function followRenames(touchstones: Touchstones) {
  const older = new Map<string, Touchstone>();
  return (
    files: readonly { readonly path: string; readonly from: string | undefined }[],
  ): { kind: Touchstone["kind"]; name: string }[] => {
    const pieces = new Map<string, { kind: Touchstone["kind"]; name: string }>();
    for (const { path, from } of files) {
      const touchstone = touchstones.get(path) ?? older.get(path);
      if (!touchstone) continue;
      if (from !== undefined) older.set(from, touchstone);
      for (const name of touchstone.names) {
        pieces.set(`${touchstone.kind} ${name}`, { kind: touchstone.kind, name });
      }
    }
    return [...pieces.values()];
  };
}

function knownPackages(vocabulary: Pick<Vocabulary, "packageSkill">) {
  const held = new Map<string, string | undefined>();
  return (packages: Iterable<PackageName>): string[] => {
    const names = new Set<string>();
    for (const { ecosystem, spellings } of packages) {
      const key = `${ecosystem}:${spellings[0]}`;
      if (!held.has(key)) held.set(key, findName(vocabulary, ecosystem, spellings));
      const name = held.get(key);
      if (name !== undefined) names.add(name);
    }
    return [...names].sort();
  };
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
