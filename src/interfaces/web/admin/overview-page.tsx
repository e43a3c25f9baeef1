import { historyAgeMax } from "../../../contract/people/history-end.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatDate,
  formatTimeDistance,
} from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Ago, Badge, Callout, List, Message, Panel } from "../look/parts.tsx";
import { defineAdministratorPage, type SignedInRequest, toSentence } from "../page.ts";
import type { Overview } from "./administration.ts";
import { backupActions, renderBackups } from "./backups-panel.tsx";
import { createPolling, renderRunRows } from "./run-parts.tsx";

const path = "/admin";

export const overviewPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const overview = await ask.modules.administration.overview();
    const body = (
      <>
        <Concerns
          concerns={overview.concerns}
          hasBackups={ask.modules.administration.backups !== undefined}
        />
        <Figures overview={overview} now={ask.now} />
        {await renderMoving(ask)}
        {await renderBackups(ask, overview.database)}
        <Sources overview={overview} now={ask.now} />
        <StaleRepositories overview={overview} />
      </>
    );
    return { title: "Administration", heading: <h1>Overview</h1>, body, moves: true };
  },
  actions: backupActions,
});

interface OverviewProperties {
  readonly overview: Overview;
  readonly now: Date;
}

function Concerns({ concerns, hasBackups }: Pick<Overview, "concerns"> & { hasBackups: boolean }) {
  const faults = concerns.filter(({ weight }) => weight === "fault");
  const others = concerns.filter(({ weight }) => weight !== "fault");
  return (
    <div class="stack-wide" id="concerns">
      {concerns.length === 0 && (
        <Callout tone="done" title="Nothing needs you">
          <p>
            {hasBackups
              ? "Calls are served, the files are whole, the disk has room, and a backup is recent."
              : "Calls are served, the files are whole, and the disk has room."}
          </p>
        </Callout>
      )}
      {faults.length > 0 && (
        <Callout tone="wrong" title="Roster cannot serve calls, or not correctly">
          <List
            class="free"
            items={faults.map(({ text }) => <Message text={toSentence(text)} />)}
          />
          <p>
            <code>roster doctor</code> on the server checks the folder;{" "}
            <code>docs/operation.md</code> has the remedies under "What faults look like".
          </p>
        </Callout>
      )}
      {others.length > 0 && (
        <Panel title="What needs you">
          <ul class="rows">
            {others.map(({ weight, text, link }, at) => (
              <li>
                <div class="row-head">
                  <p class="free">
                    {weight === "warning" ? <Badge tone="warn">look</Badge> : <Badge>waits</Badge>}{" "}
                    <Message text={toSentence(text)} />
                  </p>
                  {link && (
                    <a id={`concern-${at}`} href={link.to}>
                      {link.label}
                    </a>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function Figures({ overview, now }: OverviewProperties) {
  const { people, index, files, disk, backupAgeSeconds, callsToday, database } = overview;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const others = index && people - index.people;
  return (
    <div class="cards" id="figures">
      <Figure title="People" value={formatCount(index?.people ?? people)}>
        {describeFound(overview, others)}
      </Figure>
      <Figure title="Calls today" value={formatCount(callsToday)}>
        <a id="figures-usage" href="/admin/usage">
          the last 90 days
        </a>
      </Figure>
      {database === undefined ? (
        <Figure title="Latest backup" value={formatBackupAge(backupAgeSeconds, now)}>
          <a id="figures-backups" href="#backups">
            all backups
          </a>
        </Figure>
      ) : (
        <Figure title="Database" value="PostgreSQL">
          {database}, shared by all nodes
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

/** @param age the seconds since the last backup; null if there was no backup, undefined if the age is not known. */
function formatBackupAge(age: number | null | undefined, now: Date): string {
  if (age === null) return "never";
  if (age === undefined) return "not known";
  return formatTimeDistance(new Date(now.getTime() - age * 1000), now);
}

/** @param others the number of people in the pool whom a search never finds, such as bots. */
function describeFound({ index, revision }: Overview, others: number | undefined): string {
  if (!index || others === undefined) return "in the pool; the search index is not loaded";
  if (index.revision < revision) return "as the search finds them; newer ones follow in a moment";
  if (others <= 0) return "everyone in the pool, found by a search";
  const more = formatCounted(others, "author");
  return `found by a search; beside them, ${more} who ${others === 1 ? "is a bot" : "are bots"} or no person`;
}

function Figure(properties: { title: string; value: string; children: Children }) {
  const { title, value, children } = properties;
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
    <Panel title="Where people come from" id="sources">
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

function StaleRepositories({ overview: { stale } }: Pick<OverviewProperties, "overview">) {
  if (stale.length === 0) return undefined;
  return (
    <Panel title="Repositories without new commits" id="stale">
      <p>
        The newest commit of these repositories is more than {historyAgeMax} days old. Activity in
        them is judged as of that commit: either nobody commits, or the mirror is no longer fetched.
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

async function renderMoving(ask: SignedInRequest) {
  const { open, ended } = await renderRunRows(ask);
  const others = ["concerns", "figures", "sources"];
  return (
    <Panel title="Now" {...createPolling(open.length > 0, path, "now", others)}>
      {open.length > 0 ? (
        <ul class="rows">{open}</ul>
      ) : (
        <>
          <p class="muted">
            {ended.length > 0 ? "Nothing is running. The last run:" : "Nothing is running."}
          </p>
          {ended.length > 0 && <ul class="rows">{ended.slice(0, 1)}</ul>}
        </>
      )}
      <p>
        <a id="now-runs" href="/admin/runs">
          All runs, and what can be started
        </a>
      </p>
    </Panel>
  );
}
