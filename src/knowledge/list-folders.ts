import type { KnownFile } from "./measure-knowledge.ts";

export interface KnownFolder {
  readonly path: string;
  readonly isFolder: boolean;
  readonly files: number;
  /** The number of people who know any file of the folder and have not left. */
  readonly people: number;
  /** The person who knows the folder best, as a number in `Knowledge.people`. */
  readonly best: number | undefined;
}

/** Groups files by the entries directly in a folder. Folders come first. */
export function listFolders(files: readonly KnownFile[], folder: string): readonly KnownFolder[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const groups = Map.groupBy(files, ({ path }) => {
    const stroke = path.indexOf("/", start);
    return stroke === -1 ? path : path.slice(0, stroke + 1);
  });
  return [...groups]
    .map(([path, some]) => summarise(path, some))
    .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.path < b.path ? -1 : 1));
}

function summarise(key: string, files: readonly KnownFile[]): KnownFolder {
  const known = new Map<number, number>();
  // Finds the person who knows the folder best. In each file, the best person gets one point, and the others get half a point.
  for (const { knownBy } of files) {
    for (const [rank, person] of knownBy.entries()) {
      known.set(person, (known.get(person) ?? 0) + (rank === 0 ? 1 : 0.5));
    }
  }
  const [first] = [...known].sort(([a, x], [b, y]) => y - x || a - b);
  const isFolder = key.endsWith("/");
  const path = isFolder ? key.slice(0, -1) : key;
  return { path, isFolder, files: files.length, people: known.size, best: first?.[0] };
}
