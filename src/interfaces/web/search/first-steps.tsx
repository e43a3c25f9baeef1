/** The content of the search page before a search: the first steps of an account, and suggested searches. */
import { formatPeople } from "../look/format.ts";
import type { Children, Html } from "../look/jsx-runtime.ts";
import { EmptyState, List, Panel } from "../look/parts.tsx";
import type { SignedInRequest } from "../page.ts";
import { NoPlaces } from "./empty-result.tsx";
import { suggestSearches } from "./suggested-searches.ts";

export async function renderStart(ask: SignedInRequest): Promise<Html> {
  const suggested = await ask.calls.compute(ask, suggestSearches);
  // The suggestions are refused if the account has no calls left.
  const { searches, hasPlaces } = suggested.ok
    ? suggested.shown
    : { searches: [], hasPlaces: true };
  const steps = await listSteps(ask);
  return (
    <>
      {steps.every(({ isDone }) => isDone) ? undefined : <FirstSteps steps={steps} />}
      <Panel title="Find people by what they built" id="try">
        <p>
          Fill in any of the fields; a field left empty does not filter. Names are completed as you
          type. To look up one person by name, use the field at the top.
        </p>
        {searches.length > 0 && <p>For example, among the people here:</p>}
        <List
          class="plain-list"
          items={searches.map(({ name, path, people }) => (
            <>
              <a href={path}>{name}</a>: {formatPeople(people)}
            </>
          ))}
        />
        {suggested.ok && searches.length === 0 && ask.modules.index.isReady && (
          <EmptyState>
            Nobody is here yet.{" "}
            {ask.visitor.account.administrator ? (
              <a href="/admin/sources">Add a source</a>
            ) : (
              "People appear once an administrator has added a source."
            )}
          </EmptyState>
        )}
        {!hasPlaces && <NoPlaces ask={ask} />}
        <p class="small muted">
          Each search, each page of results and each developer that you open counts as one call, as
          over the API. The same again within a minute does not.
        </p>
      </Panel>
    </>
  );
}

interface Step {
  readonly isDone: boolean;
  readonly title: string;
  readonly how: Children;
}

/** Lists the first steps of this account. A step is done if its result exists. */
async function listSteps(ask: SignedInRequest): Promise<readonly Step[]> {
  const tried: Step = {
    isDone: await hasCalled(ask),
    title: "Try it",
    how: "Search by place, role or skill, or follow one of the examples below.",
  };
  if (!ask.visitor.account.administrator) return [tried];
  const sources = await ask.modules.pool.sources();
  const others = (await ask.modules.accounts.list()).filter(
    ({ id, disabled }) => id !== ask.visitor.account.id && !disabled,
  );
  return [
    tried,
    {
      isDone: sources.some(({ source }) => source !== "demo"),
      title: "Bring in your repositories",
      how: (
        <>
          <a href="/admin/sources">Add a source</a>: a forge, a repository or a folder. Or run{" "}
          <code>roster ingest git ~/mirrors</code> on the server.
        </>
      ),
    },
    {
      isDone: others.length > 0,
      title: "Invite a colleague",
      how: (
        <>
          <a href="/admin/accounts">Make an account and its invitation</a>, a link that works once.
        </>
      ),
    },
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
    <Panel title={steps.length === 1 ? "First step" : "First steps"} id="first-steps">
      <ol class="steps">
        {steps.map(({ isDone, title, how }) => (
          <li class={isDone ? "step step-done" : "step"}>
            <span class="step-mark" aria-hidden="true">
              {isDone ? "✓" : ""}
            </span>
            <div>
              <h3>
                {title}
                {isDone && <span class="unseen">: done</span>}
              </h3>
              {!isDone && <p class="small">{how}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
