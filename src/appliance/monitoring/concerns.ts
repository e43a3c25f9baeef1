/** Lists what an administrator should do or know, for the overview page. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { formatCounted } from "../../contract/format.ts";
import type { NoticeKind, OperatorNotice } from "../../contract/operator-notice.ts";
import {
  describeUnread,
  historyAgeMax,
  type StaleRepository,
} from "../../contract/people/history-end.ts";
import { namedPrefix, searchMailTarget } from "../../control/delivery-records.ts";
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
import { diskFull, type Readiness } from "../readiness.ts";
import { isIncomplete } from "../runs/run-order.ts";

/** What notices need. It does not grow with people. */
export interface NoticeParts {
  readonly folder: DataFolder;
  readonly config: Config;
  readonly readiness: Pick<Readiness, "faults" | "healthNotes">;
  readonly state: Pick<ServerState, "disk" | "repositories" | "backupAgeSeconds">;
  readonly stale: readonly StaleRepository[];
  /** Lists the status of each forge. @throws if the forge ledger is damaged. */
  readonly listSources: () => Promise<readonly SourceStatus[]>;
  /** The runs that have ended, the latest first. */
  readonly endedRuns: readonly StoredRun[];
  /** Why this server's last backup failed. Undefined means that it succeeded. */
  readonly backupFault: string | undefined;
  readonly now: Date;
}

export interface ConcernParts extends NoticeParts {
  readonly state: ServerState;
  readonly revision: number;
  readonly pending: {
    readonly recount: PendingWork | undefined;
    readonly rescore: PendingWork | undefined;
  };
  readonly runs: readonly RunStatus[];
  readonly suggestions: StudyState<readonly IdentityPair[]>;
}

/** Lists the concerns, the worst first. */
export async function listConcerns(parts: ConcernParts): Promise<readonly Concern[]> {
  const { folder, config, pending, state, revision } = parts;
  const isBehind = state.index !== undefined && state.index.revision < revision;
  const building = "a new search index is being built. Searches use the previous one until then";
  return [
    ...(await listLasting(parts)),
    ...warn(findPlainHttp(config), links.settings),
    ...warn(describeUnread(state.repositories ?? []), links.unread),
    ...warn(isBehind ? building : undefined),
    ...warn(pending.recount?.why, links.recount),
    ...warn(pending.rescore?.why, links.model),
    ...listWaiting(parts, await folder.control.signIn.listInvitations()),
  ];
}

/** Lists what operators are told of. Repositories are told one by one. */
export async function listNotices(parts: NoticeParts): Promise<readonly OperatorNotice[]> {
  const repositories = [
    ...(parts.state.repositories ?? []).flatMap(({ path, leftOut }) =>
      leftOut ? [{ subject: path, text: `${path}: ${leftOut.reason}` }] : [],
    ),
    ...parts.stale.map(({ name, lastCommit }) => ({
      ...{ subject: `stale ${name}`, text: `${name} has had no commits since ${lastCommit}` },
    })),
  ];
  return [
    ...(await listLasting(parts)).flatMap(({ notice, text }) =>
      notice ? [{ text, ...notice }] : [],
    ),
    ...repositories.map((one) => ({ kind: "repository", ...one }) as const),
  ];
}

async function listLasting(parts: NoticeParts): Promise<readonly Concern[]> {
  const { folder, readiness } = parts;
  const [faults, { copies = [], ...notes }] = await Promise.all([
    readiness.faults(),
    readiness.healthNotes(),
  ]);
  const warnings = (notes.warnings ?? []).filter(
    (text) => !copies.some(({ warning }) => warning === text),
  );
  return [
    ...faults.map((text): Concern => {
      const kind = text === diskFull ? "disk" : "damage";
      const subject = kind === "disk" ? kind : nameCause(text);
      return { weight: "fault", text, notice: { kind, subject } };
    }),
    ...copies.flatMap(({ id, warning }) =>
      warn(warning, links.backups, "backup", { subject: `copy:${id}` }),
    ),
    // All other warnings are about the folder of backups. If there are any, the age of the last backup is not listed.
    ...warnings.flatMap((text) => warn(text, links.backups, "backup")),
    ...(warnings.length > 0 ? [] : await listBackupConcerns(parts)),
    ...listServerConcerns(parts),
    ...(await listSourceConcerns(parts)),
    ...listRunConcerns(parts),
    ...(await listWebhookConcerns(folder)),
  ];
}

/** Leaves out numbers, times and details, which may change as long as the cause lasts. */
const nameCause = (text: string): string =>
  text.replace(/(?<![\w-])\d[\w.:,-]*/g, "N").split(": ")[0] ?? "";

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

/** @param kind and `told` say how notices tell it. @returns no warning if there is no text. */
function warn(
  text: string | undefined,
  link?: Concern["link"],
  kind?: NoticeKind,
  told: Partial<OperatorNotice> = {},
): readonly Concern[] {
  const notice = kind && { notice: { kind, subject: kind, ...told } };
  return text === undefined ? [] : [{ weight: "warning", text, ...(link && { link }), ...notice }];
}

async function listBackupConcerns({ folder, config, state, backupFault, now }: NoticeParts) {
  if (backupFault !== undefined)
    return warn(`no backup was made: ${backupFault}`, links.backups, "backup");
  // The age is undefined for a shared database, which has its own backups.
  if (config.data === inMemory || state.backupAgeSeconds === undefined) return [];
  const { level, text } = examineBackup(await folder.control.folder.lastBackup(), now);
  if (level === "ok") return [];
  const first = "no backup was made yet; the schedule makes the first one";
  const isDue = state.backupAgeSeconds === null && config.backup.everyMs !== undefined;
  return isDue ? warn(first, links.backups) : warn(`backup: ${text}`, links.backups, "backup");
}

const lowDiskShare = 0.1;

function listServerConcerns({ config, state: { disk, repositories }, now }: NoticeParts) {
  const isLow = disk !== undefined && disk.freeBytes < lowDiskShare * disk.bytes;
  const share = disk && Math.floor((100 * disk.freeBytes) / disk.bytes);
  const low = `the disk of the data has ${share} % free. Free some space, or move the folder`;
  return [
    ...warn(findOldCertificate(config.tls.certFile, now), links.settings, "certificate"),
    ...warn(isLow ? low : undefined, undefined, "disk"),
    ...warn(repositories ? undefined : "ingest.db cannot be read", undefined, "damage"),
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

async function listSourceConcerns({ listSources, now }: NoticeParts): Promise<readonly Concern[]> {
  try {
    return (await listSources()).flatMap((source) => {
      const { id, fault, reader } = source;
      const text = fault === undefined ? findLate(source, now) : `was not read: ${fault}`;
      // Its reader tells of it.
      const kind = reader === undefined ? "source" : undefined;
      return warn(text && `the source ${id} ${text}`, links.sources, kind, { subject: id });
    });
  } catch (error) {
    const text = `the stored data about sources cannot be read: ${(error as Error).message}`;
    return warn(text, undefined, "damage", { subject: "sources" });
  }
}

const intervalsMax = 3;

/** @returns words if a source was not read whole for longer than three of its intervals. */
function findLate({ isKnown, completedAt, everyHours }: SourceStatus, now: Date) {
  if (!isKnown || completedAt === undefined || everyHours === 0) return undefined;
  const hours = (now.getTime() - Date.parse(completedAt)) / 3_600_000;
  if (hours <= intervalsMax * everyHours) return undefined;
  return `was last read whole on ${completedAt.slice(0, 10)}, and is due every ${everyHours} hours`;
}

function listRunConcerns({ endedRuns, state }: NoticeParts): readonly Concern[] {
  // The source itself tells that it could not be read.
  const last = endedRuns.find(({ source }) => source === null);
  const done = endedRuns.filter((run) => run.state === "done");
  const latest = new Map(done.reverse().map((run) => [nameRun(run), run]));
  const unread = (state.repositories ?? []).filter(({ leftOut }) => leftOut);
  // Repositories that are known are told one by one.
  const isToldElsewhere = (outcome: string) =>
    unread.some(({ path }) => outcome.includes(`${path}: `));
  const tell = (is: boolean, { title, outcome }: StoredRun, words: string, subject: string) =>
    // An outcome may name people, so that notices leave it out.
    warn(is ? `${words}: ${title}. ${outcome}` : undefined, links.runs, "run", {
      ...{ subject, text: `${words}: ${title}` },
    });
  return [
    ...(last ? tell(last.state === "failed", last, "the last run failed", "run") : []),
    ...[...latest].flatMap(([subject, run]) => {
      const isNew = isIncomplete(run.outcome) && !isToldElsewhere(run.outcome);
      return tell(isNew, run, "the last run left something out", subject);
    }),
  ];
}

const nameRun = ({ kind, source }: StoredRun) => (source ? `${kind} ${source}` : kind);

/** An address may hold a secret, so only its host is named. */
async function listWebhookConcerns({ control }: DataFolder) {
  // Nobody sends dead mail again, so it is a concern only until other mail goes out.
  const failing = (await control.deliveries.listTargets()).filter(
    ({ id, dead, fault }) => dead > 0 && (id !== searchMailTarget || fault !== null),
  );
  return failing.flatMap(({ id, url, dead }) => {
    const count = formatCounted(dead, "delivery", "deliveries");
    const named = id
      .replace(namedPrefix, "[[notify]] ")
      .replace(searchMailTarget, "accounts by mail");
    const to = url ? `the webhook at ${new URL(url).host}` : named;
    const text = `${count} to ${to} failed for good`;
    return warn(text, url ? links.webhooks : undefined, "delivery", { subject: id });
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
