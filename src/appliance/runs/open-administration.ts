/** What administrators see and start on the pages, wired to the modules that know it. */
import type { Config } from "../../config/config.ts";
import type {
  Administration,
  ErasurePreviewLines,
  IdentityPair,
  RescorePreview,
  SettingLine,
} from "../../interfaces/web/web.ts";
import { type DataFolder, type Dependencies, inMemory } from "../data-folder.ts";
import { readServerState } from "../monitoring/server-state.ts";
import type { Readiness } from "../readiness.ts";
import { listCountingFlags, listFolderFlags, listJudgingFlags } from "./child-program.ts";
import { createRuns } from "./runs.ts";
import { createStudy, type OpenStudy } from "./study.ts";

export interface OpenedAdministration {
  readonly administration: Administration;
  /** Ends what is under way. */
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
      erasures,
      repositories: () => folder.findLedger()?.places() ?? [],
    },
    close: async () => {
      const open = [runs, suggestions, rescorePreview, erasures];
      await Promise.all(open.map((one) => one.close()));
    },
  };
}

const studiesMax = 10;

/** They name somebody, so only the latest are kept. */
function createErasureStudies(
  newId: () => string,
  create: (person: string) => OpenStudy<ErasurePreviewLines>,
) {
  const studies = new Map<string, { person: string; study: OpenStudy<ErasurePreviewLines> }>();
  return {
    look(person: string) {
      const number = newId();
      const study = create(person);
      study.ask();
      studies.set(number, { person, study });
      const [oldest] = studies.keys();
      if (studies.size > studiesMax && oldest !== undefined) {
        void studies.get(oldest)?.study.close();
        studies.delete(oldest);
      }
      return number;
    },
    find: (number: string) => studies.get(number),
    close: async () => {
      await Promise.all([...studies.values()].map(({ study }) => study.close()));
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
  const [state, faults, { warnings = [] }, calls, sources] = await Promise.all([
    readServerState(folder, readiness),
    readiness.faults(),
    readiness.healthNotes(),
    folder.control.dailyCalls(today),
    folder.modules.pool.sources(),
  ]);
  const { poolPeople, poolRevision, index, files, disk, backupAgeSeconds } = state;
  return {
    ...{ faults, warnings, people: poolPeople, revision: poolRevision, files, disk },
    ...{ backupAgeSeconds, hasBackupSchedule: config.backup.everyMs !== undefined, index },
    sources: sources.map(({ source, developers, lastImportAt }) => ({
      ...{ source, people: developers, lastImportAt },
    })),
    callsToday: calls.filter(({ day }) => day === today).reduce((sum, one) => sum + one.calls, 0),
  };
}

function listSettingLines({ described }: Config): readonly SettingLine[] {
  return described.map(({ flag, environment, ...rest }) => ({ ...rest, flag, environment }));
}
