/** Data that every question about a repository uses, computed once while its head is cached. */
import { type AuthorshipHead, participations } from "../pool/pool.ts";

/** Stands for a bot or an erased person, who has no number. */
export const nobody = -1;

export interface HeadIndex {
  /** By author: the first author number of the same person; `nobody` for bots and erased people. */
  readonly personOf: Int32Array;
  /** By commit: where its other participants start in `columns.others`. One more entry is the end of the last commit. */
  readonly otherStarts: Uint32Array;
  lastWork(asOfDay: number): LastWork;
}

interface LastWork {
  /** By person: the day of the latest commit or review up to the given day. 0 means that there is none. */
  readonly days: Uint16Array;
  /** The day of anybody's latest commit or review up to the given day. */
  readonly end: number;
}

const indexes = new WeakMap<AuthorshipHead, HeadIndex>();

export function describeHead(head: AuthorshipHead): HeadIndex {
  const known = indexes.get(head);
  if (known) return known;
  const personOf = numberPeople(head);
  let last: { readonly asOfDay: number; readonly work: LastWork } | undefined;
  const index: HeadIndex = {
    personOf,
    otherStarts: findStarts(head),
    lastWork(asOfDay) {
      if (last?.asOfDay !== asOfDay) last = { asOfDay, work: findLast(head, personOf, asOfDay) };
      return last.work;
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

const countedKind = participations.indexOf("counted");

function findLast({ columns }: AuthorshipHead, personOf: Int32Array, asOfDay: number): LastWork {
  const { day, author, others } = columns;
  const days = new Uint16Array(personOf.length);
  let end = 0;
  const note = (who: number | undefined, on: number) => {
    if (on <= asOfDay) end = Math.max(end, on);
    const person = personOf[who ?? nobody] ?? nobody;
    if (person !== nobody && on <= asOfDay && on > (days[person] ?? 0)) days[person] = on;
  };
  for (let at = 0; at < day.length; at++) note(author[at], day[at] ?? 0);
  // A review may be in both the forge and a trailer. Then the day of the commit with the trailer counts, not the forge's day.
  const counted = new Set<number>();
  const numberRow = (row: number) =>
    (others.commit[row] ?? 0) * personOf.length + (others.author[row] ?? 0);
  for (let row = 0; row < others.kind.length; row++) {
    if (others.kind[row] === countedKind) counted.add(numberRow(row));
  }
  for (let row = 0; row < others.kind.length; row++) {
    const isCounted = counted.size > 0 && counted.has(numberRow(row));
    if (!isCounted) note(others.author[row], day[others.commit[row] ?? 0] ?? 0);
  }
  return { days, end };
}
