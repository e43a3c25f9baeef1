/** A hand-over summed by who is next: how much each successor takes over. */
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { DataTable } from "../look/data-table.tsx";
import { DeveloperLink } from "../look/people.tsx";
import type { Names } from "./display-names.ts";
import { Labelled } from "./labelled.tsx";

type HandedFolders = NonNullable<WhoData["handover"]>["folders"];

interface Successor {
  /** Undefined for the folders in which nobody is next. */
  readonly login: string | undefined;
  readonly folders: number;
  /** Those that the leaving know, and those of them that nobody else knows. */
  readonly files: number;
  readonly lost: number;
}

/** Each folder goes to the first who is next in it. @returns nobody first, then whoever takes over most files. */
function sumSuccessors(folders: HandedFolders): readonly Successor[] {
  const bySuccessor = Map.groupBy(folders, ({ next: [first] }) => first?.login);
  return [...bySuccessor]
    .map(([login, handed]) => ({
      login,
      folders: handed.length,
      files: handed.reduce((sum, { known }) => sum + known, 0),
      lost: handed.reduce((sum, { lost }) => sum + lost, 0),
    }))
    .sort(
      (a, b) =>
        Number(b.login === undefined) - Number(a.login === undefined) ||
        b.files - a.files ||
        b.folders - a.folders,
    );
}

export function SuccessorTable({ folders, names }: { folders: HandedFolders; names: Names }) {
  return (
    <DataTable
      class="stacked labelled successors"
      columns={[
        [
          "Successor",
          ({ login }) =>
            login === undefined ? (
              <strong>nobody</strong>
            ) : (
              <DeveloperLink login={login} name={names.get(login)} />
            ),
        ],
        ["Folders", ({ folders }) => <Labelled count={folders} noun="folder" />, "number"],
        ["Files", ({ files }) => <Labelled count={files} noun="file" />, "number"],
        ["Nobody else", ({ lost }) => <Labelled before="nobody else" count={lost} />, "number"],
      ]}
      rows={sumSuccessors(folders)}
    />
  );
}
