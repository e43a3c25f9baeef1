/** Adds runs to the list of ended runs. */
import { hostname } from "node:os";
import type { EndedRun } from "../../control/source-records.ts";
import type { RunOrder, RunStatus } from "../../interfaces/web/web.ts";
import type { DataFolder } from "../data-folder.ts";
import { createRunTitle, describeReport, type RunKind } from "./run-order.ts";

/** @package */
export const stoppedWords =
  "The pool is as it was. What was read is kept: the next run goes on from there.";

const outcomeLengthMax = 2000;

/** @package Leaves out the names of people that the order has. */
export function toEndedRun(run: RunStatus, order: RunOrder): EndedRun {
  const { id, kind, title, by, startedAt, endedAt = startedAt, outcome = "" } = run;
  const names = "person" in order ? [order.person] : "a" in order ? [order.a, order.b] : [];
  const words = names.reduce((text, name) => text.replaceAll(name, "the person"), outcome);
  return {
    ...{ id, kind, title, by, startedAt, endedAt, machine: hostname() },
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

interface CommandEnd extends Pick<EndedRun, "id" | "startedAt" | "endedAt"> {
  /** What the command prints with `--json`. */
  readonly report: unknown;
  /** Why the command failed. Undefined means that it did not. */
  readonly fault: string | undefined;
  readonly isStopped: boolean;
}

/** Adds the run of a command that a person or a timer has started. */
export async function noteCommandRun(
  { control }: Pick<DataFolder, "control">,
  { kind, source, what = source ?? "" }: CommandRun,
  { report, fault, isStopped, ...end }: CommandEnd,
): Promise<void> {
  const state = fault === undefined ? "done" : isStopped ? "stopped" : "failed";
  const outcome =
    state === "stopped" ? stoppedWords : (fault ?? describeReport(kind, report).words);
  await control.runs.add({
    ...{
      ...end,
      kind,
      source: source ?? null,
      state,
      title: createRunTitle(kind, what),
      by: "command",
    },
    ...{ machine: hostname(), outcome: outcome.slice(0, outcomeLengthMax) },
  });
}
