/** Counts months and days in UTC without `Date` objects, because creating thousands of objects is slow. */

/** Parses `2026-05`, `2026-05-17` or an ISO instant. @returns months since year 0. */
export function toMonthIndex(text: string): number {
  return digits(text, 0, 4) * 12 + digits(text, 5, 2) - 1;
}

/** Formats a month index as `2026-05`. */
export function formatMonth(index: number): string {
  const year = String(Math.floor(index / 12)).padStart(4, "0");
  return `${year}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** Cuts an instant to its day, such as `2026-05-17`. */
export function toDay(text: string): string {
  return text.slice(0, 10);
}

/** Counts the years between two days in tenths of a year, rounded. If `to` is before `from`, the result is 0. */
export function countTenthsOfYears(from: string, to: string): number {
  const days = (dayNumber(to) - dayNumber(from)) / 86_400_000;
  return Math.max(0, Math.round((days / 365.25) * 10));
}

function dayNumber(day: string): number {
  return Date.UTC(digits(day, 0, 4), digits(day, 5, 2) - 1, digits(day, 8, 2));
}

function digits(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}
