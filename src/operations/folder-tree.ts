/** Reads the folder tree of the page "Who knows": the rows of all open folders. */
import { type FirstKnower, type KnownFolder, listFolders } from "../knowledge/knowledge.ts";
import type { Modules } from "./operation.ts";
import type { RequestedKnowledge } from "./requested-knowledge.ts";

export interface FolderTree {
  readonly repository: string;
  readonly rows: readonly TreeRow[];
  readonly left: number;
}

export interface TreeRow extends KnownFolder {
  /** The path of the row, relative to the path in the request. */
  readonly below: string;
  readonly depth: number;
  readonly isOpen: boolean;
  readonly first: readonly FirstKnower[];
}

export const treeRowsMax = 200;

/** @param open path of the deepest open folder. @returns undefined for a file, a package, or files of several repositories. */
export async function readFolderTree(
  { answer, leaving }: RequestedKnowledge,
  open: string,
  { knowledge }: Pick<Modules, "knowledge">,
): Promise<FolderTree | undefined> {
  const [repository, other] = answer.repositories;
  const [top = ""] = answer.paths;
  if (!repository || other || answer.package || answer.files.length === 0) return undefined;
  if (answer.files.length === 1 && answer.files[0]?.path === top) return undefined;
  const unfold = (folder: string, files: typeof answer.files, depth: number): Level => {
    const all = listFolders(files, folder);
    const shown = all.slice(0, treeRowsMax);
    const levels = shown.map((row): Level => {
      const isOpen = row.isFolder && (open === row.path || open.startsWith(`${row.path}/`));
      const below = row.path.slice(top === "" ? 0 : top.length + 1);
      const own = { ...row, below, depth, isOpen };
      if (!isOpen) return { rows: [own], left: 0 };
      const inside = files.filter(({ path }) => path.startsWith(`${row.path}/`));
      const { rows, left } = unfold(row.path, inside, depth + 1);
      return { rows: [own, ...rows], left };
    });
    return {
      rows: levels.flatMap(({ rows }) => rows),
      left: levels.reduce((sum, { left }) => sum + left, all.length - shown.length),
    };
  };
  const { rows, left } = unfold(top, answer.files, 0);
  const firsts = await knowledge.firstKnowers({
    ...{ repository, untilDay: answer.untilDay },
    without: leaving.map((login) => login.toLowerCase()),
    paths: rows.map(({ path }) => path),
  });
  return {
    repository: repository.name,
    rows: rows.map((row, at) => ({ ...row, first: firsts[at] ?? [] })),
    left,
  };
}

interface Level {
  readonly rows: readonly Omit<TreeRow, "first">[];
  readonly left: number;
}
