/** Connects the pages of administrators to the modules. */
import type { Config } from "../../config/config.ts";
import { listStale } from "../../contract/people/history-end.ts";
import type {
  Administration,
  ErasurePreviewLines,
  IdentityPair,
  JoinedIdentity,
  RescorePreview,
  SettingLine,
} from "../../interfaces/web/web.ts";
import { type DataFolder, type Dependencies, inMemory } from "../data-folder.ts";
import { findDueRescore } from "../due-notices.ts";
import { readServerState } from "../monitoring/server-state.ts";
import type { Readiness } from "../readiness.ts";
import { listCountingFlags, listFolderFlags, listJudgingFlags } from "./child-program.ts";
import { createRuns } from "./runs.ts";
import { createStudy, type OpenStudy } from "./study.ts";

export interface OpenedAdministration {
  readonly administration: Administration;
  /** Ends the work under way. */
  close(): Promise<void>;
}

const movesShown = 200;

export function openAdministration(
  folder: DataFolder,
  config: Config,
  dependencies: Dependencies,
  readiness: Readiness,
): OpenedAdministration {
  const { modules, control } = folder;
  const { now, newId, log } = dependencies;
  const canStart = config.data !== inMemory && !folder.isReadOnly;
  const self = canStart ? dependencies.self : undefined;
  const runs = createRuns({ config, folder, control, pool: modules.pool, self, now, newId, log });
  const mark = () => modules.search.generation?.revision;
  const study = { self, mark, now };
  const suggestions = createStudy<readonly IdentityPair[]>({
    ...study,
    given: ["identity", "suggestions", "--json", ...listCountingFlags(config)],
    read: (json) => json as readonly IdentityPair[],
  });
  const rescorePreview = createStudy<RescorePreview>({
    ...study,
    given: [
      "rescore",
      "--diff",
      "--json",
      "--limit",
      String(movesShown),
      ...listJudgingFlags(config),
    ],
    read: (json) => json as RescorePreview,
  });
  const identities = createIdentityStudies((login) =>
    createStudy<JoinedIdentity | undefined>({
      ...study,
      mark: () => `${mark()} ${runs.list().find(({ endedAt, pair }) => endedAt && pair)?.id}`,
      given: ["identity", "list", "--json", ...listCountingFlags(config), "--", login],
      read: (json) => findCalled(json as readonly CalledIdentity[], login),
      readNothing: () => undefined,
    }),
  );
  const erasures = createErasureStudies(newId, (person) =>
    createStudy<ErasurePreviewLines>({
      ...study,
      given: ["forget", "--dry-run", "--json", ...listFolderFlags(config), "--", person],
      read: (json) => json as ErasurePreviewLines,
    }),
  );
  const model = { version: folder.modelVersion, file: config.analysis.modelFile };
  return {
    administration: {
      overview: () => readOverview(folder, config, readiness, now),
      settings: () => listSettingLines(config),
      ...{ runs, suggestions, rescorePreview, model },
      ...{ erasures, identityOf: identities.of },
      repositories: () => folder.findLedger()?.places() ?? [],
    },
    close: async () => {
      const open = [runs, suggestions, rescorePreview, erasures, identities];
      await Promise.all(open.map((one) => one.close()));
    },
  };
}

interface CalledIdentity extends JoinedIdentity {
  readonly login: string;
  readonly formerLogins: readonly string[];
}

/** Matches the login only: it may also be the name or the address of another person. */
function findCalled(found: readonly CalledIdentity[], login: string): JoinedIdentity | undefined {
  const isIt = (other: string) => other.toLowerCase() === login.toLowerCase();
  return found.find((one) => isIt(one.login) || one.formerLogins.some(isIt));
}

function createIdentityStudies(create: (login: string) => OpenStudy<JoinedIdentity | undefined>) {
  const latest = keepLatest<{ readonly study: OpenStudy<JoinedIdentity | undefined> }>();
  return {
    of: (login: string) =>
      (latest.find(login) ?? latest.add(login, { study: create(login) })).study,
    close: latest.close,
  };
}

function createErasureStudies(
  newId: () => string,
  create: (person: string) => OpenStudy<ErasurePreviewLines>,
) {
  const { find, add, close } = keepLatest<{
    readonly person: string;
    readonly study: OpenStudy<ErasurePreviewLines>;
  }>();
  return {
    look(person: string) {
      const number = newId();
      add(number, { person, study: create(person) }).study.ask();
      return number;
    },
    ...{ find, close },
  };
}

const studiesMax = 10;

/** Results name people, so only the latest are kept. */
function keepLatest<Kept extends { readonly study: { close(): Promise<void> } }>() {
  const kept = new Map<string, Kept>();
  return {
    find: (key: string) => kept.get(key),
    add(key: string, one: Kept): Kept {
      kept.set(key, one);
      const [oldest] = kept.keys();
      if (kept.size > studiesMax && oldest !== undefined) {
        void kept.get(oldest)?.study.close();
        kept.delete(oldest);
      }
      return one;
    },
    close: async () => {
      await Promise.all([...kept.values()].map(({ study }) => study.close()));
    },
  };
}

async function readOverview(
  folder: DataFolder,
  config: Config,
  readiness: Readiness,
  now: () => Date,
): Promise<Awaited<ReturnType<Administration["overview"]>>> {
  const today = now().toISOString().slice(0, 10);
  const { pool } = folder.modules;
  const [state, faults, { warnings = [] }, calls, sources, rescoreDue, repositories] =
    await Promise.all([
      readServerState(folder, readiness),
      readiness.faults(),
      readiness.healthNotes(),
      folder.control.dailyCalls(today),
      pool.sources(),
      findDueRescore(folder),
      pool.authorship.repositories(),
    ]);
  const { poolPeople, index, files, disk, backupAgeSeconds } = state;
  const revision = state.poolRevision ?? (await pool.revision());
  return {
    warnings: rescoreDue === undefined ? warnings : [...warnings, rescoreDue],
    ...{ faults, people: poolPeople, revision, files, disk },
    ...{ backupAgeSeconds, hasBackupSchedule: config.backup.everyMs !== undefined, index },
    database: describeDatabase(config.database.url),
    sources: sources.map(({ source, developers, lastImportAt }) => ({
      ...{ source, people: developers, lastImportAt },
    })),
    stale: listStale(repositories, today),
    callsToday: calls.filter(({ day }) => day === today).reduce((sum, one) => sum + one.calls, 0),
  };
}

/** The address of a database, without user and password. */
function describeDatabase(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1))} at ${host || "localhost"}`;
}

function listSettingLines({ described }: Config): readonly SettingLine[] {
  return described.map(({ flag, environment, ...rest }) => ({ ...rest, flag, environment }));
}
