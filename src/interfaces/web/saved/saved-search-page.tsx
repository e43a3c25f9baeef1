/** The page of one saved search: what has changed since the account last looked, and the people whom the search finds. */
import { type RankedLogin, savedLimits } from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { formatCount, formatScore } from "../look/format.ts";
import { Ago, EmptyState, List } from "../look/parts.tsx";
import {
  defineButton,
  defineSignedInPage,
  requireOwn,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import { findNames } from "../search/search-notes.tsx";
import { listFilters, readFilters } from "../search/search-query.ts";
import { createSavedEntry, describeChanges, getId } from "./saved-actions.ts";
import { readRowFigures, SavedActions, SavedPerson } from "./saved-person.tsx";
import { renderSearchMail, searchMailActions } from "./search-mail.tsx";

export const savedSearchPage = defineSignedInPage({
  path: "/saved/searches/:id",
  show: async (ask) => {
    const search = await getSearch(ask);
    const { name, total, found, isLookedAt } = search;
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
        {renderQuery(ask, search)}
        {await renderSearchMail(ask, search)}
        {found.length === 0 && <EmptyState>No one matches this search now.</EmptyState>}
        {await renderFound(ask, found)}
        {total > savedLimits.foundMax && (
          <p class="small muted">
            {formatCount(total)} people match. Roster compares the first{" "}
            {formatCount(savedLimits.foundMax)}.
          </p>
        )}
      </>
    );
    const back = { to: "/saved", label: "All lists and searches" };
    const file = found.length > 0 ? `${ask.url.pathname}?format=csv` : "";
    const loss = "Roster then stops watching for changes. Nothing else is deleted.";
    const actions = (
      <SavedActions {...{ ask, file, loss }} what="search">
        <a class="button small-button" href={`/?${search.query}`} title="Uses one call">
          Run now
        </a>
      </SavedActions>
    );
    return { title: name, actions, back, body };
  },
  actions: {
    ...searchMailActions,
    "remove-search": defineButton(async (ask) => {
      const by = createSavedEntry(ask, "search.removed", getId(ask));
      const { saved } = ask.modules.control;
      const isGone = await saved.removeSearch(ask.visitor.account.id, getId(ask), by);
      requireOwn(isGone, "saved search");
      return { goTo: "/saved", notice: { text: "The saved search is deleted." } };
    }),
  },
});

type SavedSearchContent = Awaited<ReturnType<typeof getSearch>>;

async function getSearch(ask: SignedInRequest) {
  const { saved } = ask.modules.control;
  return requireOwn(await saved.findSearch(ask.visitor.account.id, getId(ask)), "saved search");
}

function renderQuery(ask: SignedInRequest, search: SavedSearchContent) {
  const filters = readFilters(new URLSearchParams(search.query));
  const parts = listFilters(filters, findNames(ask, filters, {}));
  return (
    <>
      <List class="chips" items={parts.map(({ label }) => <span class="chip">{label}</span>)} />
      <p>
        <strong>{toSentence(describeChanges(search))}</strong>{" "}
        <span class="small muted">
          Last run <Ago at={search.ranAt} now={ask.now} />. It runs again when people change, and
          uses no calls.
        </span>
      </p>
    </>
  );
}

/** The state of a person since the account last looked. The empty state means no change. */
function findState({ seenScore, score }: RankedLogin): "new" | "gone" | "moved" | "" {
  if (seenScore === undefined) return "new";
  if (score === undefined) return "gone";
  return seenScore === score ? "" : "moved";
}

const groups = [
  ["new", "New"],
  ["gone", "Gone"],
  ["moved", "New score"],
  ["", "No change"],
] as const;

function describeScoreChange({ score, seenScore }: RankedLogin): string {
  if (seenScore === undefined || score === seenScore) return "";
  const before = formatScore(seenScore);
  if (score === undefined) return `was ${before}`;
  const direction = score > seenScore ? "up" : "down";
  return before === formatScore(score) ? `slightly ${direction}` : `${direction} from ${before}`;
}

async function renderFound(ask: SignedInRequest, found: SavedSearchContent["found"]) {
  // Reading the cards costs no call, because a search of this account has found these people.
  const logins = found.map(({ login }) => login);
  const cards = await ask.modules.pool.findCards(logins);
  const figures = await readRowFigures(ask, logins);
  const people = found.map((ranked, at) => ({ ranked, card: cards[at] }));
  const byState = Map.groupBy(people, ({ ranked }) => findState(ranked));
  return groups.map(([state, label]) => {
    const own = byState.get(state) ?? [];
    if (own.length === 0) return undefined;
    return (
      <section class="saved-group" aria-labelledby={`state-${state}`}>
        <h2 id={`state-${state}`}>
          {label} <span class="muted number">{formatCount(own.length)}</span>
        </h2>
        <ol class="people">
          {own.map(({ ranked, card }) => (
            <SavedPerson
              login={ranked.login}
              card={card}
              figures={figures}
              score={ranked.score}
              isMatch
            >
              <span class="small muted saved-state">{describeScoreChange(ranked)}</span>
            </SavedPerson>
          ))}
        </ol>
      </section>
    );
  });
}
