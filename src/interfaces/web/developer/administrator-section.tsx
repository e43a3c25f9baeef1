import { Form } from "../look/forms.tsx";
import { Panel } from "../look/parts.tsx";
import { formatDeveloperPath } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";

/** What only administrators may do with a person. It stands at the end, away from what everybody does every day. */
export function AdministratorSection({
  ask,
  login,
}: SignedInProperties & { readonly login: string }) {
  if (!ask.visitor.account.administrator) return undefined;
  return (
    <Panel title="For administrators" id="administration">
      <div class="actions">
        <a class="button plain small-button" href={formatDeveloperPath(login, "/identity")}>
          See and split identities
        </a>
        <a class="button plain small-button" href={formatDeveloperPath(login, "/everything.json")}>
          Export everything held
        </a>
        <Form
          ask={ask}
          act="look"
          submit="Forget this person"
          tone="plain"
          inline
          to="/admin/forget"
          hidden={{ person: login }}
        />
      </div>
      <p class="small muted">Forgetting first lists what would be erased; nothing is erased yet.</p>
    </Panel>
  );
}
