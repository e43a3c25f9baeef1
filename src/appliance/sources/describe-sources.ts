/** Describes sources for the pages. */
import { existsSync } from "node:fs";
import type { KnownSource } from "../../ingest/ingest.ts";
import type { RunStatus, SourceStatus } from "../../interfaces/web/web.ts";
import { getSourceAddress, type SourceEntry } from "./source-book.ts";

interface SourceParts {
  /** Undefined for a forge that is no source any more. */
  readonly source: SourceEntry | undefined;
  /** What this data folder has of a forge. */
  readonly found: KnownSource | undefined;
  readonly run: RunStatus | undefined;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
}

export function describeSource(id: string, parts: SourceParts): SourceStatus {
  const { source, found, run, nextAt } = parts;
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
    hasHook: stored?.hookSalt !== undefined,
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
