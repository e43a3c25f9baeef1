/** Formats figures for people in English, so that pages and texts write the same figure in the same way. */

/** Formats a count as `12,345`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats a count with its noun: `1 file`, `12,345 files`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats a score as a whole number, such as `79`. */
export function formatScore(score: number): string {
  return String(Math.round(score));
}

/** Formats a share between 0 and 1 as `12 %` or `under 1 %`. */
export function formatShare(share: number): string {
  const percent = Math.round(share * 100);
  return `${share > 0 && percent === 0 ? "under 1" : percent} %`;
}

/** Formats a length of time in years: `9 years`, `1 year`, `5 months`. Rounds down, so 9.7 years are `9 years`. */
export function formatYears(years: number): string {
  if (years >= 1) return formatCounted(Math.floor(years), "year");
  const months = Math.min(11, Math.round(years * 12));
  return months < 1 ? "less than a month" : formatCounted(months, "month");
}

/** Formats how long something took: `42 s`, `4 min`, `1 h 30 min`. */
export function formatTaken(from: Date, to: Date): string {
  const seconds = Math.round((to.getTime() - from.getTime()) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (seconds < 60) return `${seconds} s`;
  return [hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(" ");
}

/** Formats a number per month as `26 a month`. */
export function formatRate(perMonth: number): string {
  return `${perMonth > 0 && perMonth < 1 ? "less than 1" : formatCount(Math.round(perMonth))} a month`;
}

/** Formats two months as `Nov 2025 to Oct 2026`, and one month as `Nov 2025`. */
export function formatSpan({ from, to }: { readonly from: string; readonly to: string }): string {
  const [first, last] = [formatShortMonth(from), formatShortMonth(to)];
  return first === last ? first : `${first} to ${last}`;
}

export const monthNames =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** Formats a day or an instant in ISO 8601 as `21 Nov 2026`. */
export function formatDate(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${formatShortMonth(iso)}`;
}

/** Formats a month, a day or an instant in ISO 8601 as `Nov 2026`. */
export function formatShortMonth(iso: string): string {
  return `${(monthNames[Number(iso.slice(5, 7)) - 1] ?? "").slice(0, 3)} ${iso.slice(0, 4)}`;
}

const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Formats the time from now as `in 9 days 4 hours`, `3 minutes ago` or `just now`: at most two units, rounded down. */
export function formatTimeDistance(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  let rest = Math.abs(seconds);
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    else if (parts.length > 0) break;
    if (parts.length === 2 || (unit === "day" && count > 30)) break;
  }
  if (parts.length === 0) return seconds > 0 ? "in less than a minute" : "just now";
  return seconds > 0 ? `in ${parts.join(" ")}` : `${parts.join(" ")} ago`;
}

export function formatBytes(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? ["GB", 1e9] : bytes >= 1e6 ? ["MB", 1e6] : ["kB", 1e3];
  const value = bytes / (size as number);
  return `${value >= 10 ? formatCount(Math.round(value)) : value.toFixed(1)} ${unit}`;
}
