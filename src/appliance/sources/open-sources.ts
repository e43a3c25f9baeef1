/** Connects the page of sources, the schedule and the push hooks to the sources. */
import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import type { AuditAction } from "../../control/account-records.ts";
import { type KnownSource, listSources } from "../../ingest/ingest.ts";
import type { RunStatus, SourceStatus, Sources } from "../../interfaces/web/web.ts";
import type { ServerDependencies } from "../data-folder.ts";
import { type ScheduleParts, startSourceSchedule } from "./schedule.ts";
import { getSourceAddress, openSourceBook, type SourceEntry } from "./source-book.ts";
import { findAt, type StoreParts, writeSource } from "./store-source.ts";
import { removeToken } from "./token-files.ts";

type SourceParts = Omit<ScheduleParts & StoreParts, "book"> & Pick<ServerDependencies, "live">;

export type OpenSources = ReturnType<typeof openSources>;

export function openSources(given: SourceParts) {
  const { config, live, folder, runs, now, isServing } = given;
  const { control } = folder;
  const book = openSourceBook(config, control, () => live().sources);
  const parts = { ...given, book };
  const schedule = startSourceSchedule(parts);
  const find = async (id: string) => (await book.list()).find(isCalled(id));
  const createEntry = (action: AuditAction, subject: string, by: string) =>
    ({ at: now(), actor: by, action, subject, detail: {} }) as const;
  return {
    list: () =>
      listSourceStates({ folder, book }, (id, source, found) => ({
        run: runs.list().find(isCalled(schedule.find(id)?.run.id)),
        nextAt: source ? schedule.findNext(source, found) : 0,
      })),
    canChange: isServing,
    roots: config.ingest.roots ?? [],
    find: async (draft, id?: string) =>
      findAt(parts, draft, id === undefined ? undefined : await find(id)),
    async save(draft, by) {
      const saved = await writeSource(parts, draft, by);
      const source = saved.ok ? await find(saved.id) : undefined;
      if (source) await schedule.request(source, by);
      schedule.lookAgain();
      return saved;
    },
    async remove(id, by, { withData }) {
      const source = await find(id);
      const isLeft = listSources(folder.findForges()).some(isCalled(id));
      if (source ? source.isFromFile : !(withData && isLeft)) return false;
      await schedule.stop(id, by);
      if (withData && source?.reader === undefined) {
        return await schedule.forget(id, by);
      }
      await control.sources.remove(id, createEntry("source.removed", id, by));
      removeToken(config.data, id);
      schedule.lookAgain();
      return true;
    },
    async request(id, by) {
      const source = await find(id);
      if (!source || !isServing) return false;
      await control.record(createEntry("source.asked", id, by));
      await schedule.request(source, by);
      return true;
    },
    /** @returns the secret of the hook. */
    async turnHookOn(id: string, by: string): Promise<string | undefined> {
      if (!(await find(id))) return undefined;
      const salt = crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url" });
      await control.sources.setHook(id, salt, createEntry("source.hook_on", id, by));
      return deriveHookSecret(await control.signIn.secret(), id, salt);
    },
    turnHookOff: (id, by) =>
      control.sources.setHook(id, undefined, createEntry("source.hook_off", id, by)),
    /** @returns the secret of a source's push hook. Undefined means that the hook is off. */
    async findSecret(id: string): Promise<string | undefined> {
      const salt = (await find(id))?.stored?.hookSalt;
      return salt ? deriveHookSecret(await control.signIn.secret(), id, salt) : undefined;
    },
    push: schedule.push,
    lookAgain: schedule.lookAgain,
    close: schedule.close,
  } satisfies Omit<Sources, "turnHookOn"> & Record<string, unknown>;
}

/** Lists the sources, and the forges that were sources. @param findSchedule looks a source up in the schedule of this server. */
export async function listSourceStates(
  {
    folder,
    book,
  }: { readonly folder: SourceParts["folder"]; readonly book: ReturnType<typeof openSourceBook> },
  findSchedule: (
    id: string,
    source: SourceEntry | undefined,
    found: KnownSource | undefined,
  ) => Pick<StatusParts, "run" | "nextAt">,
): Promise<readonly SourceStatus[]> {
  const known = listSources(folder.findForges());
  const sources = await book.list();
  const ids = new Set([...sources, ...known].map(({ id }) => id));
  return [...ids].sort().map((id) => {
    const [source, found] = [sources.find(isCalled(id)), known.find(isCalled(id))];
    return describeSource(id, { source, found, ...findSchedule(id, source, found) });
  });
}

const isCalled =
  (id: string | undefined) =>
  (one: { readonly id: string }): boolean =>
    one.id === id;

/** Derives the secret, so that no database contains it, and each node knows it. */
const deriveHookSecret = (secret: string, id: string, salt: string): string =>
  createHmac("sha256", secret).update(`hook ${id} ${salt}`).digest("base64url");

interface StatusParts {
  /** Undefined for a forge that is no source any more. */
  readonly source: SourceEntry | undefined;
  /** What this data folder has of a forge. */
  readonly found: KnownSource | undefined;
  readonly run: RunStatus | undefined;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
}

function describeSource(id: string, { source, found, run, nextAt }: StatusParts): SourceStatus {
  const { settings, stored, isFromFile = false, reader } = source ?? {};
  const { state } = stored ?? {};
  const { lastRun } = found ?? {};
  const own = reader === undefined ? settings : undefined;
  return {
    ...{ id, isFromFile, isKnown: source !== undefined, reader },
    kind: settings?.kind ?? found?.kind ?? "git",
    address: settings ? getSourceAddress(settings) : (found?.url ?? ""),
    select: settings && "select" in settings ? settings.select : [],
    everyHours: settings?.everyHours ?? 0,
    lacksToken: own?.tokenFile !== undefined && !existsSync(own.tokenFile),
    hasHook: Boolean(stored?.hookSalt),
    ...{ isRunning: run !== undefined, progress: run?.progress },
    nextAt: own && new Date(nextAt).toISOString(),
    completedAt: found?.completedAt ?? state?.completedAt,
    pausedUntil: found?.pausedUntil,
    people: found?.people ?? state?.people ?? 0,
    repositories: found?.repositories ?? state?.repositories ?? 0,
    ...{ hidden: lastRun?.hidden ?? 0, suppressed: lastRun?.suppressed ?? 0 },
    remaining: lastRun?.remaining,
    fault: (own && findTokenFault(own)) ?? state?.fault ?? lastRun?.fault,
  };
}

/** @returns why the token cannot be read. */
function findTokenFault({ readToken }: SourceEntry["settings"]): string | undefined {
  try {
    readToken();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
