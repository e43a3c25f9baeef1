/** The page of one saved search: the people whom it finds, and what has changed since the account last looked. */
import { type RankedLogin, savedLimits } from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { formatCount } from "../look/format.ts";
import { GuardedForm } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { Ago, Badge, FactList, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import { defineButton, defineSignedInPage, requireOwn, type SignedInRequest } from "../page.ts";
import { createSavedEntry, describeChanges, getId } from "./saved-actions.ts";

export const savedSearchPage = defineSignedInPage({
  path: "/saved/searches/:id",
  show: async (ask) => {
    const search = await getSearch(ask);
    const { name, query, total, seenAt, ranAt, found, isLookedAt } = search;
    if (ask.url.searchParams.get("format") === "csv") {
      const rows = found.map((one) => [one.login, one.score, one.seenScore, findState(one)]);
      const heading = ["login", "score", "score_before", "state"];
      return createCsvDownload(toCsvFileName(name), [heading, ...rows]);
    }
    const { saved } = ask.modules.control;
    if (!isLookedAt && ask.request.method === "GET") {
      await saved.noteLook(ask.visitor.account.id, getId(ask), ask.now);
    }
    const body = (
      <>
        <Panel title="What has changed">
          <p>
            <strong>{describeChanges(search)}</strong>
          </p>
          <FactList
            facts={[
              ["Last run", <Ago at={ranAt} now={ask.now} />],
              ["Compared with what you saw", <Ago at={seenAt} now={ask.now} />],
              ["People", formatCount(total)],
            ]}
          />
          <p class="small muted">
            It runs by itself whenever people come or change, and costs no call. Once you have
            looked, the next run is compared with what stands here.
          </p>
          <div class="actions">
            <a class="button plain small-button" href={`/?${query}`}>
              Open the search
            </a>
          </div>
        </Panel>
        {await renderFound(ask, search)}
        <GuardedForm
          ask={ask}
          act="remove-search"
          label="Remove the saved search"
          submit="Remove the saved search"
        >
          <p>It will no longer show what has changed; nothing else is deleted.</p>
        </GuardedForm>
      </>
    );
    const back = { to: "/saved", label: "All lists and searches" };
    return { title: name, back, body };
  },
  actions: {
    "remove-search": defineButton(async (ask) => {
      const by = createSavedEntry(ask, "search.removed", getId(ask));
      const { saved } = ask.modules.control;
      const isGone = await saved.removeSearch(ask.visitor.account.id, getId(ask), by);
      requireOwn(isGone, "saved search");
      return { goTo: "/saved", notice: { text: "The saved search is removed." } };
    }),
  },
});

type SavedSearchContent = Awaited<ReturnType<typeof getSearch>>;

async function getSearch(ask: SignedInRequest) {
  const { saved } = ask.modules.control;
  return requireOwn(await saved.findSearch(ask.visitor.account.id, getId(ask)), "saved search");
}

function findState({ seenScore, score }: RankedLogin): "new" | "gone" | "moved" | "" {
  if (seenScore === undefined) return "new";
  if (score === undefined) return "gone";
  return seenScore === score ? "" : "moved";
}

function renderChange(ranked: RankedLogin) {
  const state = findState(ranked);
  const { score = 0, seenScore = 0 } = ranked;
  const moved = ` ${score > seenScore ? "up" : "down"} from ${seenScore}`;
  return [
    state !== "" && <Badge tone={stateTones[state]}>{state}</Badge>,
    state === "moved" && <span class="small muted">{moved}</span>,
  ];
}

const stateTones = { new: "good", gone: "bad", moved: "warn" } as const;

/** The order of people by state. The empty state means no change. */
const stateOrder = ["new", "gone", "moved", ""];
const byState = (a: RankedLogin, b: RankedLogin) =>
  stateOrder.indexOf(findState(a)) - stateOrder.indexOf(findState(b));

async function renderFound(ask: SignedInRequest, { found, total }: SavedSearchContent) {
  // Reading the names costs no call, because a search of this account has found these people.
  const cards = await ask.modules.pool.findCards(found.map(({ login }) => login));
  const names = new Map(found.map(({ login }, at) => [login, cards[at]?.name ?? login]));
  return (
    <Panel title="People">
      <DataTable
        columns={[
          ["Person", ({ login }) => <DeveloperLink login={login} name={names.get(login)} />],
          ["Score", ({ score }) => score, "number"],
          ["Since you looked", renderChange],
        ]}
        rows={found.toSorted(byState)}
        empty="No one was found."
      />
      {total > savedLimits.foundMax && (
        <p class="small muted">
          The best {formatCount(savedLimits.foundMax)} are kept and compared; more fit.
        </p>
      )}
      {found.length > 0 && (
        <p class="small">
          <a href={`${ask.url.pathname}?format=csv`}>Download as CSV</a>
        </p>
      )}
    </Panel>
  );
}
