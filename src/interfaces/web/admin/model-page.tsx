import { formatCount, formatDate, formatPeople, formatScore } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { Ago, EmptyState, FactList, Figures, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineAdministratorPage, defineButton, type SignedInRequest } from "../page.ts";
import type { RescorePreview, StudyState } from "./administration.ts";
import { createPolling, ProgressLine, startRun } from "./runs-page.tsx";

const path = "/admin/model";

export const modelPage = defineAdministratorPage({
  path,
  show: (ask) => {
    const { model, rescorePreview, runs } = ask.modules.administration;
    const state = rescorePreview.read();
    const polling = createPolling(state.state === "running", path, "who-moves");
    const again = { ask, act: "preview", inline: true, id: "preview-again" };
    const body = (
      <>
        <Panel title="Model in use">
          <FactList
            facts={[
              ["Version", <code>{model.version()}</code>],
              ["File", model.file ?? "built in"],
            ]}
          />
          <p class="small muted">
            New people get scores from this model. Others keep theirs until you update all scores.
            The setting <code>analysis.modelFile</code> chooses another model.
          </p>
        </Panel>
        <Panel title="Score changes" {...polling}>
          {state.state === "none" && (
            <EmptyState>A preview shows the scores that this model would change.</EmptyState>
          )}
          {state.state === "running" && (
            <ProgressLine progress={state.progress} label="Scoring" now={ask.now} />
          )}
          {state.state === "failed" && <p class="wrong free">{state.message}</p>}
          {state.state === "done" && renderMoves(ask, state)}
          {state.state !== "running" && runs.canStart && (
            <Form
              {...again}
              {...(state.state === "done"
                ? { submit: "Preview again", tone: "plain" }
                : { submit: "Preview changes" })}
            />
          )}
        </Panel>
        {state.state === "done" && !state.isStale && state.result.moved > 0 && (
          <Panel title="Update all scores">
            <p>
              {formatPeople(state.result.moved)} will get new scores. Their data stays as it is.
            </p>
            <Form ask={ask} act="rescore" submit="Update all scores" />
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
        return { refusal: "The pool has changed since this preview. Preview the changes again." };
      }
      return startRun(ask, { kind: "rescore" });
    }),
  },
});

type Done = Extract<StudyState<RescorePreview>, { readonly state: "done" }>;

function renderMoves(ask: SignedInRequest, { result, at, isStale }: Done) {
  const { judged, moved, meanAbsoluteMove, levelsChanged, rolesChanged, moves, asOf } = result;
  return (
    <>
      <p class="small muted">
        Previewed <Ago at={at} now={ask.now} /> with model <code>{result.modelVersion}</code>, for
        data up to <time datetime={asOf}>{formatDate(asOf)}</time>
      </p>
      {moved === 0 ? (
        <p>No scores would change. All {formatPeople(judged)} have the scores of this model.</p>
      ) : (
        <Figures
          items={[
            [formatCount(moved), "Scores change", `of ${formatPeople(judged)}`],
            [meanAbsoluteMove, "Points on average"],
            [formatCount(levelsChanged), "Levels change"],
            [formatCount(rolesChanged), "Best roles change"],
          ]}
        />
      )}
      {isStale && <p class="wrong">The pool has changed since this preview.</p>}
      {moves.length > 0 && (
        <DataTable
          scrolls="Largest score changes"
          columns={[
            ["Login", ({ login }) => <DeveloperLink login={login} />],
            ["Score", ({ score }) => formatScore(score.to), "number"],
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
