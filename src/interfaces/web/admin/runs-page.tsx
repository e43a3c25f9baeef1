import { endedRunsMax } from "../../../control/source-records.ts";
import { defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, ButtonLink, EmptyState, Panel, Rows } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInRequest,
  toRefusal,
} from "../page.ts";
import type { RunOrder } from "./administration.ts";
import { createPolling, renderRunRows } from "./run-parts.tsx";

export const runsPage = defineAdministratorPage({
  path: "/admin/runs",
  show: async (ask) => {
    const { runs } = ask.modules.administration;
    const body = (
      <div class="with-side">
        {await renderRuns(ask)}
        <div class="side">
          {runs.canStart ? (
            renderStart(ask)
          ) : (
            <p class="muted">This server cannot start runs: its data is in memory or read-only.</p>
          )}
        </div>
      </div>
    );
    return { title: "Runs", body, moves: true };
  },
  actions: {
    stop: defineAction({ run: defineText("Run", 60) }, async ({ modules, visitor }, { run }) => {
      const isStopped = await modules.administration.runs.stop(run, visitor.account.id);
      if (!isStopped) return { refusal: "This run has ended or cannot be stopped." };
      return { goTo: "/admin/runs", notice: { text: "It stops after its current step." } };
    }),
    known: defineButton((ask) => startRun(ask, { kind: "ingest" })),
    recount: defineButton((ask) => startRun(ask, { kind: "recount" })),
  },
});

/** Starts a run and shows the page of runs. @param text a notice. With a notice, the current page is shown instead. */
export async function startRun(ask: SignedInRequest, order: RunOrder, text?: string) {
  const started = await ask.modules.administration.runs.start(order, ask.visitor.account.id);
  if (!started.ok) return toRefusal(started);
  if (text !== undefined) return { goTo: ask.url.pathname, notice: { text } };
  return { goTo: "/admin/runs", notice: { text: `Started: ${started.run.title}.` } };
}

const shownMax = 20;

async function renderRuns(ask: SignedInRequest) {
  const { open, ended } = await renderRunRows(ask);
  const shown = ask.url.searchParams.has("all") ? ended : ended.slice(0, shownMax);
  const all = `Show all ${formatCount(ended.length)}`;
  const path = `/admin/runs${ask.url.search}`;
  return (
    <div class="stack-wide" {...createPolling(open.length > 0, path, "runs", ["histories"])}>
      <Panel title="Running">
        <Rows empty="Nothing is running. New runs appear here.">{open}</Rows>
      </Panel>
      <Panel title="Finished">
        <Rows empty="No run has finished yet.">{shown}</Rows>
        {shown.length < ended.length && (
          <p>
            <ButtonLink id="runs-all" to="/admin/runs?all" label={all} />
          </p>
        )}
        <p class="muted small">
          This page keeps the latest {endedRunsMax} runs. The{" "}
          <a id="runs-audit" href="/admin/audit?action=run">
            audit log
          </a>{" "}
          has all runs that were started on a page.
        </p>
      </Panel>
    </div>
  );
}

function renderStart(ask: SignedInRequest) {
  const known = ask.modules.administration.repositories();
  const newest = known
    .map(({ readAt }) => readAt)
    .sort()
    .at(-1);
  const sources = <a href="/admin/sources">Add a source</a>;
  return (
    <Panel title="Repositories" id="histories">
      {known.length === 0 ? (
        <EmptyState>No repositories yet. {sources}</EmptyState>
      ) : (
        <>
          <p>
            {formatCounted(known.length, "repository", "repositories")}, last read{" "}
            <Ago at={newest} now={ask.now} />. {sources}
          </p>
          <Form ask={ask} act="known" submit="Read new commits" />
          <p class="small muted">
            Applies the current identity rules again, without reading repositories. People may be
            merged or split.
          </p>
          <Form ask={ask} act="recount" submit="Recheck identities" tone="plain" />
        </>
      )}
    </Panel>
  );
}
