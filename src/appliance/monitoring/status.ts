/** Reads the state of a data folder and of its server at a glance, for `roster status`. It writes nothing. */
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { formatCounted } from "../../contract/format.ts";
import { indexName } from "../../data-files/file-names.ts";
import { listLocations } from "../../ingest/ingest.ts";
import { getSocketPath } from "../../interfaces/http/http.ts";
import type { Overview, SourceStatus } from "../../interfaces/web/web.ts";
import { findIndexFault } from "../../search/memory/memory-index.ts";
import type { DataFolder, Dependencies } from "../data-folder.ts";
import { createPendingLookup } from "../pending-work.ts";
import type { Readiness } from "../readiness.ts";
import { listSourceStates } from "../sources/open-sources.ts";
import { openSourceBook } from "../sources/source-book.ts";
import { readCertificateEnd } from "./concerns.ts";
import { readOverview } from "./overview.ts";

type Files = Overview["files"];
export type Status = Awaited<ReturnType<typeof readStatus>>;

/** What `/readyz` answers. */
interface ServerAnswer extends Awaited<ReturnType<Readiness["healthNotes"]>> {
  readonly ready: boolean;
  readonly reasons?: readonly string[];
  readonly version?: string;
  readonly startedAt?: string;
}

/** @param folder opened for reading. */
export async function readStatus(
  folder: DataFolder,
  config: Config,
  { now: readNow, version }: Pick<Dependencies, "now" | "version">,
) {
  const now = readNow();
  const { control } = folder;
  const found = folder.findServer();
  const answer = found?.local === undefined ? undefined : await askServer(found.local);
  const given: Partial<ServerAnswer> = answer ?? {};
  const { ready = false, reasons = [noAnswer(found)], ...notes } = given;
  const faults = ready ? [] : reasons;
  const overview = await readOverview({
    ...{ folder, config, now, backupFault: undefined },
    readiness: { faults: async () => faults, healthNotes: async () => notes },
    runs: { list: () => [], listEnded: async () => (await control.runs.list()).filter(hasEnded) },
    findSuggestions: () => ({ state: "none" }),
    findPending: createPendingLookup(folder, readNow),
    listSources: () => listSources(folder, config),
  });
  const { concerns, sources: imports, index: _, ...figures } = overview;
  const has = (weight: string) => concerns.some((one) => one.weight === weight);
  return {
    level: has("fault") ? "critical" : has("warning") ? "warning" : "ok",
    ...{ at: now.toISOString(), version },
    server: found && {
      ...{ address: found.address, process: found.process, ready, reasons: faults },
      ...pickStart(answer, now),
    },
    concerns: concerns.map(({ weight, text }) => ({ weight, text })),
    ...figures,
    ...{ imports, sources: (await listSources(folder, config)).map(pickState) },
    index: describeIndex(config, { revision: figures.revision, edition: version }, answer?.index),
    indexRevision: answer?.index?.revision,
    repositories: listLocations(folder.findLedger()),
    ...(await readBackups(folder, config, figures.files)),
    copies: notes.copies ?? [],
    certificateEnds: readCertificateEnd(config.tls.certFile)?.toISOString(),
  } as const;
}

const hasEnded = ({ state }: { readonly state: string }) => state !== "running";

const noAnswer = (found: ReturnType<DataFolder["findServer"]>) =>
  found === undefined
    ? "no server runs on this folder"
    : found.local === undefined
      ? "the server is starting"
      : "the server does not answer";

const askMs = 5000;

/** Asks the server where it listens, because what stands before it may be away or answer by itself. */
async function askServer(local: string): Promise<ServerAnswer | undefined> {
  const unix = getSocketPath(local);
  try {
    const answer = await fetch(`${unix ? "http://localhost" : local}/readyz`, {
      ...(unix && { unix }),
      signal: AbortSignal.timeout(askMs),
      // Its certificate is for the name that callers use.
      tls: { rejectUnauthorized: false },
    });
    return (await answer.json()) as ServerAnswer;
  } catch {
    return undefined;
  }
}

function pickStart(answer: ServerAnswer | undefined, now: Date) {
  const { version, startedAt } = answer ?? {};
  if (startedAt === undefined) return {};
  const uptimeSeconds = Math.round((now.getTime() - Date.parse(startedAt)) / 1000);
  return { version, startedAt, uptimeSeconds };
}

const listSources = (folder: DataFolder, config: Config) =>
  listSourceStates({ folder, book: openSourceBook(config, folder.control) }, () => ({
    ...{ run: undefined, nextAt: 0 },
  }));

const pickState = ({ id, kind, completedAt, people, repositories, fault }: SourceStatus) => ({
  ...{ id, kind, completedAt, people, repositories, fault },
});

/** Returns how far the server's index, or else the stored one, is from the pool. Undefined means that it is in the database. */
function describeIndex(
  config: Config,
  wanted: { revision: number; edition: string },
  served: ServerAnswer["index"],
) {
  const behind = served ? wanted.revision - served.revision : 0;
  if (behind > 0) return `${formatCounted(behind, "change")} behind the pool`;
  if (config.search.engine === "database") return undefined;
  if (served) return "fits the pool";
  return findIndexFault(join(config.data, indexName), wanted) ?? "fits the pool";
}

/** The last backup and its place, and how much the files grew since the oldest backup that is kept. */
async function readBackups(folder: DataFolder, { data, backup, database }: Config, files: Files) {
  const at = await folder.control.folder.lastBackup();
  if (database.url !== undefined) return { lastBackup: at && { at: at.toISOString() } };
  const { listAllBackups } = await import("../../backup/backup.ts");
  const place = backup.folder ?? join(data, "backups");
  const kept = await listAllBackups(place, data);
  const [oldest, last] = [kept[0], kept.at(-1)];
  const isThere = last !== undefined && at !== undefined && last.madeAt >= at;
  const bytes = files
    .filter(({ file }) => file.endsWith(".db"))
    .reduce((sum, one) => sum + one.bytes, 0);
  return {
    lastBackup: at && { at: at.toISOString(), file: isThere ? join(place, last.name) : undefined },
    backupsKept: kept.length,
    growth: oldest && { since: oldest.madeAt.toISOString(), bytes: bytes - oldest.dataBytes },
  };
}
