/** Parts of the overview and of the page of runs. */

import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { Ago, Badge, Message } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import type { ElsewhereRun, RunProgress, RunState, RunStatus } from "./administration.ts";

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

function RunRow({ ask, run, nameOf }: RunRowProperties) {
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
            to="/admin/runs"
            tone="plain"
            inline
            id={`stop-${id}`}
            hidden={{ run: id }}
          />
        )}
      </div>
      {state === "running" && <ProgressLine progress={progress} label={title} now={ask.now} />}
      {state === "waiting" && (
        <p class="muted small">It begins once the run before it has ended, here or elsewhere.</p>
      )}
      {state === "running" && !canStop && (
        <p class="muted small">It cannot be stopped once it has begun.</p>
      )}
      {outcome && (
        <p class={state === "failed" ? "wrong free" : "free"}>
          <Message text={outcome} />
        </p>
      )}
      <p class="muted small">
        started by {nameOf(by)}, {endedAt ? "ended " : ""}
        <Ago at={endedAt ?? startedAt} now={ask.now} />
      </p>
    </li>
  );
}

/** A run that this server did not start as one of its own. */
function ElsewhereRow({ run, now }: { readonly run: ElsewhereRun; readonly now: Date }) {
  const { title, pid, machine = "this machine", state, startedAt, endedAt, progress } = run;
  // A forge is read by its schedule, too, and the note does not say by which.
  const isOfSource = /^an import of (?!a file$)/.test(title);
  const [word, tone] = elsewhereStates[state];
  const isRunning = state === "running";
  const heading = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  return (
    <li>
      <div>
        <strong class="free">{heading}</strong> <Badge tone={tone}>{word}</Badge>
      </div>
      {isRunning ? (
        <ProgressLine progress={progress} label={heading} now={now} />
      ) : (
        <p>{describeEnding(run)}</p>
      )}
      <p class="muted small">
        started by{" "}
        <span title={`Process ${pid}`}>
          {isOfSource ? "the schedule of its source, or by a command," : "a command"}
        </span>{" "}
        on {machine}, {endedAt ? "ended " : "begun "}
        <Ago at={endedAt ?? startedAt} now={now} />
        {isRunning && !isOfSource && "; it is stopped in its terminal, with Ctrl-C"}
      </p>
    </li>
  );
}

const elsewhereStates: Record<ElsewhereRun["state"], readonly [word: string, tone: string]> = {
  running: ["running", "good"],
  done: ["done", "good"],
  unchanged: ["ended", ""],
  died: ["broken off", "bad"],
  unknown: ["ended", ""],
};

function describeEnding({ state, changes }: ElsewhereRun): string {
  const { added = 0, replaced = 0, removed = 0 } = changes ?? {};
  if (state === "done") {
    return `${formatCounted(added, "person", "people")} added, ${formatCount(replaced)} replaced, ${formatCount(removed)} removed.`;
  }
  if (state === "unchanged") return "It changed nobody: there was nothing new, or it was stopped.";
  if (state === "died") {
    return "Its process was killed or broke down. What it imported is there whole, or not at all.";
  }
  return "How it ended is not known: another one began before anybody looked.";
}

/** The rows of all runs, wherever they were started: those under way, and those that ended, the latest first. */
export async function renderRunRows(ask: SignedInRequest) {
  const { runs } = ask.modules.administration;
  const [elsewhere, nameOf] = await Promise.all([runs.listElsewhere(), createNameLookup(ask)]);
  const rows = [
    ...elsewhere.map((run) => ({
      isOpen: run.state === "running",
      at: run.endedAt ?? run.startedAt,
      row: <ElsewhereRow run={run} now={ask.now} />,
    })),
    ...runs.list().map((run) => ({
      isOpen: run.endedAt === undefined,
      at: run.endedAt ?? run.startedAt,
      row: <RunRow ask={ask} run={run} nameOf={nameOf} />,
    })),
  ];
  const ended = rows.filter(({ isOpen }) => !isOpen);
  return {
    open: rows.filter(({ isOpen }) => isOpen).map(({ row }) => row),
    ended: ended.sort((a, b) => b.at.getTime() - a.at.getTime()).map(({ row }) => row),
  };
}

interface ProgressProperties {
  readonly progress: RunProgress | undefined;
  readonly label: string;
  /** Default: the machine's. */
  readonly now?: Date;
}

/** Progress of a run: how far it is, its speed, and the time left where that is known. */
export function ProgressLine({ progress, label, now = new Date() }: ProgressProperties) {
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
        {describeProgress(progress, now)}
        {at && <span class="muted free"> · {at}</span>}
      </p>
    </div>
  );
}

/** Speed and rest were measured when the last step was done: if that is long ago, they are no longer true. */
const quietMs = 10_000;

function describeProgress(progress: RunProgress, now: Date): string {
  const { done, total, unit, parts, isTotalGrowing = false, rate, secondsLeft, at } = progress;
  const silentMs = at === undefined ? 0 : now.getTime() - Date.parse(at);
  const isQuiet = silentMs > quietMs;
  const ofTotal = total === undefined || isTotalGrowing ? "" : ` of ${formatCount(total)}`;
  return [
    parts && `${formatCount(parts.done)} of ${formatCount(parts.total)} ${parts.unit}`,
    // A backup handles each byte three times: only the share means something.
    unit === "bytes" && total
      ? `${Math.floor((100 * done) / total)} %`
      : `${formatCount(done)}${ofTotal} ${unit}`,
    !isQuiet && rate !== undefined && rate > 0 && `${formatCount(Math.round(rate))} a second`,
    isQuiet ? `nothing heard for ${formatSilence(silentMs / 1000)}` : formatLeft(secondsLeft),
  ]
    .filter(Boolean)
    .join(", ");
}

function formatSilence(seconds: number): string {
  return seconds < 120 ? `${Math.floor(seconds)} seconds` : `${Math.floor(seconds / 60)} minutes`;
}

/**
 * An estimate, so it does not count single seconds. It is of what is counted now: another step may follow, of which
 * nothing is known yet.
 */
function formatLeft(seconds: number | undefined): string {
  if (seconds === undefined) return "time left not known";
  if (seconds < 60) return "less than a minute left of this step";
  if (seconds < 3600) return `about ${Math.ceil(seconds / 60)} min left of this step`;
  return `about ${(seconds / 3600).toFixed(1)} h left of this step`;
}

/**
 * Attributes of a part of a page that is fetched again: every two seconds while something in it changes.
 *
 * @param others ids of parts that are renewed with it. Such a page also sees what begins elsewhere, so it looks again at
 *   rest, too, but not as often.
 */
export function createPolling(
  isMoving: boolean,
  path: string,
  id: string,
  others?: readonly string[],
) {
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

/** Names accounts by their e-mail, and any other actor by its id. */
export async function createNameLookup({
  modules,
}: Pick<SignedInRequest, "modules">): Promise<(id: string) => string> {
  const emails = new Map((await modules.accounts.list()).map(({ id, email }) => [id, email]));
  return (id) => emails.get(id) ?? id;
}
