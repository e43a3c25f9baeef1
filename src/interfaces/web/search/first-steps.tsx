/** The content of the start page: the first steps of an account, example searches, and what is in the pool. */
import { readPoolOverview } from "../../../operations/pool-overview.ts";
import { formatCount } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { Badge, EmptyState, Panel, Rows } from "../look/parts.tsx";
import { CallRefusal } from "../look/people.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import { NoPlaces } from "./empty-result.tsx";
import { BusyRepositories, PoolFigures, RecentPeople } from "./pool-panels.tsx";
import { suggestSearches } from "./suggested-searches.ts";

export async function renderStart(ask: SignedInRequest): Promise<Html> {
  const { index } = ask.modules;
  if (!index.isReady) return <EmptyState>The people are loading. Reload in a moment.</EmptyState>;
  const found = await ask.calls.compute(ask, async (computing) => ({
    ...(await suggestSearches(computing)),
    overview: await readPoolOverview(computing),
  }));
  const steps = await listSteps(ask);
  const firstSteps = steps.some(({ isDone }) => !isDone) && <FirstSteps steps={steps} />;
  if (!found.ok) {
    return (
      <>
        {firstSteps}
        <CallRefusal failure="The overview is not shown" problem={found.problem} />
      </>
    );
  }
  const { searches, people, hasPlaces, overview } = found.shown;
  const hasHistory = overview.total > 0;
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
        {hasHistory && <PoolFigures overview={overview} people={people} />}
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
          <RecentPeople overview={overview} />
        </div>
      </div>
    </>
  );
}

function EmptyPool({ ask }: SignedInProperties) {
  return (
    <section class="nothing stack-wide" aria-labelledby="empty">
      <h2 id="empty">No one is here yet</h2>
      {ask.visitor.account.administrator ? (
        <p>
          <a class="button" href="/admin/sources">
            Add a source
          </a>
        </p>
      ) : (
        <p>People appear when an administrator has added a source.</p>
      )}
    </section>
  );
}

const newsMax = 5;

/** Lists the saved searches that have found new people since the account looked. */
async function renderNews({ modules, visitor }: SignedInRequest): Promise<Html | undefined> {
  const searches = await modules.control.saved.searches(visitor.account.id);
  const fresh = searches.filter((search) => search.new > 0 && !search.isLookedAt);
  if (fresh.length === 0) return undefined;
  return (
    <Panel title="Saved searches" id="saved-news" actions={<a href="/saved">All</a>}>
      <Rows empty="">
        {fresh.slice(0, newsMax).map(({ id, name, new: count }) => (
          <li class="row-head">
            <a href={`/saved/searches/${id}`}>{name}</a>
            <Badge tone="good">{formatCount(count)} new</Badge>
          </li>
        ))}
      </Rows>
    </Panel>
  );
}

interface Step {
  readonly isDone: boolean;
  readonly title: string;
  /** The page where the step is taken. Absent for the search, which is on this page. */
  readonly to?: string;
}

/** Lists the first steps of this account. A step is done if its result exists. */
async function listSteps(ask: SignedInRequest): Promise<readonly Step[]> {
  const tried = { isDone: await hasCalled(ask), title: "Run a search" };
  if (!ask.visitor.account.administrator) return [tried];
  const sources = await ask.modules.pool.sources();
  const others = (await ask.modules.accounts.list()).filter(
    ({ id, disabled }) => id !== ask.visitor.account.id && !disabled,
  );
  const hasOwn = sources.some(({ source }) => source !== "demo");
  return [
    tried,
    { isDone: hasOwn, title: "Add your repositories", to: "/admin/sources" },
    { isDone: others.length > 0, title: "Invite someone", to: "/admin/accounts" },
  ];
}

const lookBackMs = 90 * 86_400_000;

/** Whether this account has made a call in the last 90 days. */
async function hasCalled({ modules, visitor, now }: SignedInRequest): Promise<boolean> {
  const { id } = visitor.account;
  if ((await modules.quota.usage({ accountId: id })).month.used > 0) return true;
  const since = new Date(now.getTime() - lookBackMs).toISOString().slice(0, 10);
  return (await modules.control.dailyCalls(since)).some(({ accountId }) => accountId === id);
}

function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <section class="steps" id="first-steps" aria-labelledby="first-steps-title">
      <h2 class="small" id="first-steps-title">
        {steps.length === 1 ? "First step" : "First steps"}
      </h2>
      <ol class="steps">
        {steps.map(({ isDone, title, to }) => (
          <li>
            {isDone ? (
              <Badge tone="good">
                ✓ {title}
                <span class="unseen">: done</span>
              </Badge>
            ) : to ? (
              <a class="button plain small-button" href={to}>
                {title}
              </a>
            ) : (
              <Badge>{title}</Badge>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
