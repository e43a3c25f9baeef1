/** Reads what an operator sees at a glance: on the overview page, and by `roster status`. */
import { listStale } from "../../contract/people/history-end.ts";
import type { Overview, Runs } from "../../interfaces/web/web.ts";
import type { createPendingLookup } from "../pending-work.ts";
import { type ConcernParts, listConcerns } from "./concerns.ts";
import { readServerState } from "./server-state.ts";

export interface OverviewParts
  extends Pick<ConcernParts, "folder" | "config" | "readiness" | "listSources" | "backupFault"> {
  readonly now: Date;
  readonly runs: Pick<Runs, "list" | "listEnded">;
  /** Finds possible duplicates. It is asked only if there are repositories. */
  readonly findSuggestions: () => ConcernParts["suggestions"];
  readonly findPending: ReturnType<typeof createPendingLookup>;
}

export async function readOverview(parts: OverviewParts): Promise<Overview> {
  const { folder, config, readiness, runs, now } = parts;
  const today = now.toISOString().slice(0, 10);
  const { pool } = folder.modules;
  const [state, calls, sources, repositories] = await Promise.all([
    readServerState(folder, readiness),
    folder.control.dailyCalls(today),
    pool.sources(),
    pool.authorship.repositories(),
  ]);
  const { poolPeople, index, files, disk, backupAgeSeconds } = state;
  const revision = state.poolRevision ?? (await pool.revision());
  const stale = listStale(repositories, today);
  const [recount, rescore] = await parts.findPending(revision);
  const concerns = await listConcerns({
    ...{ ...parts, state, revision, stale },
    pending: { recount, rescore },
    ...{ runs: runs.list(), endedRuns: await runs.listEnded() },
    suggestions: repositories.length > 0 ? parts.findSuggestions() : { state: "none" },
  });
  return {
    ...{ concerns, people: poolPeople, revision, files, disk, backupAgeSeconds, index },
    database: describeDatabase(config.database.url),
    sources: sources.map(({ source, developers, lastImportAt }) => ({
      ...{ source, people: developers, lastImportAt },
    })),
    stale,
    callsToday: calls.filter(({ day }) => day === today).reduce((sum, one) => sum + one.calls, 0),
  };
}

/** Describes a database by its name and host. The user and the password are left out. */
function describeDatabase(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1))} at ${host || "localhost"}`;
}
