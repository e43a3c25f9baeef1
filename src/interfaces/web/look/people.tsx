/** Parts of pages that show people. A bar always has its number beside it, so that its length alone says nothing. */
import type { CallAnswer } from "../calls.ts";
import { toSentence } from "../page.ts";
import { formatCount, formatLimit } from "./format.ts";
import type { Children, Html } from "./jsx-runtime.ts";
import { Callout } from "./parts.tsx";

/** Replaces a picture, which would have to come from another site. */
export function Initials({ name }: { readonly name: string }) {
  const [first = "", ...others] = name.split(/[\s._-]+/).filter(Boolean);
  const last = others.at(-1) ?? "";
  const initial = (word: string) => [...word][0] ?? "";
  return (
    <span class="initials" aria-hidden="true">
      {(initial(first) + initial(last)).toUpperCase() || "?"}
    </span>
  );
}

/** A bar for a number of 0 to 100; all bars of a page have the same scale. */
export function Bar({ value }: { readonly value: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-rest" width="100" height="8" />
      <rect class="bar-value" width={Math.max(0, Math.min(100, value))} height="8" />
    </svg>
  );
}

/** A bar and its number, as a cell of a table has them. */
export function Strength({ value, unit }: { readonly value: number; readonly unit?: "%" }) {
  return (
    <span class="strength">
      <Bar value={value} />{" "}
      <span class="number">{unit ? `${Math.round(value)} ${unit}` : value}</span>
    </span>
  );
}

export function ScoreBar({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <span class="score-bar small">
      <span class="muted">{label}</span> <Bar value={value} />{" "}
      <span class="number">{formatCount(value)}</span>
    </span>
  );
}

/** Path of a developer's page, or of one below it. */
export function formatDeveloperPath(login: string, below = ""): string {
  return `/developers/${encodeURIComponent(login)}${below}`;
}

interface PersonProperties {
  readonly login: string;
  readonly name?: string | undefined;
}

export function DeveloperLink({ login, name = login }: PersonProperties) {
  return <a href={formatDeveloperPath(login)}>{name}</a>;
}

/** The beginning of an entry in a list of people. */
export function PersonHeading({
  login,
  name,
  heading,
  note = name && login,
}: PersonProperties & { readonly heading: "h2" | "h3"; readonly note?: Children }) {
  const Heading = heading;
  return (
    <>
      <Initials name={name ?? login} />
      <div class="person-who">
        <Heading>
          <DeveloperLink login={login} name={name} />
        </Heading>
        {note && <span class="muted small">{note}</span>}
      </div>
    </>
  );
}

/** The answer of a call, or the reason for its refusal, and what the call cost. */
export function CallResult({ answer }: { readonly answer: CallAnswer<Html> }) {
  return (
    <>
      {answer.ok ? answer.shown : <CallRefusal message={answer.problem.message} />}
      {(answer.ok || answer.isCounted) && <CallCost answers={[answer]} />}
    </>
  );
}

/** How many calls the page cost, because calls are limited. */
export function CallCost({ answers }: { readonly answers: readonly CallAnswer<unknown>[] }) {
  const counted = answers.filter(({ isCounted }) => isCounted).length;
  const month = answers.at(-1)?.usage?.month;
  const cost =
    counted === 0
      ? "Shown again within a minute, so it did not count."
      : `This page counted as ${counted === 1 ? "one call" : `${counted} calls`}.`;
  return (
    <p class="small muted call-cost">
      {cost}
      {month && ` ${formatCount(month.used)} of ${formatLimit(month.limit)} this month.`}{" "}
      <a href="/account">Usage</a>
    </p>
  );
}

/** The reason for a refused call, in place of its answer. */
export function CallRefusal({ message }: { readonly message: string }) {
  return (
    <Callout tone="wrong" title="That was not answered" role="alert" isFocused>
      <p>{toSentence(message)}</p>
    </Callout>
  );
}
