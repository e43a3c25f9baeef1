/**
 * Two to four people side by side, on the same scales; in each section the largest differences come first. Each person
 * counts as one call.
 */
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { CallAnswer } from "../calls.ts";
import { Field } from "../look/forms.tsx";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState } from "../look/parts.tsx";
import { CallCost, CallRefusal, DeveloperLink, Initials } from "../look/people.tsx";
import { defineSignedInPage, type SignedInRequest } from "../page.ts";
import { AddToList, readKnownLists } from "../saved/save-forms.tsx";
import { KeptQuery } from "../search/search-form.tsx";
import { showCompareChoice } from "./compare-choice.tsx";
import { comparedMax, splitLogins } from "./compared.ts";
import { compareInSections } from "./compared-rows.tsx";
import { findMatch, formatKeptQuery, type SearchMatch } from "./search-match.tsx";

export const comparePage = defineSignedInPage({
  path: "/compare",
  show: async (ask) => {
    const { searchParams } = ask.url;
    const asked = splitLogins(searchParams.getAll("login"));
    const added = searchParams.getAll("add");
    // An empty login is what is left when the last person was removed.
    const isStated = searchParams.has("login");
    const earlier = isStated ? asked : ask.calls.compared(ask.visitor.account.id);
    const logins = splitLogins([...earlier, ...added]);
    const query = formatKeptQuery(ask);
    // A form of results sends empty filters as well; the address of a comparison has one form.
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
        <Refusals logins={logins} answers={answers} />
        {answers.find((answer) => answer.ok)?.shown.columns ?? <NobodyCompared />}
        <AddForm logins={logins} query={query} />
        {answers.length > 0 && <CallCost answers={answers} />}
      </>
    );
    const names = answers.flatMap((answer) => (answer.ok ? answer.shown.name : []));
    const title = names.length > 1 ? `${names.join(", ")} compared` : "Compare";
    return { title, heading: <h1>Compare</h1>, body };
  },
});

/**
 * The column of one person depends on all people: each call waits for the others, and none counts if they cannot be
 * shown.
 */
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
  // Each call that waits for them reports what is wrong, and none may be left that does.
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

function formatComparePath(logins: readonly string[], query: string): string {
  const people = logins.map((login) => `login=${encodeURIComponent(login)}`);
  return `/compare?${[...people, query].filter(Boolean).join("&")}`;
}

interface RefusalsProperties {
  readonly logins: readonly string[];
  readonly answers: readonly CallAnswer<unknown>[];
}

function Refusals({ logins, answers }: RefusalsProperties) {
  return (
    <>
      {answers.map((answer, at) =>
        answer.ok ? undefined : (
          <CallRefusal
            failure={`${logins[at]} is not compared`}
            problem={
              answer.problem.status === 404
                ? { message: "no developer here has this login" }
                : answer.problem
            }
          />
        ),
      )}
    </>
  );
}

/** Adds a person by login; works without a script. */
function AddForm({ logins, query }: Pick<ComparedPersonProperties, "logins" | "query">) {
  if (logins.length >= comparedMax) return undefined;
  return (
    <form class="search" method="get" action="/compare">
      {logins.map((login) => (
        <input type="hidden" name="login" value={login} />
      ))}
      <KeptQuery query={query} />
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

function NobodyCompared() {
  return (
    <EmptyState>
      No one is compared yet. Tick two to four people in a <a href="/">search</a>, or open a
      developer's page and choose Compare.
    </EmptyState>
  );
}

async function renderColumns(
  ask: SignedInRequest,
  people: readonly ProfileAnalysis[],
): Promise<Html> {
  const logins = people.map(({ profile }) => profile.login);
  const listing = await readKnownLists(ask, logins);
  ask.calls.noteShown(ask.visitor.account.id, logins);
  const matches: readonly (SearchMatch | undefined)[] = await Promise.all(
    logins.map((login) => findMatch(ask, login)),
  );
  const query = formatKeptQuery(ask);
  const sections = compareInSections(people, matches);
  return (
    <>
      <ScrollHint people={people} />
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

/** On a phone, the third person and the fourth are beyond the edge: says who is there. */
function ScrollHint({ people }: { readonly people: readonly ProfileAnalysis[] }) {
  const beyond = people.slice(2).map(({ profile: { name, login } }) => name ?? login);
  if (beyond.length === 0) return undefined;
  return (
    <p class={["small muted scroll-hint", beyond.length > 1 ? "of-four" : ""]}>
      Scroll the table sideways for {beyond.join(" and ")} <span aria-hidden="true">→</span>
    </p>
  );
}

interface ComparedPersonProperties {
  readonly login: string;
  readonly name?: string;
  /** The logins of all compared people. */
  readonly logins: readonly string[];
  /** The search that led here; empty without one. */
  readonly query: string;
}

function ComparedPerson({ login, name = login, logins, query }: ComparedPersonProperties) {
  const others = logins.filter((other) => other !== login);
  return (
    <>
      <span class="compared" dir="auto">
        <Initials name={name} />
        <DeveloperLink login={login} name={name} query={query} />
      </span>
      <a class="small" href={formatComparePath(others, query)}>
        remove<span class="unseen"> {name}</span>
      </a>
    </>
  );
}
