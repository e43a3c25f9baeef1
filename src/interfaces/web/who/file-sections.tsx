import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { List } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { formatAddress, type WhoProperties } from "./who-question.ts";

/** The folders and files directly below, each with the number of people who know it. */
export function FolderTable({ question, data }: WhoProperties) {
  const { folders, repositories, paths } = data;
  const [only] = repositories;
  const folder = paths[0] ?? "";
  const isSingleFile = folders.length === 1 && folders[0]?.path === folder;
  if (!only || repositories.length > 1 || data.package || folders.length === 0 || isSingleFile) {
    return undefined;
  }
  const start = folder === "" ? 0 : folder.length + 1;
  return (
    <section aria-labelledby="below">
      <h2 id="below">Below</h2>
      <DataTable
        scrolls="Folders and files"
        columns={[
          [
            "Folder or file",
            ({ path, isFolder }) => (
              <a href={formatAddress(question, { repository: only.name, path })}>
                {path.slice(start)}
                {isFolder && "/"}
              </a>
            ),
          ],
          ["Files", ({ files }) => formatCount(files), "number"],
          ["Known by", ({ people }) => (people === 0 ? "nobody" : formatCount(people)), "number"],
          ["Most by", ({ best }) => best && <DeveloperLink login={best} />],
        ]}
        rows={folders}
      />
    </section>
  );
}

/** Files that only one person knows, and files that no active person knows. */
export function FileRisks({ data: { soleFiles, orphanedFiles } }: Pick<WhoProperties, "data">) {
  return (
    <>
      {soleFiles.total > 0 && (
        <details id="sole">
          <summary>
            <h2>{formatCount(soleFiles.total)} files that only one person knows</h2>
          </summary>
          <DataTable
            columns={[
              ["File", ({ path }) => path],
              ["Known by", ({ login }) => <DeveloperLink login={login} />],
            ]}
            rows={soleFiles.files}
          />
          <Rest shown={soleFiles.files.length} total={soleFiles.total} />
        </details>
      )}
      {orphanedFiles.total > 0 && (
        <details id="orphaned">
          <summary>
            <h2>{formatCount(orphanedFiles.total)} files that no active person knows</h2>
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
