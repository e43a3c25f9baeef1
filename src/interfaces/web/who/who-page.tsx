import type { MeantValue } from "../../../contract/problem.ts";
import { describeLeftOut } from "../../../operations/author-sentence.ts";
import {
  type FolderTree,
  readFolderTree,
  type TreeRow,
  treeRowsMax,
} from "../../../operations/folder-tree.ts";
import { readRepositoryKnowers } from "../../../operations/path-knowers.ts";
import { askKnowledge, countActive } from "../../../operations/requested-knowledge.ts";
import { listNamedLogins, readWhoNames } from "../../../operations/who-names.ts";
import { formatCount, formatCounted, formatDate } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { DataTable } from "../look/lists.tsx";
import { Badge, ButtonLink, EmptyState, Figures, FilePath, Panel, Popup } from "../look/parts.tsx";
import { CallResult } from "../look/people.tsx";
import { defineSignedInPage, type SignedInProperties, type SignedInRequest } from "../page.ts";
import { type KnownLists, readKnownLists } from "../saved/save-forms.tsx";
import { formatHandoverTitle, HandoverSection } from "./handover-section.tsx";
import { FileRisks, KnowerList, Knowers, OwnershipSection, Steps } from "./who-parts.tsx";
import {
  formatAddress,
  formatFailure,
  formatTitle,
  noQuestion,
  QuestionForm,
  RepositoryTable,
  readQuestion,
  toWhoRequest,
  type WhoProperties,
  type WhoQuestion,
} from "./who-question.tsx";

export const whoPage = defineSignedInPage({
  path: "/who",
  show: async (ask) => {
    const question = readQuestion(ask.url.searchParams);
    const request = toWhoRequest(question);
    if (!request) return showFirst(ask);
    const asking = { ...ask, isMore: question.open !== "" };
    let title = formatTitle("Who knows", question);
    const answer = await ask.calls.perform(
      asking,
      "who_knows",
      request,
      async (data, computing) => {
        const asked = await askKnowledge(request, computing);
        const tree = await readFolderTree(asked, question.open, computing);
        const inTree = tree?.rows.flatMap(({ first }) => first.map(({ login }) => login)) ?? [];
        const names = await readWhoNames(computing, [...inTree, ...listNamedLogins(data)]);
        const about = { question, data, names };
        const { handover } = data;
        const lastWork = new Map(asked.answer.people.map((one) => [one.login, one.lastWork]));
        if (handover) title = formatHandoverTitle({ ...about, handover });
        const logins = data.people.map(({ login }) => login);
        const listing = await readKnownLists(ask, logins);
        return (
          <>
            <Place question={question} data={data} />
            {handover ? (
              <HandoverSection {...about} handover={handover} lastWork={lastWork} />
            ) : (
              <Answer {...{ ask, listing, tree, active: countActive(asked), ...about }} />
            )}
            <FileRisks data={data} names={names} />
            {renderBasis(data)}
          </>
        );
      },
    );
    const form = <QuestionForm question={question} />;
    const result = <CallResult answer={answer} failure={formatFailure(answer, question)} />;
    if (answer.ok) {
      const actions = (
        <>
          {question.without === "" ? reviewLink : printButton}
          <Popup label="Change question" tone="plain" class="who-question">
            {form}
          </Popup>
        </>
      );
      return { title, actions, body: result };
    }
    const { status, meant } = answer.problem;
    const body = (
      <>
        {result}
        {meant && <MeantLink question={question} meant={meant} />}
        <div class="card">{form}</div>
      </>
    );
    return { title, status, body };
  },
});

const measuredMax = 30;

async function showFirst(ask: SignedInRequest) {
  const listed = await ask.calls.compute(ask, async (computing) => {
    const known = await readRepositoryKnowers(computing, measuredMax);
    const logins = known.flatMap(({ first }) => first.map(({ login }) => login));
    const names = await readWhoNames(computing, logins);
    return <RepositoryTable known={known} names={names} />;
  });
  const [example] = await ask.modules.listRepositories();
  return {
    title: "Who knows",
    actions: reviewLink,
    body: (
      <>
        <div class="card">
          <QuestionForm question={noQuestion} example={example?.name ?? ""} />
        </div>
        <CallResult answer={listed} failure="We could not list the repositories" />
      </>
    ),
  };
}

const reviewLink = <ButtonLink to="/who/review" label="Suggested reviewers" />;
const printButton = (
  <button type="button" class="needs-script small-button" data-print>
    Print
  </button>
);

/** A link that asks the same question with the nearest known name instead of an unknown name. */
function MeantLink({ question, meant }: Pick<WhoProperties, "question"> & { meant: MeantValue }) {
  const { field, given, near } = meant;
  const logins = question.without.split(",").map((login) => (login === given ? near : login));
  const change = field === "without" ? { without: logins.join(",") } : { [field]: near };
  return (
    <p class="meant">
      <a href={formatAddress(question, change)}>Ask for {near}</a>, one call
    </p>
  );
}

/** The files of the answer, with links to the repository and to each folder around them. */
function Place({ question, data }: Pick<WhoProperties, "question" | "data">) {
  const { repositories, files, commits, package: used } = data;
  const names = repositories.map(({ name }) => name);
  const at = { ...question, repository: names[0] ?? question.repository };
  const parts = (data.paths[0] ?? "").split("/").filter(Boolean);
  return (
    <p class="who-place" role="status">
      {used ? (
        <>
          Files that {used.relation === "makes" ? "are" : "import"} <code>{used.name}</code> in{" "}
          {names.join(", ")}
        </>
      ) : names.length > 1 ? (
        `${formatCount(names.length)} repositories: `
      ) : (
        <a href={formatAddress(at, { path: "" })}>{at.repository}</a>
      )}
      {parts.map((part, index) => (
        <>
          {" / "}
          <a href={formatAddress(at, { path: parts.slice(0, index + 1).join("/") })}>{part}</a>
        </>
      ))}{" "}
      <span class="muted">
        {formatCounted(files, "file")}, {formatCounted(commits, "commit")} to them
      </span>
    </p>
  );
}

interface AnswerProperties extends RiskProperties, SignedInProperties {
  readonly listing: KnownLists;
  readonly tree: FolderTree | undefined;
}

function Answer({ ask, listing, tree, active, ...about }: AnswerProperties) {
  const { question, data } = about;
  if (data.people.length === 0) {
    return (
      <EmptyState>No known person has worked on these files. {describeLeftOut(data)}</EmptyState>
    );
  }
  return (
    <>
      <RiskFigures {...about} active={active} />
      <section class="knower-section first-knowers" aria-labelledby="knowers">
        <h2 id="knowers">People</h2>
        <KnowerList
          ask={ask}
          listing={listing}
          people={data.people}
          shareOf="what is known of these files"
          formatWithout={(login) => formatAddress(question, { without: login })}
        />
        <p class="small screen-only">
          <a href={formatAddress(question, {}, "/who/people")}>
            {data.total === 1 ? "The person" : `All ${formatCount(data.total)} people`}
          </a>
          {" · "}
          <a href={formatAddress(question, {}, "/who/people.csv")} download="">
            CSV of all
          </a>
          , free
        </p>
      </section>
      {tree && <TreeSection {...about} tree={tree} />}
      <OwnershipSection {...about} />
    </>
  );
}

type RiskProperties = WhoProperties & { readonly active: number };

/** The people and the knowledge at risk in figures. A single file has no truck factor. */
function RiskFigures({ question, data, names, active }: RiskProperties) {
  const { soleFiles, orphanedFiles, truckFactor, files, total } = data;
  const { people, logins } = truckFactor;
  const [first = ""] = logins;
  const more = people > 1 ? ` and ${formatCount(people - 1)} more` : "";
  const depends = `half of the files depend on ${names.get(first) ?? first}${more}`;
  const items: [Children, string, string][] = [];
  const add = (count: number, label: string, note: string, to?: string) =>
    items.push([to ? <a href={to}>{formatCount(count)}</a> : formatCount(count), label, note]);
  const byActivity = `${formatAddress(question, {}, "/who/people")}&order=active`;
  add(active, "active people", `in the last year, of ${formatCount(total)}`, byActivity);
  if (files > 1)
    add(people, "truck factor", people > 0 ? depends : "no one knows half of the files");
  const all = `of ${formatCounted(files, "file")}`;
  if (soleFiles.total > 0) add(soleFiles.total, "known to one person", all, "#sole");
  if (orphanedFiles.total > 0) add(orphanedFiles.total, "known to no one active", all, "#orphaned");
  return (
    <div class="card">
      <Figures items={items} />
    </div>
  );
}

function renderBasis({ asOf, historyEnd, modelVersion }: WhoProperties["data"]) {
  return (
    <p class="small muted">
      {historyEnd && `Data ends ${formatDate(historyEnd)}; later work may exist. `}As of{" "}
      <time datetime={asOf}>{formatDate(asOf)}</time>, model {modelVersion}: recent commits and
      remaining lines.
    </p>
  );
}

type TreeProperties = Omit<WhoProperties, "data"> & { readonly tree: FolderTree };

export function TreeSection({ question, tree, names }: TreeProperties) {
  const { repository, rows, left } = tree;
  return (
    <Panel
      title="Folders and files"
      id="below"
      hint={[
        "Bars show the three people who know it best. A full bar is 100 %. ",
        <span class="screen-only">Arrows are free. Opening a name uses one call.</span>,
      ]}
    >
      <DataTable
        scrolls="Tree of folders and files"
        class="tree"
        columns={[
          ["Folder or file", (row) => renderRowName(row, question, repository)],
          ["Known by", renderSize, "whole"],
          ["Best known by", ({ first }) => <Knowers people={first} names={names} />],
        ]}
        rows={rows}
      />
      {left > 0 && (
        <p class="muted small">
          {formatCounted(left, "folder or file", "folders and files")} more: a folder shows its
          first {treeRowsMax}. Ask for a path to see any other.
        </p>
      )}
    </Panel>
  );
}

function renderSize({ files, people, isFolder }: TreeRow) {
  const known = people === 0 ? "no one" : formatCounted(people, "person", "people");
  return (
    <span class="small muted">
      {people > 1 ? known : <Badge tone="warn">{known}</Badge>}
      {isFolder && ` · ${formatCounted(files, "file")}`}
    </span>
  );
}

function renderRowName(row: TreeRow, question: WhoQuestion, repository: string) {
  const { path, below, depth, isFolder, isOpen } = row;
  const nameAt = below.lastIndexOf("/") + 1;
  const stroke = isFolder ? "/" : "";
  return (
    <span class="tree-name">
      <Steps depth={depth} />
      {isFolder ? (
        <a
          class="tree-fold"
          id={isOpen ? formatRowId(path) : undefined}
          href={formatFoldPath(question, row)}
          aria-expanded={String(isOpen)}
          aria-label={`${isOpen ? "Close" : "Open"} ${below}/`}
        >
          {isOpen ? "▾" : "▸"}
        </a>
      ) : (
        <span class="tree-fold" />
      )}
      <a
        href={formatAddress(question, { repository, path })}
        aria-label={depth > 0 ? below + stroke : undefined}
      >
        <FilePath path={below.slice(nameAt)} />
        {stroke}
      </a>
    </span>
  );
}

const formatRowId = (path: string) => `at-${encodeURIComponent(path)}`;

/** Formats the address that opens a closed folder or closes an open folder. Closing a folder opens the folder around it. */
function formatFoldPath(question: WhoQuestion, { path, depth, isOpen }: TreeRow): string {
  const around = depth === 0 ? "" : path.slice(0, path.lastIndexOf("/"));
  const open = isOpen ? around : path;
  const row = open === "" ? "below" : encodeURIComponent(formatRowId(open));
  return `${formatAddress(question, { open })}#${row}`;
}
