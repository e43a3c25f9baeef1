/** The question of the page "Who knows", which the address of the page contains. */
import { limits } from "../../../contract/limits.ts";
import { formatUtcDay } from "../../../contract/people/history-end.ts";
import type { WhoData, WhoRequest } from "../../../contract/people/who-knows.ts";
import type { RepositoryWithKnowers } from "../../../operations/path-knowers.ts";
import type { WhoNames } from "../../../operations/who-names.ts";
import type { CallAnswer } from "../calls.ts";
import { formatCount, formatCounted, formatDate } from "../look/format.ts";
import { CompletedField, Disclosure, Field } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, Panel } from "../look/parts.tsx";
import { Sparkline } from "../look/people.tsx";
import { splitLogins } from "../search/search-query.ts";
import { Knowers } from "./who-parts.tsx";

export interface WhoQuestion {
  readonly repository: string;
  readonly path: string;
  readonly package: string;
  /** A day as YYYY-MM-DD; empty for today. */
  readonly asOf: string;
  /** The logins of people who leave, separated by commas. */
  readonly without: string;
  readonly open: string;
}

export interface WhoProperties {
  readonly question: WhoQuestion;
  readonly data: WhoData;
  readonly names: WhoNames;
}

export const noQuestion: WhoQuestion = {
  ...{ repository: "", path: "", package: "", asOf: "", without: "", open: "" },
};

const shownMax = 10;

/** Reads the question from an address without checking it. The operation reports errors. */
export function readQuestion(query: URLSearchParams): WhoQuestion {
  const read = (name: string, max: number = limits.textLengthMax) =>
    (query.get(name) ?? "").trim().slice(0, max);
  const cut = (text: string) => text.slice(0, limits.pathLengthMax);
  return {
    repository: read("repository"),
    path: read("path", limits.pathLengthMax),
    package: read("package"),
    asOf: read("asOf"),
    without: splitLogins(query.getAll("without").map(cut)).join(","),
    open: read("open", limits.pathLengthMax),
  };
}

/** Converts a question to the input of the operation. @returns `undefined` for an empty question. */
export function toWhoRequest({
  without,
  open: _,
  ...question
}: WhoQuestion): WhoRequest | undefined {
  const stated = Object.entries(question).filter(([, text]) => text !== "");
  const isAsked = stated.some(([name]) => name !== "asOf");
  if (!isAsked && without === "") return undefined;
  const leaving = without === "" ? {} : { without: without.split(",") };
  return { ...Object.fromEntries(stated), ...leaving, limit: shownMax };
}

/** Formats the address of a question after a change. Folders are closed, unless the change opens a folder. */
export function formatAddress(
  question: WhoQuestion,
  change: Partial<WhoQuestion> = {},
  page = "/who",
): string {
  const stated = Object.entries({ ...question, open: "", ...change }).filter(
    ([, text]) => text !== "",
  );
  const query = new URLSearchParams(stated);
  return query.size === 0 ? page : `${page}?${query}`;
}

export function formatTitle(title: string, question: WhoQuestion): string {
  const asked = [question.path, question.repository, question.package].find(Boolean);
  return asked === undefined ? title : `${title} ${asked}`;
}

/** The heading of a refused question: what was not found. */
export function formatFailure(answer: CallAnswer<unknown>, question: WhoQuestion): string {
  if (answer.ok || answer.problem.code !== "not_found") return "We could not answer";
  const { message } = answer.problem;
  if (message.startsWith("without")) return "We could not find that person";
  if (message.startsWith("repository")) return "We could not find that repository";
  return `We could not find that ${question.package === "" ? "path" : "package"}`;
}

/** The form of a question. The script of the page completes names. @param example is set on the first view. */
export function QuestionForm({ question, example }: { question: WhoQuestion; example?: string }) {
  const { package: name, asOf, without } = question;
  return (
    <search>
      <form method="get" action="/who" class="who-form" data-tidy>
        <RepositoryField
          value={question.repository}
          placeholder={example || "owner/name"}
          autofocus={example !== undefined}
        />
        <CompletedField
          name="path"
          label="File or folder"
          value={question.path}
          data-completes="path"
        />
        <button type="submit">Show people</button>
        <Disclosure label="Package, date, people who leave" isOpen={name + asOf + without !== ""}>
          <Field
            name="package"
            label="Package, instead of a path"
            value={name}
            placeholder="npm:react"
            spellcheck="false"
          />
          <Field name="asOf" label="As of" type="date" value={asOf} />
          <CompletedField
            name="without"
            label="Without these people"
            value={without}
            placeholder="login, login"
            data-completes="logins"
            data-separated=","
          />
        </Disclosure>
      </form>
    </search>
  );
}

export function RepositoryField(properties: Omit<Parameters<typeof Field>[0], "name" | "label">) {
  const field = { name: "repository", label: "Repository", "data-completes": "repository" };
  return <CompletedField {...field} {...properties} />;
}

/** The most repositories in the table, so that browsers show it without delay. */
const listedMax = 500;

/** Lists the known repositories, each with the people who know it best. This costs no call. */
export function RepositoryTable({
  known,
  names,
}: Pick<WhoProperties, "names"> & { known: readonly RepositoryWithKnowers[] }) {
  if (known.length === 0) {
    return (
      <EmptyState>
        No git repository has been read yet. Bring in your own:{" "}
        <code class="whole">roster ingest git ~/mirrors</code>
      </EmptyState>
    );
  }
  const span = known.find(({ weeks }) => weeks)?.weeks?.length ?? 0;
  return (
    <Panel
      title="Repositories"
      id="known"
      hint="Opening a name uses one call. A full bar is 100 %."
    >
      <DataTable
        scrolls="Known repositories"
        class="tree"
        columns={[
          [
            "Repository",
            ({ name }) => <a href={formatAddress(noQuestion, { repository: name })}>{name}</a>,
          ],
          [
            "Size",
            ({ commits, files, lastDay }) => (
              <span class="small muted">
                {formatCounted(files, "file")}, {formatCounted(commits, "commit")}
                <br />
                last commit {formatDate(formatUtcDay(lastDay))}
              </span>
            ),
            "when",
          ],
          [
            `Last ${span} weeks`,
            ({ weeks }) => weeks && <Sparkline values={weeks} label="Commits in each week" />,
            "wide",
          ],
          [
            "Best known by",
            ({ first }) => first.length > 0 && <Knowers people={first} names={names} />,
          ],
        ]}
        rows={known.slice(0, listedMax)}
      />
      {known.length > listedMax && (
        <p class="muted small">
          The first {listedMax} of {formatCount(known.length)}. The field above takes any.
        </p>
      )}
    </Panel>
  );
}
