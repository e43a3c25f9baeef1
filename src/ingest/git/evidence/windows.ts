/**
 * Dates packages. The code of the newest tree shows the imported packages, and the manifests over time show when the repository
 * had them. Packages that were never in a manifest are dated by the code: standard modules, packages in lock files alone
 * (their date there is no better than the first import), and repositories without manifests.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import { type History, iterateCommits } from "../commits/history.ts";
import type { Git } from "../git-command.ts";
import { findCodeDates } from "./code-dates.ts";
import type { EvidenceFiles } from "./evidence-files.ts";
import { listImports } from "./imports.ts";
import { selectKnownPackages } from "./known-packages.ts";
import type { ManifestDates, PackageWindow, PackageWindows } from "./manifest-log.ts";

interface DatedTree {
  readonly evidenceFiles: EvidenceFiles;
  /** What its manifests have. */
  readonly present: ReadonlySet<string>;
  /** The evidence file of its own that a path of the history became. */
  readonly newestPath: (path: string) => string | undefined;
}

/** Finds the window of each package that the newest tree imports; the same one after any number of runs. */
export async function findPackageWindows(
  git: Git,
  directory: string,
  { names, segments }: Pick<History, "names" | "segments">,
  { evidenceFiles, present, newestPath }: DatedTree,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<PackageWindows> {
  const files = groupByKeys(evidenceFiles.keys(), (path) => {
    const { kind, names } = evidenceFiles.get(path) ?? {};
    return kind === "import" ? names : [];
  });
  const manifests = { dates: names.manifestDates, present };
  const { windows, undated } = findWindows(files.keys(), manifests, vocabulary);
  if (undated.length === 0) return windows;
  const known = selectKnownPackages(vocabulary);
  const dates = await findCodeDates(
    git,
    directory,
    { commits: iterateCommits(segments), paths: names.paths, newestPath },
    {
      files: new Map(undated.map((name) => [name, files.get(name) ?? []])),
      list: (path, text) => known.namesOf(listImports(path, text)),
    },
  );
  const byCode = [...dates].map(([name, date]): [string, PackageWindow] => [name, [date]]);
  return Object.fromEntries(
    [...Object.entries(windows), ...byCode].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Finds the windows of imported packages in the manifests.
 *
 * @param manifests.present what the newest tree has.
 * @returns the windows, and the packages that no manifest of the history has.
 */
function findWindows(
  imported: Iterable<string>,
  manifests: { readonly dates: ManifestDates; readonly present: ReadonlySet<string> },
  vocabulary: Pick<Vocabulary, "packageSkill">,
): { readonly windows: PackageWindows; readonly undated: readonly string[] } {
  const families = groupByFamily(Object.keys(manifests.dates), vocabulary);
  const windows: Record<string, PackageWindow> = {};
  const undated: string[] = [];
  for (const name of [...imported].sort()) {
    const { family, skill } = examine(name, vocabulary);
    const others = families.get(family ?? "") ?? [];
    const window =
      windowOf([name], manifests) ??
      windowOf(namesOf(others.filter((other) => isPartOfOne(other.name, name))), manifests) ??
      windowOf(namesOf(others.filter((other) => other.skill === skill)), manifests);
    if (window) windows[name] = window;
    else undated.push(name);
  }
  return { windows, undated };
}

function namesOf(packages: readonly { readonly name: string }[]): readonly string[] {
  return packages.map(({ name }) => name);
}

function windowOf(
  names: readonly string[],
  { dates, present }: { readonly dates: ManifestDates; readonly present: ReadonlySet<string> },
): PackageWindow | undefined {
  const spans = names.flatMap((name) => (dates[name] ? [dates[name]] : []));
  if (spans.length === 0) return undefined;
  const added = spans.flatMap((span) => span.added ?? []);
  const first = Math.min(...(added.length > 0 ? added : spans.map((span) => span.first)));
  if (names.some((name) => present.has(name))) return [first];
  return [first, Math.max(...spans.map(({ last }) => last))];
}

interface ExaminedName {
  readonly name: string;
  /** Undefined where code has the names of the manifests. */
  readonly family: string | undefined;
  readonly skill: string | undefined;
}

function groupByFamily(
  names: readonly string[],
  vocabulary: Pick<Vocabulary, "packageSkill">,
): ReadonlyMap<string, readonly ExaminedName[]> {
  const examined = names.map((name) => examine(name, vocabulary));
  return Map.groupBy(examined, ({ family }) => family ?? "none");
}

function examine(name: string, vocabulary: Pick<Vocabulary, "packageSkill">): ExaminedName {
  const colon = name.indexOf(":");
  const ecosystem = name.slice(0, colon);
  const family = familyOf.get(ecosystem);
  const skill = family && vocabulary.packageSkill(ecosystem, name.slice(colon + 1))?.id;
  return { name, family, skill };
}

/** Whether one name begins with the other: a module and a package of it, a group and its artifact. */
function isPartOfOne(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && /^[/.:-]/.test(long.slice(short.length));
}

/**
 * Ecosystems in which code imports packages by other names than manifests have, so that another package of the same skill opens
 * the window too. Swift's packages come from two ecosystems.
 */
const familyOf = new Map([
  ["go", "go"],
  ["maven", "maven"],
  ["nuget", "nuget"],
  ["swift", "swift"],
  ["cocoapods", "swift"],
  ["rubygems", "rubygems"],
  ["composer", "composer"],
  ["c", "c"],
  ["hackage", "hackage"],
  ["opam", "opam"],
  ["luarocks", "luarocks"],
  ["cpan", "cpan"],
]);
