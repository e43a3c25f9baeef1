/**
 * Refreshes the forges of the settings at their intervals: one at a time, in a child of the same program, so that calls are answered
 * meanwhile and a crash of the refresh does no harm.
 */

import type { Config, SourceSettings } from "../config/config.ts";
import { tryParseJson } from "../contract/foreign-json.ts";
import type { KnownSource } from "../ingest/ingest.ts";
import type { SourceStatus } from "../interfaces/web/web.ts";
import type { Log } from "../operations/log-call.ts";
import type { DataFolder } from "./data-folder.ts";
import {
  type ChildProgram,
  listCountingFlags,
  listReadingFlags,
  startChild,
} from "./runs/child-program.ts";

interface ScheduleParts {
  readonly config: Config;
  readonly folder: Pick<DataFolder, "findForges">;
  /** The command that runs this program. */
  readonly self: readonly string[];
  readonly now: () => Date;
  readonly log: Log;
}

export interface SourceSchedule {
  /** The sources of the settings, and others that forges.db knows. */
  list(): readonly SourceStatus[];
  /** Refreshes a source of the settings as soon as no other refresh runs. @returns whether there is one. */
  request(id: string): boolean;
  /** Ends a running refresh, which continues after the next start. */
  close(): Promise<void>;
}

const lookEveryMs = 60_000;
const lookAgainMs = 1000;
/** The wait after a fault, for example when another import runs. */
const retryMs = 10 * 60_000;
/** A random delay, so that several servers do not call a forge at the same moment. */
const jitterShare = 0.1;
const hourMs = 3_600_000;
const lateMs = 60_000;

export function startSourceSchedule(parts: ScheduleParts): SourceSchedule {
  const { config, folder, now, log } = parts;
  const requested = new Set<string>();
  const faults = new Map<string, { readonly text: string; readonly at: number }>();
  const jitters = new Map(config.sources.map(({ id }) => [id, Math.random() * jitterShare]));
  const child = createRefreshChild(parts);
  let running: Promise<void> = Promise.resolve();
  let isClosing = false;

  const findKnown = () => folder.findForges()?.sources() ?? [];
  const nextAt = ({ id, everyHours }: SourceSettings, known: KnownSource | undefined): number => {
    const fault = faults.get(id);
    const retryAt = fault ? fault.at + retryMs : 0;
    if (known?.pausedUntil) return Math.max(retryAt, Date.parse(known.pausedUntil));
    if (!known?.completedAt) return retryAt;
    const every = everyHours * hourMs * (1 + (jitters.get(id) ?? 0));
    return Math.max(retryAt, Date.parse(known.completedAt) + every);
  };

  /** The source that has waited longest comes first: one that always fails must not block the others. */
  const findDue = (): SourceSettings | undefined => {
    const known = findKnown();
    const waiting = config.sources.map((source) => {
      const at = nextAt(
        source,
        known.find(({ id }) => id === source.id),
      );
      return { source, at: requested.has(source.id) ? Number.NEGATIVE_INFINITY : at };
    });
    const [first] = waiting.sort((a, b) => a.at - b.at);
    return first && first.at <= now().getTime() ? first.source : undefined;
  };

  /** @returns whether a source was refreshed, so that another may be due. */
  async function look(): Promise<boolean> {
    const due = findDue();
    if (!due || isClosing) return false;
    requested.delete(due.id);
    const fault = await child.refresh(due);
    if (fault === undefined) faults.delete(due.id);
    else if (!isClosing) {
      faults.set(due.id, { text: fault, at: now().getTime() });
      log.error({ source: due.id, fault }, "a forge could not be read; it is tried again");
    }
    return true;
  }

  let timer: Timer | undefined;
  const next = (milliseconds: number) => {
    if (isClosing || config.sources.length === 0) return;
    timer = setTimeout(() => {
      running = look()
        .catch((error) => {
          log.error({ err: error }, "the sources could not be looked at");
          return false;
        })
        .then((hasAsked) => next(hasAsked || requested.size > 0 ? lookAgainMs : lookEveryMs));
    }, milliseconds).unref();
  };
  next(0);
  return {
    list: () =>
      listStatuses(config.sources, findKnown(), { faults, nextAt, running: child.refreshing() }),
    request(id) {
      if (!config.sources.some((source) => source.id === id)) return false;
      requested.add(id);
      if (child.refreshing() === undefined) {
        clearTimeout(timer);
        next(0);
      }
      return true;
    },
    async close() {
      isClosing = true;
      clearTimeout(timer);
      child.end();
      await running;
    },
  };
}

function createRefreshChild({ config, self, log }: ScheduleParts) {
  let running: { readonly id: string; readonly child: ChildProgram } | undefined;
  return {
    refreshing: () => running?.id,
    end: () => running?.child.end(),
    /** @returns why it failed. */
    async refresh({ id, maxHours }: SourceSettings): Promise<string | undefined> {
      const counting = [...listReadingFlags(config), ...listCountingFlags(config)];
      const child = startChild(self, ["sources", "refresh", id, "--json", ...counting]);
      running = { id, child };
      // The child ends by itself before that, and reports it.
      const limit = setTimeout(child.end, maxHours * hourMs + lateMs);
      const { out, fault } = await child.ended;
      clearTimeout(limit);
      running = undefined;
      if (fault === undefined)
        log.info({ source: id, report: tryParseJson(out) ?? out }, "a forge was read");
      return fault;
    },
  };
}

function listStatuses(
  configured: readonly SourceSettings[],
  known: readonly KnownSource[],
  {
    faults,
    nextAt,
    running,
  }: {
    readonly faults: ReadonlyMap<string, { readonly text: string }>;
    readonly nextAt: (source: SourceSettings, known: KnownSource | undefined) => number;
    readonly running: string | undefined;
  },
): readonly SourceStatus[] {
  const ids = new Set([...configured, ...known].map(({ id }) => id));
  return [...ids].sort().map((id) => {
    const [settings, found] = [configured, known].map((list: readonly { id: string }[]) =>
      list.find((source) => source.id === id),
    ) as [SourceSettings | undefined, KnownSource | undefined];
    const { kind = "", url = "" } = settings ?? found ?? {};
    return {
      ...{ id, kind, url, isRunning: running === id },
      isConfigured: settings !== undefined,
      completedAt: found?.completedAt,
      pausedUntil: found?.pausedUntil,
      nextAt: settings && new Date(nextAt(settings, found)).toISOString(),
      people: found?.people ?? 0,
      repositories: found?.repositories ?? 0,
      hidden: found?.lastRun?.hidden ?? 0,
      suppressed: found?.lastRun?.suppressed ?? 0,
      remaining: found?.lastRun?.remaining,
      fault: faults.get(id)?.text ?? found?.lastRun?.fault,
    };
  });
}
