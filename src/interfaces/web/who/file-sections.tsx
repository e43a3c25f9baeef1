import { formatCount, formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { FilePath } from "../look/parts.tsx";
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
