/** What the pool shows of the ledger: the last applied run, and the people that it brought. */
import type { Pool } from "../../../pool/pool.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import { guardReading, type Ledger } from "./ledger.ts";

/** The run whose result the pool shows. */
export interface AppliedRun {
  readonly asOf: string;
  readonly modelVersion: string;
  /** Whether addresses of commits were published; absent in older runs, which published none. */
  readonly publishCommitEmails?: boolean;
  /** Fingerprint of the rules by which people were identified, and of what forges say. */
  readonly identity: string;
  /** The pool's last git import; when it differs, the pool has changed since. */
  readonly poolMark: string;
  /** The erasures that the histories are free of. */
  readonly erasures: string;
}

/** @returns undefined when there was no run. */
function readRun({ sqlite }: Ledger): (AppliedRun & { readonly edition: string }) | undefined {
  return guardReading(sqlite, () => {
    const text = sqlite.readValue<string>`SELECT applied FROM ledger_state`;
    return text ? JSON.parse(text) : undefined;
  });
}

function writeRun({ sqlite }: Ledger, run: AppliedRun & { readonly edition: string }): void {
  sqlite.execute`INSERT INTO ledger_state (id, applied) VALUES (1, ${JSON.stringify(run)})
    ON CONFLICT (id) DO UPDATE SET applied = excluded.applied`;
}

/** @returns undefined when there was no run, or another edition of Roster made it. */
export function readApplied(ledger: Ledger): AppliedRun | undefined {
  const run = readRun(ledger);
  return run?.edition === ledger.edition ? run : undefined;
}

/** The edition and rules of the last run; undefined when there was none. */
export function readCountedBy(ledger: Ledger) {
  const run = readRun(ledger);
  if (!run) return undefined;
  const { edition, identity, publishCommitEmails = false } = run;
  return { edition, identity, publishCommitEmails };
}

/** Changes what the last applied run says, where there was one. */
export function setApplied(ledger: Ledger, change: Partial<AppliedRun>): void {
  const run = readRun(ledger);
  if (run) writeRun(ledger, { ...run, ...change });
}

/** Logins that the pool may have from git, in lower case, with the digest of what it shows of each; null until it shows it. */
export function readBrought({
  sqlite,
}: Pick<Ledger, "sqlite">): ReadonlyMap<string, string | null> {
  const rows = sqlite.readRows<{ login: string; digest: string | null }>`
    SELECT login, digest FROM brought`;
  return new Map(rows.map(({ login, digest }) => [login, digest]));
}

/** Call it before the pool stages these logins, so that a crash in between leaves none untracked. */
export function noteBrought({ sqlite }: Ledger, logins: readonly string[]): void {
  const add = sqlite.query(
    "INSERT INTO brought (login) VALUES (?) ON CONFLICT (login) DO UPDATE SET digest = NULL",
  );
  sqlite.transact(() => {
    for (const login of logins) add.run(login);
  });
}

/**
 * Call it after the pool shows the result.
 * @param people by login in lower case, the digest of the shown facts; null for people who are no longer in git.
 */
export function writeApplied(
  ledger: Ledger,
  run: AppliedRun,
  people: ReadonlyMap<string, string | null>,
): void {
  const { sqlite, edition } = ledger;
  const remove = sqlite.query("DELETE FROM brought WHERE login = ?");
  const show = sqlite.query("INSERT OR REPLACE INTO brought (login, digest) VALUES (?, ?)");
  sqlite.transact(() => {
    for (const [login, digest] of people) {
      if (digest === null) remove.run(login);
      else show.run(login, digest);
    }
    writeRun(ledger, { ...run, edition });
  });
}

/** The value of `source` in facts from git. */
export const gitSource = "git";

/** Changes with every git import by any process, so that a restored or emptied pool is noticed. */
export async function readPoolMark(
  pool: Pick<Pool, "sources">,
  { forges }: { readonly forges?: Pick<FrozenForges, "content"> | undefined },
): Promise<string> {
  const composed = new Set([
    gitSource,
    ...(forges?.content().sources ?? []).map(({ forge }) => forge),
  ]);
  const marks = (await pool.sources())
    .filter(({ source }) => composed.has(source))
    .map(({ lastImportAt, developers }) => `${lastImportAt} ${developers}`);
  return marks.join(", ");
}
