/**
 * Runs that administrators start on a page. Each run is a command of this program in a child process. The runs wait for each
 * other, because only one import can run.
 */
import { hostname } from "node:os";
import type { Config } from "../../config/config.ts";
import { tryParseJson } from "../../contract/foreign-json.ts";
import type { ControlStore } from "../../control/control-store.ts";
import { listLocations } from "../../ingest/ingest.ts";
import type { OtherRun, RunOrder, RunState, RunStatus, Runs } from "../../interfaces/web/web.ts";
import type { Log } from "../../operations/log-call.ts";
import type { ImportUnderWay, Pool } from "../../pool/pool.ts";
import type { DataFolder } from "../data-folder.ts";
import { type ChildProgram, startChild } from "./child-program.ts";
import { createRunPlan, describeReport, type RunPlan } from "./run-order.ts";

export interface RunParts {
  readonly config: Config;
  readonly folder: Pick<DataFolder, "findLedger">;
  readonly control: Pick<ControlStore, "record">;
  readonly pool: Pick<Pool, "importUnderWay">;
  /** The command that runs this program. Undefined means that no run can be started. */
  readonly self: readonly string[] | undefined;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
}

const waitingMax = 20;
const recordsMax = 20;
const lookAgainMs = 1000;

interface RunRecord {
  status: RunStatus;
  readonly plan: RunPlan & { readonly ok: true };
  child: ChildProgram | undefined;
}

export function createRuns(parts: RunParts) {
  const { config, pool, self } = parts;
  const records: RunRecord[] = [];
  let working: Promise<void> | undefined;
  let isClosing = false;
  const work = async () => {
    for (;;) {
      const next = records.find(({ status }) => status.state === "waiting");
      if (!next || isClosing) return;
      await runOne(parts, next, () => isClosing);
    }
  };
  return {
    canStart: self !== undefined,
    roots: config.ingest.roots ?? [],
    list: (): readonly RunStatus[] => {
      const latest = records.map(({ status }) => status).reverse();
      return [...latest.filter(isUnderWay), ...latest.filter((one) => !isUnderWay(one))];
    },
    async findOther() {
      const found = await pool.importUnderWay();
      const run = found && describeOther(found);
      // Process ids can be compared only on one machine.
      const isOwn =
        run?.machine === undefined && records.some(({ child }) => child?.pid === run?.pid);
      return isOwn ? undefined : run;
    },
    async start(order: RunOrder, by: string) {
      const added = await addRun(parts, records, order, by);
      if (added.ok) working = (working ?? Promise.resolve()).then(work);
      return added;
    },
    async stop(id: string, by: string) {
      const record = records.find(({ status }) => status.id === id);
      return record !== undefined && stopRun(parts, record, by);
    },
    /** Ends the current run, and starts no more runs. */
    async close() {
      isClosing = true;
      for (const { child } of records) child?.end();
      await working;
    },
  };
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
): ReturnType<Runs["start"]> {
  if (!self) return { ok: false, message: "This server can start nothing: its data is in memory." };
  if (records.filter(({ status }) => isUnderWay(status)).length >= waitingMax) {
    return { ok: false, message: "Too many runs are waiting: let some of them end first." };
  }
  const plan = createRunPlan(order, by, config, () => listLocations(folder.findLedger()));
  if (!plan.ok) return plan;
  const { title, canStop, detail } = plan;
  const id = `run_${newId().slice(0, 12)}`;
  await control.record({ at: now(), actor: by, action: "run.started", subject: id, detail });
  const pair = "a" in order ? ([order.a, order.b] as const) : undefined;
  const decision = "decision" in order ? order.decision : undefined;
  const status = {
    id,
    pair,
    decision,
    kind: order.kind,
    title,
    by,
    canStop,
    state: "waiting",
  } as const;
  const rest = { startedAt: now(), endedAt: undefined, progress: undefined, outcome: undefined };
  const record: RunRecord = { status: { ...status, ...rest }, plan, child: undefined };
  records.push(record);
  while (records.length > recordsMax && records[0] && !isUnderWay(records[0].status))
    records.shift();
  return { ok: true, run: record.status };
}

async function stopRun(
  { control, now }: RunParts,
  record: RunRecord,
  by: string,
): Promise<boolean> {
  const canStop = ({ state, canStop }: RunStatus) =>
    state === "waiting" || (state === "running" && canStop);
  if (!canStop(record.status)) return false;
  const { id: subject } = record.status;
  await control.record({ at: now(), actor: by, action: "run.stopped", subject, detail: {} });
  if (record.status.state === "waiting") {
    update(record, { state: "stopped", endedAt: now(), outcome: "It had not begun." });
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

async function runOne(
  { self = [], control, pool, now, log }: RunParts,
  record: RunRecord,
  isClosing: () => boolean,
): Promise<void> {
  const isWaiting = () => record.status.state === "waiting" && !isClosing();
  // All runs except erasures wait until no import runs.
  while (record.status.kind !== "forget" && isWaiting() && (await pool.importUnderWay())) {
    await Bun.sleep(lookAgainMs);
  }
  if (!isWaiting()) return;
  const { id } = record.status;
  update(record, { state: "running", startedAt: now() });
  const child = startChild(self, record.plan.given, (progress) => update(record, { progress }));
  record.child = child;
  const { code, out, fault } = await child.ended;
  record.child = undefined;
  const report = tryParseJson(out);
  const isStopped = record.status.state === "stopping" || isClosing();
  // Exit code 3 means that an ingest has left out some repositories and published the others.
  const isPartial = code === 3 && (report as { added?: number } | undefined)?.added !== undefined;
  const isDone = fault === undefined || isPartial;
  const state: RunState = isDone ? "done" : isStopped ? "stopped" : "failed";
  const { words, subject, recorded } = describeReport(record.status.kind, report);
  const outcome =
    state === "done"
      ? words
      : state === "stopped"
        ? "The pool is as it was. What was read is kept: the next run goes on from there."
        : (fault ?? `It ended with ${code}.`);
  const decision = recorded ?? record.status.decision;
  update(record, { state, outcome, decision, endedAt: now(), progress: undefined });
  log.info({ run: id, kind: record.status.kind, state }, "a run from a page ended");
  const detail = {
    kind: record.status.kind,
    state,
    ...(subject !== undefined && { result: subject }),
  };
  const by = { at: now(), actor: record.status.by };
  await control
    .record({ ...by, action: "run.ended", subject: id, detail })
    .catch((error) => log.error({ err: error }, "a run's end is not in the audit log"));
}
