/** Shows progress on standard error: a bar on a terminal, otherwise one JSON line a second. */
import { Presets, SingleBar } from "cli-progress";
import { toPrintable, toPrintableJson } from "../../contract/foreign-text.ts";
import type { Terminal } from "./terminal.ts";

export interface Step {
  readonly done: number;
  /** `undefined` when the total is unknown. */
  readonly total: number | undefined;
  /** What is counted: commits, lines, people. */
  readonly unit: string;
  /** The current item, such as a repository. */
  readonly label?: string;
  /** Whether the total covers only what was looked at so far: then no remaining time can be given. */
  readonly isTotalGrowing?: boolean;
}

interface Progress {
  show(step: Step): void;
  stop(): void;
}

const lineIntervalMs = 1000;

/** Runs `work`, and shows its steps until it ends or throws. */
export async function showProgress<Result>(
  terminal: Terminal,
  now: () => Date,
  work: (show: (step: Step) => void) => Promise<Result>,
): Promise<Result> {
  const progress = terminal.isInteractive ? createBar() : createLines(terminal, now);
  try {
    return await work(progress.show);
  } finally {
    progress.stop();
  }
}

function createBar(): Progress {
  const bar = new SingleBar(
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
      // The bar bypasses our terminal, so the label must be made printable here.
      const payload = { unit, label: toPrintable(label), rate: 0 };
      if (started === undefined) {
        started = performance.now();
        bar.start(total ?? done, done, payload);
      }
      const seconds = (performance.now() - started) / 1000;
      if (total !== undefined) bar.setTotal(total);
      bar.update(done, { ...payload, rate: Math.round(done / Math.max(seconds, 0.001)) });
    },
    stop() {
      bar.stop();
    },
  };
}

function createLines(terminal: Terminal, now: () => Date): Progress {
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
