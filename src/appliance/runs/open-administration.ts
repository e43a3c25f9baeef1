/** Connects the pages of administrators to the modules. */
import { join } from "node:path";
import type { ServerBackups } from "../../backup/backup.ts";
import type { Config } from "../../config/config.ts";
import { listStale } from "../../contract/people/history-end.ts";
import { type KnownIdentity, listLocations } from "../../ingest/ingest.ts";
import type {
  Administration,
  ErasurePreviewLines,
  IdentityPair,
  Overview,
  RescorePreview,
  Runs,
  Sources,
  Study,
} from "../../interfaces/web/web.ts";
import { type DataFolder, type Dependencies, inMemory } from "../data-folder.ts";
import { listConcerns } from "../monitoring/concerns.ts";
import { readServerState } from "../monitoring/server-state.ts";
import { createBackupActs } from "../open-backups.ts";
import { createPendingLookup } from "../pending-work.ts";
import type { Readiness } from "../readiness.ts";
import { listCountingFlags, listFolderFlags, listJudgingFlags } from "./child-program.ts";
import { createDecisionBook } from "./decision-book.ts";
import { createRuns } from "./runs.ts";
import { createStudy, type OpenStudy } from "./study.ts";

const movesShown = 200;

export interface AdministrationParts {
  readonly folder: DataFolder;
  readonly config: Config;
  readonly dependencies: Dependencies;
  readonly readiness: Readiness;
  readonly sources: Pick<Sources, "list">;
  readonly backups: ServerBackups | undefined;
}

export function openAdministration(parts: AdministrationParts) {
  const { folder, config, dependencies, backups } = parts;
  const { modules, control } = folder;
  const { now, newId, log } = dependencies;
  const self = config.data === inMemory ? undefined : dependencies.self;
  const runs = createRuns({ config, folder, control, pool: modules.pool, self, now, newId, log });
  // A result is also outdated when a run ends, because the run may change the result without changing the index.
  const listEnded = () => runs.list().flatMap(({ endedAt, id }) => (endedAt ? [id] : []));
  const mark = () => `${modules.search.generation?.revision} ${listEnded()}`;
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
    createStudy<KnownIdentity | undefined>({
      ...study,
      given: ["identity", "list", "--json", ...listCountingFlags(config), "--", login],
      read: (json) => findCalled(json as readonly KnownIdentity[], login),
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
  const repositories = () => listLocations(folder.findLedger());
  const findPending = createPendingLookup(folder, now);
  const model = { version: folder.modelVersion, file: config.analysis.modelFile };
  return {
    administration: {
      overview: () => readOverview(parts, { runs, suggestions, findPending }),
      backups: backups && createBackupActs(backups, config, { control, now }),
      settings: config.described,
      settingsFile: config.settingsFile ?? join(config.data, "roster.toml"),
      ...{ runs, suggestions, rescorePreview, model },
      ...{ erasures, identityOf: identities.of, decisions: createDecisionBook(modules) },
      repositories,
    } satisfies Administration,
    /** Ends all runs and studies. */
    close: async () => {
      const open = [runs, suggestions, rescorePreview, erasures, identities];
      await Promise.all(open.map((one) => one.close()));
    },
  };
}

/** Chooses the person with this login. Other people were found by name or address. */
function findCalled(found: readonly KnownIdentity[], login: string): KnownIdentity | undefined {
  const isIt = (other: string) => other.toLowerCase() === login.toLowerCase();
  return found.find((one) => isIt(one.login) || one.formerLogins.some(isIt));
}

function createIdentityStudies(create: (login: string) => OpenStudy<KnownIdentity | undefined>) {
  const latest = createLatest<{ readonly study: OpenStudy<KnownIdentity | undefined> }>();
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
  const { find, add, close } = createLatest<{
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

/** Stores only the latest results, because results name people. */
function createLatest<Entry extends { readonly study: { close(): Promise<void> } }>() {
  const entries = new Map<string, Entry>();
  return {
    find: (key: string) => entries.get(key),
    add(key: string, one: Entry): Entry {
      entries.set(key, one);
      const [oldest] = entries.keys();
      if (entries.size > studiesMax && oldest !== undefined) {
        void entries.get(oldest)?.study.close();
        entries.delete(oldest);
      }
      return one;
    },
    close: async () => {
      await Promise.all([...entries.values()].map(({ study }) => study.close()));
    },
  };
}

interface OverviewParts {
  readonly runs: Runs;
  readonly suggestions: Study<readonly IdentityPair[]>;
  readonly findPending: ReturnType<typeof createPendingLookup>;
}

async function readOverview(
  { folder, config, dependencies, readiness, sources: forges, backups }: AdministrationParts,
  { runs, suggestions, findPending }: OverviewParts,
): Promise<Overview> {
  const now = dependencies.now();
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
  const [recount, rescore] = await findPending(revision);
  if (repositories.length > 0) askIfStale(suggestions, runs);
  const concerns = await listConcerns({
    ...{ folder, config, readiness, state, revision, stale, now },
    pending: { recount, rescore },
    ...{ runs: runs.list(), endedRuns: await runs.listEnded(), suggestions: suggestions.read() },
    listSources: forges.list,
    backupFault: backups?.fault(),
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

/** Computes an outdated result again, unless a decision is being made. */
function askIfStale(study: Study<unknown>, { canStart, list }: Runs): void {
  const { state, isStale } = { isStale: false, ...study.read() };
  const isDeciding = list().some(({ endedAt, pair }) => endedAt === undefined && pair);
  if (canStart && (state === "none" || (isStale && !isDeciding))) study.ask();
}

/** Describes a database by its name and host. The user and the password are left out. */
function describeDatabase(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(pathname.slice(1))} at ${host || "localhost"}`;
}
