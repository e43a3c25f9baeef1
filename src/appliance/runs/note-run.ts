/** Adds runs to the list of runs. */
import { hostname } from "node:os";
import type { ControlStore } from "../../control/control-store.ts";
import type { StoredRun } from "../../control/source-records.ts";
import type { RunOrder, RunStatus } from "../../interfaces/web/web.ts";
import { isAlive } from "../../sqlite/folder/draft.ts";
import type { DataFolder, Dependencies } from "../data-folder.ts";
import { createRunTitle, describeReport, type RunKind } from "./run-order.ts";

/** @package */
export const stoppedWords =
  "The pool is as it was. What was read is kept: the next run goes on from there.";

const outcomeLengthMax = 2000;

/** @package Leaves out the names of people that the order has. */
export function toStoredRun(run: RunStatus, order: RunOrder): StoredRun {
  const { id, kind, title, by, startedAt, endedAt = startedAt, outcome = "" } = run;
  const names = "person" in order ? [order.person] : "a" in order ? [order.a, order.b] : [];
  const words = names.reduce((text, name) => text.replaceAll(name, "the person"), outcome);
  return {
    ...{ id, kind, title, by, startedAt, endedAt, machine: hostname(), pid: null },
    source: "source" in order ? order.source : null,
    state: run.state === "done" || run.state === "stopped" ? run.state : "failed",
    outcome: words.slice(0, outcomeLengthMax),
  };
}

/** What a command does, for the list of runs. `what` is what it reads, imports or forgets, which is never a person. */
export interface CommandRun {
  readonly kind: RunKind;
  readonly what?: string;
  readonly source?: string;
}

interface CommandEnd {
  /** What the command prints with `--json`. */
  readonly report: unknown;
  /** Why the command failed. Undefined means that it did not. */
  readonly fault: string | undefined;
  readonly isStopped: boolean;
}

/**
 * Adds the run of a command that a person or a timer has started.
 * @returns a function that adds its end, or without an end removes the run.
 */
export function noteCommandRun(
  { control: { runs } }: Pick<DataFolder, "control">,
  { kind, source, what = source ?? "" }: CommandRun,
  { now, newId }: Pick<Dependencies, "now" | "newId">,
) {
  const [id, startedAt] = [`run_${newId().slice(0, 12)}`, now()];
  const names = { id, kind, title: createRunTitle(kind, what), source: source ?? null };
  const run = { ...names, by: "command", machine: hostname(), startedAt, endedAt: startedAt };
  // If this fails, the end is added all the same.
  const begun = runs.add({ ...run, ...markUnderWay() }).catch(() => {});
  return async (end: CommandEnd | undefined): Promise<void> => {
    await begun;
    if (!end) return runs.remove([id]);
    const { report, fault, isStopped } = end;
    const state = fault === undefined ? "done" : isStopped ? "stopped" : "failed";
    const words =
      state === "stopped" ? stoppedWords : (fault ?? describeReport(kind, report).words);
    const outcome = words.slice(0, outcomeLengthMax);
    await runs.add({ ...run, endedAt: now(), state, outcome, pid: null });
  };
}

/** @package Marks a run that this process does. */
export const markUnderWay = () => ({ state: "running", outcome: "", pid: process.pid }) as const;

/**
 * Lists the runs, the latest first. Ends the runs of this machine that were killed.
 * @param isOwn whether this process does the run.
 */
export async function listRuns(
  { runs }: Pick<ControlStore, "runs">,
  now: () => Date,
  isOwn: (id: string) => boolean = () => false,
): Promise<readonly StoredRun[]> {
  const all = await runs.list();
  const lost = all.filter(({ id, state, machine, pid }) => {
    if (state !== "running" || machine !== hostname() || pid === null) return false;
    // In a container, the process that was killed may have had the same id as this one.
    return pid === process.pid ? !isOwn(id) : !isAlive(pid);
  });
  const outcome = "It ended without a word: its process was killed, or the machine stopped.";
  for (const run of lost) await runs.add({ ...run, state: "failed", endedAt: now(), outcome });
  return lost.length === 0 ? all : runs.list();
}
