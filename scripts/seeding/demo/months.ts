/** Months counted from January of year 0, so that they can be added and subtracted. */
export type MonthNumber = number;

/** The last full month before the demo's day. */
export const lastMonth: MonthNumber = monthOf("2026-10");

export function monthOf(text: string): MonthNumber {
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
}

export function monthName(month: MonthNumber): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
}

/** @param day 1 to 28, which every month has. */
export function dayIn(month: MonthNumber, day: number): string {
  return `${monthName(month)}-${String(day).padStart(2, "0")}`;
}
