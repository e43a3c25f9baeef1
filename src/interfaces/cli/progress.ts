/** How far long work has come: a bar on a terminal, a JSON line a second otherwise; both on standard error. */
import { Presets, SingleBar } from "cli-progress";
import { toPrintable, toPrintableJson } from "../../contract/foreign-text.ts";
import type { Terminal } from "./terminal.ts";

export interface Step {
  readonly done: number;
  /** Unknown: a count without an end. */
  readonly total: number | undefined;
  /** What is counted: commits, lines, people. */
  readonly unit: string;
  /** What is being worked on, e.g. a repository. */
  readonly label?: string;
}

interface Progress {
  show(step: Step): void;
  stop(): void;
}

const lineIntervalMs = 1000;

export function createProgress(terminal: Terminal, now: () => Date): Progress {
  return terminal.isInteractive ? bar() : lines(terminal, now);
}

function bar(): Progress {
  const single = new SingleBar(
    {
      format:
        "{bar} {percentage}% | {value}/{total} {unit} | {rate}/s | {eta_formatted} left | {label}",
      etaBuffer: 50,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
    },
    Presets.shades_classic,
  );
  let started: number | undefined;
  return {
    show({ done, total, unit, label = "" }) {
      // The bar writes by itself.
      const payload = { unit, label: toPrintable(label), rate: 0 };
      if (started === undefined) {
        started = performance.now();
        single.start(total ?? done, done, payload);
      }
      const seconds = (performance.now() - started) / 1000;
      if (total !== undefined) single.setTotal(total);
      single.update(done, { ...payload, rate: Math.round(done / Math.max(seconds, 0.001)) });
    },
    stop() {
      single.stop();
    },
  };
}

function lines(terminal: Terminal, now: () => Date): Progress {
  let lastAt = now().getTime();
  return {
    show(step) {
      const at = now().getTime();
      if (at - lastAt < lineIntervalMs) return;
      lastAt = at;
      terminal.note(toPrintableJson(JSON.stringify({ progress: step })));
    },
    stop() {},
  };
}
