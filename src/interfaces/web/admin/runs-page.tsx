import { hostname } from "node:os";
import { formatTaken } from "../../../contract/format.ts";
import { endedRunsMax, type StoredRun, starters } from "../../../control/source-records.ts";
import type { ProgressNote } from "../../../pool/pool.ts";
import { defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import {
  Ago,
  Badge,
  ButtonLink,
  Callout,
  EmptyState,
  Message,
  Panel,
  Rows,
} from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInProperties,
  type SignedInRequest,
  toRefusal,
} from "../page.ts";
import type {
  OtherRun,
  RunOrder,
  RunState,
  RunStatus,
  Study,
  StudyState,
} from "./administration.ts";

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

const tones: Readonly<Record<RunState, string>> = {
  ...{ waiting: "", running: "good", done: "good" },
  ...{ stopping: "warn", stopped: "warn", failed: "bad" },
};

function renderRun(
  title: string,
  state: RunState,
  aside: Children,
  ...content: readonly Children[]
) {
  return (
    <li>
      <div class="row-head">
        <div>
          <strong class="free">{title}</strong> <Badge tone={tones[state]}>{state}</Badge>
        </div>
        {aside}
      </div>
      {content}
    </li>
  );
}

function renderOpen(ask: SignedInRequest, run: RunStatus, by: string) {
  const { id, title, state, startedAt, progress, canStop } = run;
  const form = { ask, act: "stop", to: "/admin/runs", id: `stop-${id}`, hidden: { run: id } };
  const isStoppable = state === "waiting" || (state === "running" && canStop);
  return renderRun(
    title,
    state,
    isStoppable && <Form {...form} submit="Stop" tone="plain" inline />,
    state === "running" && <ProgressLine progress={progress} label={title} now={ask.now} />,
    <p class="muted small">
      started by {by}, <Ago at={startedAt} now={ask.now} />
      {state === "waiting" && " · waits for another run"}
      {state === "running" && !canStop && " · cannot be stopped"}
    </p>,
  );
}

function renderEnded(run: StoredRun, by: string, now: Date) {
  const { title, state, startedAt, endedAt, outcome, machine, pid } = run;
  return renderRun(
    title,
    state,
    <p class="muted small">
      started by {by}
      {machine !== hostname() && ` on ${machine}`}, {pid === null ? "ended" : "noticed"}{" "}
      <Ago at={endedAt} now={now} />
      {pid === null && `, took ${formatTaken(startedAt, endedAt)}`}
    </p>,
    <p class={state === "failed" ? "wrong free" : "small free"}>
      <Message text={outcome} />
    </p>,
  );
}

function renderOther({ title, pid, machine, startedAt, progress }: OtherRun, now: Date) {
  const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  const where = machine === undefined ? "by a command on this machine" : `on ${machine}`;
  return renderRun(
    heading,
    "running",
    "",
    <ProgressLine progress={progress} label={heading} now={now} />,
    <p class="muted small">
      started <span title={`Process ${pid}`}>{where}</span>, <Ago at={startedAt} now={now} />
      {machine === undefined && " · to stop it, press Ctrl-C in its terminal"}
    </p>,
  );
}

export async function renderRunRows(ask: SignedInRequest) {
  const { runs } = ask.modules.administration;
  const other = await runs.findOther();
  const ended = await runs.listEnded();
  const findName = await createNameLookup(ask);
  const nameOf = (by: string) => starters[by] ?? findName(by);
  const open = runs.list().filter(({ endedAt }) => endedAt === undefined);
  return {
    open: [
      ...(other ? [renderOther(other, ask.now)] : []),
      ...open.map((run) => renderOpen(ask, run, nameOf(run.by))),
    ],
    ended: ended.map((run) => renderEnded(run, nameOf(run.by), ask.now)),
  };
}

type ProgressProperties = { progress: ProgressNote | undefined; label: string; now: Date };

export function ProgressLine({ progress, label, now }: ProgressProperties) {
  if (!progress) return <p class="muted">Starting …</p>;
  const { parts, label: at } = progress;
  const { done, total } = parts ?? progress;
  return (
    <div class="meter">
      <progress
        max={total ?? 1}
        value={total === undefined ? undefined : done}
        aria-label={label}
      />
      <p class="small">
        {describeProgress(progress, now)}
        {at && <span class="muted free"> · {at}</span>}
      </p>
    </div>
  );
}

/** If the last step is older than this, rate and time left are not shown. */
const quietMs = 10_000;

function describeProgress(progress: ProgressNote, now: Date): string {
  const { done, total, unit, parts, isTotalGrowing = false, rate, secondsLeft, at } = progress;
  const silentMs = at === undefined ? 0 : now.getTime() - Date.parse(at);
  const isQuiet = silentMs > quietMs;
  const ofTotal = total === undefined || isTotalGrowing ? "" : ` of ${formatCount(total)}`;
  return [
    parts && `${formatCount(parts.done)} of ${formatCount(parts.total)} ${parts.unit}`,
    // Shows a percentage. The number of bytes would mislead, because a backup processes each byte three times.
    unit === "bytes" && total
      ? `${Math.floor((100 * done) / total)} %`
      : `${formatCount(done)}${ofTotal} ${unit}`,
    !isQuiet && rate !== undefined && rate > 0 && `${formatCount(Math.round(rate))} a second`,
    isQuiet ? formatSilence(silentMs / 1000) : formatLeft(secondsLeft),
  ]
    .filter(Boolean)
    .join(", ");
}

const formatSilence = (seconds: number): string =>
  `no news for ${seconds < 120 ? `${Math.floor(seconds)} seconds` : `${Math.floor(seconds / 60)} minutes`}`;

function formatLeft(seconds: number | undefined): string {
  if (seconds === undefined) return "time left unknown";
  if (seconds < 60) return "less than a minute left in this step";
  if (seconds < 3600) return `about ${Math.ceil(seconds / 60)} min left in this step`;
  return `about ${(seconds / 3600).toFixed(1)} h left in this step`;
}

/**
 * Creates the htmx attributes that update a part of a page. The part is updated every two seconds while `isMoving`.
 * @param others ids of parts that are updated too. With `others`, updates never stop, because a run may begin elsewhere.
 */
export function createPolling(isMoving: boolean, path: string, id: string, others?: string[]) {
  if (!isMoving && !others) return { id };
  return {
    id,
    "hx-get": path,
    "hx-trigger": isMoving ? "every 2s" : "every 5s",
    "hx-select": `#${id}`,
    "hx-target": `#${id}`,
    "hx-swap": "outerHTML",
    ...(others?.length && { "hx-select-oob": others.map((one) => `#${one}`).join(",") }),
  };
}

/** @returns a function that turns an account's id into its e-mail address. Any other id is returned unchanged. */
export async function createNameLookup({ modules }: SignedInRequest) {
  const emails = new Map((await modules.accounts.list()).map(({ id, email }) => [id, email]));
  return (id: string): string => emails.get(id) ?? id;
}

/**
 * Reads a study. Starts the study if there is no result, or if the pool has changed since the result.
 * @param isDeciding whether a run under way will change the pool. If so, an old result stays.
 */
export function readStudy<Result>(
  { modules }: SignedInRequest,
  study: Study<Result>,
  isDeciding: boolean,
): StudyState<Result> {
  const { state, isStale } = { isStale: false, ...study.read() };
  const isOutdated = state === "none" || (isStale && !isDeciding);
  if (isOutdated && modules.administration.runs.canStart) study.ask();
  return study.read();
}

interface StudyPartProperties extends SignedInProperties {
  readonly id: string;
  readonly study: StudyState<unknown>;
  /** Whether the browser updates the part. Default: while the study is running. */
  readonly isMoving?: boolean;
  readonly doing: string;
  readonly failure: { readonly title: string; readonly help: Children };
  readonly children: Children;
}

export function StudyPart(properties: StudyPartProperties) {
  const { ask, id, study, isMoving = study.state === "running", doing, failure } = properties;
  const { pathname } = ask.url;
  return (
    <div class="stack-wide" {...createPolling(isMoving, pathname, id)}>
      {study.state === "running" && (
        <p role="status">
          {doing} … <a href={pathname}>Refresh</a>
        </p>
      )}
      {study.state === "failed" && (
        <Callout tone="wrong" title={failure.title} role="alert">
          <p class="free">{study.message}</p>
          {failure.help}
        </Callout>
      )}
      {properties.children}
    </div>
  );
}
