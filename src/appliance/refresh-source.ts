import type { AsOf } from "../analysis/analysis.ts";
import type { Config, SourceSettings } from "../config/config.ts";
import { Fault } from "../contract/fault.ts";
import { readTextFile } from "../contract/text-file.ts";
import {
  chooseJobs,
  type ForgeIngest,
  type ForgeIngestReport,
  type ForgeSelection,
  ingestForge,
} from "../ingest/ingest.ts";
import type { DataFolder } from "./data-folder.ts";

export interface RefreshRequest
  extends Pick<
    ForgeIngest,
    "source" | "access" | "now" | "onProgress" | "signal" | "timeoutMs" | "memoryMiB"
  > {
  readonly asOf: AsOf;
  readonly canRemoveMany?: boolean;
}

/**
 * Refreshes one forge, and builds all profiles again. Also finishes erasures, because a forge may reveal that an account belongs
 * to an erased person.
 * @returns the report. `unfinished` says what prevented the erasures. @throws Fault like `ingestForge`.
 */
export async function refreshSource(
  folder: DataFolder,
  request: RefreshRequest,
): Promise<ForgeIngestReport & { readonly unfinished?: string }> {
  const report = await ingestSource(folder, request);
  const unfinished = await folder.erasure.finish();
  return { ...report, ...(unfinished !== undefined && { unfinished }) };
}

/**
 * Refreshes several forges at a time. A fault of one forge does not stop the others.
 * @returns the outcome of each forge, in order. `unfinished` says what prevented the erasures.
 */
export async function refreshSources(
  folder: DataFolder,
  requests: readonly RefreshRequest[],
): Promise<{
  readonly outcomes: readonly PromiseSettledResult<ForgeIngestReport>[];
  readonly unfinished: string | undefined;
}> {
  const outcomes: PromiseSettledResult<ForgeIngestReport>[] = [];
  const open = [...requests.entries()];
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      const [at, request] = next;
      const [outcome] = await Promise.allSettled([ingestSource(folder, request)]);
      outcomes[at] = outcome;
    }
  };
  await Promise.all(Array.from({ length: chooseJobs() }, work));
  return { outcomes, unfinished: await folder.erasure.finish() };
}

async function ingestSource(
  folder: DataFolder,
  request: RefreshRequest,
): Promise<ForgeIngestReport> {
  const { modules, ledger, forges, identityFiles, vocabulary, publishCommitEmails } = folder;
  return ingestForge({
    ...request,
    ...{ judge: folder.judge(request.asOf), modelVersion: folder.modelVersion() },
    ...{ pool: modules.pool, ledger: ledger(), forges: forges(), files: identityFiles() },
    ...{ vocabulary, publishCommitEmails },
  });
}

const defaultWaitMs = 15 * 60_000;
const hourMs = 3_600_000;

/** @throws Fault `not_found` for an unknown source, or the Fault of a file that cannot be read. */
export function findConfiguredSource(
  { sources, environment }: Pick<Config, "sources" | "environment">,
  id: string,
): Pick<RefreshRequest, "source" | "access"> {
  const settings = sources.find((source) => source.id === id);
  if (!settings) {
    const known = sources.map((source) => source.id).join(", ") || "none";
    throw new Fault(
      "not_found",
      `The settings file has no source "${id}" under [[sources]]; it has ${known}.`,
    );
  }
  const { kind, url, select, limit, caFile, requestsPerHour, noreplyHost } = settings;
  const { maxHours, maxPeople } = settings;
  return {
    source: { id, kind, url, selections: select.flatMap(readSelection) },
    access: {
      ...{ token: settings.readToken(), waitMax: defaultWaitMs, requestsPerHour, noreplyHost },
      ...{ canUseHttp: settings.allowHttp, limitMs: maxHours * hourMs, maxPeople, environment },
      ...(caFile !== undefined && { authorities: readNamedFile(caFile, id) }),
      ...(settings.mirror !== undefined && {
        mirror: {
          folder: settings.mirror,
          perPerson: settings.mirrorPerPerson,
          megabytes: settings.mirrorMegabytes,
        },
      }),
    },
  };

  function readSelection(text: SourceSettings["select"][number]): readonly ForgeSelection[] {
    if (text === "all") return [{ kind: "all" }];
    const colon = text.indexOf(":");
    const [what, name] = [text.slice(0, colon), text.slice(colon + 1)];
    if (what === "file") return listLogins(readNamedFile(name, id));
    if (what === "search") return [{ kind: what, name, ...(limit !== undefined && { limit }) }];
    return [{ kind: what, name } as ForgeSelection];
  }
}

export function listLogins(text: string): readonly ForgeSelection[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => ({ kind: "user", name }));
}

function readNamedFile(path: string, source: string): string {
  return readTextFile(path, `${path}, which the source ${source} names, cannot be read`);
}
