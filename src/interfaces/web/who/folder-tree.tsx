/** The tree of folders and files below the path of a question, each with the people who know it best. Links open folders. */
import { type FolderTree, type TreeRow, treeRowsMax } from "../../../operations/folder-tree.ts";
import { formatCounted, formatShare } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { FilePath } from "../look/parts.tsx";
import { KnowerShares, Labelled, type Names } from "./who-parts.tsx";
import { formatAddress, type WhoQuestion } from "./who-question.ts";

export function listTreeLogins(tree: FolderTree | undefined): readonly string[] {
  return tree?.rows.flatMap(({ first }) => first.map(({ login }) => login)) ?? [];
}

interface TreeProperties {
  readonly question: WhoQuestion;
  readonly tree: FolderTree | undefined;
  readonly names: Names;
}

export function TreeSection({ question, tree, names }: TreeProperties) {
  if (!tree) return undefined;
  const { repository, rows, left } = tree;
  const scales = findScales(rows);
  const [top] = rows.filter(({ isFolder, depth }) => isFolder && depth === 0);
  return (
    <section aria-labelledby="below">
      <h2 id="below">Folders and files</h2>
      <p class="small">
        <span class="screen-only">
          {top && "An arrow opens a folder here and costs no call. "}A name asks who knows it: one
          call.{" "}
        </span>
        Bars show the three who know it best, each with their share of what is known. A full bar is
        all of it for a file
        {top && `, and ${formatShare(scales.get(findFolder(top.path)) ?? 0)} for a folder here`}.
      </p>
      <DataTable
        scrolls="Tree of folders and files"
        class="tree stacked labelled"
        columns={[
          ["Folder or file", (row) => renderRowName(row, question, repository)],
          ["Files", ({ files }) => <Labelled count={files} noun="file" />, "number"],
          [
            "Known by",
            ({ people }) =>
              people === 0 ? "nobody" : <Labelled before="known by" count={people} />,
            "number",
          ],
          ["Best known by", (row) => renderKnowers(row, scales, names), "whole"],
        ]}
        rows={rows}
      />
      {left > 0 && (
        <p class="muted small">
          {formatCounted(left, "folder or file", "folders and files")} more: a folder shows its
          first {treeRowsMax}, and the field above takes any path.
        </p>
      )}
    </section>
  );
}

function renderRowName(row: TreeRow, question: WhoQuestion, repository: string) {
  const { path, below, depth, isFolder, isOpen } = row;
  const nameAt = below.lastIndexOf("/") + 1;
  const stroke = isFolder ? "/" : "";
  return (
    <span class="tree-name">
      {Array.from({ length: Math.min(depth, depthMax) }, () => (
        <span class="tree-step" />
      ))}
      {isFolder ? (
        <a
          class="tree-fold"
          id={isOpen ? formatRowId(path) : undefined}
          href={formatFoldPath(question, row)}
          aria-expanded={String(isOpen)}
          aria-label={`${isOpen ? "Close" : "Open"} ${below}/`}
        >
          {isOpen ? "▾" : "▸"}
        </a>
      ) : (
        <span class="tree-fold" />
      )}
      <a
        href={formatAddress(question, { repository, path })}
        aria-label={depth > 0 ? below + stroke : undefined}
      >
        <FilePath path={below.slice(nameAt)} />
        {stroke}
      </a>
    </span>
  );
}

/** The deepest level that is indented. Deeper rows are not indented further. */
const depthMax = 6;

const formatRowId = (path: string) => `at-${encodeURIComponent(path)}`;

/** Formats the address that opens a closed folder or closes an open folder. Closing a folder opens the folder around it. */
function formatFoldPath(
  question: WhoQuestion,
  { path, depth, isOpen }: Pick<TreeRow, "path" | "depth" | "isOpen">,
): string {
  const around = depth === 0 ? "" : path.slice(0, path.lastIndexOf("/"));
  const open = isOpen ? around : path;
  const row = open === "" ? "below" : encodeURIComponent(formatRowId(open));
  return `${formatAddress(question, { open })}#${row}`;
}

/** The sum of shares that fills the bar of a folder. The key is the parent of the folder. */
type Scales = ReadonlyMap<string, number>;

function findScales(rows: readonly TreeRow[]): Scales {
  const folders = rows.filter(({ isFolder }) => isFolder);
  const levels = Map.groupBy(folders, ({ path }) => findFolder(path));
  return new Map(
    [...levels].map(([path, level]) => [
      path,
      Math.max(...level.map(({ first }) => first.reduce((sum, { share }) => sum + share, 0))),
    ]),
  );
}

const findFolder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Renders a bar with a part for each person, and then the names in the same order. */
function renderKnowers({ path, isFolder, isOpen, first }: TreeRow, scales: Scales, names: Names) {
  if (first.length === 0) return <KnowerShares people={first} names={names} />;
  const largest = (isFolder && scales.get(findFolder(path))) || 1;
  const inside = isOpen ? scales.get(path) : undefined;
  let from = 0;
  const parts = first.map(({ share }) => {
    const width = (100 * share) / largest;
    from += width;
    return { at: from - width, width: Math.max(0, width - 1) };
  });
  return (
    <>
      <svg class={isFolder ? "bar" : "bar thin-bar"} aria-hidden="true">
        <rect width="100%" />
        {parts.map(({ at, width }, part) => (
          <rect class={barParts[part]} x={`${at.toFixed(2)}%`} width={`${width.toFixed(2)}%`} />
        ))}
      </svg>
      <span class="small">
        <KnowerShares people={first} names={names} />
        {inside && (
          <span class="tree-scale muted">
            Of the folders in it a full bar is {formatShare(inside)}.
          </span>
        )}
      </span>
    </>
  );
}

const barParts = ["bar-value", "bar-second", "bar-third"];
