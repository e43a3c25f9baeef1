import type { KnowingPerson } from "../../../contract/people/who-knows.ts";
import { formatConfidence } from "../look/figures.ts";
import { formatCount, formatCounted, formatDate, formatShare } from "../look/format.ts";
import { FilePath, List } from "../look/parts.tsx";
import { Bar, PersonHeading } from "../look/people.tsx";
import type { SignedInProperties } from "../page.ts";
import { AddToList, type KnownLists } from "../saved/save-forms.tsx";

interface KnowerListProperties extends SignedInProperties {
  readonly people: readonly KnowingPerson[];
  readonly listing: KnownLists;
  /** Formats the address of the same question without a person. Absent if an address cannot hold the question. */
  readonly formatWithout?: (login: string) => string;
}

/** The number of people who are shown at first on a phone, to keep the list short. The others are folded up. */
const openMax = 3;

export function KnowerList({ people, ...listed }: KnowerListProperties) {
  const largest = Math.max(0, ...people.map(({ score }) => score));
  const cards = people.map((person) => <Knower person={person} largest={largest} {...listed} />);
  const staying = people.filter(({ hasLeft }) => !hasLeft).length;
  const open = Math.min(openMax, staying);
  const list = (from: number, to: number) => (
    <ol class="people knowers" start={from + 1}>
      {cards.slice(from, to)}
    </ol>
  );
  return (
    <div>
      {open > 0 && list(0, open)}
      {staying > open && (
        <details class="folded other-knowers">
          <summary>{staying - open} more</summary>
          {list(open, staying)}
        </details>
      )}
      {cards.length > staying && (
        <>
          <h2>People who left</h2>
          <p class="small muted">No commit or review here for two years.</p>
          {list(staying, cards.length)}
        </>
      )}
    </div>
  );
}

interface KnowerProperties extends Omit<KnowerListProperties, "people"> {
  readonly person: KnowingPerson;
  /** The score that fills the bar: the highest of all people. */
  readonly largest: number;
}

function Knower({ ask, listing, person, largest, formatWithout }: KnowerProperties) {
  const { login, name, score, evidence, isActive, lastActive, reasons, emails, files } = person;
  return (
    <li class="person knower">
      <PersonHeading
        login={login}
        name={name}
        heading="h2"
        note={[name && login, emails[0]].filter(Boolean).join(" · ")}
      />
      <p class="knower-score">
        <span class="number">{formatShare(score / 100)}</span>{" "}
        <Bar value={largest > 0 ? (100 * score) / largest : 0} />
        <span class="muted small">
          confidence {formatConfidence(person)}
          {formatWithout && `, from ${describeEvidence(evidence)}`} ·{" "}
          <span class="knower-seen">
            {isActive ? "active" : "quiet since"} {formatDate(lastActive)}
          </span>
          {formatWithout && (
            <>
              {" · "}
              <a href={formatWithout(login)} aria-label={`Hand-over, if ${name ?? login} left`}>
                hand-over
              </a>
            </>
          )}
        </span>
      </p>
      <List
        class="knower-reasons small"
        items={[...(files ? [renderFiles(files, evidence.files)] : []), ...reasons]}
      />
      <div class="person-actions small">
        <AddToList ask={ask} listing={listing} login={login} name={name} />
      </div>
    </li>
  );
}

/** Shows the files of a change that a person knows best. @param changed how many files of the change the person has changed. */
function renderFiles(files: NonNullable<KnowingPerson["files"]>, changed: number) {
  const more = changed - files.length;
  return (
    <>
      Knows{" "}
      {files.map(({ path, share }, at) => (
        <>
          {at > 0 && ", "}
          <FilePath path={path} /> <span class="muted">{formatShare(share)}</span>
        </>
      ))}
      {more > 0 && `, and changed ${formatCount(more)} more of these files`}.
    </>
  );
}

function describeEvidence({ commits, reviews }: KnowingPerson["evidence"]): string {
  const reviewed = reviews > 0 && formatCounted(reviews, "review");
  const wrote = (commits > 0 || !reviewed) && `${formatCounted(commits, "commit")} to these files`;
  return [wrote, reviewed].filter(Boolean).join(" and ");
}
