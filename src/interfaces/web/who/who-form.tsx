import { formatUtcDay } from "../../../contract/people/history-end.ts";
import type { RepositoryWithKnowers } from "../../../operations/path-knowers.ts";
import { formatCount, formatCounted, formatDate } from "../look/format.ts";
import { CompletedField, Disclosure, Field } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, Panel } from "../look/parts.tsx";
import { Sparkline } from "../look/people.tsx";
import { Knowers } from "./who-parts.tsx";
import { formatAddress, noQuestion, type WhoProperties, type WhoQuestion } from "./who-question.ts";

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
