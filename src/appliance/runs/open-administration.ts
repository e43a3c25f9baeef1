/** Connects the pages of administrators to the modules. */
import { join } from "node:path";
import type { ServerBackups } from "../../backup/backup.ts";
import type { Config } from "../../config/config.ts";
import { type KnownIdentity, listLocations } from "../../ingest/ingest.ts";
import type {
  Administration,
  ErasurePreviewLines,
  IdentityPair,
  RescorePreview,
  Runs,
  Sources,
  Study,
} from "../../interfaces/web/web.ts";
import { type DataFolder, inMemory, type ServerDependencies } from "../data-folder.ts";
import { readOverview } from "../monitoring/overview.ts";
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
  readonly dependencies: ServerDependencies;
  readonly readiness: Readiness;
  readonly sources: Pick<Sources, "list">;
  readonly backups: ServerBackups | undefined;
}

export function openAdministration(parts: AdministrationParts) {
  const { folder, config, dependencies, backups } = parts;
  const { modules, control } = folder;
  const { now, newId, log, live } = dependencies;
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
    given: ["rescore", "--diff", "--json", `--limit=${movesShown}`, ...listJudgingFlags(config)],
    read: (json) => json as RescorePreview,
  });
  const identities = createPersonStudies((login) =>
    createStudy<KnownIdentity | undefined>({
      ...study,
      given: ["identity", "list", "--json", ...listCountingFlags(config), "--", login],
      read: (json) => findCalled(json as readonly KnownIdentity[], login),
      readNothing: () => undefined,
    }),
  );
  const erasures = createPersonStudies((person) =>
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
      overview: () =>
        readOverview({
          ...{ folder, readiness: parts.readiness, now: now(), runs, findPending },
          config: { ...config, backup: live().backup },
          ...{ listSources: parts.sources.list, backupFault: backups?.fault() },
          findSuggestions: () => {
            askIfStale(suggestions, runs);
            return suggestions.read();
          },
        }),
      get backups() {
        return backups && createBackupActs(backups, live(), { control, now });
      },
      settings: () => live().described,
      settingsFile: config.settingsFile ?? join(config.data, "roster.toml"),
      ...{ runs, suggestions, rescorePreview, model },
      identityOf: (login) => (identities.find(login) ?? identities.add(login, login)).study,
      decisions: createDecisionBook(modules),
      erasures: {
        find: erasures.find,
        look(person) {
          const number = newId();
          erasures.add(number, person).study.ask();
          return number;
        },
      },
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

const studiesMax = 10;

/** Creates studies of people. Stores only the latest results, because results name people. */
function createPersonStudies<Result>(create: (person: string) => OpenStudy<Result>) {
  const entries = new Map<string, { readonly person: string; readonly study: OpenStudy<Result> }>();
  return {
    find: (key: string) => entries.get(key),
    add(key: string, person: string) {
      const added = { person, study: create(person) };
      entries.set(key, added);
      const [oldest] = entries.keys();
      if (entries.size > studiesMax && oldest !== undefined) {
        void entries.get(oldest)?.study.close();
        entries.delete(oldest);
      }
      return added;
    },
    close: async () => {
      await Promise.all([...entries.values()].map(({ study }) => study.close()));
    },
  };
}

/** Computes an outdated result again, unless a decision is being made. */
function askIfStale(study: Study<unknown>, { canStart, list }: Runs): void {
  const { state, isStale } = { isStale: false, ...study.read() };
  const isDeciding = list().some(({ endedAt, pair }) => endedAt === undefined && pair);
  if (canStart && (state === "none" || (isStale && !isDeciding))) study.ask();
}
