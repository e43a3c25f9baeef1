/** What every question about a repository looks up, made once while its head is kept. */
import type { AuthorshipHead } from "../pool/pool.ts";

/** @package In place of a person: a bot, or someone who was erased. */
export const nobody = -1;

/** @package */
export interface HeadIndex {
  /** By author: the first of the authors who are the same person; `nobody` for bots and the forgotten. */
  readonly personOf: Int32Array;
  /** By commit: where its others begin in `columns.others`, and one more entry. */
  readonly otherStarts: Uint32Array;
  /** By person: the latest day of a commit of theirs until that day; 0 for none. */
  lastAnywhere(asOfDay: number): Uint16Array;
}

const indexes = new WeakMap<AuthorshipHead, HeadIndex>();

/** @package */
export function describeHead(head: AuthorshipHead): HeadIndex {
  const known = indexes.get(head);
  if (known) return known;
  const personOf = numberPeople(head);
  let last: { asOfDay: number; days: Uint16Array } = { asOfDay: -1, days: new Uint16Array(0) };
  const index: HeadIndex = {
    personOf,
    otherStarts: findStarts(head),
    lastAnywhere(asOfDay) {
      if (last.asOfDay !== asOfDay) last = { asOfDay, days: findLast(head, personOf, asOfDay) };
      return last.days;
    },
  };
  indexes.set(head, index);
  return index;
}

function numberPeople({ logins, columns }: AuthorshipHead): Int32Array {
  const most = columns.author.reduce(
    (most, one) => (one < 0xffffffff ? Math.max(most, one) : most),
    0,
  );
  const numbers = new Int32Array(Math.max(logins.length, most + 1)).fill(nobody);
  const first = new Map<string, number>();
  for (const [author, login] of logins.entries()) {
    if (login === undefined) continue;
    const number = first.get(login) ?? author;
    first.set(login, number);
    numbers[author] = number;
  }
  return numbers;
}

function findStarts({ columns: { day, others } }: AuthorshipHead): Uint32Array {
  const starts = new Uint32Array(day.length + 1);
  let at = 0;
  for (let commit = 0; commit <= day.length; commit++) {
    while (at < others.commit.length && (others.commit[at] ?? 0) < commit) at += 1;
    starts[commit] = at;
  }
  return starts;
}

function findLast({ columns }: AuthorshipHead, personOf: Int32Array, asOfDay: number): Uint16Array {
  const { day, author } = columns;
  const days = new Uint16Array(personOf.length);
  for (let commit = 0; commit < day.length; commit++) {
    const on = day[commit] ?? 0;
    if (on > asOfDay) continue;
    const person = personOf[author[commit] ?? nobody] ?? nobody;
    if (person !== nobody && on > (days[person] ?? 0)) days[person] = on;
  }
  return days;
}
