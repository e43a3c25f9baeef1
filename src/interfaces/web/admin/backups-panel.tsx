import { defineText } from "../form.ts";
import { formatBytes, formatCount, formatCounted, formatInstant } from "../look/format.ts";
import { Disclosure, Form } from "../look/forms.tsx";
import { type DataColumn, DataTable } from "../look/lists.tsx";
import { Ago, EmptyState, Instant, Panel } from "../look/parts.tsx";
import {
  type ActionOutcome,
  defineButton,
  defineConfirmed,
  type SignedInRequest,
} from "../page.ts";
import type { Backups } from "./administration.ts";
import { createPolling, ProgressLine } from "./runs-page.tsx";

type Archive = Awaited<ReturnType<Backups["list"]>>[number];

const path = "/admin";
const id = "backups";

export const backupActions = {
  "back-up": defineButton(async ({ modules, visitor }: SignedInRequest): Promise<ActionOutcome> => {
    const { backups } = modules.administration;
    if (!backups) return { refusal: "This server has no data folder to back up." };
    const started = await backups.start(visitor.account.id);
    if (!started.ok) return { refusal: started.message };
    if (backups.underWay()) return { goTo: `${path}#${id}` };
    return { goTo: path, notice: { text: "Backup complete. You can download it below." } };
  }),
  "stop-backup": defineButton(async ({ modules, visitor }: SignedInRequest) => {
    const isStopped = await modules.administration.backups?.stop(visitor.account.id);
    if (!isStopped) return { refusal: "No backup is running. The last one has ended." };
    return { goTo: path, notice: { text: "Backup stopped. No file was kept." } };
  }),
  "download-backup": defineConfirmed(
    { archive: defineText("Backup", 100) },
    async ({ modules, visitor }, { archive }) => {
      const content = await modules.administration.backups?.fetch(archive, visitor.account.id);
      if (content) return { content, type: "application/zstd", fileName: archive };
      return { refusal: "This backup no longer exists. Choose another one." };
    },
  ),
};

/** Shows the backups. @param database the database that the nodes share, if any. */
export async function renderBackups(ask: SignedInRequest, database: string | undefined) {
  const { backups } = ask.modules.administration;
  if (!backups) {
    return (
      <Panel title="Backups" id={id}>
        {database === undefined ? (
          <p>This server keeps its data in memory. There is nothing to back up.</p>
        ) : (
          <p>
            All nodes share {database}. Roster does not back it up: use the tools of the database,
            as <code>docs/growth.md</code> says under "Back up". From this node, keep{" "}
            <code>roster.toml</code>, <code>ingest.db</code> and <code>forges.db</code>. Run{" "}
            <code>roster backup --made</code> after each backup, so that Roster knows its age.
          </p>
        )}
      </Panel>
    );
  }
  const listed = await backups.list().catch((error: Error) => error);
  const archives = listed instanceof Error ? [] : listed;
  const [underWay, copies] = [backups.underWay(), backups.copies()];
  const start = !underWay && (
    <Form ask={ask} act="back-up" submit="Back up now" inline id="back-up" />
  );
  return (
    <Panel title="Backups" actions={start} {...createPolling(underWay !== undefined, path, id)}>
      {underWay && (
        <>
          <p role="status">
            Backup running, started <Ago at={underWay.startedAt} now={ask.now} />.{" "}
            <a id="backup-again" href={`${path}#${id}`}>
              Refresh
            </a>
          </p>
          <ProgressLine progress={underWay.progress} label="Backup" now={ask.now} />
          <Form {...{ ask, act: "stop-backup" }} submit="Stop backup" tone="plain" inline />
        </>
      )}
      {renderTerms(backups)}
      {listed instanceof Error && (
        <p class="wrong free">The folder of backups cannot be read: {listed.message}</p>
      )}
      {archives.length === 0 ? (
        <EmptyState>No backups yet.</EmptyState>
      ) : (
        renderArchives(ask, archives, backups.canFetch && !underWay)
      )}
      {copies.length > 0 && <DataTable columns={listCopyColumns(ask.now)} rows={copies} />}
      <p class="muted small">
        A backup contains everything, also password hashes and the secrets in{" "}
        <code>roster.toml</code>.{" "}
        {backups.canFetch
          ? "Only administrators can download it, and the audit log records each download."
          : "The setting backup.download turns downloads off. Copy backups from the folder."}{" "}
        To restore one, run <code>roster restore FILE</code> on the server.
      </p>
    </Panel>
  );
}

const shownMax = 3;
const downloadForm = "download-backup";

/** Lists the archives, each with a download button. All buttons belong to one form with the password field. */
function renderArchives(ask: SignedInRequest, archives: readonly Archive[], canFetch: boolean) {
  const columns = listColumns(ask.now, canFetch);
  const older = archives.slice(shownMax);
  return (
    <div class="stack-wide">
      {canFetch && <Form ask={ask} act={downloadForm} password="unless recent" />}
      <DataTable columns={columns} rows={archives.slice(0, shownMax)} />
      {older.length > 0 && (
        <Disclosure label={formatCounted(older.length, "older backup")}>
          <DataTable columns={columns} rows={older} />
        </Disclosure>
      )}
    </div>
  );
}

function listColumns(now: Date, canFetch: boolean): readonly DataColumn<Archive>[] {
  return [
    ["Made", ({ madeAt }) => <Instant at={madeAt} now={now} />],
    ["Size", ({ bytes }) => formatBytes(bytes), "number wide"],
    ["People", ({ people }) => people !== undefined && formatCount(people), "number wide"],
    ["Accounts", ({ accounts }) => accounts !== undefined && formatCount(accounts), "number wide"],
    ["File", ({ name }) => <code>{name}</code>, "wide free small"],
    ...(canFetch ? [[undefined, renderDownload, "number"] as const] : []),
  ];
}

type Copy = ReturnType<Backups["copies"]>[number];

const listCopyColumns = (now: Date): readonly DataColumn<Copy>[] => [
  ["Copy", ({ id }) => <code>{id}</code>],
  ["Newest", ({ at }) => (at ? <Instant at={new Date(at)} now={now} /> : "None yet")],
  ["Archives", ({ archives = 0 }) => formatCount(archives), "number wide"],
  [
    "State",
    ({ warning, waiting }) =>
      warning ? "Not up to date" : waiting === 0 ? "Up to date" : "Sending",
  ],
];

const renderDownload = ({ name, madeAt }: Archive) => (
  <button type="submit" class="plain small-button" form={downloadForm} name="archive" value={name}>
    Download<span class="unseen"> the backup of {formatInstant(madeAt)}</span>
  </button>
);

function renderTerms({ folder, isBesideData, keep, everySeconds, copies, ...terms }: Backups) {
  const periods = [
    formatCounted(terms.keepDaily, "day"),
    formatCounted(terms.keepWeekly, "week"),
    formatCounted(terms.keepMonthly, "month"),
  ].filter((text) => !text.startsWith("0 "));
  return (
    <p>
      {everySeconds === undefined ? (
        <>
          No backup schedule. <a href="/admin/settings?q=backup.every">Turn on daily backups</a>.
        </>
      ) : (
        `A backup runs every ${formatInterval(everySeconds)}.`
      )}{" "}
      Roster keeps the newest {keep} scheduled and {keep} manual backups in{" "}
      <code class="free">{folder}</code>.{" "}
      {periods.length > 0 && `It also keeps the newest of the last ${periods.join(", ")}. `}
      {isBesideData && copies().length === 0 && (
        <>
          This is the same disk as the data.{" "}
          <a href="/admin/settings?q=backup.folder">Use another disk</a>, or download a backup now
          and then.
        </>
      )}
    </p>
  );
}

const formatInterval = (seconds: number): string =>
  seconds < 3600
    ? formatCounted(Math.ceil(seconds / 60), "minute")
    : formatCounted(Math.round(seconds / 3600), "hour");
