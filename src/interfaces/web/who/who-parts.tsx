import { findSureness } from "../../../contract/people/introduction.ts";
import type { KnowingPerson } from "../../../contract/people/who-knows.ts";
import type { WhoNames } from "../../../operations/who-names.ts";
import { formatCount, formatDate, formatShare } from "../look/format.ts";
import { Badge } from "../look/parts.tsx";
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
  /** What the share of a person is a share of. */
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
