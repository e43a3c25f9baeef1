/** What people would leave behind: the folders that they know, what nobody else knows there, and who is next. */
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCounted } from "../look/format.ts";
import { EmptyState, FilePath } from "../look/parts.tsx";
import { Share } from "../look/people.tsx";
import { KnowerShares } from "./knower-shares.tsx";
import { Labelled } from "./labelled.tsx";
import { SuccessorTable } from "./successor-table.tsx";
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
          <SuccessorTable folders={folders} names={names} />
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

/** As many as an answer has at most. */
const foldersMax = 200;

const columns = [
  ...["folder", "files", "they know", "nobody else", "their part"],
  ...["next", "part of next", "second", "part of second", "third", "part of third"],
];

/** @returns the rows of a table for a spreadsheet, its headings first. */
export function listHandover({ folders }: Handover): readonly (readonly (string | number)[])[] {
  return [
    columns,
    ...folders.map(({ path, files, known, lost, share, next }) => [
      ...[path, files, known, lost, share],
      ...next.flatMap((one) => [one.login, one.share]),
    ]),
  ];
}
