import { DataTable } from "../look/data-table.tsx";
import { formatCount, formatCounted } from "../look/format.ts";
import { List } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import type { WhoProperties } from "./who-question.ts";

/** Files that only one person knows, and files that no active person knows. */
export function FileRisks({
  data: { soleFiles, orphanedFiles },
  names,
}: Pick<WhoProperties, "data" | "names">) {
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
          <Rest shown={soleFiles.files.length} total={soleFiles.total} />
        </details>
      )}
      {orphanedFiles.total > 0 && (
        <details id="orphaned">
          <summary>
            <h2>{formatCounted(orphanedFiles.total, "file")} that no active person knows</h2>
          </summary>
          <List class="plain" items={orphanedFiles.files} />
          <Rest shown={orphanedFiles.files.length} total={orphanedFiles.total} />
        </details>
      )}
    </>
  );
}

function Rest({ shown, total }: { readonly shown: number; readonly total: number }) {
  if (shown >= total) return undefined;
  return (
    <p class="muted small">
      The first {shown} of {formatCount(total)}.
    </p>
  );
}
