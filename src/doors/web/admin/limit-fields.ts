import type { OwnLimits } from "../../../accounts/accounts.ts";
import type { Refusal } from "../page.ts";

export const limitHint =
  "A limit of the account's own: a whole number, or \"unlimited\". Left empty, the plan's holds.";

type Given = Readonly<Partial<Record<keyof OwnLimits, string>>>;

/** The account's own limits, as typed. */
export function readLimits({ callsPerMonth, callsPerDay }: Given): OwnLimits | Refusal {
  const month = readLimit("callsPerMonth", callsPerMonth);
  if (typeof month === "object") return month;
  const day = readLimit("callsPerDay", callsPerDay);
  if (typeof day === "object") return day;
  return {
    ...(month === undefined ? {} : { callsPerMonth: month }),
    ...(day === undefined ? {} : { callsPerDay: day }),
  };
}

function readLimit(
  field: keyof OwnLimits,
  given: string | undefined,
): number | "unlimited" | undefined | Refusal {
  const text = given?.trim().toLowerCase();
  if (text === undefined || text === "unlimited") return text;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const title = field === "callsPerMonth" ? "Calls per month" : "Calls per day";
  return { field, refusal: `${title} must be a whole number of at least 1, or "unlimited".` };
}
