/** Plans a hand-over: the folders at risk as a short tree, and the people who could take over. */
import type { WhoData } from "../contract/people/who-knows.ts";

type HandedFolder = NonNullable<WhoData["handover"]>["folders"][number];

/** Somebody who knows folders best after the people who leave. */
export interface Successor {
  /** Undefined for the folders that nobody who stays knows. */
  readonly login: string | undefined;
  readonly folders: number;
  /** `files` counts the files of these folders that the leaving people know. `lost` counts those that no one else knows. */
  readonly files: number;
  readonly lost: number;
  /** The largest of these folders, each with the successor's share of what is known. */
  readonly largest: readonly { readonly path: string; readonly share: number }[];
}

const largestMax = 2;

/**
 * Groups the folders by their first successor.
 * @returns the folders without a successor first, then the successors with the most files.
 */
export function listSuccessors(folders: readonly HandedFolder[]): readonly Successor[] {
  const bySuccessor = Map.groupBy(folders, ({ next: [first] }) => first?.login);
  return [...bySuccessor]
    .map(([login, handed]) => ({
      ...{ login, folders: handed.length },
      files: handed.reduce((sum, { known }) => sum + known, 0),
      lost: handed.reduce((sum, { lost }) => sum + lost, 0),
      largest: handed
        .toSorted((a, b) => b.known - a.known || (b.next[0]?.share ?? 0) - (a.next[0]?.share ?? 0))
        .slice(0, largestMax)
        .map(({ path, next: [first] }) => ({ path, share: first?.share ?? 0 })),
    }))
    .sort(
      (a, b) =>
        Number(b.login === undefined) - Number(a.login === undefined) ||
        b.files - a.files ||
        b.folders - a.folders,
    );
}

/** A folder of the short tree, with everything below it. */
export interface RiskRow {
  readonly path: string;
  /** The path below the row around it. */
  readonly name: string;
  readonly depth: number;
  /** `known` counts the files that the leaving people know. `lost` counts those that no one else knows. */
  readonly known: number;
  readonly lost: number;
  /** The successor for most of the known files; undefined if that is nobody. */
  readonly next: string | undefined;
}

interface Folder {
  readonly path: string;
  name: string;
  known: number;
  lost: number;
  readonly nexts: Map<string | undefined, number>;
  readonly below: Map<string, Folder>;
}

/** Lists at most `most` folders as a tree. The folders with the most files that nobody else knows are open. */
export function listRisks(folders: readonly HandedFolder[], most: number): readonly RiskRow[] {
  const top = listBelow(growTree(folders)).slice(0, most);
  const open = new Set<string>();
  const visible = [...top];
  for (let isOpening = true; isOpening; ) {
    const [next] = visible
      .filter((one) => !open.has(one.path) && one.below.size > 0)
      .filter(({ below }) => visible.length + below.size <= most)
      .sort(compareRisk);
    isOpening = next !== undefined;
    if (next) {
      open.add(next.path);
      visible.push(...listBelow(next));
    }
  }
  const unfold = (some: readonly Folder[], depth: number): readonly RiskRow[] =>
    some.flatMap((one) => [
      toRow(one, depth),
      ...(open.has(one.path) ? unfold(listBelow(one), depth + 1) : []),
    ]);
  return unfold(top, 0);
}

function growTree(folders: readonly HandedFolder[]): Folder {
  const root = createFolder("", "");
  for (const { path, known, lost, next } of folders) {
    let folder = root;
    for (const name of path.split("/")) {
      const inside = folder.below.get(name);
      const deeper = inside ?? createFolder(folder.path ? `${folder.path}/${name}` : name, name);
      folder.below.set(name, deeper);
      folder = deeper;
      folder.known += known;
      folder.lost += lost;
      folder.nexts.set(next[0]?.login, (folder.nexts.get(next[0]?.login) ?? 0) + known);
    }
  }
  return root;
}

const createFolder = (path: string, name: string): Folder => ({
  ...{ path, name, known: 0, lost: 0, nexts: new Map(), below: new Map() },
});

/** Lists the folders in a folder, those at most risk first. A folder that holds nothing but one folder is shown with it as one. */
function listBelow({ below }: Folder): readonly Folder[] {
  return [...below.values()].map(joinOnly).sort(compareRisk);
}

function joinOnly(folder: Folder): Folder {
  const [only] = folder.below.values();
  if (!only || folder.below.size > 1 || only.known < folder.known) return folder;
  return joinOnly({ ...only, name: `${folder.name}/${only.name}` });
}

const compareRisk = (a: Folder, b: Folder) =>
  b.lost - a.lost || b.known - a.known || (a.path < b.path ? -1 : 1);

function toRow({ path, name, known, lost, nexts }: Folder, depth: number): RiskRow {
  const [first] = [...nexts].sort(([, a], [, b]) => b - a);
  return { path, name, depth, known, lost, next: first?.[0] };
}
