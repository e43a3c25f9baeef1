/**
 * Two to four people side by side, on the same scales; the largest differences come first. Each person counts as one
 * call.
 */
import { isStale } from "../../../contract/people/history-end.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import type { CallAnswer } from "../calls.ts";
import { type DataColumn, DataTable } from "../look/data-table.tsx";
import {
  formatActivity,
  formatCount,
  formatDate,
  formatEnded,
  formatFraction,
  formatSpan,
} from "../look/format.ts";
import { Field } from "../look/forms.tsx";
import type { Children, Html } from "../look/jsx-runtime.ts";
import { EmptyState } from "../look/parts.tsx";
import { CallCost, CallRefusal, DeveloperLink, Initials, Strength } from "../look/people.tsx";
import { defineSignedInPage, type SignedInRequest } from "../page.ts";

const comparedMax = 4;

export const comparePage = defineSignedInPage({
  path: "/compare",
  show: async (ask) => {
    const { searchParams } = ask.url;
    const asked = searchParams.getAll("login").flatMap((part) => part.split(/[\s,]+/));
    const added = searchParams.get("add");
    const earlier = ask.calls.compared(ask.visitor.account.id);
    const wanted = asked.length > 0 ? asked : [...earlier, ...(added === null ? [] : [added])];
    const logins = listOnce(wanted).slice(-comparedMax);
    if (added !== null) return { goTo: formatComparePath(logins) };
    if (asked.length === 0 && logins.length > 0) return { goTo: formatComparePath(logins) };
    const answers = await compare(ask, logins);
    ask.calls.noteCompared(
      ask.visitor.account.id,
      logins.filter((_, at) => answers[at]?.ok),
    );
    const body = (
      <>
        <Refusals logins={logins} answers={answers} />
        {answers.find((answer) => answer.ok)?.shown ?? <Columns people={[]} />}
        <AddForm logins={logins} />
        {answers.length > 0 && <CallCost answers={answers} />}
      </>
    );
    return { title: "Compare", body, showsPeople: true };
  },
});

/**
 * The column of one person depends on all people: each call waits for the others, and none counts if they cannot be
 * shown.
 */
function compare(
  ask: SignedInRequest,
  logins: readonly string[],
): Promise<readonly CallAnswer<Html>[]> {
  const found = logins.map(() => Promise.withResolvers<ProfileAnalysis | undefined>());
  const columns = Promise.all(found.map(({ promise }) => promise)).then((people) => (
    <Columns people={people.filter((person) => person !== undefined)} />
  ));
  const calls = logins.map(async (username, at) => {
    try {
      return await ask.calls.perform(ask, "analyze_profile", { username }, (analysis) => {
        found[at]?.resolve(analysis);
        return columns;
      });
    } finally {
      found[at]?.resolve(undefined);
    }
  });
  return Promise.all(calls);
}

function listOnce(logins: readonly string[]): string[] {
  const seen = new Map(logins.filter(Boolean).map((login) => [login.toLowerCase(), login]));
  return [...seen.values()];
}

function formatComparePath(logins: readonly string[]): string {
  return `/compare?${logins.map((login) => `login=${encodeURIComponent(login)}`).join("&")}`;
}

interface RefusalsProperties {
  readonly logins: readonly string[];
  readonly answers: readonly CallAnswer<Html>[];
}

function Refusals({ logins, answers }: RefusalsProperties) {
  return (
    <>
      {answers.map((answer, at) =>
        answer.ok ? undefined : (
          <CallRefusal
            message={
              answer.problem.status === 404
                ? `no developer here has the login ${logins[at]}`
                : answer.problem.message
            }
          />
        ),
      )}
    </>
  );
}

/** Adds a person by login; works without a script. */
function AddForm({ logins }: { readonly logins: readonly string[] }) {
  if (logins.length >= comparedMax) return undefined;
  return (
    <form class="search" method="get" action="/compare">
      {logins.map((login) => (
        <input type="hidden" name="login" value={login} />
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

function Columns({ people }: { readonly people: People }) {
  if (people.length === 0) {
    return (
      <EmptyState>
        No one is compared yet. Tick two to four people in a <a href="/">search</a>, or open a
        developer's page and choose Compare.
      </EmptyState>
    );
  }
  const logins = people.map(({ profile }) => profile.login);
  return (
    <DataTable
      class="comparison"
      scrolls="Comparison"
      columns={[
        [undefined, ({ label }) => label],
        ...people.map(
          ({ profile }, at): DataColumn<Comparison> => [
            <ComparedPerson {...profile} logins={logins} />,
            ({ cells }) => cells[at],
          ],
        ),
      ]}
      rows={[...compareScores(people), ...compareFigures(people), ...compareSkills(people)]}
    />
  );
}

interface ComparedPersonProperties {
  readonly login: string;
  readonly name?: string;
  /** The logins of all compared people. */
  readonly logins: readonly string[];
}

function ComparedPerson({ login, name = login, logins }: ComparedPersonProperties) {
  return (
    <>
      <span class="compared">
        <Initials name={name} />
        <DeveloperLink login={login} name={name} />
      </span>
      <a class="small" href={formatComparePath(logins.filter((other) => other !== login))}>
        remove<span class="unseen"> {name}</span>
      </a>
    </>
  );
}

/** A row of the table, with a cell for each person. */
interface Comparison {
  readonly label: string;
  readonly cells: readonly Children[];
}

interface Measure {
  readonly label: string;
  /** 0 to 100 for each person. */
  readonly values: readonly number[];
}

/** Orders measures by how far apart the people are, the largest difference first. */
function byDifference(a: Measure, b: Measure): number {
  const spread = ({ values }: Measure) => Math.max(...values) - Math.min(...values);
  return spread(b) - spread(a);
}

const toRow = ({ label, values }: Measure): Comparison => ({
  label,
  cells: values.map((value) => <Strength value={value} />),
});

type People = readonly ProfileAnalysis[];

function compareScores(people: People): readonly Comparison[] {
  const measure = (label: string, read: (person: ProfileAnalysis) => number): Measure => ({
    label,
    values: people.map(read),
  });
  const parts = [
    measure("Profile", ({ scores }) => scores.scores.profile),
    measure("Tech stack", ({ scores }) => scores.scores.techStack),
    measure("Activity", ({ scores }) => scores.scores.activity),
  ];
  return [measure("Score", ({ scores }) => scores.score), ...parts.sort(byDifference)].map(toRow);
}

function compareFigures(people: People): readonly Comparison[] {
  const rows: readonly (readonly [label: string, read: (person: ProfileAnalysis) => string])[] = [
    ["Level", ({ proficiency }) => proficiency.level],
    ["Best role", ({ roleMatch: [best] }) => (best ? `${best.displayName} ${best.score}` : "none")],
    ["Where", ({ profile }) => profile.places[0] ?? profile.location ?? "unknown"],
    [
      "Last active",
      ({ activity, asOf }) => formatActivity(activity.lastCommit, asOf, activity.until),
    ],
    ["Commits", ({ activity }) => formatCount(activity.totalCommits)],
    ["Commits a month", ({ activity }) => String(activity.commitsPerMonth)],
    ["Commits in the best year", ({ activity: { bestYear } }) => formatYear(bestYear)],
    ["Years", ({ proficiency }) => String(proficiency.experienceYears)],
    ["Commit messages", ({ commitQuality }) => commitQuality.label],
    ["Confidence", ({ confidence }) => formatFraction(confidence)],
  ];
  const read = rows.map(([label, readOne]) => ({ label, cells: people.map(readOne) }));
  const ends = people.map(formatEnd);
  if (ends.some(Boolean)) read.push({ label: "What was read ends", cells: ends });
  const isDifferent = ({ cells }: Comparison) => new Set(cells).size > 1;
  return [...read.filter(isDifferent), ...read.filter((row) => !isDifferent(row))];
}

/** @returns an empty text where nothing says that later work is missing. */
function formatEnd({ activity: { until }, repositories, asOf }: ProfileAnalysis): string {
  const named = formatEnded(repositories);
  const isOver = until !== undefined && isStale(until, asOf);
  return [isOver ? formatDate(until) : "", named].filter(Boolean).join(": ");
}

function formatYear(year: ProfileAnalysis["activity"]["bestYear"]): string {
  return year ? `${formatCount(Math.round(year.commits))}, ${formatSpan(year)}` : "unknown";
}

const skillsMax = 14;

/** The skills with the largest differences, among the strongest skills of each person. */
function compareSkills(people: People): readonly Comparison[] {
  const strengths = people.map(
    ({ repositories }) => new Map(repositories.skills.map((one) => [one.skill, one.strength])),
  );
  const names = new Set(
    people.flatMap(({ repositories }) => repositories.skills.slice(0, 8).map(({ skill }) => skill)),
  );
  return [...names]
    .map((label) => ({ label, values: strengths.map((one) => one.get(label) ?? 0) }))
    .sort(byDifference)
    .slice(0, skillsMax)
    .map(toRow);
}
