import { historyAgeMax } from "../../../contract/people/history-end.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDate,
  formatTimeDistance,
} from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { Ago, Badge, ButtonLink, Callout, Figures, List, Message, Panel } from "../look/parts.tsx";
import { defineAdministratorPage, type SignedInRequest, toSentence } from "../page.ts";
import type { Overview } from "./administration.ts";
import { backupActions, renderBackups } from "./backups-panel.tsx";
import { createPolling, renderRunRows } from "./runs-page.tsx";

const path = "/admin";

export const overviewPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const overview = await ask.modules.administration.overview();
    const body = (
      <>
        {renderConcerns(overview, ask.modules.administration.backups !== undefined)}
        {renderFigures(overview, ask.now)}
        <div class="with-side">
          <div class="stack-wide">
            {await renderMoving(ask)}
            {await renderBackups(ask, overview.database)}
          </div>
          <div class="side">
            {renderSources(overview, ask.now)}
            {renderStale(overview)}
          </div>
        </div>
      </>
    );
    return { title: "Administration", heading: <h1>Overview</h1>, body, moves: true };
  },
  actions: backupActions,
});

function renderConcerns({ concerns }: Overview, hasBackups: boolean) {
  const faults = concerns.filter(({ weight }) => weight === "fault");
  const others = concerns.filter(({ weight }) => weight !== "fault");
  return (
    <div class="stack-wide" id="concerns">
      {concerns.length === 0 && (
        <Callout tone="done">
          <p>Nothing to do</p>
          <p class="small">
            Roster serves calls, its files are intact, and the disk has room.
            {hasBackups && " The latest backup is recent."}
          </p>
        </Callout>
      )}
      {faults.length > 0 && (
        <Callout tone="wrong" title="Roster does not work correctly">
          <List class="free" items={faults.map(({ text }) => sayConcern(text))} />
          <p class="small">
            Run <code>roster doctor</code> on the server. The remedies are in{" "}
            <code>docs/operation.md</code>, under "What faults look like".
          </p>
        </Callout>
      )}
      {others.length > 0 && (
        <Panel title="To do">
          <ul class="rows dense">
            {others.map(({ weight, text, link }, at) => (
              <li>
                <div class="row-head">
                  <p class="free">
                    <Badge tone={weight === "warning" ? "warn" : ""}>
                      {weight === "warning" ? weight : "pending"}
                    </Badge>{" "}
                    {sayConcern(text)}
                  </p>
                  {link && <ButtonLink {...link} id={`concern-${at}`} />}
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

const sayConcern = (text: string) => <Message text={toSentence(text)} />;

function renderFigures(overview: Overview, now: Date) {
  const { people, index, files, disk, backupAgeSeconds, callsToday, database } = overview;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const ofDisk = disk && `of ${formatBytes(disk.bytes)}; Roster uses ${formatBytes(bytes)}`;
  const usage = (
    <a id="figures-usage" href="/admin/usage">
      last 90 days
    </a>
  );
  const backups = (
    <a id="figures-backups" href="#backups">
      all backups
    </a>
  );
  return (
    <section class="card" aria-label="Figures">
      <Figures
        id="figures"
        items={[
          [formatCount(index?.people ?? people), "People", describeSearchable(overview)],
          [formatCount(callsToday), "Calls today", usage],
          database === undefined
            ? [formatBackupAge(backupAgeSeconds, now), "Latest backup", backups]
            : ["PostgreSQL", "Database", `${database}, shared by all nodes`],
          ...(disk ? [[formatBytes(disk.freeBytes), "Free disk", ofDisk] as const] : []),
        ]}
      />
    </section>
  );
}

/** @param age the seconds since the last backup; null if there was no backup. */
function formatBackupAge(age: number | null | undefined, now: Date): string {
  if (age === undefined) return "unknown";
  return age === null ? "never" : formatTimeDistance(new Date(now.getTime() - age * 1000), now);
}

function describeSearchable({ people, index, revision }: Overview): string {
  if (!index) return "in the pool; the search index is not loaded";
  if (index.revision < revision) return "searchable; newer ones follow in a moment";
  const others = people - index.people;
  if (others <= 0) return "all searchable";
  return `searchable; plus ${formatCounted(others, "bot or unknown author", "bots and unknown authors")}`;
}

function renderSources({ sources }: Overview, now: Date) {
  return (
    <Panel title="Sources" id="sources">
      <DataTable
        columns={[
          ["Source", ({ source }) => source],
          ["People", ({ people }) => formatCount(people), "number"],
          ["Last import", ({ lastImportAt }) => <Ago at={lastImportAt} now={now} />],
        ]}
        rows={sources}
        empty={
          <>
            No people yet. <a href="/admin/sources">Add a source</a>
          </>
        }
      />
    </Panel>
  );
}

const staleMax = 20;

function renderStale({ stale }: Overview) {
  if (stale.length === 0) return undefined;
  return (
    <Panel title="Repositories without new commits" id="stale">
      <p class="small">
        The newest commit is more than {historyAgeMax} days old. Either work ended, or the mirror is
        no longer fetched.
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
          And {formatCount(stale.length - staleMax)} more. <code>roster ingest list</code> shows
          all.
        </p>
      )}
    </Panel>
  );
}

async function renderMoving(ask: SignedInRequest) {
  const { open, ended } = await renderRunRows(ask);
  const others = ["concerns", "figures", "sources"];
  const all = <ButtonLink id="now-runs" to="/admin/runs" label="All runs" />;
  return (
    <Panel title="Runs" actions={all} {...createPolling(open.length > 0, path, "now", others)}>
      {open.length === 0 && (
        <p class="muted">Nothing is running.{ended.length > 0 && " The last run:"}</p>
      )}
      {open.length + ended.length > 0 && (
        <ul class="rows">{open.length > 0 ? open : ended.slice(0, 1)}</ul>
      )}
    </Panel>
  );
}
