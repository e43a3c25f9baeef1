/** Selects the folders for which a CODEOWNERS file should get a row. Folders that the file covers are left out. */
import type {
  KnowingOwner,
  PresentOwners,
  ProposedFolder,
} from "../../contract/people/owners-proposal.ts";
import { listFoldersAbove } from "./ownership.ts";

/** Returns the people who stay and know much of the files with these numbers, best first. */
export type ListKnowers = (numbers: readonly number[]) => readonly KnowingOwner[];

interface FolderWalk extends Pick<PresentOwners, "canName" | "isNoted"> {
  readonly paths: readonly string[];
  /** Whether a folder cannot have a row, because the row would affect files of another row. */
  readonly isHeld: (folder: string) => boolean;
  readonly weigh: (numbers: readonly number[]) => number;
  /** By folder: the weight of all files in it and below it. */
  readonly weightOf: ReadonlyMap<string, number>;
  readonly listKnowers: ListKnowers;
}

type FoundFolder = ProposedFolder<KnowingOwner>;

/** The owners of a row must together know at least this share. */
const knownMin = 0.5;
/** A folder gets a row only if other rows cover at most half of it. */
const openMin = 0.5;
/** Folders with fewer files get no row of their own. */
const filesMin = 4;
/** Folders with fewer files are not reported as unowned. */
const unownedMin = 10;

/**
 * @param open numbers of the files that the CODEOWNERS file does not cover.
 * @returns rows by path, and the folders that no pattern can name.
 */
export function selectFolders(
  walk: FolderWalk,
  open: readonly number[],
): { readonly folders: readonly FoundFolder[]; readonly nameless: readonly string[] } {
  const all = new Map<string, FoundFolder>();
  const nameless = new Set<string>();
  for (let rest = open, before = -1; before < all.size; ) {
    before = all.size;
    for (const one of visitFolders(walk, rest, nameless)) all.set(one.folder, one);
    rest = rest.filter((at) => !listFoldersAbove(walk.paths[at] ?? "").some((one) => all.has(one)));
  }
  const folders = [...all.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  return { folders, nameless: [...nameless].sort() };
}

/**
 * @returns the highest folders without any owner. If more than half of all files have no owner, that is intended, and the result
 * is empty.
 */
export function selectUnowned(
  { paths, weigh, listKnowers, canName, isNoted }: FolderWalk,
  all: readonly number[],
  open: readonly number[],
): readonly FoundFolder[] {
  if (open.length * 2 > all.length) return [];
  const [inAll, inOpen] = [all, open].map((numbers) =>
    Map.groupBy(
      numbers.flatMap((at) => listFoldersAbove(paths[at] ?? "").map((folder) => ({ folder, at }))),
      ({ folder }) => folder,
    ),
  );
  const isUnowned = (folder: string) => inOpen?.get(folder)?.length === inAll?.get(folder)?.length;
  return [...(inOpen ?? [])].flatMap(([folder, files]): readonly FoundFolder[] => {
    const above = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
    if (files.length < unownedMin || !isUnowned(folder) || isUnowned(above)) return [];
    const numbers = files.map(({ at }) => at);
    const owners = canName(folder) && !isNoted(folder) ? listKnowers(numbers) : [];
    return owners.length > 0 ? [{ folder, owners, weight: weigh(numbers) }] : [];
  });
}

/**
 * Chooses rows, from the root down. A folder gets a row if one person knows most of it and the row above does not name that
 * person first. A folder with several knowers gets a row if no folder below it gets one.
 */
function visitFolders(
  walk: FolderWalk,
  open: readonly number[],
  nameless: Set<string>,
): readonly FoundFolder[] {
  const found: FoundFolder[] = [];
  const visit = (folder: string, numbers: readonly number[], above: string | undefined) => {
    if (numbers.length < filesMin || walk.isNoted(folder)) return;
    const owners = findOwners(walk, folder, numbers);
    const [first] = owners;
    const isNew = first !== undefined && first.login !== above;
    if (!walk.canName(folder)) {
      if (isNew) nameless.add(folder);
      return;
    }
    const before = found.length;
    const add = () => found.push({ folder, owners, weight: walk.weigh(numbers) });
    const isOnes = isNew && first.share >= knownMin;
    if (isOnes) add();
    for (const [name, inside] of groupBelow(walk.paths, folder, numbers)) {
      visit(name, inside, isOnes ? first.login : above);
    }
    if (isNew && found.length === before) add();
  };
  visit("", open, undefined);
  return found;
}

/** @returns nobody if many people know a little each, or if other rows cover most of the folder. */
function findOwners(
  { listKnowers, isHeld, weigh, weightOf }: FolderWalk,
  folder: string,
  numbers: readonly number[],
): readonly KnowingOwner[] {
  const isOpen = weigh(numbers) >= openMin * (weightOf.get(folder) ?? 0);
  if (!isOpen || isHeld(folder)) return [];
  const knowing = listKnowers(numbers);
  const known = knowing.reduce((share, one) => share + one.share, 0);
  return known < knownMin ? [] : knowing;
}

/** Returns the folders directly in a folder, with their files. */
function groupBelow(
  paths: readonly string[],
  folder: string,
  numbers: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const start = folder === "" ? 0 : folder.length + 1;
  const below = Map.groupBy(numbers, (at) => {
    const path = paths[at] ?? "";
    const stroke = path.indexOf("/", start);
    return stroke === -1 ? "" : path.slice(0, stroke);
  });
  below.delete("");
  return below;
}
