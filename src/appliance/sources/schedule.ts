/** Reads the sources at their intervals, after pushes, and when another node asks for it. Each reading is a run. */
import type { Config } from "../../config/config.ts";
import { startRepeating } from "../../contract/start-repeating.ts";
import {
  findRepositoryIn,
  findRepositoryName,
  type KnownSource,
  listSources,
} from "../../ingest/ingest.ts";
import type { Runs } from "../../interfaces/web/web.ts";
import type { Log } from "../../operations/log-call.ts";
import type { DataFolder } from "../data-folder.ts";
import { isShared } from "../folder/open-stores.ts";
import type { SourceBook, SourceEntry } from "./source-book.ts";
import { removeOldTokens } from "./token-files.ts";

export interface ScheduleParts {
  readonly config: Config;
  readonly book: SourceBook;
  readonly folder: Pick<DataFolder, "control" | "findForges">;
  readonly runs: Pick<Runs, "list" | "start" | "stop">;
  /** Whether this server can start runs. */
  readonly isServing: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

const lookEveryMs = 60_000;
/** The interval at which a node looks for requests of other nodes. */
const askEveryMs = 2000;
/** How long pushes are gathered. One push may cause several calls of a hook. */
const gatherMs = 500;
/** The pause after a fault. */
const retryMs = 10 * 60_000;
/** The largest random addition to the interval, as a share of the interval. Servers then do not all call a forge at once. */
const jitterShare = 0.1;
const hourMs = 3_600_000;
const lateMs = 60_000;

export function startSourceSchedule(parts: ScheduleParts) {
  const { config, book, folder, isServing, now, log } = parts;
  const times = createTimes();
  const readings = createReadings(parts, times);
  const pushes = createPushes(parts, readings);
  const look = async (stop: AbortSignal) => {
    const own = await book.listOwn();
    const stored = own.filter(({ isFromFile }) => !isFromFile);
    removeOldTokens(config.data, new Set(stored.map(({ id }) => id)), now());
    const known = listSources(folder.findForges());
    const due = own
      .filter(({ id }) => !readings.find(id))
      .map((source) => {
        const found = known.find(({ id }) => id === source.id);
        return { source, at: times.findNext(source, found) };
      })
      .filter(({ at }) => at <= now().getTime())
      .sort((a, b) => a.at - b.at);
    for (const { source } of stop.aborted ? [] : due) await readings.start(source, "schedule");
  };
  const work = async (stop: AbortSignal) => {
    await look(stop).catch((err) => log.error({ err }, "the sources could not be checked"));
    return lookEveryMs;
  };
  const looking = isServing ? startRepeating(work, 0) : undefined;
  return {
    ...{ find: readings.find, stop: readings.stop, forget: readings.forget },
    ...{ findNext: times.findNext, push: pushes.push },
    /** Reads a source soon, here or on the node that reads it. @param by the id of an account. */
    async request(source: SourceEntry, by: string): Promise<void> {
      if (source.reader === undefined) await readings.start(source, by);
      else await folder.control.sources.ask(source.id, undefined, now());
    },
    /** Looks at the sources again, after a change. */
    lookAgain: () => looking?.hurry(),
    close() {
      void looking?.close();
      pushes.close();
    },
  };
}

/** Gathers what pushes and other nodes ask for. */
function createPushes(
  { config, book, folder, isServing, now, log }: ScheduleParts,
  readings: ReturnType<typeof createReadings>,
) {
  const { control, findForges } = folder;
  const gathered = new Map<string, Set<string>>();
  let isClosing = false;
  let isAway = false;
  /** @returns whether the source has the repository. Nothing else can be read. */
  const gather = (source: SourceEntry, repository: string | undefined): boolean => {
    const { id } = source;
    const name = findPushed(source, repository, findForges());
    if (name === undefined) return false;
    const isFirst = !gathered.has(id);
    gathered.getOrInsertComputed(id, () => new Set()).add(name);
    const start = () => {
      const names = [...(gathered.get(id) ?? [])];
      gathered.delete(id);
      const some = names.includes(whole) ? {} : { repositories: names };
      if (!isClosing) void readings.start(source, "hook", some);
    };
    if (isFirst) setTimeout(start, gatherMs).unref();
    return true;
  };
  const takeAsks = async () => {
    try {
      const own = await book.listOwn();
      const asks = await control.sources.takeAsks(own.map(({ id }) => id));
      isAway = false;
      for (const { id, repository } of asks) {
        const source = own.find((one) => one.id === id);
        if (source) gather(source, repository);
      }
    } catch (error) {
      if (!isAway) log.error({ err: error }, "what other nodes ask of sources cannot be read");
      isAway = true;
    }
  };
  const isAsked = isServing && isShared(config);
  const asking = isAsked ? setInterval(takeAsks, askEveryMs).unref() : undefined;
  return {
    /** Reads a repository after a push, or the whole source without a repository. */
    async push(id: string, repository: string | undefined) {
      const source = (await book.list()).find((one) => one.id === id);
      if (!source) return "unknown repository";
      if (source.reader !== undefined) await control.sources.ask(id, repository, now());
      else if (!gather(source, repository)) return "unknown repository";
      return "accepted";
    },
    close() {
      isClosing = true;
      clearInterval(asking);
    },
  };
}

const whole = "";

/** @returns the name of the repository, or `whole` for the whole source. Undefined for a repository that it does not have. */
function findPushed(
  { id, settings }: SourceEntry,
  repository: string | undefined,
  forges: ReturnType<DataFolder["findForges"]>,
): string | undefined {
  if (repository === undefined || settings.kind === "git") return whole;
  if (settings.kind === "folder") return findRepositoryIn(settings.path, repository);
  // Without mirrors, a push brings nothing that a forge's lists have.
  return settings.mirror && forges && findRepositoryName(forges, id, repository);
}

type Times = ReturnType<typeof createTimes>;

function createTimes() {
  const jitters = new Map<string, number>();
  /** When the schedule may read sources again, in milliseconds since 1970. */
  const heldUntil = new Map<string, number>();
  return {
    heldUntil,
    /** Computes the time of a source's next reading, in milliseconds since 1970. */
    findNext({ id, settings, stored }: SourceEntry, found: KnownSource | undefined): number {
      const earliest = heldUntil.get(id) ?? 0;
      if (found?.pausedUntil) return Math.max(earliest, Date.parse(found.pausedUntil));
      const isGit = settings.kind === "git" || settings.kind === "folder";
      const completedAt = isGit ? stored?.state?.completedAt : found?.completedAt;
      if (completedAt === undefined) return earliest;
      const jitter = jitters.getOrInsertComputed(id, () => Math.random() * jitterShare);
      const every = settings.everyHours * hourMs * (1 + jitter);
      return Math.max(earliest, Date.parse(completedAt) + every);
    },
  };
}

type Started = Extract<Awaited<ReturnType<Runs["start"]>>, { readonly ok: true }>;

/** Starts the runs that read sources, and notes how they end. */
function createReadings({ folder, runs, now, log }: ScheduleParts, { heldUntil }: Times) {
  /** The last run of each source that is under way. */
  const open = new Map<string, Started>();
  const keep = (id: string, started: Started) => {
    open.set(id, started);
    void started.ended.then(() => {
      if (open.get(id)?.run.id === started.run.id) open.delete(id);
    });
  };
  return {
    /** Finds the run of a source that waits or is under way. */
    find: (id: string) => open.get(id),
    /** Stops the run of a source, and waits for its end. */
    async stop(id: string, by: string): Promise<void> {
      const found = open.get(id);
      if (found && (await runs.stop(found.run.id, by))) await found.ended;
    },
    /** Removes a source with its data. It is not read meanwhile. @returns false if this cannot be started. */
    async forget(id: string, by: string): Promise<boolean> {
      const started = await runs.start({ kind: "forgetSource", source: id }, by);
      if (started.ok) keep(id, started);
      return started.ok;
    },
    async start(
      { id, settings }: SourceEntry,
      by: string,
      some: { readonly repositories?: readonly string[] } = {},
    ): Promise<void> {
      const isForge = settings.kind !== "git" && settings.kind !== "folder";
      const beside = isForge &&
        !some.repositories && { isBeside: true, longestMs: settings.maxHours * hourMs + lateMs };
      const order = { kind: "refresh", source: id, ...some, ...beside } as const;
      const started = await runs.start(order, by);
      if (!started.ok) {
        heldUntil.set(id, now().getTime() + retryMs);
        log.error({ source: id, reason: started.message }, "a source cannot be read now");
        return;
      }
      keep(id, started);
      void started.ended.then(async ({ state, outcome }) => {
        // A person who stops a reading does not want it again at once.
        const waitMs = state === "stopped" ? settings.everyHours * hourMs : retryMs;
        if (state === "done") heldUntil.delete(id);
        else heldUntil.set(id, now().getTime() + waitMs);
        if (state !== "failed") return;
        log.error({ source: id, fault: outcome }, "a source could not be read; it is tried again");
        if (!some.repositories) await noteFault(id, outcome);
      });
    },
  };

  /** A command that was killed has not noted its fault. */
  async function noteFault(id: string, fault: string | undefined): Promise<void> {
    const { sources } = folder.control;
    const state = (await sources.list()).find((one) => one.id === id)?.state;
    if (state?.fault === undefined && fault !== undefined)
      await sources.noteState(id, { ...state, fault });
  }
}
