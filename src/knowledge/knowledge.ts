/**
 * Finds the files that a question is about, reads who changed them, and measures who knows them. Reads no git: the pool
 * has what it needs.
 */
import type { Model } from "../analysis/analysis.ts";
import { findNearest } from "../contract/complaint.ts";
import { Fault } from "../contract/fault.ts";
import type {
  AuthorshipHead,
  AuthorshipStore,
  KnownRepository,
  PackageRelation,
} from "../pool/pool.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { createHeadCache } from "./head-cache.ts";
import { findUntilDay } from "./history-end.ts";
import { type FileSelection, type Knowledge, measureKnowledge } from "./measure-knowledge.ts";
import {
  createPartCache,
  type MeasuredOwnership,
  measureOwnership,
} from "./ownership/measure-ownership.ts";
import { selectNumbers, selectPaths } from "./select-files.ts";
import { findTruckFactor } from "./truck-factor.ts";

export { formatUtcDay, toKnowingPerson, toOwnershipFiles } from "./describe-person.ts";
export { isHistoryStale } from "./history-end.ts";
export { listFolders } from "./list-folders.ts";
export type { KnownFile, PersonKnowledge } from "./measure-knowledge.ts";
export type { MeasuredOwnership } from "./ownership/measure-ownership.ts";
export type { OwnershipDrift } from "./ownership/ownership-drift.ts";

/** What people are asked for; at least one of the first three fields. */
export interface KnowledgeQuestion {
  /** `name`, `owner/name` or `forge/owner/name`, ignoring case. */
  readonly repository?: string | undefined;
  /** Files or folders; any of them. */
  readonly paths?: readonly string[] | undefined;
  /** With or without its ecosystem. */
  readonly package?: string | undefined;
  /** UTC days since 1970. */
  readonly asOfDay: number;
}

export interface KnowledgeAnswer extends Omit<Knowledge, "knowers"> {
  readonly repositories: readonly KnownRepository[];
  /** Paths that are known, in the order asked for. */
  readonly paths: readonly string[];
  /** Paths of the question that no repository has. */
  readonly unknownPaths: readonly string[];
  readonly package?: { readonly name: string; readonly relation: PackageRelation };
  /** Of a repository or paths in it, as of a day when its rules were as they are. */
  readonly ownership: MeasuredOwnership | undefined;
  /** Up to which it is judged who is still there: as-of, or the end of what was read of these repositories. */
  readonly untilDay: number;
  /** Numbers of the people without which no one would know half of the files. */
  readonly truckFactor: readonly number[];
}

/** Why there is no answer, in words for the caller. */
export interface KnowledgeRefusal {
  readonly isKnown: false;
  /** Whether the question is wrong, or names what is not there. */
  readonly kind: "unclear" | "absent";
  readonly message: string;
}

export interface KnowledgeBase {
  ask(question: KnowledgeQuestion): Promise<KnowledgeAnswer | KnowledgeRefusal>;
  repositories(): Promise<readonly KnownRepository[]>;
  /** UTC days since 1970. */
  today(): number;
  modelVersion(): string;
  /** Commits that give confidence one half. */
  halfCommits(): number;
}

interface KnowledgeModules {
  readonly authorship: AuthorshipStore;
  /** The model in force, read when it is first needed. */
  readonly model: () => Model;
  readonly now: () => Date;
}

export function isRefusal(answer: KnowledgeAnswer | KnowledgeRefusal): answer is KnowledgeRefusal {
  return "isKnown" in answer;
}

export function createKnowledgeBase({ authorship, model, now }: KnowledgeModules): KnowledgeBase {
  const heads = createHeadCache(authorship);
  const groupFiles = createPartCache();
  const answers = createAnswerCache<KnowledgeAnswer>();
  return {
    repositories: () => authorship.repositories(),
    today: () => Math.floor(now().getTime() / 86_400_000),
    modelVersion: () => model().modelVersion,
    halfCommits: () => model().knowledge.halfCommits,
    async ask(question) {
      // Read before everything else: what changes meanwhile has the next edition.
      const edition = await authorship.edition();
      const { modelVersion, knowledge: constants } = model();
      const basis = `${edition} ${modelVersion}`;
      const key = JSON.stringify(question);
      const before = answers.find(basis, key);
      if (before) return before;
      const known = await authorship.repositories();
      const headOf = (id: number) => heads.read(id, edition);
      const found = await find({ authorship, headOf }, known, question).catch(toRefusal);
      if ("isKnown" in found) return found;
      const { asOfDay } = question;
      const { selections, ...rest } = found;
      const stated = await readOwnership(authorship, found, asOfDay);
      const untilDay = findUntilDay(found.repositories, asOfDay);
      const measuring = { asOfDay: untilDay, constants, withKnowers: stated !== undefined };
      const knowledge = measureKnowledge(selections, measuring);
      const truckFactor = findTruckFactor(knowledge.files, constants.files.truckCoverage);
      const judging = { knowledge, asOfDay: untilDay, groupFiles };
      const ownership = stated && measureOwnership({ ...stated, ...judging });
      const { people, files, commits, lines } = knowledge;
      const answer = { ...rest, people, files, commits, lines, ownership, untilDay, truckFactor };
      answers.keep(basis, key, answer);
      return answer;
    },
  };
}

/** Rules are of the newest commit, and say nothing of an earlier day; the files of a package are no rule's. */
async function readOwnership(
  authorship: AuthorshipStore,
  { selections, repositories, paths, package: name }: Found,
  asOfDay: number,
) {
  const [[selection], [repository]] = [selections, repositories];
  if (!selection || !repository || name || asOfDay < repository.lastDay) return undefined;
  const ownership = await authorship.ownership(repository.id);
  const within = paths.length > 0 ? paths : [""];
  return ownership && { ownership, head: selection.head, within };
}

interface Finding {
  readonly authorship: AuthorshipStore;
  readonly headOf: (id: number) => Promise<AuthorshipHead | undefined>;
}

type Found = Pick<KnowledgeAnswer, "repositories" | "paths" | "unknownPaths" | "package"> & {
  readonly selections: readonly FileSelection[];
};

async function find(
  parts: Finding,
  known: readonly KnownRepository[],
  question: KnowledgeQuestion,
): Promise<Found | KnowledgeRefusal> {
  if (known.length === 0) {
    return absent("no git repository has been read yet, and only git says who changed which file");
  }
  const asked = question.repository;
  const named = asked === undefined ? undefined : findRepository(known, asked);
  if (named && "isKnown" in named) return named;
  if (question.package !== undefined) return findPackage(parts, known, { question, named });
  const paths = (question.paths ?? []).map(normalisePath);
  if (named) return findPaths(parts, named, paths);
  return findPathsAnywhere(parts, known, paths);
}

/** The rest of the pool may be whole, and so may other repositories. */
function toRefusal(thrown: unknown): KnowledgeRefusal {
  if (!(thrown instanceof Fault) || thrown.code !== "damaged") throw thrown;
  return absent("what is stored of these files is damaged; their repository must be read again");
}

function absent(message: string): KnowledgeRefusal {
  return { isKnown: false, kind: "absent", message };
}

function findRepository(
  known: readonly KnownRepository[],
  asked: string,
): KnownRepository | KnowledgeRefusal {
  const wanted = asked
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
    const message = `repository: several have the name "${asked}": ${names.join(", ")}`;
    return { isKnown: false, kind: "unclear", message };
  }
  const names = known.flatMap(({ name }) => [name, name.slice(name.lastIndexOf("/") + 1)]);
  const nearest = findNearest(wanted, names);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return absent(`repository: none is known by the name "${asked}"${hint}`);
}

/** @returns a path without the dots and strokes around it; empty for the whole repository. */
function normalisePath(path: string): string {
  const parts = path.trim().split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

async function findPaths(
  parts: Finding,
  repository: KnownRepository,
  paths: readonly string[],
): Promise<Found | KnowledgeRefusal> {
  const head = await parts.headOf(repository.id);
  if (!head) return absent(`repository: ${repository.name} was removed meanwhile`);
  const read = (from: number, to: number) => parts.authorship.blocks(repository.id, from, to);
  const asked = paths.length === 0 ? [""] : paths;
  const { files, unknown } = await selectPaths(head, asked, read);
  if (unknown.length === asked.length) {
    const [path = ""] = unknown;
    return absent(`path: ${repository.name} has had no file or folder "${path}"`);
  }
  const missing = new Set(unknown);
  return {
    repositories: [repository],
    paths: paths.filter((path) => path !== "" && !missing.has(path)),
    unknownPaths: unknown,
    selections: [{ repository: repository.id, head, files }],
  };
}

/** The repository that has most of the paths. */
async function findPathsAnywhere(
  parts: Finding,
  known: readonly KnownRepository[],
  paths: readonly string[],
): Promise<Found | KnowledgeRefusal> {
  const [only] = known;
  if (known.length === 1 && only) return findPaths(parts, only, paths);
  let best: Found[] = [];
  for (const repository of known) {
    const found = await findPaths(parts, repository, paths);
    if ("isKnown" in found) continue;
    const [first] = best;
    const better = first ? first.unknownPaths.length - found.unknownPaths.length : 1;
    if (better > 0) best = [found];
    else if (better === 0) best.push(found);
  }
  const [first] = best;
  if (!first) return absent(`path: no repository has had a file or folder "${paths[0] ?? ""}"`);
  if (best.length === 1) return first;
  const names = best
    .slice(0, 5)
    .flatMap(({ repositories }) => repositories.map(({ name }) => name));
  const message = `path: ${best.length} repositories have it; name one: ${names.join(", ")}`;
  return { isKnown: false, kind: "unclear", message };
}

async function findPackage(
  parts: Finding,
  known: readonly KnownRepository[],
  {
    question,
    named,
  }: { readonly question: KnowledgeQuestion; readonly named: KnownRepository | undefined },
): Promise<Found | KnowledgeRefusal> {
  const asked = question.package ?? "";
  const all = (await parts.authorship.packageFiles(asked.trim())).filter(
    ({ repository }) => !named || repository === named.id,
  );
  // Who makes it knows it better than who uses it.
  const makes = all.filter(({ relation }) => relation === "makes");
  const chosen = makes.length > 0 ? makes : all;
  const [first] = chosen;
  if (!first) {
    const where = named ? named.name : "no repository";
    const what = named ? "neither makes nor imports" : "makes or imports";
    return absent(`package: ${where} ${what} "${asked}"`);
  }
  const selections: FileSelection[] = [];
  for (const [repository, files] of Map.groupBy(chosen, ({ repository }) => repository)) {
    const head = await parts.headOf(repository);
    if (!head) continue;
    const numbers = new Set(files.flatMap(({ paths }) => [...paths]));
    const read = (from: number, to: number) => parts.authorship.blocks(repository, from, to);
    selections.push({ repository, head, files: await selectNumbers(head, numbers, read) });
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
