/** The content of the start page: the first steps of an account, example searches, and what is in the pool. */
import {
  type NamedBusyPerson,
  type PoolOverview,
  readPoolOverview,
} from "../../../operations/pool-overview.ts";
import { readCallHistory } from "../account/call-history.tsx";
import { formatCommits, formatCount, formatDate } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Badge, ButtonLink, EmptyState, Figures, FilePath, List, Panel } from "../look/parts.tsx";
import {
  Avatar,
  CallRefusal,
  formatDeveloperPath,
  PersonHeading,
  Sparkline,
} from "../look/people.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import { formatAddress, noQuestion } from "../who/who-question.tsx";
import { NoPlaces } from "./search-notes.tsx";
import { suggestSearches } from "./suggested-searches.ts";

export async function renderStart(ask: SignedInRequest): Promise<Html> {
  const { index } = ask.modules;
  if (!index.generation)
    return <EmptyState>The people are loading. Reload in a moment.</EmptyState>;
  const found = await ask.calls.compute(ask, async (computing) => ({
    ...(await suggestSearches(computing)),
    overview: await readPoolOverview(computing),
  }));
  const steps = await listSteps(ask);
  const firstSteps = steps.some(([, isDone]) => !isDone) && <FirstSteps steps={steps} />;
  if (!found.ok) return <CallRefusal failure="The overview is not shown" problem={found.problem} />;
  const { searches, people, hasPlaces, overview } = found.shown;
  const hasHistory = overview.total > 0;
  const { spans, people: busy, newcomers } = overview;
  const newSince = formatDate(overview.newSince);
  if (people === 0 && !hasHistory) return <EmptyPool ask={ask} />;
  return (
    <>
      <p class="small examples">
        {searches.length > 0 && <span class="muted">Try</span>}
        {searches.map(({ name, path, people }) => (
          <span class="whole">
            <a href={path}>{name}</a> <span class="number muted">{formatCount(people)}</span>
          </span>
        ))}
        <span class="muted">Each search and each profile you open uses one call.</span>
      </p>
      {!hasPlaces && <NoPlaces ask={ask} />}
      <div class="heading">
        {hasHistory && (
          <Figures
            items={[
              [formatCount(people), people === 1 ? "person" : "people"],
              [formatCount(overview.total), overview.total === 1 ? "repository" : "repositories"],
              [formatCount(overview.active), `active in ${spans.busy} weeks`],
              [formatDate(overview.until), "data ends"],
            ]}
          />
        )}
        {firstSteps}
      </div>
      <div class="with-side">
        {hasHistory ? (
          <BusyRepositories overview={overview} />
        ) : (
          <EmptyState>No repository has been read yet.</EmptyState>
        )}
        <div class="side">
          {await renderNews(ask)}
          <PeoplePanel id="busy" title={`Most commits in ${spans.busy} weeks`} people={busy} />
          <PeoplePanel id="new-people" title={`New since ${newSince}`} people={newcomers} />
        </div>
      </div>
    </>
  );
}

function EmptyPool({ ask }: SignedInProperties) {
  return (
    <EmptyState>
      No one is here yet.{" "}
      {ask.visitor.account.administrator ? (
        <a class="button" href="/admin/sources">
          Add a source
        </a>
      ) : (
        "An administrator can add a source."
      )}
    </EmptyState>
  );
}

/** Lists the saved searches that have found new people since the account looked. */
async function renderNews({ modules, visitor }: SignedInRequest): Promise<Html | undefined> {
  const searches = await modules.control.saved.searches(visitor.account.id);
  const fresh = searches.filter((search) => search.new > 0 && !search.isLookedAt);
  const rows = fresh.slice(0, 5).map(({ id, name, new: count }) => (
    <>
      <a href={`/saved/searches/${id}`}>{name}</a>{" "}
      <Badge tone="good">{formatCount(count)} new</Badge>
    </>
  ));
  return rows.length === 0 ? undefined : (
    <Panel title="Saved searches" id="saved-news">
      <List class="plain-list" items={rows} />
    </Panel>
  );
}

/** A step without a path is taken on the start page itself. */
type Step = readonly [title: string, isDone: boolean, to?: string];

async function listSteps(ask: SignedInRequest): Promise<readonly Step[]> {
  const { account } = ask.visitor;
  const tried = ["Run a search", await hasCalled(ask)] as const;
  if (!account.administrator) return [tried];
  const sources = await ask.modules.pool.sources();
  const hasOwn = sources.some(({ source }) => source !== "demo");
  const accounts = await ask.modules.accounts.list();
  const hasOthers = accounts.some(({ id, disabled }) => id !== account.id && !disabled);
  return [
    tried,
    ["Add your repositories", hasOwn, "/admin/sources"],
    ["Invite someone", hasOthers, "/admin/accounts"],
  ];
}

/** Whether this account has made a call in the last 90 days. */
async function hasCalled(ask: SignedInRequest): Promise<boolean> {
  const { id } = ask.visitor.account;
  if ((await ask.modules.quota.usage({ accountId: id })).month.used > 0) return true;
  return (await readCallHistory(ask)).byAccount.has(id);
}

function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <section class="steps" id="first-steps" aria-labelledby="first-steps-title">
      <h2 class="small" id="first-steps-title">
        {steps.length === 1 ? "First step" : "First steps"}
      </h2>
      <ol class="steps">
        {steps.map(([title, isDone, to]) => (
          <li>
            {isDone ? (
              <Badge tone="good">
                ✓ {title}
                <span class="unseen">: done</span>
              </Badge>
            ) : to ? (
              <ButtonLink to={to} label={title} />
            ) : (
              <Badge>{title}</Badge>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function BusyRepositories({ overview }: { readonly overview: PoolOverview }) {
  const { total, repositories, spans } = overview;
  const all = total > repositories.length && <a href="/who">All {formatCount(total)}</a>;
  return (
    <Panel title="Busiest repositories" id="pool-repositories" actions={all}>
      <DataTable
        class="repositories"
        scrolls="Repositories and who knows them"
        columns={[
          [
            "Repository",
            ({ asked: repository, name }) => (
              <a href={formatAddress({ ...noQuestion, repository })}>
                <FilePath path={name} />
              </a>
            ),
          ],
          ["Knows most of it", Knowers],
          [
            `Commits, ${spans.shown} weeks`,
            ({ weeks, name }) => <Sparkline values={weeks} label={`Commits a week to ${name}`} />,
            "wide",
          ],
          [`${spans.busy} weeks`, ({ recent }) => formatCount(recent), "number"],
          ["Last commit", ({ last }) => formatDate(last), "when wide"],
        ]}
        rows={repositories}
      />
    </Panel>
  );
}

function Knowers({ knowers }: Pick<PoolOverview["repositories"][number], "knowers">) {
  return (
    <span class="knowers">
      {knowers.map(({ login, name = login }, at) => (
        <a href={formatDeveloperPath(login)} title={name}>
          <Avatar login={login} name={name} />
          <span class={at === 0 ? "wide" : "unseen"}>{name}</span>
        </a>
      ))}
    </span>
  );
}

interface PeoplePanelProperties {
  readonly id: string;
  readonly title: string;
  readonly people: readonly NamedBusyPerson[];
}

function PeoplePanel({ id, title, people }: PeoplePanelProperties) {
  if (people.length === 0) return undefined;
  return (
    <Panel title={title} id={id}>
      <ul class="brief-people">
        {people.map(({ login, name, commits, repository }) => (
          <li>
            <PersonHeading
              {...{ login, name }}
              heading="h3"
              note={repository.slice(repository.lastIndexOf("/") + 1)}
            />
            <span class="number small muted">{formatCommits(commits)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
