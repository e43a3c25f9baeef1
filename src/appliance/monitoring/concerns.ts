/** Lists what an administrator should do or know, for the overview page. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { formatCounted } from "../../contract/format.ts";
import {
  describeUnread,
  historyAgeMax,
  type StaleRepository,
} from "../../contract/people/history-end.ts";
import type { StoredRun } from "../../control/source-records.ts";
import { examineBackup } from "../../doctor/doctor.ts";
import type {
  Concern,
  IdentityPair,
  RunStatus,
  SourceStatus,
  StudyState,
} from "../../interfaces/web/web.ts";
import type { ServerState } from "../../metrics/metrics.ts";
import { isLoopback } from "../../network/ip-address.ts";
import { type DataFolder, inMemory } from "../data-folder.ts";
import type { PendingWork } from "../pending-work.ts";
import type { Readiness } from "../readiness.ts";

export interface ConcernParts {
  readonly folder: DataFolder;
  readonly config: Config;
  readonly readiness: Pick<Readiness, "faults" | "healthNotes">;
  readonly state: ServerState;
  readonly revision: number;
  readonly stale: readonly StaleRepository[];
  readonly pending: {
    readonly recount: PendingWork | undefined;
    readonly rescore: PendingWork | undefined;
  };
  /** Lists the status of each forge. @throws if the forge ledger is damaged. */
  readonly listSources: () => Promise<readonly SourceStatus[]>;
  readonly runs: readonly RunStatus[];
  /** The runs that have ended, the latest first. */
  readonly endedRuns: readonly StoredRun[];
  readonly suggestions: StudyState<readonly IdentityPair[]>;
  /** Why this server's last backup failed. Undefined means that it succeeded. */
  readonly backupFault: string | undefined;
  readonly now: Date;
}

/** Lists the concerns, the worst first. */
export async function listConcerns(parts: ConcernParts): Promise<readonly Concern[]> {
  const { folder, readiness, pending } = parts;
  const [faults, { warnings = [] }, invitations] = await Promise.all([
    readiness.faults(),
    readiness.healthNotes(),
    folder.control.signIn.listInvitations(),
  ]);
  return [
    ...faults.map((text): Concern => ({ weight: "fault", text })),
    // All warnings are about backups. If there are any, the age of the last backup is not listed.
    ...warnings.flatMap((text) => warn(text, links.backups)),
    ...(warnings.length > 0 ? [] : await listBackupConcerns(parts)),
    ...listServerConcerns(parts),
    ...(await listSourceConcerns(parts)),
    ...listRunConcerns(parts.endedRuns),
    ...(await listWebhookConcerns(folder)),
    ...warn(pending.recount?.why, links.recount),
    ...warn(pending.rescore?.why, links.model),
    ...listWaiting(parts, invitations),
  ];
}

const links = {
  backups: { to: "#backups", label: "Backups" },
  sources: { to: "/admin/sources", label: "Sources" },
  settings: { to: "/admin/settings", label: "Settings" },
  runs: { to: "/admin/runs", label: "Runs" },
  webhooks: { to: "/admin/webhooks", label: "Webhooks" },
  recount: { to: "/admin/runs#histories", label: "Recheck identities" },
  model: { to: "/admin/model", label: "Preview changes" },
  identity: { to: "/admin/identity", label: "Review" },
  accounts: { to: "/admin/accounts", label: "Accounts" },
  unread: { to: "/admin/runs#histories", label: "Read again" },
  stale: { to: "#stale", label: "Repositories" },
} as const;

/** @returns no warning if there is no text. */
const warn = (text: string | undefined, link?: Concern["link"]): readonly Concern[] =>
  text === undefined ? [] : [{ weight: "warning", text, ...(link && { link }) }];

async function listBackupConcerns({ folder, config, state, backupFault, now }: ConcernParts) {
  if (backupFault !== undefined) return warn(`no backup was made: ${backupFault}`, links.backups);
  // The age is undefined for a shared database, which has its own backups.
  if (config.data === inMemory || state.backupAgeSeconds === undefined) return [];
  const { level, text } = examineBackup(await folder.control.folder.lastBackup(), now);
  if (level === "ok") return [];
  const first = "no backup was made yet; the schedule makes the first one";
  const isDue = state.backupAgeSeconds === null && config.backup.everyMs !== undefined;
  return warn(isDue ? first : `backup: ${text}`, links.backups);
}

const lowDiskShare = 0.1;

function listServerConcerns({ config, state, revision, now }: ConcernParts) {
  const { disk, index, repositories } = state;
  const isLow = disk !== undefined && disk.freeBytes < lowDiskShare * disk.bytes;
  const share = disk && Math.floor((100 * disk.freeBytes) / disk.bytes);
  const isBehind = index !== undefined && index.revision < revision;
  return [
    ...warn(findPlainHttp(config), links.settings),
    ...warn(findOldCertificate(config.tls.certFile, now), links.settings),
    ...(isLow
      ? warn(`the disk of the data has ${share} % free. Free some space, or move the folder`)
      : []),
    ...warn(describeUnread(repositories ?? []), links.unread),
    ...(isBehind
      ? warn("a new search index is being built. Searches use the previous one until then")
      : []),
  ];
}

const certificateDaysMin = 14;
const dayMs = 86_400_000;

/** @returns a warning if the certificate expires soon. An unreadable file gives no warning here. */
function findOldCertificate(certFile: string | undefined, now: Date): string | undefined {
  const end = readCertificateEnd(certFile);
  if (!end || end.getTime() - now.getTime() >= certificateDaysMin * dayMs) return undefined;
  return `the certificate in ${certFile} expires on ${end.toISOString().slice(0, 10)}. Renew it`;
}

/** @returns when the certificate expires. Undefined means that there is none, or that it cannot be read. */
export function readCertificateEnd(certFile: string | undefined): Date | undefined {
  if (certFile === undefined) return undefined;
  try {
    return new X509Certificate(readFileSync(certFile)).validToDate;
  } catch {
    return undefined;
  }
}

async function listSourceConcerns({ listSources }: ConcernParts): Promise<readonly Concern[]> {
  try {
    const sources = await listSources();
    return sources.flatMap(({ id, fault }) =>
      fault === undefined ? [] : warn(`the source ${id} was not read: ${fault}`, links.sources),
    );
  } catch (error) {
    return warn(`the stored data about sources cannot be read: ${(error as Error).message}`);
  }
}

function listRunConcerns(ended: readonly StoredRun[]): readonly Concern[] {
  // The source itself tells that it could not be read.
  const last = ended.find(({ source }) => source === null);
  if (last?.state !== "failed") return [];
  return warn(`the last run failed: ${last.title}. ${last.outcome}`, links.runs);
}

/** An address may hold a secret, so only its host is named. */
async function listWebhookConcerns({ control }: DataFolder) {
  const failing = (await control.deliveries.listTargets()).filter(({ dead }) => dead > 0);
  return failing.flatMap(({ url, dead }) => {
    const count = formatCounted(dead, "delivery", "deliveries");
    return warn(`${count} to the webhook at ${new URL(url).host} failed for good`, links.webhooks);
  });
}

function listWaiting(
  { suggestions, runs, stale, now }: ConcernParts,
  invitations: readonly { readonly expiresMs: number }[],
): readonly Concern[] {
  const pairs = suggestions.state === "done" ? suggestions.result : [];
  const isDecided = ([one, other]: IdentityPair["people"]) =>
    runs.some(
      ({ pair, state }) =>
        pair?.[0] === one.login &&
        pair[1] === other.login &&
        state !== "failed" &&
        state !== "stopped",
    );
  const open = pairs.filter(({ people }) => !isDecided(people)).length;
  const expired = invitations.filter(({ expiresMs }) => expiresMs <= now.getTime()).length;
  const unused = formatCounted(invitations.length, "invitation is", "invitations are");
  const renewal = expired > 0 ? `. ${expired} expired: create a new link` : "";
  const silent = formatCounted(stale.length, "repository has", "repositories have");
  const advice = "Check that mirrors are still fetched";
  const tell = (count: number, text: string, link: Concern["link"]): readonly Concern[] =>
    count === 0 ? [] : [{ weight: "task", text, ...(link && { link }) }];
  return [
    ...tell(open, formatCounted(open, "possible duplicate"), links.identity),
    ...tell(invitations.length, `${unused} not used yet${renewal}`, links.accounts),
    ...tell(
      stale.length,
      `${silent} no commits in the last ${historyAgeMax} days. ${advice}`,
      links.stale,
    ),
  ];
}

/** @returns a warning if other machines can reach this server without TLS. */
export function findPlainHttp({ host, publicUrl }: Config): string | undefined {
  const name = host.includes(":") ? `[${host}]` : host;
  const isSocket = host.startsWith("unix:");
  if (isSocket || isLoopback(name) || publicUrl.startsWith("https:")) return undefined;
  return (
    "other machines reach this server over plain HTTP, on which keys, passwords and people's data can be read: set tls.certFile " +
    "and tls.keyFile, or put a proxy with TLS before it, and name the address that callers use in publicUrl (--public-url)"
  );
}
