/** Which folders a CODEOWNERS file should have rows for, of those that it says nothing of: as few as say who knows what. */
import type {
  KnowingOwner,
  PresentOwners,
  ProposedFolder,
} from "../../contract/people/owners-proposal.ts";

/** Who stays and knows much of some files, by their numbers; best first. */
export type ListKnowers = (numbers: readonly number[]) => readonly KnowingOwner[];

interface FolderWalk extends Pick<PresentOwners, "canName" | "isNoted"> {
  readonly paths: readonly string[];
  /** Whether a folder can have no row, since it would hold where another row does. */
  readonly isHeld: (folder: string) => boolean;
  readonly weigh: (numbers: readonly number[]) => number;
  /** All files in each folder and below it. */
  readonly weightOf: ReadonlyMap<string, number>;
  readonly listKnowers: ListKnowers;
}

type FoundFolder = ProposedFolder<KnowingOwner>;

/** Those named know at least half: otherwise many know a little, and no one is to be asked for each change. */
const knownMin = 0.5;
/** A row is for a folder of which other rows hold less than half: those who know the rest do not know the folder. */
const openMin = 0.5;
/** Smaller folders are left to those above them. */
const filesMin = 4;
/** A gate tells only of folders of some size. */
const unownedMin = 10;

/**
 * @param open numbers of the files of which the file says nothing.
 * @returns by path; and the folders that no pattern names.
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

/** @returns the highest folders without any owner; none where less than half of all files have one, since that is meant. */
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

/** The folders of a file, from the whole repository, which is empty, to its own. */
export function listFoldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return ["", ...names.map((_, at) => names.slice(0, at + 1).join("/"))];
}

/**
 * Where one person knows most of a folder, it gets a row, and of those in it the ones that somebody else knows best. Where
 * several do, each may know a part: those in it come first, and what they leave open is asked again.
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

/** @returns none where many people know a little, or other rows hold the most. */
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

/** The folders right below one, with the files in them. */
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
