import { historyAgeMax } from "../../../contract/people/history-end.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatBytes, formatCount, formatDate, formatTimeDistance } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { Ago, Callout, List, Panel } from "../look/parts.tsx";
import { defineAdministratorPage, type SignedInRequest, toSentence } from "../page.ts";
import type { Overview } from "./administration.ts";
import { ForgetForm, lookAction } from "./erasure-pages.tsx";
import { createPolling, ProgressLine } from "./run-parts.tsx";

/** The state of this Roster: first faults and their remedies, then figures, then the runs under way. */
export const overviewPage = defineAdministratorPage({
  path: "/admin",
  show: async (ask) => {
    const overview = await ask.modules.administration.overview();
    const body = (
      <>
        <Health overview={overview} />
        <Figures overview={overview} now={ask.now} />
        <Sources overview={overview} now={ask.now} />
        <StaleRepositories overview={overview} />
        {await renderMoving(ask)}
        <Panel title="Forget a person">
          <p>
            Deletes a person permanently, and keeps imports from adding them again. The next page
            lists what would be deleted.
          </p>
          <ForgetForm ask={ask} />
        </Panel>
      </>
    );
    return { title: "Administration", heading: <h1>Overview</h1>, body, moves: true };
  },
  actions: { look: lookAction },
});

/** Accounts and decisions made since the last backup can be lost. */
const oldBackupSeconds = 8 * 86_400;
const lowDiskShare = 0.1;

interface OverviewProperties {
  readonly overview: Overview;
  readonly now: Date;
}

function Health({ overview }: { readonly overview: Overview }) {
  const { faults } = overview;
  const warnings = [...overview.warnings, ...findConcerns(overview)];
  return (
    <>
      {faults.length > 0 && (
        <Callout tone="wrong" title="Roster cannot serve calls, or not correctly" role="alert">
          <List class="free" items={faults.map(toSentence)} />
          <p>
            Remedies: <code>docs/operation.md</code>, "What faults look like".{" "}
            <code>roster doctor</code> on the server checks the folder.
          </p>
        </Callout>
      )}
      {warnings.length > 0 && (
        <Callout tone="warn" title="Needs attention">
          <List class="free" items={warnings.map(toSentence)} />
        </Callout>
      )}
      {faults.length + warnings.length === 0 && (
        <Callout tone="done">
          <p>All is well: calls are served, the files are whole, the disk has room.</p>
        </Callout>
      )}
    </>
  );
}

function findConcerns({
  backupAgeSeconds,
  hasBackupSchedule,
  disk,
  index,
  revision,
  database,
}: Overview): readonly string[] {
  const concerns: string[] = [];
  // Roster does not know when the tools of a database last made a backup.
  const hasOwnBackups = database === undefined;
  if (hasOwnBackups && backupAgeSeconds === undefined) {
    concerns.push(
      hasBackupSchedule
        ? "No backup was made yet; the schedule makes the first one"
        : "No backup was ever made: set backup.every, or run roster backup FILE",
    );
  } else if (hasOwnBackups && (backupAgeSeconds ?? 0) < 0) {
    concerns.push(
      "The latest backup is dated in the future: check the clock, and run roster backup FILE",
    );
  } else if (hasOwnBackups && (backupAgeSeconds ?? 0) > oldBackupSeconds) {
    concerns.push(
      "The latest backup is more than a week old: run roster backup FILE, or set backup.every",
    );
  }
  if (disk && disk.freeBytes < lowDiskShare * disk.bytes) {
    concerns.push(
      `The disk has ${formatBytes(disk.freeBytes)} free of ${formatBytes(disk.bytes)}: make room`,
    );
  }
  if (index && index.revision < revision) {
    concerns.push("The search index is behind the pool; the next one is being built");
  }
  return concerns;
}

function Figures({ overview, now }: OverviewProperties) {
  const { people, index, files, disk, backupAgeSeconds, callsToday, revision, database } = overview;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const formatAge = (seconds: number) =>
    formatTimeDistance(new Date(now.getTime() - seconds * 1000), now);
  return (
    <div class="cards figures">
      <Figure title="People" value={formatCount(people)}>
        revision {formatCount(revision)} of the pool
      </Figure>
      <Figure title="Search index" value={index ? formatCount(index.people) : "none"}>
        {index
          ? `people, of revision ${formatCount(index.revision)}, loaded ${formatAge(index.ageSeconds)}`
          : "it is not loaded"}
      </Figure>
      <Figure title="Calls today" value={formatCount(callsToday)}>
        <a href="/admin/usage">the last 90 days</a>
      </Figure>
      {database === undefined ? (
        <Figure
          title="Latest backup"
          value={backupAgeSeconds === undefined ? "never" : formatAge(backupAgeSeconds)}
        >
          {overview.hasBackupSchedule ? "by the schedule or by hand" : "no schedule is set"}
        </Figure>
      ) : (
        <Figure title="Database" value="PostgreSQL">
          {database}, shared by all nodes, backed up with its own tools
        </Figure>
      )}
      {disk && (
        <Figure title="Disk" value={formatBytes(disk.freeBytes)}>
          free of {formatBytes(disk.bytes)}; the files here take {formatBytes(bytes)}
        </Figure>
      )}
    </div>
  );
}

interface FigureProperties {
  readonly title: string;
  readonly value: string;
  readonly children: Children;
}

function Figure({ title, value, children }: FigureProperties) {
  return (
    <section class="card figure">
      <h2>{title}</h2>
      <p class="meter-used">{value}</p>
      <p class="muted small">{children}</p>
    </section>
  );
}

function Sources({ overview: { sources }, now }: OverviewProperties) {
  return (
    <Panel title="Where people come from">
      <DataTable
        columns={[
          ["Source", ({ source }) => source],
          ["People", ({ people }) => formatCount(people), "number"],
          ["Last import", ({ lastImportAt }) => <Ago at={lastImportAt} now={now} />],
        ]}
        rows={sources}
        empty={
          <>
            The pool is empty: <code>roster ingest git PATH</code> fills it.
          </>
        }
      />
    </Panel>
  );
}

const staleMax = 20;

function StaleRepositories({ overview: { stale } }: Pick<OverviewProperties, "overview">) {
  if (stale.length === 0) return undefined;
  return (
    <Panel title="Read up to long ago">
      <p>
        The newest commit of these repositories is more than {historyAgeMax} days old. Nothing is
        said of who is active in them now: either nobody commits, or the mirror is no longer
        fetched.
      </p>
      <DataTable
        columns={[
          ["Repository", ({ name }) => name],
          ["Newest commit", ({ lastCommit }) => formatDate(lastCommit), "when"],
        ]}
        rows={stale.slice(0, staleMax)}
      />
      {stale.length > staleMax && (
        <p class="muted small">
          And {formatCount(stale.length - staleMax)} more; <code>roster ingest list</code> shows
          all.
        </p>
      )}
    </Panel>
  );
}

async function renderMoving({ modules }: SignedInRequest) {
  const { runs } = modules.administration;
  const open = runs.list().filter(({ endedAt }) => endedAt === undefined);
  const foreign = await runs.findForeign();
  const isMoving = foreign !== undefined || open.length > 0;
  return (
    <Panel title="Now" {...createPolling(isMoving, "/admin", "now")}>
      {foreign && (
        <>
          <p class="free">{foreign.holder}, started elsewhere</p>
          <ProgressLine progress={foreign.progress} label="Progress" />
        </>
      )}
      {open.map(({ title, state, progress }) => (
        <>
          <p class="free">
            {title}: {state}
          </p>
          {state === "running" && <ProgressLine progress={progress} label={title} />}
        </>
      ))}
      {!isMoving && <p class="muted">Nothing is running.</p>}
      <p>
        <a href="/admin/runs">All runs, and what can be started</a>
      </p>
    </Panel>
  );
}
