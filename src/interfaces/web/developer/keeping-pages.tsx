/** For administrators, of one person: which author identities they are, a copy of all that is held, and forgetting. */
import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import { confirmPassword, passwordIfAsked } from "../confirm.ts";
import { defineOptionalText } from "../form.ts";
import { Field, Form, PasswordAgain, Problems } from "../look/form-parts.tsx";
import { EmptyState, FactList, Panel } from "../look/parts.tsx";
import { formatCount } from "../look/words.ts";
import {
  defineAction,
  defineAdministratorPage,
  type ForgettingPreview,
  type JoinedIdentity,
  type SignedInRequest,
} from "../page.ts";

const getLogin = ({ params }: SignedInRequest) => params["login"] ?? "";
const getPath = (ask: SignedInRequest) => `/developers/${encodeURIComponent(getLogin(ask))}`;

export const everythingPage = defineAdministratorPage({
  path: "/developers/:login/everything.json",
  show: async (ask) => {
    const copy = await ask.modules.people.copy(getLogin(ask));
    if (!copy) throw new Problem("not_found");
    const content = JSON.stringify(copy, undefined, 2);
    return { content, type: "application/json", fileName: "everything-held.json" };
  },
});

export const identityPage = defineAdministratorPage({
  path: "/developers/:login/identity",
  show: async (ask) => {
    const login = getLogin(ask);
    const known = await ask.modules.people.findIdentity(login);
    const body = (
      <>
        <h1>Who {login} is</h1>
        <p>
          <a href={getPath(ask)}>Back to {login}</a>
        </p>
        {known ? (
          <Joined known={known} />
        ) : (
          <EmptyState>
            No git history is known of this person: they came from a file, a forge or the demo.
          </EmptyState>
        )}
      </>
    );
    return { title: `Who ${login} is`, body, showsPeople: true };
  },
});

function Joined({ known: { spellings, joins } }: { readonly known: JoinedIdentity }) {
  return (
    <>
      <Panel title="Author identities">
        <table class="small">
          <thead>
            <tr>
              <th scope="col">Name and address in commits</th>
              <th scope="col" class="number">
                Commits
              </th>
            </tr>
          </thead>
          <tbody>
            {spellings.map(({ name, email, commits }) => (
              <tr>
                <th scope="row">
                  {name} &lt;{email}&gt;
                </th>
                <td class="number">{formatCount(commits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel title="Why they are one person">
        {joins.length === 0 ? (
          <p>There is only one.</p>
        ) : (
          <ul class="rows">
            {joins.map(({ evidence, detail, spellings: [one, other] }) => (
              <li>
                <p>
                  {one} and {other}
                </p>
                <p class="small muted">
                  {evidence}: {detail}
                </p>
                <p class="small">
                  To keep them two people:{" "}
                  <code>
                    roster identity split "{one}" "{other}"
                  </code>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}

export const forgetPage = defineAdministratorPage({
  path: "/developers/:login/forget",
  show: async (ask) => {
    const login = getLogin(ask);
    const preview = await ask.modules.people.previewForgetting(login);
    if (!preview) throw new Problem("not_found");
    const body = (
      <>
        <h1>Forget {login}?</h1>
        <Problems ask={ask} />
        <Panel title="What goes">
          <Preview preview={preview} />
          <p>
            Everything held of this person is deleted at once, in every interface, and the files are
            rewritten. It cannot be taken back. Salted hashes of the names above stay, so that no
            later import brings the person in again.
          </p>
        </Panel>
        <Confirm ask={ask} />
      </>
    );
    return { title: `Forget ${login}?`, body, showsPeople: true };
  },
  actions: {
    forget: defineAction(
      Type.Object({ reason: defineOptionalText("Reason", 200), ...passwordIfAsked }),
      async (ask: SignedInRequest, { reason, password }) => {
        const proof = await confirmPassword(ask, password);
        if ("refusal" in proof) return proof;
        const { cookies } = proof;
        const accountId = ask.visitor.account.id;
        const outcome = await ask.modules.people.forget(getLogin(ask), { reason, accountId });
        if (!outcome.ok) return { refusal: outcome.message, cookies };
        const { receipt, remains = "" } = outcome;
        const text = `The person is forgotten. Receipt: ${receipt}. ${remains}`.trim();
        return { goTo: "/", cookies, notice: { text } };
      },
    ),
  },
});

function Preview({ preview }: { readonly preview: ForgettingPreview }) {
  const list = (texts: readonly string[]) => (texts.length === 0 ? "none" : texts.join(", "));
  return (
    <FactList
      facts={[
        ["Logins", list(preview.logins)],
        ["Former logins", list(preview.formerLogins)],
        ["Addresses", list(preview.addresses)],
        ["Accounts", list(preview.accounts)],
      ]}
    />
  );
}

function Confirm({ ask }: { readonly ask: SignedInRequest }) {
  const form = { ask, act: "forget" };
  const { hasPassword, isFresh } = ask.visitor;
  return (
    <section class="card" aria-labelledby="confirm">
      <h2 id="confirm">Forget for good</h2>
      <Form {...form} submit="Forget this person" tone="danger">
        <Field
          form={form}
          name="reason"
          label="Reason"
          hint="Kept with the receipt: a ticket or a date. It must not name the person."
          optional
        />
        {hasPassword && !isFresh && <PasswordAgain form={form} />}
      </Form>
      <p>
        <a href={getPath(ask)}>Keep the person</a>
      </p>
    </section>
  );
}
