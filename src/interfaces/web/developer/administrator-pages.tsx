/** Pages about one person for administrators: the person's author identities, and a copy of all data. */
import { Problem } from "../../../contract/problem.ts";
import type { KnownIdentity, KnownJoin } from "../../../ingest/ingest.ts";
import type { RunStatus } from "../admin/administration.ts";
import { isDecisionUnderWay, renderDecisionRows, undoAction } from "../admin/decisions-page.tsx";
import { createNameLookup, readStudy, StudyPart, startRun } from "../admin/runs-page.tsx";
import { createJsonDownload } from "../download.ts";
import { defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Form, GuardedForm } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, Panel } from "../look/parts.tsx";
import { formatDeveloperPath } from "../look/people.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
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

const pairFields = { a: defineText("One", 1000), b: defineText("Other", 1000) };
type Pair = Readonly<Record<keyof typeof pairFields, string>>;

export const identityPage = defineAdministratorPage({
  path: "/developers/:login/identity",
  show: async (ask) => {
    const login = getLogin(ask);
    const { identityOf, runs, decisions } = ask.modules.administration;
    const isDeciding = runs.list().some(isDecisionUnderWay);
    const state = readStudy(ask, identityOf(login), isDeciding);
    const found = state.state === "done" ? state.result : undefined;
    const lines = await decisions.about(login, found);
    const nameOf = await createNameLookup(ask);
    const hasNone = state.state === "none" || (state.state === "done" && !found);
    const body = (
      <StudyPart
        ask={ask}
        id="joined"
        study={state}
        isMoving={state.state === "running" || isDeciding}
        doing="Reading the git histories"
        failure={{
          title: "The identities could not be read",
          help: <Form ask={ask} act="again" submit="Try again" tone="plain" inline />,
        }}
      >
        {found && [renderJoined(ask, found), renderParted(ask, found)]}
        {hasNone && (
          <EmptyState>
            No commits of this person were read. They came from a file, a forge or the demo.
          </EmptyState>
        )}
        {lines.length > 0 && (
          <Panel title="Decisions" id="decisions">
            <ul class="rows">{renderDecisionRows(ask, lines, nameOf)}</ul>
          </Panel>
        )}
      </StudyPart>
    );
    const back = { to: formatDeveloperPath(login), label: `Back to ${login}` };
    return { title: `Identities of ${login}`, back, body, moves: true };
  },
  actions: {
    split: defineAction(pairFields, splitPerson),
    rejoin: defineAction(pairFields, rejoinPerson),
    undo: undoAction,
    again: defineButton((ask) => {
      ask.modules.administration.identityOf(getLogin(ask)).ask();
      return { goTo: ask.url.pathname };
    }),
  },
});

/** Splits two author identities. Then all commits are counted again. */
async function splitPerson(ask: SignedInRequest, { a, b }: Pair) {
  const state = ask.modules.administration.identityOf(getLogin(ask)).read();
  const joins = (state.state === "done" && state.result?.joins) || [];
  if (!joins.some(({ spellings: [one, other] }) => one === a && other === b)) {
    return { refusal: "These two are no longer one person." };
  }
  const earlier = findRun(ask, a, b);
  if (earlier && earlier.endedAt === undefined) {
    return { refusal: "This split is already under way." };
  }
  return startRun(ask, { kind: "split", a, b }, "Splitting. The scores update in a moment.");
}

async function rejoinPerson(ask: SignedInRequest, { a, b }: Pair) {
  const run = findRun(ask, a, b);
  if (!run || !isParted(run)) return { refusal: "There is no split of these two to undo." };
  return startRun(ask, { kind: "merge", a, b }, "Joining. The scores update in a moment.");
}

/** Whether a finished split only undid an earlier decision. Such a run records no decision. */
const isParted = ({ kind, state, decision }: RunStatus) =>
  kind === "split" && state === "done" && decision === undefined;

function findRun({ modules }: SignedInRequest, a: string, b: string): RunStatus | undefined {
  return modules.administration.runs
    .list()
    .find(({ pair }) => pair !== undefined && pair[0] === a && pair[1] === b);
}

function renderJoined(ask: SignedInRequest, { spellings, joins }: KnownIdentity) {
  return (
    <>
      <Panel title="Identities in commits">
        <DataTable
          columns={[
            ["Name and e-mail", ({ name, email }) => `${name} <${email}>`],
            ["Commits written", ({ written }) => formatCount(written), "number"],
          ]}
          rows={spellings}
        />
        {joins.length === 0 && (
          <p class="small muted">Only one identity. There is nothing to split.</p>
        )}
      </Panel>
      {joins.length > 0 && (
        <Panel title="Why these are one person">
          <ul class="rows">{joins.map((join) => renderJoin(ask, join))}</ul>
        </Panel>
      )}
    </>
  );
}

/** Lists the splits that only undid an earlier decision. A button joins the two author identities again. */
function renderParted(ask: SignedInRequest, { spellings }: KnownIdentity) {
  const { runs } = ask.modules.administration;
  const own = new Set(
    spellings.map(({ name, email, commitEmail = email }) => `${name} <${commitEmail}>`),
  );
  const parted = runs.list().flatMap((run) => {
    const { pair, id } = run;
    const isHere = pair && isParted(run) && own.has(pair[0]) !== own.has(pair[1]);
    return isHere && findRun(ask, ...pair)?.id === id ? [pair] : [];
  });
  if (parted.length === 0) return undefined;
  const rejoin = { ask, act: "rejoin", submit: "Join again" };
  return (
    <Panel title="Split just now">
      <ul class="rows">
        {parted.map(([a, b]) => (
          <li class="row-head">
            <p class="free">
              {a} and {b}
            </p>
            {runs.canStart && <Form {...rejoin} hidden={{ a, b }} tone="plain" inline />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shows two joined author identities. Splitting takes two clicks, so that the administrator reads the consequences first. */
function renderJoin(
  ask: SignedInRequest,
  { evidence, detail, spellings: [one, other] }: KnownJoin,
) {
  const form = { ask, act: "split", submit: "Split into two people", hidden: { a: one, b: other } };
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
          Splitting. <a href="/admin/runs">Runs</a> shows the progress.
        </p>
      )}
      {run?.outcome && (
        <p class={run.state === "failed" ? "small wrong free" : "small free"}>{run.outcome}</p>
      )}
      {!isOpen && ask.modules.administration.runs.canStart && (
        <GuardedForm {...form} label="Split" inline>
          <p class="small">Each keeps their own commits. You can undo the split on this page.</p>
        </GuardedForm>
      )}
    </li>
  );
}
