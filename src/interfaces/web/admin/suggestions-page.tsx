import { defineText } from "../form.ts";
import { formatCount, formatCounted } from "../look/format.ts";
import { Form } from "../look/forms.tsx";
import { readPosition } from "../look/lists.tsx";
import { ButtonLink, EmailAddress, EmptyState, List } from "../look/parts.tsx";
import { Avatar, DeveloperLink } from "../look/people.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineButton,
  type SignedInRequest,
} from "../page.ts";
import type { IdentityPair } from "./administration.ts";
import { decisionsPath, isDecisionUnderWay } from "./decisions-page.tsx";
import { readStudy, StudyPart, startRun } from "./runs-page.tsx";

const path = "/admin/identity";

export const suggestionsPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const { suggestions, runs, decisions } = ask.modules.administration;
    const state = readStudy(ask, suggestions, runs.list().some(isDecisionUnderWay));
    const decided = await decisions.count();
    const again = <Form ask={ask} act="again" submit="Look again" tone="plain" inline />;
    const actions = (
      <>
        <ButtonLink to={decisionsPath} label={formatCounted(decided, "decision")} />
        <ButtonLink to="/admin/forget" label="Forget a person" />
      </>
    );
    const body = (
      <>
        <p>
          These authors may be the same person. Nothing changes until you decide, and you can undo
          every decision.
        </p>
        <StudyPart
          ask={ask}
          id="pairs"
          study={state}
          doing="Looking for duplicates"
          failure={{ title: "The search for duplicates failed", help: runs.canStart && again }}
        >
          {state.state === "none" && (
            <EmptyState>This server cannot look for duplicates.</EmptyState>
          )}
          {state.state === "done" &&
            (renderPair(ask, state.result) ?? [
              <EmptyState>No possible duplicates.</EmptyState>,
              again,
            ])}
        </StudyPart>
      </>
    );
    return { title: "Identities", actions, body, moves: true };
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
      const text = kind === "merge" ? "Merged. Updating scores …" : "Kept separate.";
      return startRun(ask, { kind, a, b }, text);
    },
  );
}

const isPair = ({ people: [one, other] }: IdentityPair, a: string, b: string) =>
  one.login === a && other.login === b;

function renderPair(ask: SignedInRequest, pairs: readonly IdentityPair[]) {
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
  if (!pair) return undefined;
  const count = open.length;
  const [one, other] = pair.people;
  const decision = { ask, inline: true, hidden: { a: one.login, b: other.login } } as const;
  return (
    <section class="stack-wide" data-keys aria-labelledby="pair" tabindex={-1} autofocus>
      <div class="heading">
        <h2 id="pair">
          Possible duplicates ({formatCount(at + 1)} of {formatCount(count)})
        </h2>
        <div class="actions">
          <Form {...decision} act="merge" submit="Merge (M)" letter="m" />
          <Form {...decision} act="split" submit="Keep separate (K)" tone="plain" letter="k" />
          <ButtonLink to={`${path}?at=${(at + 1) % count}`} label="Skip (S)" data-key="s" />
        </div>
      </div>
      <div class="side-by-side">
        {renderPerson(one)}
        <section class="card clues" aria-labelledby="clues">
          <h3 id="clues">Evidence</h3>
          <List class="free" items={pair.clues} />
        </section>
        {renderPerson(other)}
      </div>
    </section>
  );
}

function renderPerson({ login, accounts, spellings }: IdentityPair["people"][0]) {
  const shown = spellings.slice(0, spellingsShown);
  const name = spellings[0]?.name;
  const commits = spellings.reduce((sum, { written }) => sum + written, 0);
  return (
    <section class="card">
      <div class="actions">
        <Avatar login={login} name={name} />
        <div>
          <h3>
            <DeveloperLink login={login} name={name} />
          </h3>
          <p class="small muted free">
            {[login, ...accounts, `${formatCounted(commits, "commit")} written`].join(" · ")}
          </p>
        </div>
      </div>
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
        <p class="muted small">And {formatCount(spellings.length - shown.length)} more</p>
      )}
    </section>
  );
}

const spellingsShown = 6;
const namesShown = 3;

function listSome(names: readonly string[]): string {
  const rest = names.length - namesShown;
  const some = names.slice(0, namesShown).join(", ");
  return rest > 0 ? `${some} and ${rest} more` : some;
}
