/** Shows a hand-over plan: the folders that the leaving people know, the files that nobody else knows, and successors. */
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, FilePath } from "../look/parts.tsx";
import { DeveloperLink, Share } from "../look/people.tsx";
import { KnowerShares, Labelled, type Names } from "./who-parts.tsx";
import { formatAddress, type WhoProperties } from "./who-question.ts";

type Handover = NonNullable<WhoData["handover"]>;

export function HandoverSection({ question, data, names }: WhoProperties) {
  const { handover, repositories } = data;
  if (!handover) return undefined;
  const { logins, files, lost, folders } = handover;
  const [only] = repositories.length === 1 ? repositories : [];
  return (
    <section class="plan" aria-labelledby="handover">
      <h2 id="handover">
        Hand-over of {logins.map((login) => names.get(login) ?? login).join(", ")}
      </h2>
      {files === 0 ? (
        <EmptyState>
          They know none of these files, so nothing changes. A person knows a file by a tenth of
          what is known of it.
        </EmptyState>
      ) : (
        <>
          <p>
            They know {formatCounted(files, "file")}.{" "}
            {lost === 0
              ? "Somebody else knows each of them, too."
              : `${formatCounted(lost, "file")} of these ${lost === 1 ? "is" : "are"} known to nobody else.`}{" "}
            What follows is as if they had left.
          </p>
          <h3>By successor</h3>
          {renderSuccessors(folders, names)}
          <h3>By folder</h3>
          <DataTable
            scrolls="Folders to hand over"
            class="stacked labelled"
            columns={[
              [
                "Folder",
                ({ path }) =>
                  only ? (
                    <a href={formatAddress(question, { repository: only.name, path })}>
                      <FilePath path={path || "the top folder"} />
                    </a>
                  ) : (
                    <FilePath path={path} />
                  ),
              ],
              ["Files", ({ files }) => <Labelled count={files} noun="file" />, "number"],
              ["They know", ({ known }) => <Labelled before="they know" count={known} />, "number"],
              [
                "Nobody else",
                ({ lost }) => <Labelled before="nobody else" count={lost} />,
                "number",
              ],
              ["Their part", ({ share }) => <Share share={share} largest={1} />, "whole"],
              [
                "Next",
                ({ next }) => (
                  <>
                    <span class="stacked-label">next </span>
                    <KnowerShares people={next} names={names} />
                  </>
                ),
                "whole",
              ],
            ]}
            rows={folders}
          />
          <p class="small plan-ways">
            {folders.length === foldersMax && <span>The first {foldersMax} folders.</span>}
            <button type="button" class="needs-script quiet" data-print>
              Print the plan
            </button>
            <a href={formatAddress(question, {}, "/who/handover.csv")} download="">
              CSV
            </a>
          </p>
        </>
      )}
    </section>
  );
}

const foldersMax = 200;

/** Shows how many folders and files each successor would take over. */
function renderSuccessors(folders: Handover["folders"], names: Names) {
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
        ["Folders", (one) => <Labelled count={one.folders} noun="folder" />, "number"],
        ["Files", (one) => <Labelled count={one.files} noun="file" />, "number"],
        ["Nobody else", (one) => <Labelled before="nobody else" count={one.lost} />, "number"],
      ]}
      rows={sumSuccessors(folders)}
    />
  );
}

/**
 * Groups the folders by first successor.
 * @returns the folders without a successor first (`login` is undefined), then the successors with the most files.
 */
function sumSuccessors(folders: Handover["folders"]) {
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

/** @returns the rows of a CSV file, the headings first. */
export function listHandover({ folders }: Handover): readonly (readonly (string | number)[])[] {
  return [
    [
      ...["folder", "files", "they know", "nobody else", "their part"],
      ...["next", "part of next", "second", "part of second", "third", "part of third"],
    ],
    ...folders.map(({ path, files, known, lost, share, next }) => [
      ...[path, files, known, lost, share],
      ...next.flatMap((one) => [one.login, one.share]),
    ]),
  ];
}
