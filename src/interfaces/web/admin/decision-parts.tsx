/** The list of identity decisions, with buttons that undo them. */
import { defineText } from "../form.ts";
import { Form } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { Ago, EmailAddress, Rows } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineAction, type SignedInProperties, type SignedInRequest } from "../page.ts";
import type { DecidedPerson, DecisionLine, RunOrder, RunStatus } from "./administration.ts";
import { startRun } from "./runs-page.tsx";

export const decisionsPath = "/admin/identity/decisions";

const decisionKinds: readonly RunOrder["kind"][] = ["merge", "split", "undo"];

export const isDecision = ({ kind }: RunStatus): boolean => decisionKinds.includes(kind);

export const isDecisionUnderWay = (run: RunStatus): boolean =>
  isDecision(run) && run.endedAt === undefined;

export const undoAction = defineAction(
  { decision: defineText("Decision", 60) },
  async (ask: SignedInRequest, { decision }) => {
    const { decisions } = ask.modules.administration;
    if ((await decisions.find([decision])).length === 0) {
      return { refusal: "It was undone already, or erased with a person whom it names." };
    }
    const run = findUndo(ask, decision);
    if (run && run.endedAt === undefined) {
      return { refusal: "It is being undone already: counting takes a moment." };
    }
    const text =
      "It is being undone: the people concerned are counted and judged again, and then the search shows them so. This page and Runs show when.";
    return startRun(ask, { kind: "undo", decision }, text);
  },
);

const findUndo = ({ modules }: SignedInRequest, id: string): RunStatus | undefined =>
  modules.administration.runs
    .list()
    .find(({ kind, decision }) => kind === "undo" && decision === id);

interface DecisionsProperties extends SignedInProperties {
  readonly lines: readonly DecisionLine[];
  readonly nameOf: (accountId: string) => string;
  readonly empty: Children;
}

export function DecisionRows({ ask, lines, nameOf, empty }: DecisionsProperties) {
  return (
    <Rows empty={empty}>
      {lines.map((line) => (
        <DecisionRow ask={ask} line={line} by={nameOf(line.by)} />
      ))}
    </Rows>
  );
}

function DecisionRow({ ask, line, by }: SignedInProperties & { line: DecisionLine; by: string }) {
  const { id, kind, people, at, reason, evidence } = line;
  const run = findUndo(ask, id);
  const isOpen = run !== undefined && run.endedAt === undefined;
  return (
    <li>
      <p class="free">
        <Decided people={people} /> are{" "}
        <strong>{kind === "same" ? "one person" : "two people"}</strong>
      </p>
      <p class="small muted free">
        decided by <EmailAddress email={by} /> <Ago at={at} now={ask.now} />
        {reason !== undefined && `, because: ${reason}`}
        {evidence.length > 0 && ` · ${evidence.join("; ")}`}
      </p>
      {isOpen ? (
        <p class="small" role="status">
          It is being undone. <a href="/admin/runs">Runs</a> shows the progress.
        </p>
      ) : (
        <div class="row-head">
          <p class="small free">{describeUndo(line)}</p>
          {ask.modules.administration.runs.canStart && (
            <Form
              {...{ ask, act: "undo", id: `undo-${id}`, hidden: { decision: id } }}
              submit="Undo"
              tone="plain"
              inline
            />
          )}
        </div>
      )}
      {run?.state === "failed" && <p class="small wrong free">{run.outcome}</p>}
    </li>
  );
}

/** The two identities of a decision, each with a link to the person. */
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
  if (kind === "same") {
    return "Undone, they are two people again, unless other evidence makes them one.";
  }
  return evidence.some((clue) => clue.startsWith("were one by "))
    ? "Undone, they are one person again, as far as what made them one still holds."
    : "Undone, they stay two people, and may be suggested again.";
}
