/** One saved search: the people it finds, and what has changed since the account last looked. */
import { type RankedLogin, savedLimits } from "../../../control/saved-records.ts";
import { createCsvDownload, toCsvFileName } from "../download.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { Form, GuardedForm } from "../look/forms.tsx";
import { Ago, Badge, FactList, Panel } from "../look/parts.tsx";
import { DeveloperLink } from "../look/people.tsx";
import {
  defineButton,
  defineSignedInPage,
  requireOwn,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import { createSavedEntry, describeChanges, getId, runSearch } from "./saved-actions.ts";

export const savedSearchPage = defineSignedInPage({
  path: "/saved/searches/:id",
  show: async (ask) => {
    const search = await getSearch(ask);
    const { name, query, total, seenAt, ranAt, found } = search;
    if (ask.url.searchParams.get("format") === "csv") {
      const rows = found.map((one) => [one.login, one.score, one.seenScore, findState(one)]);
      const heading = ["login", "score", "score_before", "state"];
      return createCsvDownload(toCsvFileName(name), [heading, ...rows]);
    }
    const hasChanges = search.new + search.gone + search.changed > 0;
    const body = (
      <>
        <Panel title="What has changed">
          <p>
            <strong>{describeChanges(search)}</strong>
          </p>
          <FactList
            facts={[
              ["Last run", <Ago at={ranAt} now={ask.now} />],
              ["Last looked at", <Ago at={seenAt} now={ask.now} />],
              ["People", formatCount(total)],
            ]}
          />
          <div class="actions">
            <Form ask={ask} act="run" submit="Run again (one call)" inline />
            {hasChanges && (
              <Form ask={ask} act="seen" submit="I have seen these" tone="plain" inline />
            )}
            <a class="button plain small-button" href={`/?${query}`}>
              Open the search
            </a>
          </div>
        </Panel>
        <Found ask={ask} found={found} total={total} />
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
    run: defineButton(async (ask) => {
      const run = await runSearch(ask, (await getSearch(ask)).query);
      if ("refusal" in run) return run;
      const { saved } = ask.modules.control;
      requireOwn(await saved.noteRun(ask.visitor.account.id, getId(ask), run), "saved search");
      return { goTo: ask.url.pathname, notice: { text: "The search has been run again." } };
    }),
    seen: defineButton(async (ask) => {
      const { saved } = ask.modules.control;
      requireOwn(await saved.markSeen(ask.visitor.account.id, getId(ask)), "saved search");
      const text = "These results now count as seen. The next run shows what has changed since.";
      return { goTo: ask.url.pathname, notice: { text } };
    }),
    "remove-search": defineButton(async (ask) => {
      const by = createSavedEntry(ask, "search.removed", getId(ask));
      const { saved } = ask.modules.control;
      const isGone = await saved.removeSearch(ask.visitor.account.id, getId(ask), by);
      requireOwn(isGone, "saved search");
      return { goTo: "/saved", notice: { text: "The saved search is removed." } };
    }),
  },
});

async function getSearch(ask: SignedInRequest) {
  const { saved } = ask.modules.control;
  return requireOwn(await saved.findSearch(ask.visitor.account.id, getId(ask)), "saved search");
}

function findState({ seenScore, score }: RankedLogin): "new" | "gone" | "changed" | "" {
  if (seenScore === undefined) return "new";
  if (score === undefined) return "gone";
  return seenScore === score ? "" : "changed";
}

function Change({ ranked }: { readonly ranked: RankedLogin }) {
  const state = findState(ranked);
  return (
    <>
      {state !== "" && <Badge tone={stateTones[state]}>{state}</Badge>}
      {state === "changed" && <span class="small muted"> was {ranked.seenScore}</span>}
    </>
  );
}

const stateTones = { new: "good", gone: "bad", changed: "warn" } as const;

interface FoundProperties extends SignedInProperties {
  readonly found: readonly RankedLogin[];
  readonly total: number;
}

function Found({ ask, found, total }: FoundProperties) {
  return (
    <Panel title="People">
      <DataTable
        columns={[
          ["Login", ({ login }) => <DeveloperLink login={login} />],
          ["Score", ({ score }) => score, "number"],
          ["Since then", (one) => <Change ranked={one} />],
        ]}
        rows={found}
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
