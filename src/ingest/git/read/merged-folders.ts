/**
 * Finds trees that a merge put into a folder (`git subtree add`, `git read-tree --prefix`). Commits of such a tree name files
 * without the folder, so the folder is added to their paths.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange, LoggedCommit } from "../commit/logged-commit.ts";
import { composeInput, decodeGitText, type Git, graftsFile } from "../git-command.ts";
import type { ReadRange } from "../repository/cut-history.ts";
import { readBlobs, resolveObjects } from "../repository/objects.ts";

/** @package A file of a merge that differs from all parents. */
export interface MergedFile {
  readonly path: string;
  /** Object id of the content. */
  readonly content: string;
  /** Indexes of the parents that have no file with this path. */
  readonly absent: readonly number[];
}

/** @package */
export interface ListedMerge {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly files: readonly MergedFile[];
}

/** @package A merge that put the tree of one of its parents into a folder. */
export interface FolderJoint {
  readonly merge: ListedMerge;
  readonly parent: number;
  /** Path of the folder, with a slash at the end. */
  readonly folder: string;
  /** Names in the parent's root that the merge keeps in its own root and does not move into the folder. */
  readonly stays: ReadonlySet<string>;
}

/** The most files to look up for each parent of a merge. Each file is looked up in at most `depthMax` folders. */
const triedMax = 100;
const depthMax = 12;

/** @package */
export async function findFolderJoints(
  git: Git,
  directory: string,
  merges: readonly ListedMerge[],
): Promise<readonly FolderJoint[]> {
  const tried = merges.flatMap(listTried);
  const names = tried.map(({ merge, parent, path, folder }) =>
    nameIn(merge, parent, path.slice(folder.length)),
  );
  const found = await resolveObjects(git, directory, names);
  const matched = tried.filter(({ content }, at) => found[at] === content);
  const byParent = Map.groupBy(matched, ({ merge, parent }) => `${merge.sha} ${parent}`);
  const likely = [...byParent.values()].flatMap((some) => {
    const byFolder = [...Map.groupBy(some, ({ folder }) => folder)];
    const [most] = byFolder.sort(([a, x], [b, y]) => y.length - x.length || a.length - b.length);
    return most?.[1][0] ?? [];
  });
  return confirmJoints(git, directory, likely);
}

/** Lists the folders to try for each file that a parent lacks: every folder that contains the file. */
function listTried(merge: ListedMerge) {
  const left = merge.parents.map(() => triedMax);
  return merge.files.flatMap(({ path, content, absent }) =>
    absent.flatMap((parent) => {
      left[parent] = (left[parent] ?? 0) - 1;
      const depths = [...path.matchAll(/\//g)].slice(0, depthMax).map(({ index }) => index + 1);
      if ((left[parent] ?? 0) < 0 || path.includes("\n")) return [];
      return depths.map((end) => ({ merge, parent, path, content, folder: path.slice(0, end) }));
    }),
  );
}

/** Keeps a folder if it has more entries in common with the parent's root than the merge's root has. */
async function confirmJoints(
  git: Git,
  directory: string,
  likely: readonly Omit<FolderJoint, "stays">[],
): Promise<readonly FolderJoint[]> {
  const namesOf = ({ merge, parent, folder }: (typeof likely)[number]) => [
    nameIn(merge, parent, ""),
    `${merge.sha}:`,
    `${merge.sha}:${folder.slice(0, -1)}`,
  ];
  const names = [...new Set(likely.flatMap(namesOf))];
  const trees = new Map<string, ReadonlyMap<string, string>>();
  const wanted = { files: names.map((sha) => ({ sha })), bytesMax: treeBytesMax };
  const idBytes = (likely[0]?.merge.sha.length ?? 0) / 2;
  await readBlobs(git, directory, wanted, ({ sha }, bytes) => {
    trees.set(sha, parseTree(bytes, idBytes));
  });
  return likely.flatMap((one) => {
    const [own, root, inside] = namesOf(one).map((name) => trees.get(name));
    if (!own || !root || !inside) return [];
    const countSame = (other: ReadonlyMap<string, string>) =>
      [...own].filter(([name, id]) => other.get(name) === id).length;
    if (countSame(inside) <= countSame(root)) return [];
    const stays = [...own.keys()].filter((name) => root.has(name) && !inside.has(name));
    return [{ ...one, stays: new Set(stays) }];
  });
}

const treeBytesMax = 4 * 1024 * 1024;

/** Parses a tree, `mode SP name NUL id` for each entry. */
function parseTree(bytes: Buffer, idBytes: number): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const nul = bytes.indexOf(0, at);
    if (nul < 0) break;
    const name = decodeGitText(bytes.subarray(bytes.indexOf(32, at) + 1, nul));
    at = nul + 1 + idBytes;
    entries.set(name, bytes.toString("hex", nul + 1, at));
  }
  return entries;
}

/** @package @returns files of merges that come from a tree put into a folder. These files are not the merge's own work. */
export async function findBrought(git: Git, directory: string, joints: readonly FolderJoint[]) {
  const asked = joints.flatMap(({ merge, parent, folder }) =>
    merge.files
      .filter(({ path, absent }) => absent.includes(parent) && path.startsWith(folder))
      .filter(({ path }) => !path.includes("\n"))
      .map((file) => ({ file, name: nameIn(merge, parent, file.path.slice(folder.length)) })),
  );
  const names = asked.map(({ name }) => name);
  const found = await resolveObjects(git, directory, names);
  return new Set(asked.flatMap(({ file }, at) => (found[at] === undefined ? [] : [file])));
}

function nameIn({ parents }: ListedMerge, parent: number, path: string): string {
  return `${parents[parent]}:${path}`;
}

/** @package @returns a function that changes the paths of a commit's files to the paths after merges into folders. */
export async function createPlacing(
  git: Git,
  range: ReadRange,
  joints: readonly FolderJoint[],
): Promise<(commit: LoggedCommit) => LoggedCommit> {
  const jointOf = new Map<string, FolderJoint>();
  await withoutJoints(range.directory, joints, async () => {
    const byFolder = Map.groupBy(joints, ({ folder, stays }) => [folder, ...stays].join("\0"));
    for (const [, some] of [...byFolder].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const tips = some.map(({ merge, parent }) => merge.parents[parent] ?? "");
      const others = [range.head, range.since].filter((one) => one !== undefined);
      const input = composeInput([...new Set(tips), ...others.map((one) => `^${one}`)]);
      const moved = await git.read(range.directory, ["rev-list", "--stdin"], input);
      for (const sha of moved.toString("latin1").split("\n")) {
        if (sha && some[0] && !jointOf.has(sha)) jointOf.set(sha, some[0]);
      }
    }
  });
  return (commit) => {
    let { files } = commit;
    let joint = jointOf.get(commit.sha);
    // The merge itself may be part of a tree that was put into another folder.
    for (let depth = 0; joint && depth < depthMax; depth++) {
      const { folder, stays, merge } = joint;
      const place = (path: string) =>
        stays.has(path.split("/", 1)[0] ?? "") ? path : folder + path;
      files = files.map(
        (file): FileChange => ({
          ...{ ...file, path: place(file.path) },
          from: file.from === undefined ? undefined : place(file.from),
        }),
      );
      joint = jointOf.get(merge.sha);
    }
    return files === commit.files ? commit : { ...commit, files };
  };
}

/** Runs `work` while git ignores the joints: the parents of a merge whose whole tree the merge put into a folder. */
async function withoutJoints(
  directory: string,
  joints: readonly FolderJoint[],
  work: () => Promise<void>,
): Promise<void> {
  if (joints.length === 0) return;
  const file = join(directory, graftsFile);
  const before = existsSync(file) ? readFileSync(file) : undefined;
  const byMerge = Map.groupBy(joints, ({ merge }) => merge);
  const lines = [...byMerge].map(([{ sha, parents }, some]) => {
    const cut = new Set(some.map(({ parent }) => parent));
    return [sha, ...parents.filter((_, at) => !cut.has(at))].join(" ");
  });
  writeFileSync(file, `${before ?? ""}${composeInput(lines)}`);
  try {
    await work();
  } finally {
    writeFileSync(file, before ?? "");
  }
}
