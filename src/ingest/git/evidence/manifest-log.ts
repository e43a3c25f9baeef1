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
import { createTooLargeFault } from "../repository/refusal.ts";
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
  /** Numbers of the versions; 0 for none. */
  readonly before: number;
  readonly after: number;
  /** False when the contents before are missing, since all packages would look new. */
  readonly canAdd: boolean;
}

/** The packages of one version of a manifest, as numbers of texts. */
interface Version {
  readonly entries: Uint32Array;
  /** All packages that the vocabulary knows, development dependencies included. */
  readonly names: Uint32Array;
}

/** Limit of one manifest; larger ones are generated. */
const bytesMax = 256 * 1024;
/** Limit on the manifests of one commit. A commit that edits more makes one change to all of them. */
const ofCommitMax = 1000;
/** Limit on the known packages of one manifest. */
const namesMax = 1000;
/** Limits of a history: on edits, on entries and names in all versions, and on the distinct ones. */
const editsMax = 1_000_000;
const entriesMax = 20_000_000;
const textsMax = 300_000;

/** Collects versions of manifests while the log is read, and reads each version once at the end. */
export function createManifestLog(
  git: Git,
  directory: string,
  vocabulary: Pick<Vocabulary, "packageSkill">,
): ManifestLog {
  const edits: Edit[] = [];
  const numbers = new Map<string, number>([["", 0]]);
  const paths = [""];
  const numberOf = (sha: string, path: string): number => {
    const number = numbers.getOrInsert(sha, numbers.size);
    paths[number] = path;
    return number;
  };
  return {
    look(commit) {
      const { sha, parents, files, isIncomplete } = commit;
      if (parents > 1) return;
      const isDated = toDayNumber(commit.seconds) !== undefined && !isDisordered(commit);
      const seconds = isDated ? commit.seconds : Number.NaN;
      let left = ofCommitMax;
      for (const { path, before, after, isRegular } of files) {
        if (!isRegular || !(before || after) || !findManifest(path) || --left < 0) continue;
        const versions = { before: numberOf(before, path), after: numberOf(after, path) };
        edits.push({ commit: sha, seconds, ...versions, canAdd: !isIncomplete });
      }
      if (edits.length > editsMax) throw createTooLargeFault("it edits too many manifests");
    },
    async end(tree) {
      const newest = tree.filter(({ path }) => findManifest(path));
      for (const { sha, path } of newest) numberOf(sha, path);
      const files = [...numbers].slice(1).map(([sha, at]) => ({ sha, at, path: paths[at] ?? "" }));
      const read = await readVersions(git, directory, files, vocabulary);
      const present = newest.flatMap(({ sha, path }) => {
        const names = read.versions[numberOf(sha, path)]?.names ?? [];
        return Array.from(names, (name) => read.texts[name] ?? "");
      });
      const [added, dates] = [findAdded(edits, read), findDates(edits, read)];
      return { added, dates, present: new Set(present) };
    },
  };
}

interface Versions {
  readonly versions: readonly (Version | undefined)[];
  readonly texts: readonly string[];
}

async function readVersions(
  git: Git,
  directory: string,
  found: readonly { readonly sha: string; readonly at: number; readonly path: string }[],
  vocabulary: Pick<Vocabulary, "packageSkill">,
): Promise<Versions> {
  const known = selectKnownPackages(vocabulary);
  const shas = found.map(({ sha }) => sha);
  const sizes = await readBlobSizes(git, directory, shas);
  const files = found.filter(({ sha }) => (sizes.get(sha) ?? 0) <= bytesMax);
  const versions: (Version | undefined)[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => numbers.getOrInsert(text, numbers.size);
  let total = 0;
  await readBlobs(git, directory, { files, bytesMax }, ({ at, path }, content) => {
    const [entries, names] = [new Set<number>(), new Set<number>()];
    for (const each of findManifest(path)?.(toFileText(content)) ?? []) {
      const name = known.nameOf(each);
      if (name === undefined || names.size === namesMax) continue;
      names.add(numberOf(name));
      if (known.isEvidence(each)) entries.add(numberOf(`${name}\0${each.entry ?? ""}`));
    }
    versions[at] = { entries: Uint32Array.from(entries), names: Uint32Array.from(names) };
    total += entries.size + names.size;
    if (total > entriesMax || numbers.size > textsMax) {
      throw createTooLargeFault("its manifests name too many packages");
    }
  });
  return { versions, texts: [...numbers.keys()] };
}

function findAdded(edits: readonly Edit[], { versions, texts }: Versions) {
  const added = new Map<string, string[]>();
  for (const { commit, before, after, canAdd } of edits) {
    if (!canAdd) continue;
    const old = new Set(versions[before]?.entries);
    const fresh = [...(versions[after]?.entries ?? [])].filter((entry) => !old.has(entry));
    if (fresh.length === 0) continue;
    const names = fresh.map((entry) => texts[entry]?.split("\0", 1)[0] ?? "");
    added.getOrInsertComputed(commit, () => []).push(...names);
  }
  for (const [commit, names] of added) added.set(commit, [...new Set(names)].sort());
  return added;
}

function findDates(edits: readonly Edit[], { versions, texts }: Versions): ManifestDates {
  const dates: Record<string, ManifestDate> = {};
  for (const { seconds, before, after, canAdd } of edits) {
    if (Number.isNaN(seconds)) continue;
    const had = new Set(versions[before]?.names);
    for (const name of had) widen(dates, texts[name] ?? "", { first: seconds, last: seconds });
    for (const name of versions[after]?.names ?? []) {
      const added = canAdd && !had.has(name) && { added: seconds };
      widen(dates, texts[name] ?? "", { ...added, first: seconds, last: seconds });
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
