import { formatCount, formatCounted, formatDate, formatPeople } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { Ago, EmptyState, FactList, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineAdministratorPage, defineButton, type SignedInProperties } from "../page.ts";
import type { RescorePreview } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";
import { startRun } from "./runs-page.tsx";

const path = "/admin/model";

export const modelPage = defineAdministratorPage({
  path,
  show: (ask) => {
    const { model, rescorePreview, runs } = ask.modules.administration;
    const state = rescorePreview.read();
    const body = (
      <>
        <Panel title="The model in use">
          <FactList
            facts={[
              ["Version", <code>{model.version()}</code>],
              [
                "From",
                model.file ?? (
                  <>
                    built in; <code>analysis.modelFile</code> names another
                  </>
                ),
              ],
            ]}
          />
          <p>
            New people are scored with this model. People in the pool keep their scores until
            everyone is scored again.
          </p>
        </Panel>
        <Panel
          title="Whose scores would change"
          {...createPolling(state.state === "running", path, "who-moves")}
        >
          {state.state === "none" && (
            <EmptyState>
              Scores a copy of everyone with this model, as of the day of the scores in the pool,
              and shows the differences. The pool stays as it is.
            </EmptyState>
          )}
          {state.state === "running" && (
            <ProgressLine progress={state.progress} label="Scoring" now={ask.now} />
          )}
          {state.state === "failed" && <p class="wrong free">{state.message}</p>}
          {state.state === "done" && <Moves ask={ask} {...state} />}
          {state.state !== "running" && runs.canStart && (
            <Form
              ask={ask}
              act="preview"
              submit={state.state === "done" ? "Compare again" : "Show whose scores would change"}
              tone="plain"
              inline
              id="preview-again"
            />
          )}
        </Panel>
        {state.state === "done" && !state.isStale && state.result.moved > 0 && (
          <Panel title="Score everyone again">
            <p>
              The scores of {formatPeople(state.result.moved).toLowerCase()} change, all at once.
              What was read about them stays as it is.
            </p>
            <Form ask={ask} act="rescore" submit="Score everyone again" />
          </Panel>
        )}
      </>
    );
    return { title: "Model", body, moves: true };
  },
  actions: {
    preview: defineButton(({ modules }) => {
      modules.administration.rescorePreview.ask();
      return { goTo: path };
    }),
    rescore: defineButton((ask) => {
      const state = ask.modules.administration.rescorePreview.read();
      if (state.state !== "done" || state.isStale) {
        return {
          refusal: "The pool has changed since the differences were shown: show them again first.",
        };
      }
      return startRun(ask, { kind: "rescore" });
    }),
  },
});

interface MovesProperties extends SignedInProperties {
  readonly result: RescorePreview;
  readonly at: Date;
  readonly isStale: boolean;
}

function Moves({ ask, result, at, isStale }: MovesProperties) {
  const { judged, moved, meanAbsoluteMove, levelsChanged, rolesChanged, moves, asOf } = result;
  return (
    <>
      <p>
        Compared <Ago at={at} now={ask.now} /> with model <code>{result.modelVersion}</code>, as of{" "}
        <time datetime={asOf}>{formatDate(asOf)}</time>:{" "}
        {moved === 0
          ? `nobody would get another score. All ${formatPeople(judged)} have the scores of this model.`
          : `${formatCount(moved)} of ${formatPeople(judged)} would get another score, by ${meanAbsoluteMove} points on average over all; ${formatCounted(levelsChanged, "level")} and ${formatCounted(rolesChanged, "best role")} would change.`}
      </p>
      {isStale && <p class="wrong">The pool has changed since.</p>}
      {moves.length > 0 && (
        <DataTable
          scrolls="Whose scores would change most"
          columns={[
            ["Login", ({ login }) => <DeveloperLink login={login} />],
            ["Score", ({ score }) => score.to, "number"],
            ["Change", ({ score }) => addSign((score.to - score.from).toFixed(1)), "number"],
            ["Level", ({ level }) => describeChange(level)],
            ["Best role", ({ role }) => describeChange(role)],
            [
              "Largest change",
              ({ because }) =>
                because &&
                `${because.component} ${because.term} ${addSign(String(because.points))}`,
            ],
          ]}
          rows={moves}
        />
      )}
    </>
  );
}

const describeChange = ({ from, to }: { from: string; to: string }) =>
  from === to ? to : `${from} to ${to}`;

const addSign = (text: string) => (text.startsWith("-") ? text : `+${text}`);
