/** Parts of pages that show people. Every bar has its number next to it, because screen readers do not read bars. */
import type { Problem } from "../../../contract/problem.ts";
import type { CallAnswer } from "../calls.ts";
import { toSentence } from "../page.ts";
import { formatScore, formatShare, formatUsed } from "./format.ts";
import type { Children, Html } from "./jsx-runtime.ts";
import { Callout, Message } from "./parts.tsx";

/**
 * Initials on a circle, because a picture would have to be loaded from another site. The color depends on the login alone, so a
 * person has the same color on every page.
 */
export function Avatar({ login, name = login, isLarge }: PersonProperties & { isLarge?: true }) {
  const [first = "", ...others] = name.split(/[\s._-]+/).filter(Boolean);
  const last = others.at(-1) ?? "";
  const initial = (word: string) => [...word][0] ?? "";
  const hue = findHue(login);
  const fill = `light-dark(oklch(0.9 0.055 ${hue}), oklch(0.4 0.07 ${hue}))`;
  return (
    <svg class={isLarge ? "avatar large-avatar" : "avatar"} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={fill} />
      <text x="20" y="25.5">
        {(initial(first) + initial(last)).toUpperCase() || "?"}
      </text>
    </svg>
  );
}

const findHue = (login: string) => Number(Bun.hash(login.toLowerCase()) % 24n) * 15;

/** The color of a person in a bar: that of the avatar, but stronger. */
export function formatPersonColor(login: string): string {
  const hue = findHue(login);
  return `light-dark(oklch(0.62 0.12 ${hue}), oklch(0.7 0.11 ${hue}))`;
}

/** @param largest the number that fills the height. Default: the largest value. */
export function Sparkline(properties: {
  values: readonly number[];
  largest?: number;
  label: string;
}) {
  const { values, largest = Math.max(1, ...values), label } = properties;
  // One shape for all bars, because twenty people have thousands of bars.
  const bars = values.map((value) => {
    const height = value > 0 ? Math.max(1, (20 * value) / largest) : 0.5;
    return `V${Math.round(200 - 10 * height) / 10}h3V20h1`;
  });
  const box = `0 0 ${Math.max(1, 4 * values.length - 1)} 20`;
  return (
    <svg class="sparkline" viewBox={box} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={`M0 20${bars.join("")}`} />
    </svg>
  );
}

/** Every bar that was rendered. A page of results has a hundred, of at most 101 values. */
const bars = new Map<number, Html>();

export function Bar({ value }: { readonly value: number }) {
  const width = Math.round(Math.max(0, Math.min(100, value)));
  return bars.getOrInsertComputed(width, () => (
    <svg class="bar" aria-hidden="true">
      <rect width="100%" />
      <rect class="bar-value" width={`${width}%`} />
    </svg>
  ));
}

export function Strength({ value, text = value }: { value: number; text?: Children }) {
  return (
    <span class="strength">
      <Bar value={value} /> <span class="number">{text}</span>
    </span>
  );
}

/** @param share from 0 to 1. @param largest the share that fills the bar. */
export function Share({ share, largest }: { readonly share: number; readonly largest: number }) {
  const value = largest > 0 ? (100 * share) / largest : 0;
  return <Strength value={value} text={formatShare(share)} />;
}

/** The bars that were rendered, by label and score. The labels are those of the parts of a score. */
const scoreBars = new Map<string, Html>();

export function ScoreBar({ label, value }: { readonly label: string; readonly value: number }) {
  const score = formatScore(value);
  return scoreBars.getOrInsertComputed(`${label} ${score}`, () => (
    <span class="score-bar small">
      <span class="muted">{label}</span> <Bar value={value} /> <span class="number">{score}</span>
    </span>
  ));
}

/** Path of a developer's page, or of a page below it. With the `query` of a search, the page explains the match. */
export const formatDeveloperPath = (login: string, below = "", query = ""): string =>
  `/developers/${encodeURIComponent(login)}${below}${query && `?${query}`}`;

interface PersonProperties {
  readonly login: string;
  readonly name?: string | undefined;
  /** The query of the search that found the person. With it, the page of the person explains the match. */
  readonly query?: string;
}

export const DeveloperLink = ({ login, name = login, query = "" }: PersonProperties) => (
  <a href={formatDeveloperPath(login, "", query)}>{name}</a>
);

export function PersonHeading({
  login,
  name,
  query = "",
  heading,
  note = name && login,
}: PersonProperties & { readonly heading: "h2" | "h3"; readonly note?: Children }) {
  const Heading = heading;
  return (
    <>
      <Avatar login={login} name={name} />
      <div class="person-who">
        <Heading>
          <DeveloperLink login={login} name={name} query={query} />
        </Heading>
        {note && <span class="muted small">{note}</span>}
      </div>
    </>
  );
}

/** Shows the answer of a call, or why the call was refused. @param failure the heading if the call was refused. */
export function CallResult({ answer, failure }: { answer: CallAnswer<Html>; failure: string }) {
  return (
    <>
      {answer.ok ? answer.shown : <CallRefusal failure={failure} problem={answer.problem} />}
      {(answer.ok || answer.isCounted) && <CallCost answers={[answer]} />}
    </>
  );
}

export function CallCost({ answers }: { readonly answers: readonly CallAnswer<unknown>[] }) {
  const counted = answers.filter(({ isCounted }) => isCounted).length;
  const month = answers.at(-1)?.usage?.month;
  const cost =
    counted === 0
      ? "This page did not count as a call."
      : `This page counted as ${counted === 1 ? "one call" : `${counted} calls`}.`;
  return (
    <p class="small muted call-cost">
      {cost}
      {month && ` ${formatUsed(month.used, month.limit)}.`} <a href="/account">Usage</a>
    </p>
  );
}

const fieldLabels: Readonly<Record<string, string>> = {
  location: "the place",
  minExperienceYears: "the number of years",
  maxExperienceYears: '"At most"',
  activeSince: '"Active since"',
  asOf: '"As of"',
  "without:": '"Without these people":',
  maxResults: "the size of a page",
  offset: "the page",
};

/** Replaces the API's name of a field at the start of a message with the label on the page. */
const nameField = (message: string) =>
  message.replace(/^[^ ]+/, (name) => fieldLabels[name] ?? name);

type Refusal = Pick<Problem, "message"> & Partial<Pick<Problem, "code">>;

/** Shows that a call was refused: what was not done, why, and who can help. */
export function CallRefusal({ failure, problem }: { failure: string; problem: Refusal }) {
  const { code, message } = problem;
  return (
    <Callout tone="wrong" title={failure} role="alert" isFocused>
      <p>
        <Message text={toSentence(nameField(message))} />
      </p>
      {code === "quota_exceeded" && (
        <p>
          <a href="/account">Usage</a> says what is left and when the counts begin again. An
          administrator of this Roster can raise the limit.
        </p>
      )}
    </Callout>
  );
}
