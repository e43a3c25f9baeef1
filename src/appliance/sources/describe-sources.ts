/** Describes sources for the pages. */
import { existsSync } from "node:fs";
import type { KnownSource } from "../../ingest/ingest.ts";
import type { RunStatus, SourceStatus } from "../../interfaces/web/web.ts";
import { getSourceAddress, type SourceEntry } from "./source-book.ts";

/** @param known the forges of which this data folder has data. @param nextAt milliseconds since 1970. */
export function describeSource(
  { id, settings, stored, isFromFile, reader }: SourceEntry,
  known: readonly KnownSource[],
  { run, nextAt }: { readonly run: RunStatus | undefined; readonly nextAt: number },
): SourceStatus {
  const found = known.find((one) => one.id === id);
  const { kind, everyHours, tokenFile } = settings;
  const { completedAt, people = 0, repositories = 0, fault } = stored?.state ?? {};
  const isOwn = reader === undefined;
  const tokenFault = isOwn ? findTokenFault(settings) : undefined;
  return {
    ...{ id, kind, everyHours, isFromFile, isKnown: true, reader },
    address: getSourceAddress(settings),
    select: "select" in settings ? settings.select : [],
    lacksToken: isOwn && tokenFile !== undefined && !existsSync(tokenFile),
    hasHook: stored?.hookSalt !== undefined,
    ...{ isRunning: run !== undefined, progress: run?.progress },
    ...{ nextAt: isOwn ? new Date(nextAt).toISOString() : undefined, completedAt },
    ...{ people, repositories, ...describeKnown(found) },
    fault: tokenFault ?? fault ?? found?.lastRun?.fault,
  };
}

/** Describes a forge that is no source any more. */
export function describeLeft(found: KnownSource): SourceStatus {
  return {
    ...{ id: found.id, kind: found.kind, address: found.url, select: [], everyHours: 0 },
    ...{ isFromFile: false, isKnown: false, reader: undefined, lacksToken: false, hasHook: false },
    ...{ isRunning: false, progress: undefined, nextAt: undefined },
    ...{ fault: found.lastRun?.fault, ...describeKnown(found), completedAt: found.completedAt },
    ...{ people: found.people, repositories: found.repositories },
  };
}

function describeKnown(found: KnownSource | undefined) {
  const { hidden = 0, suppressed = 0, remaining } = found?.lastRun ?? {};
  const run = { pausedUntil: found?.pausedUntil, hidden, suppressed, remaining };
  const { completedAt, people = 0, repositories = 0 } = found ?? {};
  return { ...run, ...(found && { people, repositories, ...(completedAt && { completedAt }) }) };
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
