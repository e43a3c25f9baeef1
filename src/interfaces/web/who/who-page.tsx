import type { MeantValue } from "../../../contract/problem.ts";
import { describeLeftOut } from "../../../operations/author-sentence.ts";
import { type FolderTree, readFolderTree } from "../../../operations/folder-tree.ts";
import { askKnowledge } from "../../../operations/requested-knowledge.ts";
import { formatCount, formatCounted, formatDate } from "../look/format.ts";
import { EmptyState, List } from "../look/parts.tsx";
import { CallResult, DeveloperLink } from "../look/people.tsx";
import { defineSignedInPage, type SignedInProperties } from "../page.ts";
import { type KnownLists, readKnownLists } from "../saved/save-forms.tsx";
import { ChangeForm, defineReview, reviewBytesMax } from "./change-review.tsx";
import { FileRisks } from "./file-sections.tsx";
import { listTreeLogins, TreeSection } from "./folder-tree.tsx";
import { HandoverSection } from "./handover-section.tsx";
import { KnowerList } from "./knower-list.tsx";
import { OwnershipSection } from "./ownership-section.tsx";
import { QuestionForm, RepositoryTable } from "./who-form.tsx";
import { readDisplayNames } from "./who-parts.tsx";
import {
  formatAddress,
  formatTitle,
  noQuestion,
  readQuestion,
  toWhoRequest,
  type WhoProperties,
} from "./who-question.ts";

export const whoPage = defineSignedInPage({
  path: "/who",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    const known = await ask.modules.listRepositories();
    const asking = { ...ask, isMore: question.open !== "" };
    const answer =
      request &&
      (await ask.calls.perform(asking, "who_knows", request, async (data, computing) => {
        const logins = data.people.map(({ login }) => login);
        const [listing, tree] = await Promise.all([
          readKnownLists(ask, logins),
          askKnowledge(request, computing).then((asked) =>
            readFolderTree(asked, question.open, computing),
          ),
        ]);
        const names = await readDisplayNames(computing, data, listTreeLogins(tree));
        return <Answer {...{ ask, listing, question, data, names, tree }} />;
      }));
    const body = (
      <>
        <QuestionForm question={question} example={known[0]?.name} isFirst={!answer} />
        {answer && <CallResult answer={answer} failure="The question was not answered" />}
        {answer?.ok === false && answer.problem.meant && (
          <MeantLink question={question} meant={answer.problem.meant} />
        )}
        <ChangeForm ask={ask} repository={question.repository} />
        {!answer && <RepositoryTable known={known} />}
      </>
    );
    const status = answer?.ok === false ? answer.problem.status : undefined;
    return { title: formatTitle("Who knows", question), body, status };
  },
  formBytesMax: reviewBytesMax,
  actions: {
    review: defineReview(async (ask, answer) => {
      const [first] = await ask.modules.listRepositories();
      const body = (
        <>
          <QuestionForm question={noQuestion} example={first?.name} isFirst={false} />
          {answer}
          <ChangeForm ask={ask} repository="" />
        </>
      );
      return { title: "Who should look at a change", body };
    }),
  },
});

/** A link that asks the same question with the nearest known name instead of an unknown name. */
function MeantLink(properties: Pick<WhoProperties, "question"> & { readonly meant: MeantValue }) {
  const { question, meant } = properties;
  const { field, given, near } = meant;
  const logins = question.without.split(",").map((login) => (login === given ? near : login));
  const change = field === "without" ? { without: logins.join(",") } : { [field]: near };
  return (
    <p class="meant">
      <a href={formatAddress(question, change)}>Ask for {near}</a>, one call
    </p>
  );
}

interface AnswerProperties extends WhoProperties, SignedInProperties {
  readonly listing: KnownLists;
  readonly tree: FolderTree | undefined;
}

function Answer({ ask, listing, question, data, names, tree }: AnswerProperties) {
  const parts = [
    data.handover && ["knowers", "Who knows it without them"],
    tree && ["below", "Folders and files"],
    data.ownership && ["ownership", "Ownership files"],
    ["review", "Who should look at a change"],
  ].filter((part) => part !== undefined);
  return (
    <>
      <Place question={question} data={data} />
      {data.people.length === 0 ? (
        <EmptyState>No known person has worked on these files. {describeLeftOut(data)}</EmptyState>
      ) : (
        <>
          <Risk data={data} names={names} />
          <nav class="contents small" aria-label="On this page">
            <List items={parts.map(([id, title]) => <a href={`#${id}`}>{title}</a>)} />
          </nav>
          {data.historyEnd && (
            <p class="caveats">
              What was read of {data.repositories.map(({ name }) => name).join(", ")} ends on{" "}
              {formatDate(data.historyEnd)}: activity is judged as of that day.
            </p>
          )}
          <HandoverSection question={question} data={data} names={names} />
          {data.handover && <h2 id="knowers">Who knows it without them</h2>}
          <KnowerList
            ask={ask}
            listing={listing}
            people={data.people}
            formatWithout={(login) =>
              formatAddress(question, {
                without: [question.without, login].filter(Boolean).join(","),
              })
            }
          />
          <p class="small screen-only">
            {data.people.length < data.total && (
              <>
                These are the first {data.people.length}.{" "}
                <a href={formatAddress(question, {}, "/who/people")}>
                  All {formatCount(data.total)} people
                </a>{" "}
                ·{" "}
              </>
            )}
            <a href={formatAddress(question, {}, "/who/people.csv")} download="">
              CSV of all
            </a>
            , no further call
          </p>
        </>
      )}
      <TreeSection question={question} tree={tree} names={names} />
      <OwnershipSection data={data} names={names} />
      <FileRisks data={data} names={names} />
      <p class="small muted">
        As of <time datetime={data.asOf}>{formatDate(data.asOf)}</time>, by model{" "}
        {data.modelVersion}: recent commits and lines that still stand.
      </p>
    </>
  );
}

function Place({ question, data }: Pick<WhoProperties, "question" | "data">) {
  const { repositories, files, commits } = data;
  const [only] = repositories;
  const parts = (data.paths[0] ?? "").split("/").filter(Boolean);
  const figures = `${formatCounted(files, "file")}, ${formatCounted(commits, "commit")} to them`;
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

const verb = (count: number) => (count === 1 ? "is" : "are");

function Risk({ data, names }: Pick<WhoProperties, "data" | "names">) {
  const { soleFiles, orphanedFiles, files } = data;
  const { people, logins } = data.truckFactor;
  const what = files === 1 ? "this file" : "half of the files";
  return (
    <p>
      {files > 0 && people > 0 && (
        <>
          Truck factor <strong class="number">{people}</strong>: without{" "}
          {logins
            .slice(0, 3)
            .map((login, at) => [
              at > 0 && ", ",
              <DeveloperLink login={login} name={names.get(login)} />,
            ])}
          {logins.length > 3 && ` and ${logins.length - 3} more`} no one knows {what}.{" "}
        </>
      )}
      {files > 0 && people === 0 && <>No active person knows {what}. </>}
      {soleFiles.total > 0 && (
        <>
          <a href="#sole">{formatCounted(soleFiles.total, "file")}</a> {verb(soleFiles.total)} known
          to one person only.{" "}
        </>
      )}
      {orphanedFiles.total > 0 && (
        <>
          <a href="#orphaned">{formatCounted(orphanedFiles.total, "file")}</a>{" "}
          {verb(orphanedFiles.total)} known to no active person.
        </>
      )}
    </p>
  );
}
