import { Type } from "../../../contract/schema.ts";
import { formatCount } from "../look/format.ts";
import { Form, Problems } from "../look/forms.tsx";
import { Ago, EmptyState, FactList, NoticeBox, Panel } from "../look/parts.tsx";
import { defineAction, defineAdministratorPage, type SignedInRequest } from "../page.ts";
import type { RescorePreview } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";
import { startRun } from "./runs-page.tsx";

const path = "/admin/model";

/** The model in force, and who would move if everybody were judged anew by it. */
export const modelPage = defineAdministratorPage({
  path,
  show: (ask) => {
    const { model, rescorePreview, runs } = ask.modules.administration;
    const state = rescorePreview.read();
    const body = (
      <>
        <h1>Model</h1>
        <Problems ask={ask} />
        <NoticeBox ask={ask} />
        <Panel title="In force">
          <FactList
            facts={[
              ["Version", <code>{model.version()}</code>],
              ["From", model.file ?? "built in; analysis.modelFile names another"],
            ]}
          />
          <p>
            Whoever comes in is judged by it. Those who are here keep their scores until everybody
            is judged anew.
          </p>
        </Panel>
        <section
          class="card"
          aria-labelledby="preview"
          {...createPolling(state.state === "running", path, "who-moves")}
        >
          <h2 id="preview">Who would move</h2>
          {state.state === "none" && (
            <EmptyState>
              Judges everybody anew as of the day of before, in a process of its own, and writes
              nothing.
            </EmptyState>
          )}
          {state.state === "running" && (
            <ProgressLine
              progress={state.progress}
              since={undefined}
              now={ask.now}
              label="Judging"
            />
          )}
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
        </section>
        {state.state === "done" && !state.isStale && state.result.moved > 0 && (
          <Panel title="Judge everybody anew">
            <p>
              {formatCount(state.result.moved)} people move, at one moment. Facts and their sources
              stay as they are.
            </p>
            <Form ask={ask} act="rescore" submit="Judge everybody anew" />
          </Panel>
        )}
      </>
    );
    return { title: "Model", body, moves: true };
  },
  actions: {
    preview: defineAction(Type.Object({}), ({ modules }: SignedInRequest) => {
      modules.administration.rescorePreview.ask();
      return { goTo: path };
    }),
    rescore: defineAction(Type.Object({}), (ask: SignedInRequest) => {
      const state = ask.modules.administration.rescorePreview.read();
      if (state.state !== "done" || state.isStale) {
        return { refusal: "Look first at who would move: the pool has changed since." };
      }
      return startRun(ask, { kind: "rescore" });
    }),
  },
});

function Moves({
  ask,
  preview,
  at,
  isStale,
}: {
  readonly ask: SignedInRequest;
  readonly preview: RescorePreview;
  readonly at: Date;
  readonly isStale: boolean;
}) {
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
        <section class="scroll" tabindex={0} aria-label="Who would move most">
          <table>
            <thead>
              <tr>
                <th scope="col">Login</th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col" class="number">
                  Move
                </th>
                <th scope="col">Level</th>
                <th scope="col">Best role</th>
                <th scope="col">Largest change</th>
              </tr>
            </thead>
            <tbody>
              {moves.map(({ login, score, level, role, because }) => (
                <tr>
                  <th scope="row">
                    <a href={`/developers/${encodeURIComponent(login)}`}>{login}</a>
                  </th>
                  <td class="number">{score.to}</td>
                  <td class="number">{addSign((score.to - score.from).toFixed(1))}</td>
                  <td>{describeChange(level)}</td>
                  <td>{describeChange(role)}</td>
                  <td>
                    {because &&
                      `${because.component} ${because.term} ${addSign(String(because.points))}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const describeChange = ({ from, to }: { readonly from: string; readonly to: string }) =>
  from === to ? to : `${from} to ${to}`;

const addSign = (text: string) => (text.startsWith("-") ? text : `+${text}`);
