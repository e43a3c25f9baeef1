import { defineText } from "../form.ts";
import { formatCount } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { ListSearch, PageLinks, readPage, readSearched } from "../look/lists.tsx";
import { Ago, ButtonLink, EmailAddress, Panel, Rows } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineAction, defineAdministratorPage, type SignedInRequest } from "../page.ts";
import type { DecidedPerson, DecisionLine, RunOrder, RunStatus } from "./administration.ts";
import { createNameLookup, createPolling, startRun } from "./runs-page.tsx";

export const decisionsPath = "/admin/identity/decisions";

const decisionKinds: readonly RunOrder["kind"][] = ["merge", "split", "undo"];

export const isDecision = ({ kind }: RunStatus): boolean => decisionKinds.includes(kind);

export const isDecisionUnderWay = (run: RunStatus): boolean =>
  isDecision(run) && run.endedAt === undefined;

export const undoAction = defineAction(
  { decision: defineText("Decision", 60) },
  async (ask: SignedInRequest, { decision }) => {
    const { decisions } = ask.modules.administration;
    const [line] = await decisions.find([decision]);
    if (!line || line.undoneAt) return { refusal: "This decision is already undone or erased." };
    const run = findUndo(ask, decision);
    if (run && run.endedAt === undefined) {
      return { refusal: "This decision is being undone. Scores update in a moment." };
    }
    return startRun(ask, { kind: "undo", decision }, "Undoing; search updates in a moment.");
  },
);

const findUndo = ({ modules }: SignedInRequest, id: string): RunStatus | undefined =>
  modules.administration.runs
    .list()
    .find(({ kind, decision }) => kind === "undo" && decision === id);

export function renderDecisionRows(
  ask: SignedInRequest,
  lines: readonly DecisionLine[],
  nameOf: (accountId: string) => string,
) {
  return lines.map((line) => {
    const { id, kind, people, at, by, reason, evidence } = line;
    const run = findUndo(ask, id);
    const isOpen = run !== undefined && run.endedAt === undefined;
    const undo = { ask, act: "undo", id: `undo-${id}`, hidden: { decision: id } };
    return (
      <li>
        <div class="row-head">
          <p class="free">
            <Decided people={people} /> are{" "}
            <strong>{kind === "same" ? "one person" : "two people"}</strong>
          </p>
          {!isOpen && ask.modules.administration.runs.canStart && (
            <Form {...undo} submit="Undo" tone="plain" inline />
          )}
        </div>
        <p class="small muted free">
          decided by <EmailAddress email={nameOf(by)} /> <Ago at={at} now={ask.now} />
          {reason !== undefined && ` · reason: ${reason}`}
          {evidence.length > 0 && ` · ${evidence.join("; ")}`}
        </p>
        <p class="small" role={isOpen ? "status" : undefined}>
          {isOpen ? (
            <>
              Undoing … <a href="/admin/runs">Runs</a> shows the progress.
            </>
          ) : (
            describeUndo(line)
          )}
        </p>
        {run?.state === "failed" && <p class="small wrong free">{run.outcome}</p>}
      </li>
    );
  });
}

export function Decided({ people: [one, other] }: Pick<DecisionLine, "people">) {
  return (
    <>
      <Who person={one} /> and <Who person={other} />
    </>
  );
}

function Who({ person: { named, login, name } }: { readonly person: DecidedPerson }) {
  if (login === undefined) return <EmailAddress email={named} />;
  if (name === undefined || named.includes(name))
    return <DeveloperLink login={login} name={named} />;
  return (
    <>
      <DeveloperLink login={login} name={name} /> <EmailAddress email={`(${named})`} />
    </>
  );
}

function describeUndo({ kind, evidence }: DecisionLine): string {
  if (kind === "same") return "Undo makes them two people again, unless other evidence joins them.";
  return evidence.some((clue) => clue.startsWith("were one by "))
    ? "Undo makes them one person again, if the evidence still holds."
    : "Undo lets Roster suggest the pair again. They stay two people.";
}

const shownMax = 25;

export const decisionsPage = defineAdministratorPage({
  path: decisionsPath,
  show: async (ask) => {
    const searched = readSearched(ask.url);
    const isLong = (await ask.modules.administration.decisions.count()) > shownMax;
    const body = (
      <>
        {(isLong || searched) && (
          <ListSearch path={decisionsPath} label="Name, address or reason" value={searched}>
            {searched && <ButtonLink to={decisionsPath} label="Clear" />}
          </ListSearch>
        )}
        {await renderDecisions(ask, searched)}
      </>
    );
    const back = { to: "/admin/identity", label: "Back to identities" };
    return { title: "Identity decisions", back, body, moves: true };
  },
  actions: { undo: undoAction },
});

/** Renders the list of decisions. The browser updates it until no decision is being applied. */
async function renderDecisions(ask: SignedInRequest, searched: string) {
  const { decisions, runs } = ask.modules.administration;
  const [nameOf, total] = await Promise.all([createNameLookup(ask), decisions.count(searched)]);
  const page = readPage(ask.url, shownMax, total);
  const lines = await decisions.read((page - 1) * shownMax, shownMax, searched);
  const list = runs.list();
  const latest = list.find((run) => isDecision(run) && run.endedAt !== undefined);
  return (
    <Panel
      title={total === 0 ? "Decisions" : `Decisions (${formatCount(total)})`}
      {...createPolling(list.some(isDecisionUnderWay), decisionsPath + ask.url.search, "decisions")}
    >
      {latest?.outcome && (
        <p class={latest.state === "failed" ? "small wrong free" : "small free"} role="status">
          {latest.outcome} (<Ago at={latest.endedAt} now={ask.now} />)
        </p>
      )}
      <Rows
        empty={searched ? `No decision contains "${searched}".` : "Decisions will appear here."}
      >
        {renderDecisionRows(ask, lines, nameOf)}
      </Rows>
      <PageLinks label="Pages of decisions" url={ask.url} size={shownMax} {...{ page, total }} />
    </Panel>
  );
}
