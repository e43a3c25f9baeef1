/** A hand-over as a document: what only the leaving people know, folder by folder, and who could take over. */
import { formatUtcDay } from "../../../contract/people/history-end.ts";
import type { WhoData } from "../../../contract/people/who-knows.ts";
import { listRisks, listSuccessors, type Successor } from "../../../operations/handover-plan.ts";
import { formatCount, formatCounted, formatDate, formatShare } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { EmptyState, Figures, FilePath, List, Panel } from "../look/parts.tsx";
import { Avatar, Share } from "../look/people.tsx";
import { Knowers, PersonLine, Steps } from "./who-parts.tsx";
import { formatAddress, type WhoProperties } from "./who-question.tsx";

type Handover = NonNullable<WhoData["handover"]>;

interface HandoverProperties extends WhoProperties {
  readonly handover: Handover;
  /** The last day of work of each person. The key is the login in lower case. */
  readonly lastWork: ReadonlyMap<string, number>;
}

/** Formats the title, such as `Hand-over: Ada Example, acme/payments`. */
export function formatHandoverTitle({
  handover,
  data,
  names,
}: Omit<HandoverProperties, "question" | "lastWork">): string {
  const people = handover.logins.map((login) => names.get(login) ?? login).join(" and ");
  const [only, ...others] = data.repositories.map(({ name }) => name);
  const place = data.package?.name ?? (others.length > 0 ? "all repositories" : only);
  return `Hand-over: ${people}, ${[place, ...data.paths].join("/")}`;
}

/** The most rows of the tree, and the most people with reasons. The table of folders has all. */
const [risksMax, namedMax] = [16, 4];

export function HandoverSection(properties: HandoverProperties) {
  const { handover, names, lastWork } = properties;
  if (handover.files === 0) {
    return (
      <EmptyState>
        Nothing to hand over. A person knows a file with at least 10 % of what is known of it.
      </EmptyState>
    );
  }
  const named = listSuccessors(handover.folders)
    .filter(({ login }) => login !== undefined)
    .slice(0, namedMax);
  return (
    <>
      <HandoverFigures {...properties} named={named} />
      <div class="with-side">
        <RiskTree {...properties} />
        <Panel title="Next people" id="next">
          <ol class="successors">
            {named.map((one) => (
              <li>
                <PersonLine login={one.login} names={names} />
                <List class="small muted" items={listReasons(one, lastWork)} />
              </li>
            ))}
          </ol>
          {named.length === 0 && <p>No one who stays knows these folders.</p>}
        </Panel>
      </div>
      {handover.repositories && <RepositoryRisks {...properties} />}
      <FolderTable {...properties} />
    </>
  );
}

type FiguresProperties = Pick<HandoverProperties, "handover" | "names"> & { named: Successor[] };

function HandoverFigures({ handover, names, named }: FiguresProperties) {
  const { files, lost, folders } = handover;
  const alone = folders.filter(({ next }) => next.length === 0).length;
  const next = named.slice(0, 3).map(({ login = "" }) => login);
  const risk = (count: number) => (
    <span class={count > 0 ? "at-risk" : ""}>{formatCount(count)}</span>
  );
  const avatars = next.map((login) => <Avatar login={login} name={names.get(login)} />);
  const people = next.map((login) => names.get(login) ?? login).join(", ");
  return (
    <div class="card">
      <Figures
        items={[
          [risk(lost), "files only they know", `of ${formatCount(files)} they know`],
          [
            risk(alone),
            "folders without a successor",
            `of ${isCut(folders) ? "the first " : ""}${formatCount(folders.length)}`,
          ],
          [avatars, "next people", people],
        ]}
      />
    </div>
  );
}

function listReasons(
  { login = "", folders, files, largest }: Successor,
  lastWork: HandoverProperties["lastWork"],
): readonly string[] {
  const day = lastWork.get(login.toLowerCase());
  const known = largest.map(({ path, share }) => `${formatShare(share)} of ${path || "the top"}`);
  return [
    `Knows ${known.join(" and ")}`,
    `First choice for ${formatCounted(folders, "folder")}, ${formatCounted(files, "file")}`,
    ...(day === undefined ? [] : [`Active ${formatDate(formatUtcDay(day))}`]),
  ];
}

/** The folders at most risk as a tree. Red is what no one else knows, here and in the figures. */
function RiskTree({ question, handover, data, names }: HandoverProperties) {
  const rows = listRisks(handover.folders, risksMax);
  const largest = Math.max(...rows.map(({ known }) => known));
  const width = (count: number) => `${((100 * count) / largest).toFixed(2)}%`;
  const [repository = "", other] = data.repositories.map(({ name }) => name);
  return (
    <Panel
      title="What is at risk"
      id="risk"
      hint={
        <span class="risk-key">
          No one else knows these files. The longest bar is {formatCounted(largest, "file")}.
        </span>
      }
    >
      <DataTable
        class="tree"
        columns={[
          [
            "Folder",
            ({ path, name, depth }) => (
              <span class="tree-name">
                <Steps depth={depth} />
                {path === "" || other ? (
                  <FilePath path={name || "top folder"} />
                ) : (
                  <a href={formatAddress(question, { repository, path })}>
                    <FilePath path={`${name}/`} />
                  </a>
                )}
              </span>
            ),
          ],
          [
            "Files they know",
            ({ known, lost }) => (
              <>
                <svg class="bar" aria-hidden="true">
                  <rect class="bar-value" width={width(known)} />
                  <rect class="bar-lost" width={width(lost)} />
                </svg>
                <span class="small muted">
                  {formatCounted(known, "file")}
                  {lost > 0 && [", ", <span class="at-risk">{formatCount(lost)} only theirs</span>]}
                </span>
              </>
            ),
          ],
          ["Next", ({ next }) => <PersonLine login={next} names={names} />],
        ]}
        rows={rows}
      />
    </Panel>
  );
}

function RepositoryRisks({ question, handover, names }: HandoverProperties) {
  const { repositories = [], unmeasured = 0 } = handover;
  return (
    <Panel title="Repositories" id="repositories">
      <DataTable
        scrolls="Repositories to hand over"
        columns={[
          [
            "Repository",
            ({ name }) => <a href={formatAddress(question, { repository: name })}>{name}</a>,
          ],
          ["They know", ({ known }) => formatCount(known), "number"],
          ["Only theirs", ({ lost }) => formatCount(lost), "number"],
          ["Their share", ({ share }) => <Share share={share} largest={1} />, "whole"],
          ["Next", ({ next: [first] }) => <PersonLine login={first?.login} names={names} />],
        ]}
        rows={repositories}
      />
      {unmeasured > 0 && (
        <p class="small muted">
          {formatCounted(unmeasured, "repository", "repositories")} with less of their work are not
          shown.
        </p>
      )}
    </Panel>
  );
}

const isCut = ({ length }: Handover["folders"]) => length === 200;

/** The long table, folded up. If it is open, it is printed. */
function FolderTable({ question, handover: { folders }, names }: HandoverProperties) {
  return (
    <details class="card plan-table">
      <summary>
        <h2>
          {isCut(folders) ? "The first" : "All"} {formatCounted(folders.length, "folder")}
        </h2>
      </summary>
      <DataTable
        scrolls="Folders to hand over"
        columns={[
          ["Folder", ({ path }) => <FilePath path={path || "top folder"} />],
          ["Files", ({ files }) => formatCount(files), "number"],
          ["They know", ({ known }) => formatCount(known), "number"],
          ["Only theirs", ({ lost }) => formatCount(lost), "number"],
          ["Their share", ({ share }) => <Share share={share} largest={1} />, "whole"],
          ["Next", ({ next }) => <Knowers people={next} names={names} />],
        ]}
        rows={folders}
      />
      <p class="small">
        <a href={formatAddress(question, {}, "/who/handover.csv")} download="">
          CSV
        </a>
      </p>
    </details>
  );
}
