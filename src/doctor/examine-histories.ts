import { formatStale, historyAgeMax, listStale } from "../contract/people/history-end.ts";
import type { Pool } from "../pool/pool.ts";
import type { Finding } from "./finding.ts";

/** @package Names the repositories of which nothing was read for long; no fault, since work on some has ended. */
export async function examineHistories(
  { authorship }: Pick<Pool, "authorship">,
  now: Date,
): Promise<readonly Finding[]> {
  const today = now.toISOString().slice(0, 10);
  const stale = listStale(await authorship.repositories(), today);
  if (stale.length === 0) return [];
  const text =
    `the newest commit is more than ${historyAgeMax} days old in ${formatStale(stale)}: ` +
    "nothing is said of who is active in them now; fetch those that are mirrors";
  return [{ level: "ok", about: "histories", text }];
}
