/** Records what the pool shows of the ledger: the last applied run, and the people from git. */
import type { Pool } from "../../../pool/pool.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import { guardReading, type Ledger } from "./ledger.ts";

/** The last run whose result the pool shows. */
export interface AppliedRun {
  readonly asOf: string;
  readonly modelVersion: string;
  /** Whether addresses of commits were published; undefined for older runs, which published none. */
  readonly publishCommitEmails?: boolean;
  /** Fingerprint of the rules of identity and of the content of forges.db. */
  readonly identity: string;
  /** The result of `readPoolMark` after the run. If it differs now, another process has changed the pool since. */
  readonly poolMark: string;
  /** Describes the erasures that were already applied to the histories. */
  readonly erasures: string;
}

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

/** @returns undefined when there was no run, or another version of Roster made it. */
export function readApplied(ledger: Ledger): AppliedRun | undefined {
  const run = readRun(ledger);
  return run?.edition === ledger.edition ? run : undefined;
}

/** Reads the version and rules of the last run; undefined when there was no run. */
export function readCountedBy(ledger: Ledger) {
  const run = readRun(ledger);
  if (!run) return undefined;
  const { edition, identity, publishCommitEmails = false } = run;
  return { edition, identity, publishCommitEmails };
}

export function setApplied(ledger: Ledger, change: Partial<AppliedRun>): void {
  const run = readRun(ledger);
  if (run) writeRun(ledger, { ...run, ...change });
}

/** Reads the logins that the pool may have from git, each with the digest of the shown facts; null until facts are shown. */
export function readBrought({ sqlite }: Pick<Ledger, "sqlite">) {
  const rows = sqlite.readRows<{ login: string; digest: string | null }>`
    SELECT login, digest FROM brought`;
  return new Map(rows.map(({ login, digest }) => [login, digest]));
}

/** Stores logins that the pool is about to get. Call it before the pool gets them. */
export function noteBrought({ sqlite }: Ledger, logins: readonly string[]): void {
  const add = sqlite.query(
    "INSERT INTO brought (login) VALUES (?) ON CONFLICT (login) DO UPDATE SET digest = NULL",
  );
  sqlite.transact(() => {
    for (const login of logins) add.run(login);
  });
}

/**
 * Stores the applied run. Call it after the pool shows the result.
 * @param people digests of shown facts by login in lower case; null for people who are no longer in git.
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

/** Reads a text that changes with every import from git or a forge, and when the pool is restored or emptied. */
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
