import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { defineText } from "../form.ts";
import { formatBytes, formatCount, formatCounted, formatDate } from "../look/format.ts";
import { Disclosure, Form } from "../look/forms.tsx";
import { type DataColumn, DataTable } from "../look/lists.tsx";
import { Ago, EmptyState, Panel } from "../look/parts.tsx";
import { type ActionOutcome, defineAction, defineButton, type SignedInRequest } from "../page.ts";
import type { Backups } from "./administration.ts";
import { createPolling, ProgressLine } from "./run-parts.tsx";

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
    return { goTo: path, notice: { text: "The backup is made. You can download it below." } };
  }),
  "stop-backup": defineButton(async ({ modules, visitor }: SignedInRequest) => {
    const isStopped = await modules.administration.backups?.stop(visitor.account.id);
    if (!isStopped) return { refusal: "No backup is being made: the last one has ended." };
    return { goTo: path, notice: { text: "The backup is stopped; it leaves no archive." } };
  }),
  "download-backup": defineAction(
    { archive: defineText("Archive", 100), ...passwordIfAsked },
    (ask: SignedInRequest, { archive, password }) =>
      runConfirmed(ask, password, async () => {
        const { backups } = ask.modules.administration;
        const content = await backups?.fetch(archive, ask.visitor.account.id);
        if (content) return { content, type: "application/zstd", fileName: archive };
        return { refusal: "This archive is no longer there: choose one of the list." };
      }),
  ),
};

/** Shows the backups. @param database the database that the nodes share, if any. */
export async function renderBackups(ask: SignedInRequest, database: string | undefined) {
  const { backups } = ask.modules.administration;
  if (!backups) {
    return (
      <Panel title="Backups" id={id}>
        {database === undefined ? (
          <p>This server keeps its data in memory: there is nothing to back up.</p>
        ) : (
          <p>
            Accounts and people are in {database}, which all nodes share. Roster makes no backup of
            it, and does not know when its own tools last made one: <code>docs/growth.md</code> says
            how, under "Back up". Of this node, keep <code>roster.toml</code>,{" "}
            <code>ingest.db</code> and <code>forges.db</code>.
          </p>
        )}
      </Panel>
    );
  }
  const listed = await backups.list().catch((error: Error) => error);
  const archives = listed instanceof Error ? [] : listed;
  const underWay = backups.underWay();
  return (
    <Panel title="Backups" {...createPolling(underWay !== undefined, path, id)}>
      <Terms {...backups} />
      {underWay ? (
        <>
          <p role="status">
            A backup is being made, begun <Ago at={underWay.startedAt} now={ask.now} />.{" "}
            <a id="backup-again" href={`${path}#${id}`}>
              Look again
            </a>
          </p>
          <ProgressLine progress={underWay.progress} label="Backup" now={ask.now} />
          <Form {...{ ask, act: "stop-backup" }} submit="Stop the backup" tone="plain" inline />
        </>
      ) : (
        <Form {...{ ask, act: "back-up" }} submit="Back up now" inline id="back-up" />
      )}
      {listed instanceof Error && (
        <p class="wrong free">The archives cannot be listed: {listed.message}</p>
      )}
      {archives.length === 0 ? (
        <EmptyState>No archive is in the folder of backups.</EmptyState>
      ) : (
        renderArchives(ask, archives, backups.canFetch && !underWay)
      )}
      <p class="muted small">
        An archive holds everything, also digests of passwords and API keys, and the secrets in{" "}
        <code>roster.toml</code>.{" "}
        {backups.canFetch
          ? "Only administrators can download one, and the audit log has each download."
          : "So the setting backup.download lets nobody download one: copy it from the folder."}{" "}
        <code>roster restore FILE</code> on the server puts one back.
      </p>
    </Panel>
  );
}

const shownMax = 3;
const downloadForm = "download-backup";

/** Lists the archives, each with a download button. All buttons belong to one form with the password field. */
function renderArchives(ask: SignedInRequest, archives: readonly Archive[], canFetch: boolean) {
  const form = { ask, act: downloadForm };
  const columns = listColumns(ask.now, canFetch);
  const older = archives.slice(shownMax);
  return (
    <div class="archives">
      {canFetch && (
        <Form {...form}>
          <PasswordIfAsked form={form} />
        </Form>
      )}
      <DataTable columns={columns} rows={archives.slice(0, shownMax)} />
      {older.length > 0 && (
        <Disclosure label={formatCounted(older.length, "older archive")}>
          <DataTable columns={columns} rows={older} />
        </Disclosure>
      )}
    </div>
  );
}

function listColumns(now: Date, canFetch: boolean): readonly DataColumn<Archive>[] {
  return [
    [
      "Made",
      ({ madeAt, bytes }) => (
        <>
          {formatMade(madeAt)}{" "}
          <span class="muted small">
            (<Ago at={madeAt} now={now} />, {formatBytes(bytes)})
          </span>
        </>
      ),
    ],
    ["People", ({ people }) => people !== undefined && formatCount(people), "number wide"],
    ["Accounts", ({ accounts }) => accounts !== undefined && formatCount(accounts), "number wide"],
    ["File", ({ name }) => <code>{name}</code>, "wide free small"],
    ...(canFetch ? [[undefined, renderDownload, "number"] as const] : []),
  ];
}

const renderDownload = ({ name, madeAt }: Archive) => (
  <button type="submit" class="plain small-button" form={downloadForm} name="archive" value={name}>
    Download<span class="unseen"> the archive of {formatMade(madeAt)}</span>
  </button>
);

function Terms({ folder, isBesideData, keep, everySeconds }: Backups) {
  return (
    <p>
      {everySeconds === undefined ? (
        <>
          No schedule is set: <code>backup.every</code> makes backups by itself.
        </>
      ) : (
        `A backup is made every ${formatSeconds(everySeconds)}.`
      )}{" "}
      The newest {keep} of the schedule and the newest {keep} made here are kept in{" "}
      <code class="free">{folder}</code>.{" "}
      {isBesideData && (
        <>
          That is the disk of the data itself: download one now and then, or let{" "}
          <code>backup.folder</code> name a folder on another disk.
        </>
      )}
    </p>
  );
}

/** Formats the time of a backup: `27 Nov 2026, 10:50 UTC`. */
function formatMade(at: Date): string {
  const instant = at.toISOString();
  return `${formatDate(instant)}, ${instant.slice(11, 16)} UTC`;
}

const lengths = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

function formatSeconds(seconds: number): string {
  const [unit, length] = lengths.find(([, one]) => seconds % one === 0) ?? ["second", 1];
  const count = seconds / length;
  return count === 1 ? unit : `${formatCount(count)} ${unit}s`;
}
