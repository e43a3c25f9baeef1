/**
 * Reads the versions of manifests that the log names: the packages that each commit added, and the time in which the repository
 * had each package. An author who adds a package works with it. Any other edit of a manifest (a release, a script, a newer
 * version) is no evidence for the packages in it.
 */
import type { Vocabulary } from "../../../vocabulary/vocabulary.ts";
import { isDisordered, toDayNumber } from "../commits/exclusion.ts";
import type { LoggedCommit } from "../commits/logged-commit.ts";
import type { Git } from "../git-command.ts";
import { readBlobSizes, readBlobs, type TreeFile, toFileText } from "../repository/objects.ts";
import { selectKnownPackages } from "./known-packages.ts";
import { findManifest } from "./manifests.ts";

/** Author dates in seconds, by `ecosystem:package`. */
export type ManifestDates = Readonly<Record<string, ManifestDate>>;

interface ManifestDate {
  /** Date of the earliest commit that added it to a manifest; absent when a merge added it, or when that is not known. */
  readonly added?: number;
  /** Dates of the earliest and the latest commit that edited a manifest with the package. */
  readonly first: number;
  readonly last: number;
}

/** Author dates in seconds; without an end, the repository still has the package. */
export type PackageWindow = readonly [from: number, to?: number];

/** By `ecosystem:package`. */
export type PackageWindows = Readonly<Record<string, PackageWindow>>;

export interface ManifestFindings {
  /** Added packages as `ecosystem:package`, by commit id; only commits that added some. */
  readonly added: ReadonlyMap<string, readonly string[]>;
  /** Of the commits that were looked at. */
  readonly dates: ManifestDates;
  /** What the manifests of the newest tree have. */
  readonly present: ReadonlySet<string>;
}

interface ManifestLog {
  look(commit: LoggedCommit): void;
  /** @param tree the files of the newest tree. */
  end(tree: readonly TreeFile[]): Promise<ManifestFindings>;
}

interface Edit {
  readonly commit: string;
  /** Author date; NaN when it cannot be trusted. */
  readonly seconds: number;
  readonly before: string;
  readonly after: string;
  /** False when the contents before are missing, since all packages would look new. */
  readonly canAdd: boolean;
}

/** The packages of one version of a manifest. */
interface Version {
  /** Names of evidence by entry. */
  readonly entries: ReadonlyMap<string, string>;
  /** All packages that the vocabulary knows, development dependencies included. */
  readonly names: readonly string[];
}

/** Limit of one manifest; larger ones are generated. */
const bytesMax = 256 * 1024;

/** Collects versions of manifests while the log is read, and reads each version once at the end. */
export function createManifestLog(
  git: Git,
  directory: string,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): ManifestLog {
  const edits: Edit[] = [];
  const paths = new Map<string, string>();
  return {
    look(commit) {
      const { sha, parents, files, isIncomplete } = commit;
      if (parents > 1) return;
      const isDated = toDayNumber(commit.seconds) !== undefined && !isDisordered(commit);
      const seconds = isDated ? commit.seconds : Number.NaN;
      for (const { path, before, after, isRegular } of files) {
        if (!isRegular || !(before || after) || !findManifest(path)) continue;
        for (const version of [before, after]) if (version) paths.set(version, path);
        edits.push({ commit: sha, seconds, before, after, canAdd: !isIncomplete });
      }
    },
    async end(tree) {
      const newest = tree.filter(({ path }) => findManifest(path));
      for (const { sha, path } of newest) paths.set(sha, path);
      const versions = await readVersions(git, directory, paths, vocabulary);
      const present = newest.flatMap(({ sha }) => versions.get(sha)?.names ?? []);
      return {
        added: findAdded(edits, versions),
        dates: findDates(edits, versions),
        present: new Set(present),
      };
    },
  };
}

async function readVersions(
  git: Git,
  directory: string,
  paths: ReadonlyMap<string, string>,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<ReadonlyMap<string, Version>> {
  const known = selectKnownPackages(vocabulary);
  const sizes = await readBlobSizes(git, directory, paths.keys());
  const files = [...paths]
    .map(([sha, path]) => ({ sha, path, bytes: sizes.get(sha) ?? 0 }))
    .filter(({ bytes }) => bytes <= bytesMax);
  const versions = new Map<string, Version>();
  await readBlobs(git, directory, { files, bytesMax }, ({ sha, path }, content) => {
    const packages = findManifest(path)?.(toFileText(content)) ?? [];
    const entries = new Map<string, string>();
    const names = new Set<string>();
    for (const each of packages) {
      const name = known.nameOf(each);
      if (name === undefined) continue;
      names.add(name);
      if (known.isEvidence(each)) entries.set(`${name} ${each.entry ?? ""}`, name);
    }
    versions.set(sha, { entries, names: [...names] });
  });
  return versions;
}

function findAdded(edits: readonly Edit[], versions: ReadonlyMap<string, Version>) {
  const added = new Map<string, string[]>();
  for (const { commit, before, after, canAdd } of edits) {
    if (!canAdd) continue;
    const old = versions.get(before)?.entries;
    const fresh = [...(versions.get(after)?.entries ?? [])].filter(([entry]) => !old?.has(entry));
    if (fresh.length === 0) continue;
    added.getOrInsertComputed(commit, () => []).push(...fresh.map(([, name]) => name));
  }
  for (const [commit, names] of added) added.set(commit, [...new Set(names)].sort());
  return added;
}

function findDates(edits: readonly Edit[], versions: ReadonlyMap<string, Version>): ManifestDates {
  const dates: Record<string, ManifestDate> = {};
  for (const { seconds, before, after, canAdd } of edits) {
    if (Number.isNaN(seconds)) continue;
    const had = new Set(versions.get(before)?.names);
    const has = versions.get(after)?.names ?? [];
    for (const name of had) widen(dates, name, { first: seconds, last: seconds });
    for (const name of has) {
      const isAdded = canAdd && !had.has(name);
      widen(dates, name, { ...(isAdded && { added: seconds }), first: seconds, last: seconds });
    }
  }
  return dates;
}

/** Joins what two runs found. */
export function joinManifestDates(one: ManifestDates, other: ManifestDates): ManifestDates {
  const joined: Record<string, ManifestDate> = { ...one };
  for (const [name, date] of Object.entries(other)) widen(joined, name, date);
  return Object.fromEntries(Object.entries(joined).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function widen(dates: Record<string, ManifestDate>, name: string, date: ManifestDate): void {
  const before = dates[name] ?? date;
  const added = Math.min(
    before.added ?? Number.POSITIVE_INFINITY,
    date.added ?? Number.POSITIVE_INFINITY,
  );
  dates[name] = {
    ...(Number.isFinite(added) && { added }),
    first: Math.min(before.first, date.first),
    last: Math.max(before.last, date.last),
  };
}
