import type { OwnershipFiles } from "../../../contract/people/ownership-drift.ts";
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { formatCount, formatDate } from "../look/format.ts";

type DriftingRule = OwnershipFiles["drifting"]["rules"][number];

/** What CODEOWNERS and its like say of these files, where history says otherwise. */
export function OwnershipSection({ data: { ownership } }: { readonly data: WhoData }) {
  if (!ownership) return undefined;
  const { files, judged, drifting } = ownership;
  const rules = `${formatCount(judged)} ${judged === 1 ? "rule" : "rules"}`;
  return (
    <section aria-labelledby="ownership">
      <h2 id="ownership">Ownership files</h2>
      <p>
        {drifting.total === 0
          ? `History contradicts none of ${rules}`
          : `History contradicts ${formatCount(drifting.total)} of ${rules}`}{" "}
        in {files.join(", ")}.
      </p>
      {drifting.total > 0 && <RuleTable rules={drifting.rules} />}
    </section>
  );
}

function RuleTable({ rules }: { readonly rules: readonly DriftingRule[] }) {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Owners as written</th>
            <th scope="col">What history says</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr>
              <th scope="row">
                {rule.pattern === "" ? "everything" : rule.pattern}{" "}
                <span class="muted small">
                  {rule.file}:{rule.line}
                </span>
              </th>
              <td class="free">{rule.owners.join(", ")}</td>
              <td>
                <ul class="plain">
                  {[...rule.departed, ...rule.unnamed].map(({ login, reason }) => (
                    <li>
                      <a href={`/developers/${encodeURIComponent(login)}`}>{login}</a>{" "}
                      {formatDays(reason)}
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function formatDays(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => formatDate(day));
}
