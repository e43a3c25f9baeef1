/** The page that compares two to four people. Each person costs one call. */
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { CallAnswer } from "../calls.ts";
import { Field } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState, List, Panel } from "../look/parts.tsx";
import { Avatar, CallCost, CallRefusal, DeveloperLink } from "../look/people.tsx";
import { defineSignedInPage, type SignedInRequest, type View } from "../page.ts";
import { AddToList, readKnownLists } from "../saved/save-forms.tsx";
import { readNames } from "../search/pick-tray.tsx";
import { comparedMax, splitLogins } from "../search/search-query.ts";
import { compareInSections } from "./compared-rows.tsx";
import { findMatch, formatCarriedQuery } from "./search-match.tsx";

export const comparePage = defineSignedInPage({
  path: "/compare",
  show: async (ask) => {
    const { searchParams } = ask.url;
    // An empty `login` means that the last person was removed. Then people of earlier comparisons must not come back.
    const stated = searchParams.has("login") && searchParams.getAll("login");
    const earlier = stated || ask.calls.compared(ask.visitor.account.id);
    const logins = splitLogins([...earlier, ...searchParams.getAll("add")]);
    const query = formatCarriedQuery(ask);
    // Redirects to the shortest address of this comparison.
    const own = formatComparePath(logins, query);
    const isOwn = new URL(own, ask.url).searchParams.toString() === searchParams.toString();
    if (logins.length > 0 && !isOwn) return { goTo: own };
    if (logins.length > comparedMax) return showCompareChoice(ask, logins);
    const answers = await compare(ask, logins);
    ask.calls.noteCompared(
      ask.visitor.account.id,
      logins.filter((_, at) => answers[at]?.ok),
    );
    const body = (
      <>
        {answers.map((answer, at) => {
          if (answer.ok) return undefined;
          const isUnknown = answer.problem.status === 404;
          const unknown = { message: "no developer here has this login" };
          return (
            <CallRefusal
              failure={`${logins[at]} is not compared`}
              problem={isUnknown ? unknown : answer.problem}
            />
          );
        })}
        {answers.find((answer) => answer.ok)?.shown.columns ?? (
          <EmptyState>
            No one is compared yet. Tick two to four people in a <a href="/">search</a>, or open a
            developer's page and choose Compare.
          </EmptyState>
        )}
        <AddForm logins={logins} query={query} />
        {answers.length > 0 && <CallCost answers={answers} />}
      </>
    );
    const names = answers.flatMap((answer) => (answer.ok ? answer.shown.name : []));
    const title = names.length > 1 ? `${names.join(", ")} compared` : "Compare";
    return { title, heading: <h1>Compare</h1>, body };
  },
});

/** Makes one call for each person. No call is counted before the whole table is rendered. */
function compare(
  ask: SignedInRequest,
  logins: readonly string[],
): Promise<readonly CallAnswer<{ readonly name: string; readonly columns: Html }>[]> {
  const found = logins.map(() => Promise.withResolvers<ProfileAnalysis | undefined>());
  const columns = Promise.all(found.map(({ promise }) => promise)).then((answered) =>
    renderColumns(
      ask,
      answered.filter((person) => person !== undefined),
    ),
  );
  // Prevents an unhandled rejection. The calls below report the error.
  columns.catch(() => undefined);
  const calls = logins.map(async (username, at) => {
    try {
      return await ask.calls.perform(ask, "analyze_profile", { username }, async (analysis) => {
        found[at]?.resolve(analysis);
        const { login, name = login } = analysis.profile;
        return { name, columns: await columns };
      });
    } finally {
      found[at]?.resolve(undefined);
    }
  });
  return Promise.all(calls);
}

/** Asks which people to leave out if there are more than four. This costs no call. */
async function showCompareChoice(ask: SignedInRequest, logins: readonly string[]): Promise<View> {
  const nameOf = await readNames(ask, logins);
  const more = logins.length - comparedMax;
  const body = (
    <Panel title={`${logins.length} people are ticked`}>
      <p>
        Four at most stand side by side. Untick {more === 1 ? "one" : more}, and compare the others.
      </p>
      <form method="get" action="/compare" class="stack">
        <List
          class="pick-list"
          items={logins.map((login) => (
            <label>
              <input type="checkbox" name="login" value={login} checked /> {nameOf(login)}
            </label>
          ))}
        />
        <div class="actions">
          <button type="submit">Compare</button>
        </div>
      </form>
    </Panel>
  );
  return { title: "Compare", body };
}

function formatComparePath(logins: readonly string[], query: string): string {
  const people = logins.map((login) => `login=${encodeURIComponent(login)}`);
  return `/compare?${[...people, query].filter(Boolean).join("&")}`;
}

function AddForm({ logins, query }: Pick<ComparedPersonProperties, "logins" | "query">) {
  if (logins.length >= comparedMax) return undefined;
  return (
    <form class="search" method="get" action="/compare">
      {logins.map((login) => (
        <input type="hidden" name="login" value={login} />
      ))}
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Field
        name="login"
        label="Login of another person"
        autocomplete="off"
        required
        maxlength={200}
      />
      <button type="submit" class="plain">
        Add
      </button>
    </form>
  );
}

async function renderColumns(
  ask: SignedInRequest,
  people: readonly ProfileAnalysis[],
): Promise<Html> {
  const logins = people.map(({ profile }) => profile.login);
  const listing = await readKnownLists(ask, logins);
  ask.calls.noteShown(ask.visitor.account.id, logins);
  const matches = await Promise.all(logins.map((login) => findMatch(ask, login)));
  const query = formatCarriedQuery(ask);
  const sections = compareInSections(people, matches);
  // A phone shows two people at a time. A hint names the other people.
  const beyond = people.slice(2).map(({ profile: { name, login } }) => name ?? login);
  return (
    <>
      {beyond.length > 0 && (
        <p class={["small muted scroll-hint", beyond.length > 1 ? "of-four" : ""]}>
          Scroll the table sideways for {beyond.join(" and ")} <span aria-hidden="true">→</span>
        </p>
      )}
      <section class="scroll" tabindex={0} aria-label="Comparison">
        <table class="comparison">
          <thead>
            <tr>
              <td />
              {people.map(({ profile }) => (
                <th scope="col">
                  <ComparedPerson {...profile} logins={logins} query={query} />
                  <AddToList
                    ask={ask}
                    listing={listing}
                    login={profile.login}
                    name={profile.name}
                  />
                </th>
              ))}
            </tr>
          </thead>
          {sections.map(({ title, rows }) => (
            <tbody>
              <tr>
                <th scope="rowgroup" colspan={people.length + 1} class="section-title">
                  {title}
                </th>
              </tr>
              {rows.map(({ label, cells }) => (
                <tr>
                  <th scope="row">{label}</th>
                  {cells.map((cell) => (
                    <td>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
      {people.length > 1 && (
        <p class="small muted">
          <span aria-hidden="true">▲</span> marks the highest of each row that has numbers.
        </p>
      )}
    </>
  );
}

interface ComparedPersonProperties {
  readonly login: string;
  readonly name?: string;
  readonly logins: readonly string[];
  /** The query of the search from which the comparison was opened; empty without a search. */
  readonly query: string;
}

function ComparedPerson({ login, name = login, logins, query }: ComparedPersonProperties) {
  const others = logins.filter((other) => other !== login);
  return (
    <>
      <span class="compared" dir="auto">
        <Avatar login={login} name={name} />
        <DeveloperLink login={login} name={name} query={query} />
      </span>
      <a class="small" href={formatComparePath(others, query)}>
        remove<span class="unseen"> {name}</span>
      </a>
    </>
  );
}
