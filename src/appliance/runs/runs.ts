/**
 * Runs that administrators, schedules and hooks start. Each run is a command of this program in a child process. The runs wait
 * for each other, because only one import can run. Only readings of forges run beside them, because they mostly wait.
 */
import { hostname } from "node:os";
import type { Config } from "../../config/config.ts";
import { tryParseJson } from "../../contract/foreign-json.ts";
import type { ControlStore } from "../../control/control-store.ts";
import { chooseJobs, listLocations } from "../../ingest/ingest.ts";
import type { OtherRun, RunOrder, RunState, RunStatus, Runs } from "../../interfaces/web/web.ts";
import type { Log } from "../../operations/log-call.ts";
import type { ImportUnderWay, Pool } from "../../pool/pool.ts";
import type { DataFolder } from "../data-folder.ts";
import { type ChildProgram, startChild } from "./child-program.ts";
import { listRuns, markUnderWay, stoppedWords, toStoredRun } from "./note-run.ts";
import { createRunPlan, describeReport, type RunPlan } from "./run-order.ts";

export interface RunParts {
  readonly config: Config;
  readonly folder: Pick<DataFolder, "findLedger">;
  readonly control: Pick<ControlStore, "record" | "runs">;
  readonly pool: Pick<Pool, "importUnderWay">;
  /** The command that runs this program. Undefined means that no run can be started. */
  readonly self: readonly string[] | undefined;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

const waitingMax = 20;
/** The number of runs in memory. The control store has more, without what is only for pages. */
const recordsMax = 200;
const lookAgainMs = 1000;

interface RunRecord {
  status: RunStatus;
  order: RunOrder;
  plan: RunPlan & { readonly ok: true };
  child: ChildProgram | undefined;
  readonly end: PromiseWithResolvers<RunStatus>;
}

export function createRuns(parts: RunParts) {
  const { control, pool, self } = parts;
  const records: RunRecord[] = [];
  const active = new Map<RunRecord, Promise<void>>();
  let isClosing = false;
  /** Starts what waits and has room: one run after the other, and beside them a number of forges. */
  const advance = () => {
    for (const record of isClosing ? [] : records.filter(isWaiting)) {
      const isOfLane = (one: RunRecord) => isBeside(one) === isBeside(record);
      const most = isBeside(record) ? chooseJobs() : 1;
      if (active.has(record) || [...active.keys()].filter(isOfLane).length >= most) continue;
      const fail = ({ message }: Error) =>
        finish(parts, record, { state: "failed", outcome: message });
      const end = () => {
        active.delete(record);
        advance();
      };
      active.set(
        record,
        runOne(parts, record, () => isClosing)
          .catch(fail)
          .finally(end),
      );
    }
  };
  const isOwn = (id: string) => records.some(({ status }) => status.id === id);
  const listEnded = async () =>
    (await listRuns(control, parts.now, isOwn)).filter(({ state }) => state !== "running");
  listEnded().catch((err) => parts.log.error({ err }, "runs that were killed are not listed"));
  return {
    canStart: self !== undefined,
    list: (): readonly RunStatus[] => {
      const latest = records.map(({ status }) => status).reverse();
      return [...latest.filter(isUnderWay), ...latest.filter((one) => !isUnderWay(one))];
    },
    listEnded,
    async findOther() {
      const found = await pool.importUnderWay();
      const run = found && describeOther(found);
      // Process ids can be compared only on one machine.
      const isOwn =
        run?.machine === undefined && records.some(({ child }) => child?.pid === run?.pid);
      return isOwn ? undefined : run;
    },
    async start(order: RunOrder, by: string): ReturnType<Runs["start"]> {
      const joined = join(parts, records, order, by);
      const added = joined ?? (await addRun(parts, records, order, by));
      if (!("status" in added)) return added;
      advance();
      return { ok: true, run: added.status, ended: added.end.promise };
    },
    async stop(id: string, by: string) {
      const record = records.find(({ status }) => status.id === id);
      return record !== undefined && stopRun(parts, record, by);
    },
    /** Ends the current runs, and starts no more runs. */
    async close() {
      isClosing = true;
      for (const { child } of records) child?.end();
      await Promise.all(active.values());
      for (const record of records.filter(isWaiting)) {
        const outcome = "The server stopped before it had begun.";
        await finish(parts, record, { state: "stopped", outcome });
      }
    },
  };
}

const isBeside = ({ order }: RunRecord) => order.kind === "refresh" && order.isBeside === true;
const isWaiting = ({ status }: RunRecord) => status.state === "waiting";

/**
 * Finds a run that does what is ordered. A run that waits also reads more repositories of its source. A hook joins no run that
 * has begun, because it may have passed the repository that has changed.
 */
function join(
  { config }: RunParts,
  records: readonly RunRecord[],
  order: RunOrder,
  by: string,
): RunRecord | undefined {
  if (order.kind !== "refresh") return undefined;
  const { source, repositories } = order;
  return records.find((record) => {
    const other = record.order;
    if (other.kind !== "refresh" || other.source !== source) return false;
    const isSame = `${other.repositories}` === `${repositories}`;
    if (record.status.state === "running") return isSame && by !== "hook";
    if (!isWaiting(record) || !other.repositories !== !repositories) return false;
    if (isSame || !other.repositories || !repositories) return true;
    const both = [...new Set([...other.repositories, ...repositories])];
    const plan = createRunPlan({ ...other, repositories: both }, by, config, () => []);
    if (!plan.ok) return false;
    Object.assign(record, { order: { ...other, repositories: both }, plan });
    update(record, { title: plan.title });
    return true;
  });
}

const holderForm =
  /^(?<title>.*), process (?<pid>\d+)(?: on (?<machine>\S+))?, since (?<since>\S+)$/;

/** @returns undefined if another version wrote the note in its own format. */
function describeOther({ holder, progress }: ImportUnderWay): OtherRun | undefined {
  const { title = "", pid, machine, since = "" } = holderForm.exec(holder)?.groups ?? {};
  if (pid === undefined || Number.isNaN(Date.parse(since))) return undefined;
  const place = machine === hostname() ? undefined : machine;
  return { title, pid: Number(pid), machine: place, startedAt: new Date(since), progress };
}

async function addRun(
  { config, folder, control, self, now, newId }: RunParts,
  records: RunRecord[],
  order: RunOrder,
  by: string,
): Promise<RunRecord | { readonly ok: false; readonly message: string }> {
  if (!self) return { ok: false, message: "This server can start nothing: its data is in memory." };
  // There are at most two waiting readings of each source.
  const open = records.filter(({ status }) => isUnderWay(status) && status.kind !== "refresh");
  if (order.kind !== "refresh" && open.length >= waitingMax) {
    return { ok: false, message: "Too many runs are waiting: let some of them end first." };
  }
  const plan = createRunPlan(order, by, config, () => listLocations(folder.findLedger()));
  if (!plan.ok) return plan;
  const { title, canStop, detail } = plan;
  const id = `run_${newId().slice(0, 12)}`;
  const pair = "a" in order ? ([order.a, order.b] as const) : undefined;
  const decision = "decision" in order ? order.decision : undefined;
  const status: RunStatus = {
    ...{ id, pair, decision, kind: order.kind, title, by, canStop, state: "waiting" },
    ...{ startedAt: now(), endedAt: undefined, progress: undefined, outcome: undefined },
  };
  const end = Promise.withResolvers<RunStatus>();
  const record: RunRecord = { status, order, plan, child: undefined, end };
  if (isAudited(by))
    await control.record({ at: now(), actor: by, action: "run.started", subject: id, detail });
  records.push(record);
  while (records.length > recordsMax && records[0] && !isUnderWay(records[0].status))
    records.shift();
  return record;
}

/** Runs that nobody has asked for are not in the audit log. */
const isAudited = (by: string) => by !== "schedule" && by !== "hook";

async function stopRun(parts: RunParts, record: RunRecord, by: string): Promise<boolean> {
  const { control, now } = parts;
  const canStop = ({ state, canStop }: RunStatus) =>
    state === "waiting" || (state === "running" && canStop);
  if (!canStop(record.status)) return false;
  const { id: subject } = record.status;
  await control.record({ at: now(), actor: by, action: "run.stopped", subject, detail: {} });
  if (record.status.state === "waiting") {
    await finish(parts, record, { state: "stopped", outcome: "It had not begun." });
  } else if (record.child) {
    update(record, { state: "stopping" });
    record.child.end();
  }
  return true;
}

function update(record: RunRecord, change: Partial<RunStatus>): void {
  record.status = { ...record.status, ...change };
}

function isUnderWay({ endedAt }: RunStatus): boolean {
  return endedAt === undefined;
}

/** Ends a run, and adds it to the list of ended runs. */
async function finish(
  { control, now, log }: RunParts,
  record: RunRecord,
  change: Pick<RunStatus, "outcome"> & Partial<RunStatus>,
): Promise<void> {
  update(record, { ...change, endedAt: now(), progress: undefined });
  await control.runs
    .add(toStoredRun(record.status, record.order))
    .catch((error) => log.error({ err: error }, "a run's end is not in the list of runs"));
  record.end.resolve(record.status);
}

async function runOne(parts: RunParts, record: RunRecord, isClosing: () => boolean): Promise<void> {
  const { self = [], control, pool, now, log } = parts;
  const canBegin = () => isWaiting(record) && !isClosing();
  // Erasures and readings of forges do not wait until no import runs.
  const waits = record.status.kind !== "forget" && !isBeside(record);
  while (waits && canBegin() && (await pool.importUnderWay())) await Bun.sleep(lookAgainMs);
  if (!canBegin()) return;
  const { id, kind, by } = record.status;
  update(record, { state: "running", startedAt: now() });
  const child = startChild(self, record.plan.given, (progress) => update(record, { progress }));
  record.child = child;
  await control.runs
    .add({ ...toStoredRun(record.status, record.order), ...markUnderWay() })
    .catch((err) => log.error({ err }, "a run's beginning is not in the list of runs"));
  const longestMs = "longestMs" in record.order ? record.order.longestMs : undefined;
  let late: string | undefined;
  const endLate = () => {
    late = "It took too long, and was stopped. What was read is kept.";
    child.end();
  };
  const limit = longestMs === undefined ? undefined : setTimeout(endLate, longestMs);
  const { code, out, fault } = await child.ended;
  clearTimeout(limit);
  record.child = undefined;
  const report = tryParseJson(out);
  const isStopped = record.status.state === "stopping" || isClosing();
  // Exit code 3 means that an ingest has left out some repositories and published the others.
  const isPartial = code === 3 && (report as { added?: number } | undefined)?.added !== undefined;
  const isDone = fault === undefined || isPartial;
  const state: RunState = isDone ? "done" : isStopped ? "stopped" : "failed";
  const { words, subject, recorded } = describeReport(kind, report);
  const outcome =
    state === "done"
      ? words
      : state === "stopped"
        ? stoppedWords
        : (late ?? fault ?? `It ended with ${code}.`);
  const decision = recorded ?? record.status.decision;
  await finish(parts, record, { state, outcome, decision });
  log.info({ run: id, kind, by, state }, "a run ended");
  if (!isAudited(by)) return;
  const detail = { kind, state, ...(subject !== undefined && { result: subject }) };
  await control
    .record({ at: now(), actor: by, action: "run.ended", subject: id, detail })
    .catch((error) => log.error({ err: error }, "a run's end is not in the audit log"));
}
