import { findSureness } from "../../../contract/people/introduction.ts";
import type { KnowingPerson, WhoData } from "../../../contract/people/who-knows.ts";
import type { WhoNames } from "../../../operations/who-names.ts";
import { formatCount, formatCounted, formatDate, formatShare } from "../look/format.ts";
import { DataTable } from "../look/lists.tsx";
import { Badge, FilePath, List, Panel } from "../look/parts.tsx";
import { Avatar, DeveloperLink, formatPersonColor, PersonHeading, Share } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import { AddToList, type KnownLists } from "../saved/save-forms.tsx";

/** A person with avatar and name. Without a login, it says that there is no one. */
export function PersonLine({ login, names }: { login: string | undefined; names: WhoNames }) {
  if (login === undefined) return <Badge tone="bad">no one</Badge>;
  return (
    <span class="person-line">
      <Avatar login={login} name={names.get(login)} />
      <DeveloperLink login={login} name={names.get(login)} />
    </span>
  );
}

interface KnowersProperties {
  readonly people: readonly { login: string; share: number; hasLeft?: boolean }[];
  readonly names: WhoNames;
}

/** A bar from 0 to 100 % with a part for each person, and below it the people with their colors and shares. */
export function Knowers({ people, names }: KnowersProperties) {
  if (people.length === 0) return <Badge tone="warn">no one</Badge>;
  let end = 0;
  const parts = people.map(({ login, share }) => {
    const from = end;
    end += 100 * share;
    const [x, width] = [from, Math.max(0.2, 100 * share - 0.3)].map((one) => `${one.toFixed(2)}%`);
    return <rect x={x} width={width} height="100%" fill={formatPersonColor(login)} />;
  });
  return (
    <>
      <svg class="shares" aria-hidden="true">
        {parts}
      </svg>
      <span class="share-names small">
        {people.map(({ login, share, hasLeft }) => (
          <span>
            <svg width="8" height="8" aria-hidden="true">
              <circle cx="4" cy="4" r="4" fill={formatPersonColor(login)} />
            </svg>{" "}
            <DeveloperLink login={login} name={names.get(login)} />{" "}
            <span class="muted">
              {formatShare(share)}
              {hasLeft && ", has left"}
            </span>
          </span>
        ))}
      </span>
    </>
  );
}

const stepsMax = 6;

/** Indents the name of a row of a tree. Levels deeper than six are not indented further. */
export function Steps({ depth }: { readonly depth: number }) {
  const steps = Array.from({ length: Math.min(depth, stepsMax) }, () => <span class="tree-step" />);
  return <>{steps}</>;
}

interface KnowerListProperties extends SignedInProperties {
  readonly people: readonly KnowingPerson[];
  readonly listing: KnownLists;
  readonly shareOf: string;
  /** Formats the address of the same question without a person. Absent if an address cannot hold the question. */
  readonly formatWithout?: (login: string) => string;
}

export function KnowerList({ people, shareOf, ...listed }: KnowerListProperties) {
  const largest = Math.max(0, ...people.map(({ score }) => score)) / 100;
  return (
    <>
      <p class="hint">
        Share of {shareOf}. Bars are scaled to {formatShare(largest)}.
      </p>
      <ol class="people">
        {people.map((person) => (
          <Knower person={person} largest={largest} {...listed} />
        ))}
      </ol>
    </>
  );
}

interface KnowerProperties extends Omit<KnowerListProperties, "people" | "shareOf"> {
  readonly person: KnowingPerson;
  readonly largest: number;
}

function Knower({ ask, listing, person, largest, formatWithout }: KnowerProperties) {
  const { login, name, score, evidence, isActive, hasLeft, lastActive, reasons, files } = person;
  const sureness = findSureness(person.confidence);
  return (
    <li class="person knower">
      <PersonHeading login={login} name={name} heading="h3" />
      <div class="knower-reasons small">
        {files && <p>{renderFiles(files, evidence.files)}</p>}
        <p>{reasons.filter(isShown).slice(0, reasonsMax).join(" ")}</p>
      </div>
      <Share share={score / 100} largest={largest} />
      <p class="knower-seen muted small">
        {hasLeft ? "left after" : isActive ? "active" : "quiet since"} {formatDate(lastActive)}
        {sureness !== "High" && `, ${sureness.toLowerCase()} confidence`}
      </p>
      <div class="person-actions small">
        {formatWithout && (
          <a href={formatWithout(login)} aria-label={`Hand-over of ${name ?? login}`}>
            Hand-over
          </a>
        )}
        <AddToList ask={ask} listing={listing} login={login} name={name} />
      </div>
    </li>
  );
}

const reasonsMax = 3;

/** The row has a place of its own for the last activity. */
const isShown = (reason: string) => !reason.startsWith("Last worked");

/** Shows the files of a change that a person knows best. @param changed how many files of the change the person has changed. */
function renderFiles(files: NonNullable<KnowingPerson["files"]>, changed: number) {
  const more = changed - files.length;
  return (
    <>
      Knows{" "}
      {files.map(({ path, share }, at) => (
        <>
          {at > 0 && ", "}
          <strong>{path.slice(path.lastIndexOf("/") + 1)}</strong> {formatShare(share)}
        </>
      ))}
      {more > 0 && `, and changed ${formatCount(more)} more`}
    </>
  );
}

type DataWithNames = { readonly data: WhoData; readonly names: WhoNames };

export function FileRisks({ data, names }: DataWithNames) {
  const { soleFiles, orphanedFiles } = data;
  const lists = [
    ["sole", "that only one person knows", soleFiles],
    [
      ...(["orphaned", "that no active person knows"] as const),
      { ...orphanedFiles, files: orphanedFiles.files.map((path) => ({ path, login: undefined })) },
    ],
  ] as const;
  return (
    <>
      {lists.map(
        ([id, what, { total, files }]) =>
          total > 0 && (
            <details class="card plan-table" id={id}>
              <summary>
                <h2>
                  {formatCounted(total, "file")} {what}
                </h2>
              </summary>
              <DataTable
                class="tree"
                columns={[
                  ["File", ({ path }) => <FilePath path={path} />],
                  ["Known by", ({ login }) => <PersonLine login={login} names={names} />],
                ]}
                rows={files as readonly { path: string; login?: string }[]}
              />
              {files.length < total && (
                <p class="muted small">
                  The first {files.length} of {formatCount(total)}.
                </p>
              )}
            </details>
          ),
      )}
    </>
  );
}

/** Shows the rules of CODEOWNERS and similar files that history contradicts. */
export function OwnershipSection({ data, names }: DataWithNames) {
  if (!data.ownership) return undefined;
  const { files, judged, drifting } = data.ownership;
  const wrong = drifting.total === 0 ? "none" : formatCount(drifting.total);
  const sum =
    judged === 0
      ? "These files fall under rules for larger folders"
      : `History contradicts ${wrong} of ${formatCounted(judged, "rule")}`;
  return (
    <Panel title="Ownership files" id="ownership">
      <p>
        {sum} in {files.join(", ")}.
      </p>
      {drifting.total > 0 && (
        <DataTable
          scrolls="Rules that history contradicts"
          columns={[
            [
              "Rule",
              ({ pattern, file, line }) => [
                `${pattern || "everything"} `,
                <span class="muted small">{`${file}:${line}`}</span>,
              ],
            ],
            ["Owners as written", ({ owners }) => owners.join(", "), "free"],
            [
              "What history says",
              ({ departed, unnamed }) => (
                <List
                  class="plain-list small"
                  items={[...departed, ...unnamed].map(({ login, reason }) => [
                    <DeveloperLink login={login} name={names.get(login)} />,
                    ` ${reason}`,
                  ])}
                />
              ),
            ],
          ]}
          rows={drifting.rules}
        />
      )}
    </Panel>
  );
}
