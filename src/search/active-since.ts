/**
 * Expresses "active on this day or later" with lists. The index has lists for the decade, year, month and day of the month of
 * each developer's last commit.
 */
import type { PostingsKey } from "./generation/generation.ts";
import type { Clause } from "./select.ts";

type ActiveId = string;

/**
 * Returns the ids of the lists that contain a developer whose last commit was on this day.
 * @package
 * @param day YYYY-MM-DD.
 */
export function listActiveIds(day: string): readonly ActiveId[] {
  const { decade, year, month, dayOfMonth } = readDay(day);
  return [decadeId(decade), yearId(year), monthId(year, month), dayId(dayOfMonth)];
}

function readDay(day: string) {
  const [year = 0, month = 0, dayOfMonth = 0] = day.slice(0, 10).split("-").map(Number);
  return { decade: Math.floor(year / 10), year, month, dayOfMonth };
}

const decadeId = (decade: number): ActiveId => `${decade}0s`;
const yearId = (year: number): ActiveId => `${year}`;
const monthId = (year: number, month: number): ActiveId =>
  `${year}-${String(month).padStart(2, "0")}`;
const dayId = (day: number): ActiveId => `day ${day}`;

/** The last decade that has lists: 2090 to 2099. */
const lastDecade = 209;

/**
 * Returns the clauses that select developers with a last commit on this day or later.
 * @package
 * @param day YYYY-MM-DD.
 */
export function listActiveSince<List>(
  day: string,
  postings: (key: PostingsKey) => List,
): readonly Clause<List>[] {
  const { decade, year, month, dayOfMonth } = readDay(day);
  const lists = (ids: readonly ActiveId[]) => ids.map((id) => postings(`active:${id}`));
  const later = lists([
    ...countUp(decade + 1, lastDecade).map(decadeId),
    ...countUp(year + 1, decade * 10 + 9).map(yearId),
    ...countUp(month + 1, 12).map((one) => monthId(year, one)),
  ]);
  const inMonth = [...later, ...lists([monthId(year, month)])];
  if (dayOfMonth === 1) return [inMonth];
  return [inMonth, [...later, ...lists(countUp(dayOfMonth, 31).map(dayId))]];
}

function countUp(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}
