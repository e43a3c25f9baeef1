import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, EmptyState, FactList, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineAdministratorPage, defineButton, type SignedInProperties } from "../page.ts";
import type { Change, RescorePreview } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";
import { startRun } from "./runs-page.tsx";

const path = "/admin/model";

/** The current model, and the people who would move if all were scored again with it. */
export const modelPage = defineAdministratorPage({
  path,
  show: (ask) => {
    const { model, rescorePreview, runs } = ask.modules.administration;
    const state = rescorePreview.read();
    const body = (
      <>
        <Panel title="In force">
          <FactList
            facts={[
              ["Version", <code>{model.version()}</code>],
              ["From", model.file ?? "built in; analysis.modelFile names another"],
            ]}
          />
          <p>
            New people are scored with this model. People in the pool keep their scores until
            everyone is scored again.
          </p>
        </Panel>
        <Panel
          title="Who would move"
          {...createPolling(state.state === "running", path, "who-moves")}
        >
          {state.state === "none" && (
            <EmptyState>
              Scores everyone again as of the day of their current scores, in a separate process,
              and writes nothing.
            </EmptyState>
          )}
          {state.state === "running" && <ProgressLine progress={state.progress} label="Judging" />}
          {state.state === "failed" && <p class="wrong free">{state.message}</p>}
          {state.state === "done" && <Moves ask={ask} preview={state.result} {...state} />}
          {state.state !== "running" && runs.canStart && (
            <Form
              ask={ask}
              act="preview"
              submit={state.state === "done" ? "Look again" : "Show who would move"}
              tone="plain"
              inline
              id="preview-again"
            />
          )}
        </Panel>
        {state.state === "done" && !state.isStale && state.result.moved > 0 && (
          <Panel title="Score everyone again">
            <p>
              {formatCount(state.result.moved)} people move, at one moment. Facts and their sources
              stay as they are.
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
        return { refusal: "Look first at who would move: the pool has changed since." };
      }
      return startRun(ask, { kind: "rescore" });
    }),
  },
});

interface MovesProperties extends SignedInProperties {
  readonly preview: RescorePreview;
  readonly at: Date;
  readonly isStale: boolean;
}

function Moves({ ask, preview, at, isStale }: MovesProperties) {
  const { judged, moved, meanAbsoluteMove, levelsChanged, rolesChanged, moves, asOf } = preview;
  return (
    <>
      <p>
        As of {asOf}, with model <code>{preview.modelVersion}</code>, looked at{" "}
        <Ago at={at} now={ask.now} />: {formatCount(moved)} of {formatCount(judged)} people would
        move, by {meanAbsoluteMove} points on average over all; {formatCount(levelsChanged)} levels
        and {formatCount(rolesChanged)} best roles change.
      </p>
      {isStale && <p class="wrong">The pool has changed since.</p>}
      {moves.length > 0 && (
        <DataTable
          scrolls="Who would move most"
          columns={[
            ["Login", ({ login }) => <DeveloperLink login={login} />],
            ["Score", ({ score }) => score.to, "number"],
            ["Move", ({ score }) => addSign((score.to - score.from).toFixed(1)), "number"],
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

const describeChange = ({ from, to }: Change<string>) => (from === to ? to : `${from} to ${to}`);

const addSign = (text: string) => (text.startsWith("-") ? text : `+${text}`);
