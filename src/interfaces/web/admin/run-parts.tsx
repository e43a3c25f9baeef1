/** Parts of the overview and of the page of runs. */

import { formatCount } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, Badge } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import type { RunProgress, RunState, RunStatus } from "./administration.ts";

const tones: Record<RunState, string> = {
  waiting: "",
  running: "good",
  stopping: "warn",
  done: "good",
  stopped: "warn",
  failed: "bad",
};

interface RunRowProperties extends SignedInProperties {
  readonly run: RunStatus;
  readonly nameOf: (accountId: string) => string;
}

export function RunRow({ ask, run, nameOf }: RunRowProperties) {
  const { id, title, state, by, startedAt, endedAt, progress, canStop, outcome } = run;
  const isStoppable = state === "waiting" || (state === "running" && canStop);
  return (
    <li>
      <div class="row-head">
        <div>
          <strong class="free">{title}</strong> <Badge tone={tones[state]}>{state}</Badge>
        </div>
        {isStoppable && (
          <Form
            ask={ask}
            act="stop"
            submit="Stop"
            tone="plain"
            inline
            id={`stop-${id}`}
            hidden={{ run: id }}
          />
        )}
      </div>
      {state === "running" && <ProgressLine progress={progress} label={title} />}
      {outcome && <p class={state === "failed" ? "wrong free" : "free"}>{outcome}</p>}
      <p class="muted small">
        started by {nameOf(by)}, {endedAt ? "ended " : ""}
        <Ago at={endedAt ?? startedAt} now={ask.now} />
      </p>
    </li>
  );
}

/** Progress of a run: how far it is, its speed, and the time left where that is known. */
export function ProgressLine({
  progress,
  label,
}: {
  readonly progress: RunProgress | undefined;
  readonly label: string;
}) {
  if (!progress) return <p class="muted">It has started; no progress is known yet.</p>;
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
        {describeProgress(progress)}
        {at && <span class="muted free"> · {at}</span>}
      </p>
    </div>
  );
}

function describeProgress({
  done,
  total,
  unit,
  parts,
  isTotalGrowing = false,
  rate,
  secondsLeft,
}: RunProgress): string {
  const ofTotal = total === undefined || isTotalGrowing ? "" : ` of ${formatCount(total)}`;
  return [
    parts && `${formatCount(parts.done)} of ${formatCount(parts.total)} ${parts.unit}`,
    `${formatCount(done)}${ofTotal} ${unit}`,
    rate !== undefined && `${formatCount(Math.round(rate))} a second`,
    secondsLeft !== undefined && `about ${formatSeconds(secondsLeft)} left`,
  ]
    .filter(Boolean)
    .join(", ");
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Attributes of a part of a page that is fetched again every two seconds while something in it changes. */
export function createPolling(isMoving: boolean, path: string, id: string) {
  if (!isMoving) return { id };
  return {
    id,
    "hx-get": path,
    "hx-trigger": "every 2s",
    "hx-select": `#${id}`,
    "hx-target": `#${id}`,
    "hx-swap": "outerHTML",
  };
}

/** Names accounts by their e-mail, and any other actor by its id. */
export async function createNameLookup({
  modules,
}: Pick<SignedInRequest, "modules">): Promise<(id: string) => string> {
  const emails = new Map((await modules.accounts.list()).map(({ id, email }) => [id, email]));
  return (id) => emails.get(id) ?? id;
}
