import { formatCount } from "../look/format.ts";
import { ListSearch, readPosition, readSearched } from "../look/lists.tsx";
import { Ago, Panel } from "../look/parts.tsx";
import { defineAdministratorPage, type SignedInRequest } from "../page.ts";
import {
  DecisionRows,
  isDecision,
  isDecisionUnderWay,
  decisionsPath as path,
  undoAction,
} from "./decision-parts.tsx";
import { createNameLookup, createPolling } from "./run-parts.tsx";

const shownMax = 25;

export const decisionsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const searched = readSearched(ask.url);
    const isLong = (await ask.modules.administration.decisions.count()) > shownMax;
    const body = (
      <>
        {(isLong || searched) && (
          <ListSearch path={path} label="Name, address or reason" value={searched}>
            {searched && (
              <a class="button plain" href={path}>
                All
              </a>
            )}
          </ListSearch>
        )}
        {await renderDecisions(ask, searched)}
      </>
    );
    const back = { to: "/admin/identity", label: "Back to pairs that look like one" };
    return { title: "Decisions about who is who", back, body, moves: true };
  },
  actions: { undo: undoAction },
});

/** Renders the list of decisions. The browser updates it until no decision is being applied. */
async function renderDecisions(ask: SignedInRequest, searched: string) {
  const { decisions, runs } = ask.modules.administration;
  const [nameOf, total] = await Promise.all([createNameLookup(ask), decisions.count(searched)]);
  const from = Math.min(readPosition(ask.url, "from"), Math.max(0, total - 1));
  const lines = await decisions.read(from, shownMax, searched);
  const list = runs.list();
  const latest = list.find((run) => isDecision(run) && run.endedAt !== undefined);
  const rest = total - from - lines.length;
  const linkTo = (first: number) =>
    `${path}?${new URLSearchParams({ ...(searched && { q: searched }), from: String(first) })}`;
  return (
    <Panel
      title={total === 0 ? "Decisions" : `Decisions (${formatCount(total)})`}
      {...createPolling(list.some(isDecisionUnderWay), path + ask.url.search, "decisions")}
    >
      {latest?.outcome && (
        <p class={latest.state === "failed" ? "small wrong free" : "small free"} role="status">
          {latest.title}, <Ago at={latest.endedAt} now={ask.now} />: {latest.outcome}
        </p>
      )}
      <DecisionRows
        ask={ask}
        lines={lines}
        nameOf={nameOf}
        empty={
          searched
            ? `No decision has "${searched}" in it.`
            : "None yet: here stands what was accepted, refused, joined or split, and by whom."
        }
      />
      {(from > 0 || rest > 0) && (
        <nav class="actions" aria-label="More decisions">
          {from > 0 && <a href={linkTo(Math.max(0, from - shownMax))}>Newer</a>}
          {rest > 0 && <a href={linkTo(from + shownMax)}>Older</a>}
        </nav>
      )}
    </Panel>
  );
}
