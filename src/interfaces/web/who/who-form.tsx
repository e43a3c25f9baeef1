/** The form of the page "Who knows", and the list of known repositories. */
import { formatCount, formatDate } from "../look/format.ts";
import { Field } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmptyState } from "../look/parts.tsx";
import type { WebModules } from "../page.ts";
import { formatAddress, noQuestion, type WhoQuestion } from "./who-question.ts";

interface QuestionFormProperties {
  readonly question: WhoQuestion;
  readonly example: string | undefined;
  readonly isFirst: boolean;
}

/** The form of a question. The script of the page completes names. */
export function QuestionForm({ question, example, isFirst }: QuestionFormProperties) {
  const { package: name, asOf, without } = question;
  return (
    <search>
      <form method="get" action="/who" class="filters who-form card" data-tidy>
        <RepositoryField
          value={question.repository}
          placeholder={example ?? "owner/name"}
          autofocus={isFirst}
        />
        <Field
          class="completed"
          name="path"
          label="File or folder"
          value={question.path}
          autocomplete="off"
          spellcheck="false"
          data-completes="path"
        />
        <details class="more" open={name + asOf + without !== ""}>
          <summary>More: a package, a day, who leaves</summary>
          <div class="more-body">
            <Field
              name="package"
              label="Package, instead of a path"
              value={name}
              placeholder="npm:react"
              spellcheck="false"
            />
            <Field name="asOf" label="As of" type="date" value={asOf} />
            <Field
              class="completed"
              name="without"
              label="As if they had left"
              value={without}
              placeholder="login, login"
              autocomplete="off"
              spellcheck="false"
              data-completes="logins"
              data-separated=","
            />
          </div>
        </details>
        <button type="submit">Ask</button>
      </form>
    </search>
  );
}

/** A field for a repository. Its properties are those of `Field`. */
export function RepositoryField(properties: Omit<Parameters<typeof Field>[0], "name" | "label">) {
  return (
    <Field
      class="completed"
      name="repository"
      label="Repository"
      autocomplete="off"
      spellcheck="false"
      data-completes="repository"
      {...properties}
    />
  );
}

/** The most repositories in the table, so that browsers show it without delay. */
const listedMax = 500;

type Repositories = Awaited<ReturnType<WebModules["listRepositories"]>>;

/** Lists the known repositories. This costs no call. */
export function RepositoryTable({ known }: { readonly known: Repositories }) {
  if (known.length === 0) {
    return (
      <EmptyState>
        No git repository has been read yet. Bring in your own:{" "}
        <code class="whole">roster ingest git ~/mirrors</code>
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="known">
      <h2 id="known">Repositories</h2>
      <p class="small">A name asks who knows it, which counts as one call.</p>
      <DataTable
        scrolls="Known repositories"
        columns={[
          [
            "Repository",
            ({ name, forge }) => [
              <a href={formatAddress(noQuestion, { repository: name })}>{name}</a>,
              forge && <span class="muted small"> {forge}</span>,
            ],
          ],
          ["Commits", ({ commits }) => formatCount(commits), "number"],
          ["Files", ({ files }) => formatCount(files), "number"],
          ["Last commit", ({ lastDay }) => formatDate(toIsoDay(lastDay)), "when"],
        ]}
        rows={known.slice(0, listedMax)}
      />
      {known.length > listedMax && (
        <p class="muted small">
          The first {listedMax} of {formatCount(known.length)}; the field above takes any.
        </p>
      )}
    </section>
  );
}

/** @param day the number of days since 1970, in UTC. */
const toIsoDay = (day: number) => new Date(day * 86_400_000).toISOString();
