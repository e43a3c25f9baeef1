/** The people who know a repository, a folder, a file or a package. Each question counts as one call of `who_knows`. */
import type { KnowingPerson } from "../../../contract/people/who-knows.ts";
import { createCsvDownload } from "../download.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount, formatDate } from "../look/format.ts";
import { Field } from "../look/forms.tsx";
import { EmptyState } from "../look/parts.tsx";
import { CallResult, DeveloperLink } from "../look/people.tsx";
import { defineSignedInPage, type WebModules } from "../page.ts";
import { FileRisks, FolderTable } from "./file-sections.tsx";
import { KnowerList } from "./knower-list.tsx";
import { OwnershipSection } from "./ownership-section.tsx";
import {
  formatAddress,
  readQuestion,
  toWhoRequest,
  type WhoProperties,
  type WhoQuestion,
} from "./who-question.ts";

export const whoPage = defineSignedInPage({
  path: "/who",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    const known = await ask.modules.operating.knowledge.repositories();
    const answer =
      request &&
      (await ask.calls.perform(ask, "who_knows", request, (data) => (
        <Answer question={question} data={data} />
      )));
    const body = (
      <>
        <QuestionForm question={question} known={known} />
        {answer ? <CallResult answer={answer} /> : <RepositoryTable known={known} />}
      </>
    );
    const status = answer?.ok === false ? answer.problem.status : undefined;
    return { title: "Who knows", body, showsPeople: true, status };
  },
});

/** The people of the page as a table. Within a minute of opening the page it does not count. */
export const knowersCsvPage = defineSignedInPage({
  path: "/who/people.csv",
  show: async (ask) => {
    const request = toWhoRequest(readQuestion(ask.url.searchParams));
    if (!request) return { goTo: "/who" };
    const answer = await ask.calls.perform(ask, "who_knows", request, ({ people }) =>
      createCsvDownload("who-knows.csv", [columns, ...people.map(toRow)]),
    );
    if (!answer.ok) throw answer.problem;
    return answer.shown;
  },
});

type KnownRepository = Awaited<
  ReturnType<WebModules["operating"]["knowledge"]["repositories"]>
>[number];

const columns = [
  ...["login", "name", "e-mail", "score", "confidence", "active", "last active", "commits"],
  ...["reviews", "files", "lines", "line share", "recent share", "first", "last"],
];

const formatActive = (isActive: boolean | undefined) =>
  isActive === undefined ? "unknown" : isActive ? "yes" : "no";

const toRow = ({ evidence, ...person }: KnowingPerson) => [
  ...[person.login, person.name, person.emails.join(" "), person.score, person.confidence],
  ...[formatActive(person.isActive), person.lastActive, evidence.commits, evidence.reviews],
  ...[evidence.files, evidence.lines, evidence.lineShare, evidence.recentShare],
  ...[evidence.first, evidence.last],
];

interface QuestionFormProperties {
  readonly question: WhoQuestion;
  readonly known: readonly KnownRepository[];
}

/** Browsers list this many without delay. */
const suggestedMax = 500;

function QuestionForm({ question, known }: QuestionFormProperties) {
  return (
    <search>
      <form method="get" action="/who" class="filters who-form card" data-tidy>
        <Field
          name="repository"
          label="Repository"
          value={question.repository}
          placeholder={known[0]?.name ?? "owner/name"}
          list="repositories"
          autocomplete="off"
          spellcheck="false"
        >
          <datalist id="repositories">
            {known.slice(0, suggestedMax).map(({ name }) => (
              <option value={name} />
            ))}
          </datalist>
        </Field>
        <Field name="path" label="File or folder" value={question.path} spellcheck="false" />
        <Field
          name="package"
          label="or a package"
          value={question.package}
          placeholder="npm:react"
          spellcheck="false"
        />
        <Field name="asOf" label="As of" type="date" value={question.asOf} />
        <button type="submit">Ask</button>
      </form>
    </search>
  );
}

/** The known repositories, from which to begin; showing them costs no call. */
function RepositoryTable({ known }: { readonly known: readonly KnownRepository[] }) {
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
      <DataTable
        scrolls="Known repositories"
        columns={[
          [
            "Repository",
            ({ name, forge }) => (
              <>
                <a href={formatAddress(noQuestion, { repository: name })}>{name}</a>
                {forge && <span class="muted small"> {forge}</span>}
              </>
            ),
          ],
          ["Commits", ({ commits }) => formatCount(commits), "number"],
          ["Files", ({ files }) => formatCount(files), "number"],
          ["Last commit", ({ lastDay }) => formatDate(toIsoDay(lastDay)), "when"],
        ]}
        rows={known.slice(0, suggestedMax)}
      />
      {known.length > suggestedMax && (
        <p class="muted small">
          The first {suggestedMax} of {formatCount(known.length)}; the field above takes any.
        </p>
      )}
    </section>
  );
}

const noQuestion: WhoQuestion = { repository: "", path: "", package: "", asOf: "" };

/** @param day UTC days since 1970. */
const toIsoDay = (day: number) => new Date(day * 86_400_000).toISOString();

function Answer({ question, data }: WhoProperties) {
  return (
    <>
      <Place question={question} data={data} />
      {data.people.length === 0 ? (
        <EmptyState>No known person has worked on these files.</EmptyState>
      ) : (
        <>
          <Risk data={data} />
          {data.historyEnd && (
            <p class="caveats">
              What was read of {data.repositories.map(({ name }) => name).join(", ")} ends on{" "}
              {formatDate(data.historyEnd)}: who is active since is not known.
            </p>
          )}
          <KnowerList people={data.people} />
          <p class="small">
            {data.people.length < data.total &&
              `The first ${data.people.length} of ${formatCount(data.total)} people. `}
            <a href={formatAddress(question, {}, "/who/people.csv")} download="">
              CSV
            </a>
          </p>
        </>
      )}
      <FolderTable question={question} data={data} />
      <OwnershipSection data={data} />
      <FileRisks data={data} />
      <p class="small muted">
        As of <time datetime={data.asOf}>{formatDate(data.asOf)}</time>, by model{" "}
        {data.modelVersion}: half recent commits, half lines that still stand.
      </p>
    </>
  );
}

/** The path of the question, with a link to each folder above it. */
function Place({ question, data }: WhoProperties) {
  const { repositories, files, commits } = data;
  const [only] = repositories;
  const parts = (data.paths[0] ?? "").split("/").filter(Boolean);
  const figures = `${formatCount(files)} ${files === 1 ? "file" : "files"}, ${formatCount(commits)} commits`;
  if (data.package) {
    const { name, relation } = data.package;
    return (
      <p class="who-place" role="status">
        Files that {relation === "makes" ? "are" : "import"} <code>{name}</code> in{" "}
        {repositories.map((one) => one.name).join(", ")} <span class="muted">{figures}</span>
      </p>
    );
  }
  const name = only?.name ?? question.repository;
  const at = { ...question, repository: name };
  return (
    <p class="who-place" role="status">
      <a href={formatAddress(at, { path: "" })}>{name}</a>
      {parts.map((part, index) => (
        <>
          {" / "}
          <a href={formatAddress(at, { path: parts.slice(0, index + 1).join("/") })}>{part}</a>
        </>
      ))}{" "}
      <span class="muted">{figures}</span>
    </p>
  );
}

function Risk({
  data: { truckFactor, soleFiles, orphanedFiles, files },
}: Pick<WhoProperties, "data">) {
  const { people, logins } = truckFactor;
  return (
    <p>
      {files > 0 && people > 0 && (
        <>
          Truck factor <strong class="number">{people}</strong>: without{" "}
          {logins.slice(0, 3).map((login, at) => (
            <>
              {at > 0 && ", "}
              <DeveloperLink login={login} />
            </>
          ))}
          {logins.length > 3 && ` and ${logins.length - 3} more`} no one knows half of the files.{" "}
        </>
      )}
      {files > 0 && people === 0 && <>No active person knows half of the files. </>}
      {soleFiles.total > 0 && (
        <>
          <a href="#sole">{formatCount(soleFiles.total)} files</a> are known to one person only.{" "}
        </>
      )}
      {orphanedFiles.total > 0 && (
        <>
          <a href="#orphaned">{formatCount(orphanedFiles.total)} files</a> are known to no active
          person.
        </>
      )}
    </p>
  );
}
