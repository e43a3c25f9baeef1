/** Finds which packages each commit added to manifests, and when manifests contained each package. */
import type { LoggedCommit } from "../commit/logged-commit.ts";
import type { Git } from "../git-command.ts";
import { readBlobSizes, type TreeFile } from "../repository/objects.ts";
import { createTooLargeFault } from "../repository/refusal.ts";
import { findManifest } from "./kinds.ts";
import { findKnownPackage, type PackageName, type PackageVocabulary } from "./package-names.ts";
import { evidenceBytesMax, readFileTexts } from "./text-files.ts";

/** Dates of packages in manifests, by `ecosystem:package`. Dates are in seconds since 1970. */
export type ManifestDates = Readonly<Record<string, ManifestDate>>;

interface ManifestDate {
  /** Date of the earliest commit that added the package; undefined when no such commit is known. */
  readonly added?: number;
  /** Dates of the first and the last edit of a manifest that contains the package. */
  readonly first: number;
  readonly last: number;
}

export interface ManifestFindings {
  /** Packages that each commit added, by commit id. A package is written as `ecosystem:package`. */
  readonly added: ReadonlyMap<string, readonly string[]>;
  /** Dates of the packages in this run's commits. */
  readonly dates: ManifestDates;
  /** Packages in the manifests of the newest tree. */
  readonly present: ReadonlySet<string>;
}

interface Edit {
  readonly commit: string;
  /** The author date in seconds since 1970; undefined when the date is not believable. */
  readonly seconds: number | undefined;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

interface Version {
  readonly sha: string;
  path: string;
  /** Packages that are evidence. Each text is the package, NUL, and the entry in the file of a tool. */
  entries: readonly string[];
  /** All known packages, including development dependencies. */
  names: readonly string[];
}

const ofCommitMax = 1000;
const namesMax = 1000;
/** Limits for one history: the edits, the packages in all versions together, and the different texts. */
const editsMax = 1_000_000;
const entriesMax = 20_000_000;
const textsMax = 300_000;

/** Collects versions of manifests while the log is read. Reads each version once, at the end. */
export function createManifestLog(git: Git, directory: string, vocabulary: PackageVocabulary) {
  const edits: Edit[] = [];
  const versions = new Map<string, Version>();
  const versionOf = (sha: string, path: string): Version | undefined => {
    if (sha === "") return undefined;
    const create = () => ({ sha, path, entries: [], names: [] });
    const version = versions.getOrInsertComputed(sha, create);
    version.path = path;
    return version;
  };
  return {
    /** @param isDated whether the author date is believable. */
    look({ sha, parents, seconds, files }: LoggedCommit, isDated: boolean): void {
      if (parents > 1) return;
      const dated = { commit: sha, seconds: isDated ? seconds : undefined };
      let left = ofCommitMax;
      for (const { path, before, after, isRegular } of files) {
        if (!isRegular || !(before || after) || !findManifest(path) || --left < 0) continue;
        edits.push({ ...dated, before: versionOf(before, path), after: versionOf(after, path) });
      }
      if (edits.length > editsMax) throw createTooLargeFault("it edits too many manifests");
    },
    /** @param tree the files of the newest tree. */
    async end(tree: readonly TreeFile[]): Promise<ManifestFindings> {
      const manifests = tree.filter(({ path }) => findManifest(path));
      const newest = manifests.map(({ sha, path }) => versionOf(sha, path));
      await readVersions(git, directory, versions, vocabulary);
      const present = new Set(newest.flatMap((version) => version?.names ?? []));
      return { added: findAdded(edits), dates: findDates(edits), present };
    },
  };
}

async function readVersions(
  git: Git,
  directory: string,
  versions: ReadonlyMap<string, Version>,
  vocabulary: PackageVocabulary,
): Promise<void> {
  const sizes = await readBlobSizes(git, directory, versions.keys());
  const small = versions.values().filter(({ sha }) => (sizes.get(sha) ?? 0) <= evidenceBytesMax);
  // Keeps equal texts only once. This saves memory, because most versions name the same packages.
  const texts = new Map<string, string>();
  const share = (text: string): string => texts.getOrInsert(text, text);
  let total = 0;
  await readFileTexts(git, directory, [...small], (version, text) => {
    const [entries, names] = [new Set<string>(), new Set<string>()];
    for (const each of findManifest(version.path)?.(text) ?? []) {
      const name = findKnownPackage(each, vocabulary);
      if (name === undefined || names.size === namesMax) continue;
      names.add(share(name));
      if (isEvidence(each, vocabulary)) entries.add(share(`${name}\0${each.entry ?? ""}`));
    }
    [version.entries, version.names] = [[...entries], [...names]];
    total += entries.size + names.size;
    if (total > entriesMax || texts.size > textsMax) {
      throw createTooLargeFault("its manifests name too many packages");
    }
  });
}

/** Whether a package is evidence. A development dependency is evidence only if it is a tool, such as a linter. */
function isEvidence(
  { ecosystem, spellings, isForDevelopment }: PackageName,
  vocabulary: PackageVocabulary,
): boolean {
  return !isForDevelopment || vocabulary.packageSkill(ecosystem, spellings[0])?.type === "tool";
}

function findAdded(edits: readonly Edit[]): ReadonlyMap<string, readonly string[]> {
  const added = new Map<string, Set<string>>();
  for (const { commit, before, after } of edits) {
    const old = new Set(before?.entries);
    const fresh = (after?.entries ?? []).filter((entry) => !old.has(entry));
    for (const entry of fresh) {
      const [name = ""] = entry.split("\0", 1);
      added.getOrInsertComputed(commit, () => new Set()).add(name);
    }
  }
  return new Map([...added].map(([commit, names]) => [commit, [...names].sort()]));
}

function findDates(edits: readonly Edit[]): ManifestDates {
  const dates: Record<string, ManifestDate> = {};
  for (const { seconds, before, after } of edits) {
    if (seconds === undefined) continue;
    const had = new Set(before?.names);
    for (const name of had) widen(dates, name, { first: seconds, last: seconds });
    for (const name of after?.names ?? []) {
      const added = !had.has(name) && { added: seconds };
      widen(dates, name, { ...added, first: seconds, last: seconds });
    }
  }
  return dates;
}

/** Joins the dates that two runs found. */
export function joinManifestDates(one: ManifestDates, other: ManifestDates): ManifestDates {
  const joined: Record<string, ManifestDate> = { ...one };
  for (const [name, date] of Object.entries(other)) widen(joined, name, date);
  return Object.fromEntries(Object.entries(joined).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function widen(dates: Record<string, ManifestDate>, name: string, date: ManifestDate): void {
  const before = dates[name] ?? date;
  const added = [before.added ?? [], date.added ?? []].flat();
  dates[name] = {
    ...(added.length > 0 && { added: Math.min(...added) }),
    first: Math.min(before.first, date.first),
    last: Math.max(before.last, date.last),
  };
}
