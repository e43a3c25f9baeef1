import { formatCount, formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { FilePath, List, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { PersonLine } from "./who-parts.tsx";
import type { WhoProperties } from "./who-question.ts";

/** Lists the files that one person or no active person knows, folded up. */
export function FileRisks({ data, names }: Pick<WhoProperties, "data" | "names">) {
  const { soleFiles, orphanedFiles } = data;
  const lists = [
    ["sole", "that only one person knows", soleFiles],
    [
      ...(["orphaned", "that no active person knows"] as const),
      { ...orphanedFiles, files: orphanedFiles.files.map((path) => ({ path, login: undefined })) },
    ],
  ] as const;
  return (
    <>
      {lists.map(
        ([id, what, { total, files }]) =>
          total > 0 && (
            <details class="card plan-table" id={id}>
              <summary>
                <h2>
                  {formatCounted(total, "file")} {what}
                </h2>
              </summary>
              <DataTable
                class="tree"
                columns={[
                  ["File", ({ path }) => <FilePath path={path} />],
                  ["Known by", ({ login }) => <PersonLine login={login} names={names} />],
                ]}
                rows={files as readonly { path: string; login?: string }[]}
              />
              {files.length < total && (
                <p class="muted small">
                  The first {files.length} of {formatCount(total)}.
                </p>
              )}
            </details>
          ),
      )}
    </>
  );
}

/** Shows the rules of CODEOWNERS and similar files that history contradicts. */
export function OwnershipSection({ data, names }: Pick<WhoProperties, "data" | "names">) {
  if (!data.ownership) return undefined;
  const { files, judged, drifting } = data.ownership;
  const wrong = drifting.total === 0 ? "none" : formatCount(drifting.total);
  const sum =
    judged === 0
      ? "These files fall under rules for larger folders"
      : `History contradicts ${wrong} of ${formatCounted(judged, "rule")}`;
  return (
    <Panel title="Ownership files" id="ownership">
      <p>
        {sum} in {files.join(", ")}.
      </p>
      {drifting.total > 0 && (
        <DataTable
          scrolls="Rules that history contradicts"
          columns={[
            [
              "Rule",
              ({ pattern, file, line }) => [
                `${pattern || "everything"} `,
                <span class="muted small">{`${file}:${line}`}</span>,
              ],
            ],
            ["Owners as written", ({ owners }) => owners.join(", "), "free"],
            [
              "What history says",
              ({ departed, unnamed }) => (
                <List
                  class="plain-list small"
                  items={[...departed, ...unnamed].map(({ login, reason }) => [
                    <DeveloperLink login={login} name={names.get(login)} />,
                    ` ${reason}`,
                  ])}
                />
              ),
            ],
          ]}
          rows={drifting.rules}
        />
      )}
    </Panel>
  );
}
