import type { KnowingPerson } from "../../../contract/people/who-knows.ts";
import { formatCount, formatDate } from "../look/format.ts";
import { List } from "../look/parts.tsx";
import { Bar, PersonHeading } from "../look/people.tsx";

/** The people, best first, each with the evidence in numbers and words. */
export function KnowerList({ people }: { readonly people: readonly KnowingPerson[] }) {
  return (
    <ol class="people knowers">
      {people.map((person) => (
        <Knower person={person} />
      ))}
    </ol>
  );
}

function Knower({ person }: { readonly person: KnowingPerson }) {
  const { login, name, score, confidence, isActive, lastActive, reasons, emails } = person;
  return (
    <li class="person knower">
      <PersonHeading
        login={login}
        name={name}
        heading="h2"
        note={[name && login, emails[0]].filter(Boolean).join(" · ")}
      />
      <p class="knower-score">
        <span class="number">{score.toFixed(1)} %</span> <Bar value={score} />
        <span class="muted small">
          confidence {confidence.toFixed(2)} ·{" "}
          {isActive === undefined ? "last commit read" : isActive ? "active" : "quiet since"}{" "}
          {formatDate(lastActive)}
        </span>
      </p>
      <List class="knower-reasons small" items={reasons.map(formatReason)} />
    </li>
  );
}

/** Writes days and large numbers as the pages do. */
export function formatReason(reason: string): string {
  return reason
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => formatDate(day))
    .replace(/\b\d{5,}\b/g, (number) => formatCount(Number(number)));
}
