import { endedRunsMax } from "../../../control/source-records.ts";
import { defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, EmptyState, Panel, Rows } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInProperties,
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
      <>
        {await renderRuns(ask)}
        {runs.canStart ? (
          <Starting ask={ask} />
        ) : (
          <p class="muted">This server cannot start runs: its data is in memory or read-only.</p>
        )}
      </>
    );
    return { title: "Runs", body, moves: true };
  },
  actions: {
    stop: defineAction({ run: defineText("Run", 60) }, async ({ modules, visitor }, { run }) => {
      const isStopped = await modules.administration.runs.stop(run, visitor.account.id);
      if (!isStopped) return { refusal: "This run has ended, or cannot be stopped." };
      return { goTo: "/admin/runs", notice: { text: "It stops after its current step." } };
    }),
    known: defineButton((ask) => startRun(ask, { kind: "ingest" })),
    recount: defineButton((ask) => startRun(ask, { kind: "recount" })),
  },
});

/** Starts a run and shows the page of runs. @param text a notice. With a notice, the current page is shown instead. */
export async function startRun(
  ask: SignedInRequest,
  order: RunOrder,
  text?: string,
): Promise<ActionOutcome> {
  const started = await ask.modules.administration.runs.start(order, ask.visitor.account.id);
  if (!started.ok) return toRefusal(started);
  if (text !== undefined) return { goTo: ask.url.pathname, notice: { text } };
  return { goTo: "/admin/runs", notice: { text: `${started.run.title}: it has been started.` } };
}

const shownMax = 20;

async function renderRuns(ask: SignedInRequest) {
  const { open, ended } = await renderRunRows(ask);
  const shown = ask.url.searchParams.has("all") ? ended : ended.slice(0, shownMax);
  return (
    <div
      class="stack-wide"
      {...createPolling(open.length > 0, `/admin/runs${ask.url.search}`, "runs", ["histories"])}
    >
      <Panel title="Under way">
        <Rows empty="Nothing is running. What begins, here or at a command line, appears by itself.">
          {open}
        </Rows>
      </Panel>
      <Panel title="Ended">
        <Rows empty="No run has ended yet.">{shown}</Rows>
        <p class="muted small">
          {shown.length < ended.length && (
            <>
              <a id="runs-all" href="/admin/runs?all">
                Show all {formatCount(ended.length)}
              </a>
              .{" "}
            </>
          )}
          The latest {endedRunsMax} runs stay here. All that were started from a page are in the{" "}
          <a id="runs-audit" href="/admin/audit?action=run">
            audit log
          </a>
          .
        </p>
      </Panel>
    </div>
  );
}

function Starting({ ask }: SignedInProperties) {
  const { repositories } = ask.modules.administration;
  const known = repositories();
  const [newest] = known
    .map(({ readAt }) => readAt)
    .sort()
    .reverse();
  return (
    <Panel title="Git histories" id="histories">
      {known.length === 0 ? (
        <EmptyState>No repository was read yet.</EmptyState>
      ) : (
        <>
          <p>
            {formatCounted(known.length, "repository", "repositories")} read so far, the latest{" "}
            <Ago at={newest} now={ask.now} />.
          </p>
          <ul class="rows">
            <li>
              <div class="run-start">
                <p>Reads what was added to them since, and scores the authors of it again.</p>
                <Form ask={ask} act="known" submit="Read new commits" inline />
              </div>
            </li>
            <li>
              <div class="run-start">
                <p>
                  Reads no repository. Decides again which authors are one person, by the rules in
                  force, so people may be joined or split and scores may change.
                </p>
                <Form
                  {...{ ask, act: "recount", submit: "Count all commits again" }}
                  tone="plain"
                  inline
                />
              </div>
            </li>
          </ul>
        </>
      )}
      <p class="muted">
        Other folders and addresses are added in <a href="/admin/sources">Sources</a>.
      </p>
    </Panel>
  );
}
