/** The page that compares two to four people. Each person costs one call. */
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { CallAnswer } from "../calls.ts";
import { formatCommits, formatSpan } from "../look/format.ts";
import { Field } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState, List, Panel } from "../look/parts.tsx";
import { Avatar, CallCost, CallRefusal, DeveloperLink, Sparkline } from "../look/people.tsx";
import { defineSignedInPage, type SignedInRequest, type View } from "../page.ts";
import { readNames } from "../search/pick-tray.tsx";
import { comparedMax, formatLogins, splitLogins } from "../search/search-query.ts";
import { describeMonths } from "./activity-section.tsx";
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
    const found = logins.filter((_, at) => answers[at]?.ok);
    ask.calls.noteCompared(ask.visitor.account.id, found);
    const body = (
      <>
        {answers.map((answer, at) => {
          if (answer.ok) return undefined;
          const unknown = { message: "no one here has this login" };
          const problem = answer.problem.status === 404 ? unknown : answer.problem;
          return <CallRefusal failure={`${logins[at]} could not be added`} problem={problem} />;
        })}
        {found.length > 0 && (
          <div class="actions screen-only">
            <a class="button small-button" href={`/saved/add?${formatLogins(found)}`}>
              Add {found.length > 1 && "all "}to list
            </a>
          </div>
        )}
        {answers.find((answer) => answer.ok)?.shown.columns ?? (
          <EmptyState>
            No one is compared yet. Select two to four people in a <a href="/">search</a>, or open a
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
    renderColumns(ask, answered.filter(Boolean) as ProfileAnalysis[]),
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
      <p>Compare takes four people at most. Untick {more === 1 ? "one" : more}.</p>
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

const formatComparePath = (logins: readonly string[], query: string): string =>
  `/compare?${[formatLogins(logins), query].filter(Boolean).join("&")}`;

function AddForm({ logins, query }: Pick<ComparedPersonProperties, "logins" | "query">) {
  if (logins.length >= comparedMax) return undefined;
  return (
    <form class="search" method="get" action="/compare">
      {[...new URLSearchParams(`${formatLogins(logins)}&${query}`)].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Field
        {...{
          name: "login",
          label: "Login of another person",
          autocomplete: "off",
          maxlength: 200,
        }}
        required
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
  ask.calls.noteShown(ask.visitor.account.id, logins);
  const matches = await Promise.all(logins.map((login) => findMatch(ask, login)));
  const query = formatCarriedQuery(ask);
  const months = people.flatMap(({ activity }) => activity.months);
  const largest = Math.max(1, ...months.map(({ commits }) => commits));
  const { sections, absent } = compareInSections(people, matches);
  return (
    <>
      <table class="comparison">
        <thead>
          <tr>
            <td />
            {people.map(({ profile }) => (
              <th scope="col">
                <ComparedPerson {...profile} logins={logins} query={query} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Commits by month</th>
            {people.map(({ activity }) => (
              <td>
                <ComparedMonths months={activity.months} largest={largest} />
              </td>
            ))}
          </tr>
        </tbody>
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
      {absent.length > 0 && (
        <p class="small muted">
          {people.length > 1 ? "None of them" : "None"}:{" "}
          {absent.map((label, at) => [at > 0 && " · ", label])}
        </p>
      )}
      {people.length > 1 && (
        <p class="small muted">
          Bold is the highest of a row. The columns of commits by month have one scale: the highest
          is {formatCommits(largest)}.
        </p>
      )}
    </>
  );
}

type ComparedActivity = Pick<ProfileAnalysis["activity"], "months">;

function ComparedMonths({ months, largest }: ComparedActivity & { readonly largest: number }) {
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last) return <>unknown</>;
  const commits = months.map((one) => one.commits);
  const history = { from: first.month, to: last.month, commits };
  return (
    <>
      <Sparkline values={commits} largest={largest} label={describeMonths(history)} />
      <span class="small muted">{formatSpan(history)}</span>
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
    <div class="compared">
      <Avatar login={login} name={name} />
      <span dir="auto">
        <DeveloperLink login={login} name={name} query={query} />
      </span>
      <a class="small remove" href={formatComparePath(others, query)}>
        Remove<span class="unseen"> {name}</span>
      </a>
    </div>
  );
}
