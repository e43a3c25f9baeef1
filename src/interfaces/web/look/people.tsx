/** Parts of every page that shows people. A bar always has its number beside it: nothing is told by length alone. */
import type { CallAnswer } from "../calls.ts";
import { toSentence } from "../page.ts";
import { formatCount } from "./format.ts";

/** In place of a picture, which would be fetched from somebody else. */
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

/** A whole number of 0 to 100; all bars of a page are drawn to one scale. */
export function Bar({ value }: { readonly value: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-rest" width="100" height="8" />
      <rect class="bar-value" width={Math.max(0, Math.min(100, value))} height="8" />
    </svg>
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

/** What the page cost, since calls are limited. */
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
      {month && ` ${formatCount(month.used)} of ${describeLimit(month.limit)} this month.`}{" "}
      <a href="/account">Usage</a>
    </p>
  );
}

const describeLimit = (limit: number | undefined) =>
  limit === undefined ? "unlimited" : formatCount(limit);

/** Why a call was refused, where its answer would stand. */
export function CallRefusal({ message }: { readonly message: string }) {
  return (
    <div class="notice wrong-notice" role="alert" tabindex={-1} autofocus>
      <h2>That was not answered</h2>
      <p>{toSentence(message)}</p>
    </div>
  );
}
