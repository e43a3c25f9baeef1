import { formatCount, formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { List } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import type { WhoProperties } from "./who-question.ts";

export function FileRisks({ data, names }: Pick<WhoProperties, "data" | "names">) {
  const { soleFiles, orphanedFiles } = data;
  return (
    <>
      {soleFiles.total > 0 && (
        <details id="sole">
          <summary>
            <h2>{formatCounted(soleFiles.total, "file")} that only one person knows</h2>
          </summary>
          <DataTable
            columns={[
              ["File", ({ path }) => path],
              [
                "Known by",
                ({ login }) => <DeveloperLink login={login} name={names.get(login)} />,
                "free",
              ],
            ]}
            rows={soleFiles.files}
          />
          {renderRest(soleFiles.files.length, soleFiles.total)}
        </details>
      )}
      {orphanedFiles.total > 0 && (
        <details id="orphaned">
          <summary>
            <h2>{formatCounted(orphanedFiles.total, "file")} that no active person knows</h2>
          </summary>
          <List class="plain" items={orphanedFiles.files} />
          {renderRest(orphanedFiles.files.length, orphanedFiles.total)}
        </details>
      )}
    </>
  );
}

const renderRest = (shown: number, total: number) =>
  shown < total && (
    <p class="muted small">
      The first {shown} of {formatCount(total)}.
    </p>
  );
