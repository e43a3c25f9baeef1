import { formatStale, historyAgeMax, listStale } from "../contract/people/history-end.ts";
import { databaseNames } from "../data-files/file-names.ts";
import { countOutdated, type Ledger } from "../ingest/ingest.ts";
import type { Pool } from "../pool/pool.ts";
import type { Finding } from "./finding.ts";

/** @package Lists repositories without recent commits. */
export async function examineHistories(
  { authorship }: Pick<Pool, "authorship">,
  now: Date,
): Promise<readonly Finding[]> {
  const today = now.toISOString().slice(0, 10);
  const stale = listStale(await authorship.repositories(), today);
  if (stale.length === 0) return [];
  const text =
    `the newest commit is more than ${historyAgeMax} days old in ${formatStale(stale)}: ` +
    "activity there is judged as of that commit; fetch the newest commits if these are mirrors";
  return [{ level: "ok", about: "histories", text }];
}

/** @package Counts the repositories that must be read again to complete their histories. */
export function examineRepositories(ledger: Ledger): readonly Finding[] {
  const { ofOlderForm, left } = countOutdated(ledger);
  const old = `repositories that an older Roster read, and kept less of: ${ofOlderForm}; a recount does not change that`;
  const gone = `repositories that also count at a path that they have left: ${left}`;
  const texts = [...(ofOlderForm > 0 ? [old] : []), ...(left > 0 ? [gone] : [])];
  const about = databaseNames.ledger;
  return texts.map((text) => ({ level: "warning", about, text, remedy: "reread" }));
}
