/** For administrators, of one person: which author identities they are, and a copy of all that is held. */
import { Problem } from "../../../contract/problem.ts";
import { Type } from "../../../contract/schema.ts";
import type { JoinedIdentity, RunStatus } from "../admin/administration.ts";
import { createPolling } from "../admin/run-parts.tsx";
import { defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Form, Problems } from "../look/forms.tsx";
import { EmptyState, NoticeBox, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
} from "../page.ts";

const getLogin = ({ params }: SignedInRequest) => params["login"] ?? "";
const getPath = (ask: SignedInRequest) => `/developers/${encodeURIComponent(getLogin(ask))}`;

export const everythingPage = defineAdministratorPage({
  path: "/developers/:login/everything.json",
  show: async (ask) => {
    const copy = await ask.modules.copyPerson(getLogin(ask));
    if (!copy) throw new Problem("not_found");
    const content = JSON.stringify(copy, undefined, 2);
    return { content, type: "application/json", fileName: "everything-held.json" };
  },
});

export const identityPage = defineAdministratorPage({
  path: "/developers/:login/identity",
  show: (ask) => {
    const login = getLogin(ask);
    const { identityOf, runs } = ask.modules.administration;
    const study = identityOf(login);
    const before = study.read();
    const isDeciding = runs.list().some(isDecisionUnderWay);
    // Whoever opens the page wants them; it changes nothing, and what was decided since has other ones.
    const isDue =
      before.state === "none" || (before.state === "done" && before.isStale && !isDeciding);
    if (isDue && runs.canStart) study.ask();
    const now = study.read();
    const isMoving = now.state === "running" || isDeciding;
    const body = (
      <>
        <h1>Who {login} is</h1>
        <p>
          <a href={getPath(ask)}>Back to {login}</a>
        </p>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <div class="stack-wide" {...createPolling(isMoving, ask.url.pathname, "joined")}>
          {now.state === "running" && (
            <p role="status">
              Looking through the git histories ... <a href={ask.url.pathname}>Look again</a>
            </p>
          )}
          {now.state === "failed" && (
            <div class="notice wrong-notice" role="alert">
              <h2>The author identities could not be found</h2>
              <p class="free">{now.message}</p>
              <Form ask={ask} act="again" submit="Look again" tone="plain" inline />
            </div>
          )}
          {now.state === "done" && now.result && <Joined ask={ask} known={now.result} />}
          {(now.state === "none" || (now.state === "done" && !now.result)) && (
            <EmptyState>
              No git history is known of this person: they came from a file, a forge or the demo.
            </EmptyState>
          )}
        </div>
      </>
    );
    return { title: `Who ${login} is`, body, showsPeople: true, moves: true };
  },
  actions: {
    split: defineAction(
      Type.Object({ a: defineText("One", 1000), b: defineText("Other", 1000) }),
      splitPerson,
    ),
    again: defineAction(Type.Object({}), (ask: SignedInRequest) => {
      ask.modules.administration.identityOf(getLogin(ask)).ask();
      return { goTo: ask.url.pathname };
    }),
  },
});

const isDecisionUnderWay = ({ pair, endedAt }: RunStatus) => pair && endedAt === undefined;

/** The decision of `roster identity split`, made by a run of its own that counts everybody anew by it. */
async function splitPerson(
  ask: SignedInRequest,
  { a, b }: { readonly a: string; readonly b: string },
): Promise<ActionOutcome> {
  const { identityOf, runs } = ask.modules.administration;
  const state = identityOf(getLogin(ask)).read();
  const joins = (state.state === "done" && state.result?.joins) || [];
  if (!joins.some(({ spellings: [one, other] }) => one === a && other === b)) {
    return { refusal: "These two are no longer joined: the page shows who is one person now." };
  }
  const earlier = findRun(ask, a, b);
  if (earlier && earlier.endedAt === undefined) {
    return { refusal: "It is decided already: counting takes a moment." };
  }
  const started = await runs.start({ kind: "split", a, b }, ask.visitor.account.id);
  if (!started.ok) return { refusal: started.message };
  const text = `${a} and ${b} become two people as soon as everybody is counted anew: this page and Runs show when.`;
  return { goTo: ask.url.pathname, notice: { text } };
}

/** The latest decision about these two. */
function findRun({ modules }: SignedInRequest, a: string, b: string): RunStatus | undefined {
  return modules.administration.runs
    .list()
    .find(({ pair }) => pair !== undefined && pair[0] === a && pair[1] === b);
}

interface JoinedProperties {
  readonly ask: SignedInRequest;
  readonly known: JoinedIdentity;
}

function Joined({ ask, known: { spellings, joins } }: JoinedProperties) {
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
            {joins.map((join) => (
              <Join ask={ask} join={join} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}

interface JoinProperties {
  readonly ask: SignedInRequest;
  readonly join: JoinedIdentity["joins"][number];
}

/** In two steps: what it means stands before the button. */
function Join({ ask, join: { evidence, detail, spellings } }: JoinProperties) {
  const [one, other] = spellings;
  const run = findRun(ask, one, other);
  const isOpen = run !== undefined && run.endedAt === undefined;
  return (
    <li>
      <p class="free">
        {one} and {other}
      </p>
      <p class="small muted free">
        {evidence}: {detail}
      </p>
      {isOpen && (
        <p class="small" role="status">
          Decided: two people. Everybody is being counted anew; <a href="/admin/runs">Runs</a> shows
          how far it is.
        </p>
      )}
      {run?.outcome && (
        <p class={run.state === "failed" ? "small wrong free" : "small free"}>{run.outcome}</p>
      )}
      {!isOpen && ask.modules.administration.runs.canStart && (
        <details class="guarded">
          <summary>These are two people</summary>
          <div class="guarded-body">
            <p class="small">
              Each keeps the commits of their own, and everybody is counted anew. What joined them
              joins them no more; <code>roster identity merge</code> would make them one again.
            </p>
            <Form ask={ask} act="split" submit="Split into two people" tone="danger" inline>
              <input type="hidden" name="a" value={one} />
              <input type="hidden" name="b" value={other} />
            </Form>
          </div>
        </details>
      )}
    </li>
  );
}
