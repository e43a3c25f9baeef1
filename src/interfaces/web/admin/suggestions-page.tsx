import { defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { readPosition } from "../look/lists.tsx";
import { EmailAddress, EmptyState, FactList, List, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInProperties,
  type SignedInRequest,
} from "../page.ts";
import type { IdentityPair } from "./administration.ts";
import { decisionsPath, isDecisionUnderWay } from "./decision-parts.tsx";
import { startRun } from "./runs-page.tsx";
import { readStudy, StudyPart } from "./study-parts.tsx";

const path = "/admin/identity";

export const suggestionsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const { suggestions, runs, decisions } = ask.modules.administration;
    const state = readStudy(ask, suggestions, runs.list().some(isDecisionUnderWay));
    const decided = await decisions.count();
    const body = (
      <>
        <p>
          Author identities of git histories that look like one person. Roster changes nothing until
          you decide, and what was decided can be undone:{" "}
          <a href={decisionsPath}>{formatCounted(decided, "decision")}</a>.
        </p>
        <StudyPart
          ask={ask}
          id="pairs"
          study={state}
          doing="Looking for pairs"
          failure={{
            title: "The pairs could not be found",
            help: runs.canStart && <LookAgain ask={ask} />,
          }}
        >
          {state.state === "none" && <EmptyState>This server cannot look for pairs.</EmptyState>}
          {state.state === "done" && <Pairs ask={ask} pairs={state.result} />}
        </StudyPart>
        <p>
          Somebody asks for everything about them to be erased:{" "}
          <a href="/admin/forget">forget a person</a>.
        </p>
      </>
    );
    return { title: "Who is who", body, moves: true };
  },
  actions: {
    merge: defineDecision("merge"),
    split: defineDecision("split"),
    again: defineButton(({ modules }) => {
      modules.administration.suggestions.ask();
      return { goTo: path };
    }),
  },
});

function defineDecision(kind: "merge" | "split") {
  return defineAction(
    { a: defineText("One", 250), b: defineText("Other", 250) },
    (ask: SignedInRequest, { a, b }) => {
      const state = ask.modules.administration.suggestions.read();
      const pairs = state.state === "done" ? state.result : [];
      // Accepts only pairs that are still suggested.
      if (!pairs.some((pair) => isPair(pair, a, b))) {
        return { refusal: "This pair is no longer suggested." };
      }
      const text =
        kind === "merge" ? `${a} and ${b} are made one.` : `${a} and ${b} stay two for good.`;
      return startRun(ask, { kind, a, b }, `${text} Counting takes a moment: see Runs.`);
    },
  );
}

const isPair = ({ people: [one, other] }: IdentityPair, a: string, b: string) =>
  one.login === a && other.login === b;

function Pairs({ ask, pairs }: SignedInProperties & { readonly pairs: readonly IdentityPair[] }) {
  const runs = ask.modules.administration.runs.list();
  // Leaves out pairs that a run has decided. Runs before the latest undo do not count, because an undo searches for pairs again.
  const undone = runs.findIndex(({ kind, endedAt }) => kind === "undo" && endedAt);
  const decided = runs
    .slice(0, undone < 0 ? undefined : undone)
    .filter(({ state }) => state !== "failed" && state !== "stopped");
  const open = pairs.filter(
    (pair) => !decided.some((run) => run.pair && isPair(pair, ...run.pair)),
  );
  const at = Math.min(readPosition(ask.url, "at"), Math.max(0, open.length - 1));
  const pair = open[at];
  if (!pair) {
    return (
      <>
        <EmptyState>No two people look like one.</EmptyState>
        <LookAgain ask={ask} />
      </>
    );
  }
  return <Pair ask={ask} pair={pair} at={at} count={open.length} />;
}

function LookAgain({ ask }: SignedInProperties) {
  return <Form ask={ask} act="again" submit="Look again" tone="plain" inline />;
}

interface PairProperties extends SignedInProperties {
  readonly pair: IdentityPair;
  readonly at: number;
  readonly count: number;
}

function Pair({ ask, pair, at, count }: PairProperties) {
  const [one, other] = pair.people;
  const decision = { ask, inline: true, hidden: { a: one.login, b: other.login } } as const;
  return (
    <section class="stack-wide" data-keys aria-labelledby="pair" tabindex={-1} autofocus>
      <h2 id="pair">
        Pair {formatCount(at + 1)} of {formatCount(count)}
      </h2>
      <div class="side-by-side">
        <PersonPanel person={one} />
        <section class="card clues" aria-labelledby="clues">
          <h3 id="clues">Why they may be one</h3>
          <List class="free" items={pair.clues} />
        </section>
        <PersonPanel person={other} />
      </div>
      <div class="actions">
        <Form {...decision} act="merge" submit="Accept: one person (A)" letter="a" />
        <Form {...decision} act="split" submit="Refuse: two people (R)" tone="plain" letter="r" />
        <a
          class="button plain small-button"
          href={`${path}?at=${at + 1 < count ? at + 1 : 0}`}
          data-key="l"
        >
          Later (L)
        </a>
      </div>
      <p class="muted small">The letters work while the focus is on the pair.</p>
    </section>
  );
}

function PersonPanel({ person }: { readonly person: IdentityPair["people"][0] }) {
  const { login, accounts, spellings } = person;
  const shown = spellings.slice(0, spellingsShown);
  return (
    <Panel title={login}>
      <FactList
        facts={[
          accounts.length > 0 && ["Accounts", accounts.join(", ")],
          ["Written", formatCounted(countAll(spellings), "commit")],
        ]}
      />
      <ul class="rows">
        {shown.map(({ name, email, written, repositories }) => (
          <li>
            <div class="free">
              <strong>{name}</strong> <EmailAddress email={email} />
            </div>
            <p class="muted small free">
              {formatCount(written)} written
              {repositories.length > 0 && ` in ${listSome(repositories)}`}
            </p>
          </li>
        ))}
      </ul>
      {spellings.length > shown.length && (
        <p class="muted small">and {formatCount(spellings.length - shown.length)} more</p>
      )}
    </Panel>
  );
}

const countAll = (spellings: IdentityPair["people"][0]["spellings"]) =>
  spellings.reduce((sum, { written }) => sum + written, 0);

const spellingsShown = 6;
const namesShown = 3;

function listSome(names: readonly string[]): string {
  const rest = names.length - namesShown;
  const some = names.slice(0, namesShown).join(", ");
  return rest > 0 ? `${some} and ${rest} more` : some;
}
