/** Refreshes the configured forges at their intervals. Each refresh runs in a child process, so calls are answered meanwhile. */
import type { Config, SourceSettings } from "../config/config.ts";
import { tryParseJson } from "../contract/foreign-json.ts";
import { chooseJobs, type KnownSource, listSources } from "../ingest/ingest.ts";
import type { SourceStatus } from "../interfaces/web/web.ts";
import type { Log } from "../operations/log-call.ts";
import type { ProgressNote } from "../pool/pool.ts";
import type { DataFolder } from "./data-folder.ts";
import {
  type ChildProgram,
  listCountingFlags,
  listReadingFlags,
  startChild,
} from "./runs/child-program.ts";

interface ScheduleParts {
  readonly config: Config;
  readonly folder: Pick<DataFolder, "control" | "findForges">;
  /** The command that runs this program. */
  readonly self: readonly string[];
  readonly now: () => Date;
  readonly log: Log;
}

export type SourceSchedule = ReturnType<typeof startSourceSchedule>;

const lookEveryMs = 60_000;
const lookAgainMs = 1000;
/** The pause after a fault, such as an import that is already running. */
const retryMs = 10 * 60_000;
/** The largest random addition to the interval, as a share of the interval. Servers then do not all call a forge at once. */
const jitterShare = 0.1;
const hourMs = 3_600_000;
const lateMs = 60_000;

export function startSourceSchedule(parts: ScheduleParts) {
  const { config, folder, now, log } = parts;
  const requested = new Set<string>();
  const faults: Faults = new Map();
  const nextAt = createTimes(config, faults);
  const [children, running] = [createRefreshChildren(parts), new Set<Promise<void>>()];
  const atOnce = chooseJobs();
  let isClosing = false;

  const findKnown = () => listSources(folder.findForges());
  /** Lists the sources that are due. The source that has waited longest comes first. */
  const listPending = (): readonly SourceSettings[] => {
    const known = findKnown();
    const waiting = config.sources.flatMap((source) => {
      if (children.find(source.id)) return [];
      const at = nextAt(
        source,
        known.find(({ id }) => id === source.id),
      );
      return { source, at: requested.has(source.id) ? Number.NEGATIVE_INFINITY : at };
    });
    const nowMs = now().getTime();
    return waiting
      .filter(({ at }) => at <= nowMs)
      .sort((a, b) => a.at - b.at)
      .map(({ source }) => source);
  };

  async function refresh(source: SourceSettings): Promise<void> {
    requested.delete(source.id);
    const fault = await children.refresh(source);
    if (fault === undefined) faults.delete(source.id);
    else if (!isClosing) {
      faults.set(source.id, { text: fault, at: now().getTime() });
      log.error({ source: source.id, fault }, "a forge could not be read; it is tried again");
    }
  }

  let timer: Timer | undefined;
  const lookIn = (milliseconds: number) => {
    clearTimeout(timer);
    if (isClosing || config.sources.length === 0) return;
    timer = setTimeout(look, milliseconds).unref();
  };
  function look(): void {
    try {
      for (const source of listPending().slice(0, Math.max(0, atOnce - running.size))) {
        const work = refresh(source)
          .catch((error) => log.error({ err: error }, "a source could not be refreshed"))
          .finally(() => {
            running.delete(work);
            // Another source may be waiting for the end of this refresh.
            lookIn(lookAgainMs);
          });
        running.add(work);
      }
    } catch (error) {
      log.error({ err: error }, "the sources could not be checked");
    }
    lookIn(lookEveryMs);
  }
  lookIn(0);
  return {
    /** Lists the configured sources, and the other sources in forges.db. */
    list: async () =>
      listStatuses(config.sources, findKnown(), { faults, nextAt, find: children.find }),
    /** Refreshes a source soon. @returns false if the source is not configured. */
    async request(id: string, by: string) {
      if (!config.sources.some((source) => source.id === id)) return false;
      await folder.control.record(createAskedEntry(id, by, now()));
      requested.add(id);
      lookIn(0);
      return true;
    },
    /** Ends the running refreshes. The next start continues them. */
    async close() {
      isClosing = true;
      clearTimeout(timer);
      children.end();
      await Promise.all(running);
    },
  };
}

const createAskedEntry = (id: string, by: string, at: Date) =>
  ({ at, actor: by, action: "source.asked", subject: id, detail: {} }) as const;

type Faults = Map<string, { readonly text: string; readonly at: number }>;
type NextAt = (source: SourceSettings, known: KnownSource | undefined) => number;

/** @returns a function that computes the time of a source's next refresh, in milliseconds since 1970. */
function createTimes({ sources }: Config, faults: Faults): NextAt {
  const jitters = new Map(sources.map(({ id }) => [id, Math.random() * jitterShare]));
  return ({ id, everyHours }, known) => {
    const fault = faults.get(id);
    const retryAt = fault ? fault.at + retryMs : 0;
    if (known?.pausedUntil) return Math.max(retryAt, Date.parse(known.pausedUntil));
    if (!known?.completedAt) return retryAt;
    const every = everyHours * hourMs * (1 + (jitters.get(id) ?? 0));
    return Math.max(retryAt, Date.parse(known.completedAt) + every);
  };
}

interface RefreshChild {
  readonly child: ChildProgram;
  progress: ProgressNote | undefined;
}

function createRefreshChildren({ config, self, log }: ScheduleParts) {
  const running = new Map<string, RefreshChild>();
  return {
    find: (id: string) => running.get(id),
    end() {
      for (const { child } of running.values()) child.end();
    },
    /** @returns why the refresh failed. Undefined means that it succeeded. */
    async refresh({ id, maxHours }: SourceSettings): Promise<string | undefined> {
      const counting = [...listReadingFlags(config), ...listCountingFlags(config)];
      const given = ["sources", "refresh", id, "--json", ...counting];
      const child = startChild(self, given, (progress) => {
        own.progress = progress;
      });
      const own: RefreshChild = { child, progress: undefined };
      running.set(id, own);
      // The child normally ends before this limit, with its own message.
      const limit = setTimeout(child.end, maxHours * hourMs + lateMs);
      const { out, fault } = await child.ended;
      clearTimeout(limit);
      running.delete(id);
      if (fault === undefined)
        log.info({ source: id, report: tryParseJson(out) ?? out }, "a forge was read");
      return fault;
    },
  };
}

/** Chooses the fault in the ledger if the printed fault only adds advice to it. */
function chooseFault(printed: string | undefined, noted: string | undefined): string | undefined {
  return noted !== undefined && printed?.startsWith(noted) ? noted : (printed ?? noted);
}

function listStatuses(
  configured: readonly SourceSettings[],
  known: readonly KnownSource[],
  {
    faults,
    nextAt,
    find,
  }: {
    readonly faults: Faults;
    readonly nextAt: NextAt;
    readonly find: (id: string) => RefreshChild | undefined;
  },
): readonly SourceStatus[] {
  const ids = new Set([...configured, ...known].map(({ id }) => id));
  return [...ids].sort().map((id) => {
    const [settings, found] = [configured, known].map((list: readonly { id: string }[]) =>
      list.find((source) => source.id === id),
    ) as [SourceSettings | undefined, KnownSource | undefined];
    const isKnown = settings !== undefined;
    return {
      ...{ id, isKnown, isFromFile: isKnown, isRunning: find(id) !== undefined },
      kind: settings?.kind ?? found?.kind ?? "git",
      address: settings?.url ?? found?.url ?? "",
      select: settings?.select ?? [],
      everyHours: settings?.everyHours ?? 0,
      ...{ reader: undefined, lacksToken: false, hasHook: false, progress: find(id)?.progress },
      completedAt: found?.completedAt,
      pausedUntil: found?.pausedUntil,
      nextAt: settings && new Date(nextAt(settings, found)).toISOString(),
      people: found?.people ?? 0,
      repositories: found?.repositories ?? 0,
      hidden: found?.lastRun?.hidden ?? 0,
      suppressed: found?.lastRun?.suppressed ?? 0,
      remaining: found?.lastRun?.remaining,
      fault: chooseFault(faults.get(id)?.text, found?.lastRun?.fault),
    };
  });
}
