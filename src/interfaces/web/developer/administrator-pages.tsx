/** Pages of one person for administrators: the person's author identities, and a copy of everything that Roster holds. */
import { Problem } from "../../../contract/problem.ts";
import type { JoinedIdentity, RunStatus } from "../admin/administration.ts";
import { startRun } from "../admin/runs-page.tsx";
import { readStudy, StudyPart } from "../admin/study-parts.tsx";
import { createJsonDownload } from "../download.ts";
import { defineText } from "../form.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { Form, GuardedForm } from "../look/forms.tsx";
import { EmptyState, Panel } from "../look/parts.tsx";
import { formatDeveloperPath } from "../look/people.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";

const getLogin = ({ params }: SignedInRequest) => params["login"] ?? "";

export const everythingPage = defineAdministratorPage({
  path: "/developers/:login/everything.json",
  show: async (ask) => {
    const copy = await ask.modules.copyPerson(getLogin(ask));
    if (!copy) throw new Problem("not_found");
    return createJsonDownload("everything-held.json", copy);
  },
});

export const identityPage = defineAdministratorPage({
  path: "/developers/:login/identity",
  show: (ask) => {
    const login = getLogin(ask);
    const { identityOf, runs } = ask.modules.administration;
    const isDeciding = runs.list().some(isDecisionUnderWay);
    const state = readStudy(ask, identityOf(login), isDeciding);
    const found = state.state === "done" ? state.result : undefined;
    const hasNone = state.state === "none" || (state.state === "done" && !found);
    const body = (
      <StudyPart
        ask={ask}
        id="joined"
        study={state}
        isMoving={state.state === "running" || isDeciding}
        doing="Looking through the git histories"
        failure={{
          title: "The author identities could not be found",
          help: <Form ask={ask} act="again" submit="Look again" tone="plain" inline />,
        }}
      >
        {found && <Joined ask={ask} known={found} />}
        {hasNone && (
          <EmptyState>
            No git history is known of this person: they came from a file, a forge or the demo.
          </EmptyState>
        )}
      </StudyPart>
    );
    const back = { to: formatDeveloperPath(login), label: `Back to ${login}` };
    return { title: `Who ${login} is`, back, body, showsPeople: true, moves: true };
  },
  actions: {
    split: defineAction({ a: defineText("One", 1000), b: defineText("Other", 1000) }, splitPerson),
    again: defineButton((ask) => {
      ask.modules.administration.identityOf(getLogin(ask)).ask();
      return { goTo: ask.url.pathname };
    }),
  },
});

const isDecisionUnderWay = ({ pair, endedAt }: RunStatus) => pair && endedAt === undefined;

/** Makes the decision of `roster identity split` in a run, which then counts all commits again. */
async function splitPerson(
  ask: SignedInRequest,
  { a, b }: { readonly a: string; readonly b: string },
): Promise<ActionOutcome> {
  const state = ask.modules.administration.identityOf(getLogin(ask)).read();
  const joins = (state.state === "done" && state.result?.joins) || [];
  if (!joins.some(({ spellings: [one, other] }) => one === a && other === b)) {
    return { refusal: "These two are no longer joined: the page shows who is one person now." };
  }
  const earlier = findRun(ask, a, b);
  if (earlier && earlier.endedAt === undefined) {
    return { refusal: "It is decided already: counting takes a moment." };
  }
  const text = `${a} and ${b} become two people as soon as all commits are counted again: this page and Runs show when.`;
  return startRun(ask, { kind: "split", a, b }, text);
}

/** The latest decision about these two. */
function findRun({ modules }: SignedInRequest, a: string, b: string): RunStatus | undefined {
  return modules.administration.runs
    .list()
    .find(({ pair }) => pair !== undefined && pair[0] === a && pair[1] === b);
}

interface JoinedProperties extends SignedInProperties {
  readonly known: JoinedIdentity;
}

function Joined({ ask, known: { spellings, joins } }: JoinedProperties) {
  return (
    <>
      <Panel title="Author identities">
        <DataTable
          class="small"
          columns={[
            ["Name and address in commits", ({ name, email }) => `${name} <${email}>`],
            ["Commits", ({ commits }) => formatCount(commits), "number"],
          ]}
          rows={spellings}
        />
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

interface JoinProperties extends SignedInProperties {
  readonly join: JoinedIdentity["joins"][number];
}

/** Two joined spellings. Splitting takes two steps, so that its consequences are read before the button is pressed. */
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
          Decided: two people. All commits are being counted again; <a href="/admin/runs">Runs</a>{" "}
          shows the progress.
        </p>
      )}
      {run?.outcome && (
        <p class={run.state === "failed" ? "small wrong free" : "small free"}>{run.outcome}</p>
      )}
      {!isOpen && ask.modules.administration.runs.canStart && (
        <GuardedForm
          ask={ask}
          act="split"
          label="These are two people"
          submit="Split into two people"
          hidden={{ a: one, b: other }}
          inline
        >
          <p class="small">
            Each keeps their own commits, and all commits are counted again. The evidence that
            joined them no longer does; <code>roster identity merge</code> would join them again.
          </p>
        </GuardedForm>
      )}
    </li>
  );
}
