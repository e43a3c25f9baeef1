import type { OwnershipFiles } from "../../../contract/people/ownership-drift.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { List } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import type { WhoProperties } from "./who-question.ts";

/** Shows the rules of CODEOWNERS and similar files that history contradicts. */
export function OwnershipSection({ data, names }: Pick<WhoProperties, "data" | "names">) {
  const { ownership } = data;
  if (!ownership) return undefined;
  const { files, judged, drifting } = ownership;
  return (
    <section class="card" aria-labelledby="ownership">
      <h2 id="ownership">Ownership files</h2>
      <p>
        {describeDrift(judged, drifting.total)} in {files.join(", ")}.
      </p>
      {drifting.total > 0 && renderRules(drifting.rules, names)}
    </section>
  );
}

function describeDrift(judged: number, drifting: number): string {
  if (judged === 0) return "These files fall under rules for larger folders";
  const rules = formatCounted(judged, "rule");
  return `History contradicts ${drifting === 0 ? "none" : formatCount(drifting)} of ${rules}`;
}

function renderRules(rules: OwnershipFiles["drifting"]["rules"], names: WhoProperties["names"]) {
  return (
    <DataTable
      scrolls="Rules that history contradicts"
      columns={[
        [
          "Rule",
          ({ pattern, file, line }) => [
            pattern === "" ? "everything" : pattern,
            " ",
            <span class="muted small">{`${file}:${line}`}</span>,
          ],
        ],
        ["Owners as written", ({ owners }) => owners.join(", "), "free"],
        [
          "What history says",
          ({ departed, unnamed }) => (
            <List
              class="plain-list small"
              items={[...departed, ...unnamed].map(({ login, reason }) => (
                <>
                  <DeveloperLink login={login} name={names.get(login)} /> {reason}
                </>
              ))}
            />
          ),
        ],
      ]}
      rows={rules}
    />
  );
}
