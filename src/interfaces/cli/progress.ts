/** Shows progress on standard error: a bar on a terminal, otherwise a JSON line every second. */
import { Presets, SingleBar } from "cli-progress";
import { toPrintable, toPrintableJson } from "../../contract/foreign-text.ts";
import type { ProgressNote } from "../../pool/pool.ts";
import type { Terminal } from "./terminal.ts";

export type Step = Omit<ProgressNote, "rate" | "secondsLeft" | "at">;
export type Pace = Pick<ProgressNote, "rate" | "secondsLeft">;

type ShowStep = (step: Step & Pace) => void;

interface Progress {
  readonly show: ShowStep;
  stop(): void;
}

const lineIntervalMs = 1000;

export async function showProgress<Result>(
  terminal: Terminal,
  now: () => Date,
  work: (show: ShowStep) => Promise<Result>,
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
      format: "{bar} {text}",
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
    },
    Presets.shades_classic,
  );
  let isStarted = false;
  return {
    show(step) {
      const { done, total = step.done } = step.parts ?? step;
      // The bar writes directly to standard error, so its text must be made printable here.
      const payload = { text: toPrintable(describeStep(step)) };
      if (!isStarted) bar.start(total, done, payload);
      isStarted = true;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    stop() {
      bar.stop();
    },
  };
}

/** Writes a step as `3 of 20 repositories | 12,000 commits, 800/s | about 4 min left | at tool.git`. */
export function describeStep(step: Step & Pace): string {
  const { done, total, unit, parts, rate, secondsLeft, label, isTotalGrowing } = step;
  const ofTotal = total === undefined || isTotalGrowing ? "" : ` of ${formatNumber(total)}`;
  const speed = rate === undefined ? "" : `, ${formatNumber(rate)}/s`;
  return [
    parts && `${formatNumber(parts.done)} of ${formatNumber(parts.total)} ${parts.unit}`,
    `${formatNumber(done)}${ofTotal} ${unit}${speed}`,
    secondsLeft !== undefined && `about ${formatDuration(secondsLeft)} left`,
    label,
  ]
    .filter(Boolean)
    .join(" | ");
}

const formatNumber = (number: number) => number.toLocaleString("en-US");

/** Formats an estimated duration: `20 s`, `4 min` or `1.5 h`. */
function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds / 5) * 5} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function createLines(terminal: Terminal, now: () => Date): Progress {
  let lastAt = now().getTime();
  let latest: Parameters<ShowStep>[0] | undefined;
  let timer: Timer | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    lastAt = now().getTime();
    terminal.note(toPrintableJson(JSON.stringify({ progress: latest })));
  };
  return {
    show(step) {
      latest = step;
      const leftMs = lastAt + lineIntervalMs - now().getTime();
      if (leftMs <= 0) write();
      // Writes the latest step later, in case no other step follows soon.
      else timer ??= setTimeout(write, leftMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
