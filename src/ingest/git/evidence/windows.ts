/**
 * Dates packages: code of the newest tree says what is imported, and its manifests over time say since when and until
 * when the repository had that. What no manifest ever had is dated by the code: standard modules, what stands in lock
 * files alone (whose own date is no better than the first import), repositories without manifests.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { type History, iterateCommits } from "../commits/history.ts";
import type { Git } from "../git-command.ts";
import { dateByCode } from "./code-dates.ts";
import type { EvidenceFiles } from "./evidence-files.ts";
import { listImports } from "./imports.ts";
import { selectKnownPackages } from "./known-packages.ts";
import type { ManifestDates } from "./manifest-log.ts";

/** Author dates in seconds; without an end, the repository still has the package. */
export type Window = readonly [from: number, to?: number];

/** By `ecosystem:package`. */
export type Windows = Readonly<Record<string, Window>>;

interface DatedTree {
  readonly evidenceFiles: EvidenceFiles;
  /** What its manifests have. */
  readonly present: ReadonlySet<string>;
  /** The evidence file of its own that a path of the history became. */
  readonly newestPath: (path: string) => string | undefined;
}

/** Finds the window of each package that the newest tree imports; the same one after any number of runs. */
export async function datePackages(
  git: Git,
  directory: string,
  { names, segments }: Pick<History, "names" | "segments">,
  { evidenceFiles, present, newestPath }: DatedTree,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<Windows> {
  const files = new Map<string, string[]>();
  for (const [path, { kind, names }] of evidenceFiles) {
    if (kind !== "import") continue;
    for (const name of names) files.set(name, [...(files.get(name) ?? []), path]);
  }
  const manifests = { dates: names.manifestDates, present };
  const { windows, undated } = findWindows(files.keys(), manifests, vocabulary);
  if (undated.length === 0) return windows;
  const known = selectKnownPackages(vocabulary);
  const dates = await dateByCode(
    git,
    directory,
    { commits: iterateCommits(segments), paths: names.paths, newestPath },
    {
      files: new Map(undated.map((name) => [name, files.get(name) ?? []])),
      list: (path, text) => listImports(path, text).flatMap((each) => known.nameOf(each) ?? []),
    },
  );
  const byCode = [...dates].map(([name, date]): [string, Window] => [name, [date]]);
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
): { readonly windows: Windows; readonly undated: readonly string[] } {
  const groups = groupBySkill(manifests, vocabulary);
  const windows: Record<string, Window> = {};
  const undated: string[] = [];
  for (const name of [...imported].sort()) {
    const exact = windowOf([name], manifests);
    const window = exact ?? windowOf(groups.get(groupOf(name, vocabulary) ?? "") ?? [], manifests);
    if (window) windows[name] = window;
    else undated.push(name);
  }
  return { windows, undated };
}

function windowOf(
  names: readonly string[],
  { dates, present }: { readonly dates: ManifestDates; readonly present: ReadonlySet<string> },
): Window | undefined {
  const spans = names.flatMap((name) => (dates[name] ? [dates[name]] : []));
  if (spans.length === 0) return undefined;
  const added = spans.flatMap((span) => span.added ?? []);
  const first = Math.min(...(added.length > 0 ? added : spans.map((span) => span.first)));
  if (names.some((name) => present.has(name))) return [first];
  return [first, Math.max(...spans.map(({ last }) => last))];
}

function groupBySkill(
  { dates }: { readonly dates: ManifestDates },
  vocabulary: Pick<Vocabulary, "packageSkill">,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of Object.keys(dates)) {
    const group = groupOf(name, vocabulary);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return groups;
}

/**
 * The ecosystem and skill of a package whose code does not import it by the name that manifests have: there, another
 * package of the same skill opens the window too. Undefined where the names are the same.
 */
function groupOf(name: string, vocabulary: Pick<Vocabulary, "packageSkill">): string | undefined {
  const colon = name.indexOf(":");
  const ecosystem = name.slice(0, colon);
  const family = families.get(ecosystem);
  const skill = family && vocabulary.packageSkill(ecosystem, name.slice(colon + 1))?.id;
  return skill && `${family} ${skill}`;
}

/** Ecosystems where import names differ from those in manifests; Swift's packages come from two. */
const families = new Map([
  ["go", "go"],
  ["maven", "maven"],
  ["nuget", "nuget"],
  ["swift", "swift"],
  ["cocoapods", "swift"],
  ["rubygems", "rubygems"],
  ["composer", "composer"],
]);
