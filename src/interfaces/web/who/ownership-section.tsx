import { formatCount, formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { List } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import type { WhoProperties } from "./who-question.ts";

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
    <section class="card" aria-labelledby="ownership">
      <h2 id="ownership">Ownership files</h2>
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
    </section>
  );
}
