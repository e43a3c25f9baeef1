/** Finds the repositories and files that a question is about. */
import { findNearest } from "../contract/complaint.ts";
import { Fault } from "../contract/fault.ts";
import { cleanForModel } from "../contract/foreign-text.ts";
import { limits } from "../contract/limits.ts";
import type { MeantValue } from "../contract/problem.ts";
import {
  type AuthorshipHead,
  type AuthorshipStore,
  commitFlags,
  type KnownRepository,
  type PackageRelation,
} from "../pool/pool.ts";
import type { FileSelection } from "./measure-knowledge.ts";
import { selectChange } from "./select-change.ts";
import { type StoredFiles, selectNumbers, selectPaths } from "./select-files.ts";
import { findNearPath } from "./walk-paths.ts";

/** The files that a caller asks about. Without the first three fields, the files of the repositories of the people in `without`. */
export interface KnowledgeQuestion {
  /** `name`, `owner/name` or `forge/owner/name`, ignoring case. */
  readonly repository?: string | undefined;
  /** Files or folders. A file matches if it is in any of them. */
  readonly paths?: readonly string[] | undefined;
  /** A package name, with or without its ecosystem. */
  readonly package?: string | undefined;
  /** Lower-cased logins of people to treat as having left. */
  readonly without?: readonly string[] | undefined;
  /** Present if the paths are those of a change to review. The paths may include new files. */
  readonly change?: ChangeQuestion | undefined;
  /** UTC days since 1970. */
  readonly asOfDay: number;
}

export interface ChangeQuestion {
  /** Lower-cased logins of the change's authors. */
  readonly excluded: readonly string[];
  /** UTC days since 1970. */
  readonly activeSince?: number | undefined;
  readonly ignoreLoad: boolean;
}

/** Explains to the caller why there is no answer. */
export interface KnowledgeRefusal {
  readonly isKnown: false;
  /** Whether the question is unclear, or names something that does not exist. */
  readonly kind: "unclear" | "absent";
  readonly message: string;
  /** A known value that is similar to the unknown value of the question. */
  readonly meant?: MeantValue;
}

/** @package */
export interface FileAccess {
  readonly authorship: AuthorshipStore;
  readonly open: (id: number) => Promise<StoredFiles | undefined>;
}

export interface FoundFiles {
  readonly repositories: readonly KnownRepository[];
  /** Known paths, in the order of the question. */
  readonly paths: readonly string[];
  readonly unknownPaths: readonly string[];
  readonly package?: { readonly name: string; readonly relation: PackageRelation };
  /** For a question about people alone: the number of their other repositories, which are too many to measure. */
  readonly unmeasured?: number;
  readonly selections: readonly FileSelection[];
  /** All files in the folders of a change. Absent for other questions. */
  readonly around?: FileSelection;
}

export async function findFiles(
  parts: FileAccess,
  known: readonly KnownRepository[],
  question: KnowledgeQuestion,
): Promise<FoundFiles | KnowledgeRefusal> {
  if (known.length === 0) {
    return refuseAbsent(
      "no git repository has been read yet, and only git says who changed which file",
    );
  }
  const requested = question.repository;
  const named = requested === undefined ? undefined : findRepository(known, requested);
  if (named && "isKnown" in named) return named;
  if (question.package !== undefined) return findPackage(parts, known, question.package, named);
  const paths = (question.paths ?? []).map(normalisePath);
  const only = named ?? (known.length === 1 ? known[0] : undefined);
  const isAdding = question.paths?.some((path) => path.startsWith("./")) ?? false;
  if (question.change) return findChange(parts, known, { only, paths, isAdding });
  if (!only) return findPathsAnywhere(parts, known, paths);
  const found = await findPaths(parts, only, paths);
  return "isKnown" in found ? nameNearPath(parts, only, { found, paths }) : found;
}

/** Turns the error about a damaged repository into a refusal. @throws any other error again. */
export function refuseDamaged(thrown: unknown): KnowledgeRefusal {
  if (!(thrown instanceof Fault) || thrown.code !== "damaged") throw thrown;
  return refuseAbsent(
    "what is stored of these files is damaged; their repository must be read again",
  );
}

/** @package */
export function refuseAbsent(message: string, meant?: MeantValue): KnowledgeRefusal {
  return { isKnown: false, kind: "absent", message, ...(meant ? { meant } : {}) };
}

export function findRepository(
  known: readonly KnownRepository[],
  requested: string,
): KnownRepository | KnowledgeRefusal {
  const wanted = requested
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/\/$|\.git$/, "")
    .toLowerCase();
  const fits = known.filter((repository) => {
    const name = repository.name.toLowerCase();
    const full = repository.forge === undefined ? name : `${repository.forge}/${name}`;
    return name === wanted || full === wanted || name.endsWith(`/${wanted}`);
  });
  const [only] = fits;
  if (fits.length === 1 && only) return only;
  if (fits.length > 1) {
    const names = fits.slice(0, 5).map(({ forge, name }) => (forge ? `${forge}/${name}` : name));
    const message = `repository: several repositories have the name "${requested}": ${names.join(", ")}`;
    return { isKnown: false, kind: "unclear", message };
  }
  const names = known.flatMap(({ name }) => [name, name.slice(name.lastIndexOf("/") + 1)]);
  const nearest = findNearest(wanted, names);
  const message = `repository: no known repository has the name "${requested}"`;
  if (nearest === undefined) return refuseAbsent(message);
  const meant = { field: "repository", given: requested, near: nearest };
  return refuseAbsent(`${message}; did you mean "${nearest}"?`, meant);
}

/** @returns the path without `.` and empty parts. An empty path is the whole repository. */
function normalisePath(path: string): string {
  const parts = path.trim().split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

async function findPaths(
  parts: FileAccess,
  repository: KnownRepository,
  paths: readonly string[],
): Promise<FoundFiles | KnowledgeRefusal> {
  const stored = await parts.open(repository.id);
  if (!stored) return refuseAbsent(`repository: ${repository.name} was removed meanwhile`);
  const requested = paths.length === 0 ? [""] : paths;
  const { files, unknown } = await selectPaths(stored, requested);
  if (unknown.length === requested.length) {
    const [path = ""] = unknown;
    return refuseAbsent(
      path === ""
        ? `repository: no file of ${repository.name} is known; if it is a shallow clone, \`git fetch --unshallow\` brings its history`
        : `path: ${repository.name} has no file or folder "${path}"`,
    );
  }
  const missing = new Set(unknown);
  return {
    repositories: [repository],
    paths: paths.filter((path) => path !== "" && !missing.has(path)),
    unknownPaths: unknown,
    selections: [{ repository: repository.id, head: stored.head, files }],
  };
}

interface RequestedChange {
  readonly only: KnownRepository | undefined;
  readonly paths: readonly string[];
  /** Whether any path begins with `./`, which marks a new file. */
  readonly isAdding: boolean;
}

/** Finds the files of a change, and the files in its folders. If no repository is named, uses the one with most of the files. */
async function findChange(
  parts: FileAccess,
  known: readonly KnownRepository[],
  { only, paths, isAdding }: RequestedChange,
): Promise<FoundFiles | KnowledgeRefusal> {
  const found = only ?? (await findPathsAnywhere(parts, known, paths));
  if ("isKnown" in found) return found;
  const repository = "repositories" in found ? found.repositories[0] : found;
  const stored = repository && (await parts.open(repository.id));
  if (!repository || !stored) return refuseAbsent("repository: it was removed meanwhile");
  const { files, folders, unknown, isNear } = await selectChange(stored, paths);
  if (!isNear && !isAdding) {
    const [path = ""] = paths;
    return refuseAbsent(
      `paths: ${repository.name} has had none of these files or folders: "${path}"`,
    );
  }
  const missing = new Set(unknown);
  const selection = { repository: repository.id, head: stored.head, files };
  return {
    repositories: [repository],
    paths: paths.filter((path) => !missing.has(path)),
    unknownPaths: unknown,
    selections: [selection],
    around: { ...selection, files: folders },
  };
}

/** Suggests a similar path for a path that does not exist. */
async function nameNearPath(
  { open }: FileAccess,
  { id }: KnownRepository,
  { found, paths }: { readonly found: KnowledgeRefusal; readonly paths: readonly string[] },
): Promise<KnowledgeRefusal> {
  const stored = await open(id);
  if (!stored) return found;
  const near = await findNearPath(stored, paths[0] ?? "");
  // The name is checked, because strangers chose it and a model may read this text.
  const harmless = cleanForModel(near.path, limits.pathLengthMax).replaceAll('"', "'");
  if (near.path === "" || harmless !== near.path) return found;
  const hint = near.isWhole
    ? `did you mean "${near.path}"?`
    : `the nearest folder is "${near.path}"`;
  const meant = { field: "path", given: paths[0] ?? "", near: near.path };
  return refuseAbsent(`${found.message}; ${hint}`, meant);
}

/** Finds the repository that has most of the paths. */
async function findPathsAnywhere(
  parts: FileAccess,
  known: readonly KnownRepository[],
  paths: readonly string[],
): Promise<FoundFiles | KnowledgeRefusal> {
  let best: FoundFiles[] = [];
  for (const repository of known) {
    const found = await findPaths(parts, repository, paths);
    if ("isKnown" in found) continue;
    const [first] = best;
    const better = first ? first.unknownPaths.length - found.unknownPaths.length : 1;
    if (better > 0) best = [found];
    else if (better === 0) best.push(found);
  }
  const [first] = best;
  if (!first) return refuseAbsent(`path: no repository has a file or folder "${paths[0] ?? ""}"`);
  const own = best.filter(({ selections: [selection] }) => !selection || !isCopy(selection.head));
  const [only = first] = own;
  if (best.length === 1 || own.length === 1) return only;
  const names = best
    .slice(0, 5)
    .flatMap(({ repositories }) => repositories.map(({ name }) => name));
  const message = `path: ${best.length} repositories have this path; name one: ${names.join(", ")}`;
  return { isKnown: false, kind: "unclear", message };
}

/** @package Whether all commits of a repository count in another one. */
export function isCopy({ columns: { flags } }: AuthorshipHead): boolean {
  const { isElsewhere, isReview } = commitFlags;
  const commits = flags.filter((bits) => (bits & isReview) === 0);
  return commits.length > 0 && commits.every((bits) => (bits & isElsewhere) !== 0);
}

async function findPackage(
  parts: FileAccess,
  known: readonly KnownRepository[],
  requested: string,
  named: KnownRepository | undefined,
): Promise<FoundFiles | KnowledgeRefusal> {
  const all = (await parts.authorship.packageFiles(requested.trim())).filter(
    ({ repository }) => !named || repository === named.id,
  );
  // Makers of the package know it better than its users.
  const makes = all.filter(({ relation }) => relation === "makes");
  const chosen = makes.length > 0 ? makes : all;
  const [first] = chosen;
  if (!first) {
    const where = named ? named.name : "no repository";
    const what = named ? "neither makes nor imports" : "makes or imports";
    return refuseAbsent(`package: ${where} ${what} "${requested}"`);
  }
  const selections: FileSelection[] = [];
  const byRepository = Map.groupBy(chosen, ({ repository }) => repository);
  const isAlone = byRepository.size === 1;
  for (const [repository, files] of byRepository) {
    const stored = await parts.open(repository);
    if (!stored || (!isAlone && isCopy(stored.head))) continue;
    const numbers = new Set(files.flatMap(({ paths }) => [...paths]));
    // The commits that a fork shares with the original count once.
    const leftOut = isAlone ? 0 : commitFlags.isElsewhere;
    const { head } = stored;
    selections.push({ repository, head, files: await selectNumbers(stored, numbers), leftOut });
  }
  const used = new Set(selections.map(({ repository }) => repository));
  return {
    repositories: known.filter(({ id }) => used.has(id)),
    paths: [],
    unknownPaths: [],
    package: { name: first.name, relation: first.relation },
    selections,
  };
}
