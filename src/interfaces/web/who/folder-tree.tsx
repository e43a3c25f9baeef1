/** The tree of folders and files below the path of a question, each with the people who know it best. Links open folders. */
import { type FolderTree, type TreeRow, treeRowsMax } from "../../../operations/folder-tree.ts";
import { formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { Badge, FilePath, Panel } from "../look/parts.tsx";
import { Knowers, Steps } from "./who-parts.tsx";
import { formatAddress, type WhoProperties, type WhoQuestion } from "./who-question.ts";

type TreeProperties = Omit<WhoProperties, "data"> & { readonly tree: FolderTree };

export function TreeSection({ question, tree, names }: TreeProperties) {
  const { repository, rows, left } = tree;
  return (
    <Panel
      title="Folders and files"
      id="below"
      hint={[
        "Bars show the three people who know it best. A full bar is 100 %. ",
        <span class="screen-only">Arrows are free. Opening a name uses one call.</span>,
      ]}
    >
      <DataTable
        scrolls="Tree of folders and files"
        class="tree"
        columns={[
          ["Folder or file", (row) => renderRowName(row, question, repository)],
          ["Known by", renderSize, "whole"],
          ["Best known by", ({ first }) => <Knowers people={first} names={names} />],
        ]}
        rows={rows}
      />
      {left > 0 && (
        <p class="muted small">
          {formatCounted(left, "folder or file", "folders and files")} more: a folder shows its
          first {treeRowsMax}. Ask for a path to see any other.
        </p>
      )}
    </Panel>
  );
}

function renderSize({ files, people, isFolder }: TreeRow) {
  const known = people === 0 ? "no one" : formatCounted(people, "person", "people");
  return (
    <span class="small muted">
      {people > 1 ? known : <Badge tone="warn">{known}</Badge>}
      {isFolder && ` · ${formatCounted(files, "file")}`}
    </span>
  );
}

function renderRowName(row: TreeRow, question: WhoQuestion, repository: string) {
  const { path, below, depth, isFolder, isOpen } = row;
  const nameAt = below.lastIndexOf("/") + 1;
  const stroke = isFolder ? "/" : "";
  return (
    <span class="tree-name">
      <Steps depth={depth} />
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

const formatRowId = (path: string) => `at-${encodeURIComponent(path)}`;

/** Formats the address that opens a closed folder or closes an open folder. Closing a folder opens the folder around it. */
function formatFoldPath(question: WhoQuestion, { path, depth, isOpen }: TreeRow): string {
  const around = depth === 0 ? "" : path.slice(0, path.lastIndexOf("/"));
  const open = isOpen ? around : path;
  const row = open === "" ? "below" : encodeURIComponent(formatRowId(open));
  return `${formatAddress(question, { open })}#${row}`;
}
