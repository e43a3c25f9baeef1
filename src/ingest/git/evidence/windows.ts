/**
 * Finds when a repository used the packages that it imports. Manifests give the dates. For packages that no manifest names, the
 * code gives the dates.
 */
import { groupByKeys } from "../../group-by-keys.ts";
import type { Git } from "../git-command.ts";
import { type DatedPaths, findCodeDates } from "./code-dates.ts";
import type { ManifestFindings } from "./manifest-log.ts";
import type { PackageVocabulary } from "./package-names.ts";
import type { TreeEvidence } from "./read-tree.ts";

/** Start and end in seconds since 1970. The end is missing when the package is still used. */
export type PackageWindow = readonly [from: number, to?: number];

/** Windows by `ecosystem:package`. */
export type PackageWindows = Readonly<Record<string, PackageWindow>>;

export async function findPackageWindows(
  git: Git,
  directory: string,
  { manifests, ...history }: DatedPaths & { readonly manifests: DatedManifests },
  { ofFiles, importsOf }: Pick<TreeEvidence, "ofFiles" | "importsOf">,
  vocabulary: PackageVocabulary,
): Promise<PackageWindows> {
  const files = groupByKeys(ofFiles.keys(), (path) => {
    const { kind, names } = ofFiles.get(path) ?? {};
    return kind === "import" ? names : [];
  });
  const examined = Object.keys(manifests.dates).map((name) => examine(name, vocabulary));
  const families = Map.groupBy(examined, ({ family }) => family ?? "none");
  const windows = new Map<string, PackageWindow>();
  const undated = new Map<string, readonly string[]>();
  for (const [name, paths] of files) {
    const { family, skill } = examine(name, vocabulary);
    const others = families.get(family ?? "") ?? [];
    const parts = others.filter((other) => isPartOfOne(other.name, name));
    const alike = others.filter((other) => other.skill === skill);
    const window =
      windowOf([{ name }], manifests) ?? windowOf(parts, manifests) ?? windowOf(alike, manifests);
    if (window) windows.set(name, window);
    else undated.set(name, paths);
  }
  const dates = await findCodeDates(git, directory, history, undated, importsOf);
  for (const [name, date] of dates) windows.set(name, [date]);
  return Object.fromEntries([...windows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type DatedManifests = Pick<ManifestFindings, "dates" | "present">;

function windowOf(
  packages: readonly { readonly name: string }[],
  { dates, present }: DatedManifests,
): PackageWindow | undefined {
  const spans = packages.flatMap(({ name }) => dates[name] ?? []);
  if (spans.length === 0) return undefined;
  const added = spans.flatMap((span) => span.added ?? []);
  const first = Math.min(...(added.length > 0 ? added : spans.map((span) => span.first)));
  if (packages.some(({ name }) => present.has(name))) return [first];
  return [first, Math.max(...spans.map(({ last }) => last))];
}

/** Finds the family of a package. Packages of one family may have different names in code and in manifests. */
function examine(name: string, vocabulary: PackageVocabulary) {
  const colon = name.indexOf(":");
  const ecosystem = name.slice(0, colon);
  // CocoaPods and Swift count as one family.
  const whole = ecosystem === "cocoapods" ? "swift" : ecosystem;
  const family = renaming.has(whole) ? whole : undefined;
  const skill = family && vocabulary.packageSkill(ecosystem, name.slice(colon + 1))?.id;
  return { name, family, skill };
}

/** Whether one name begins with the other, as `golang.org/x/net/html` begins with `golang.org/x/net`. */
function isPartOfOne(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && /^[/.:-]/.test(long.slice(short.length));
}

/** Ecosystems in which code and manifests use different names. */
const renaming = new Set(
  "go maven nuget swift rubygems composer c hackage opam luarocks cpan".split(" "),
);
