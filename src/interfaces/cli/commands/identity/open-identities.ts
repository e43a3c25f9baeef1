import {
  createIdentityOverview,
  type IdentityOverview,
  ingestGit,
} from "../../../../ingest/ingest.ts";
import { StoreFault } from "../../../../sqlite/database.ts";
import type { CliContext, OpenFolder } from "../../cli-context.ts";

type Flags = Record<string, unknown>;

/** As of the day that the pool shows, unless another one is asked for: a question moves nobody's score. */
export function findAsOf(session: CliContext, { ledger }: OpenFolder, flags: Flags): string {
  const applied = flags["asOf"] === undefined ? ledger().applied()?.asOf : undefined;
  return applied ?? session.asOf(flags);
}

export function openIdentities(
  session: CliContext,
  open: OpenFolder,
  flags: Flags,
): Promise<IdentityOverview> {
  const { modules, ledger, identityFiles } = open;
  const asOf = findAsOf(session, open, flags);
  return createIdentityOverview({
    ledger: ledger(),
    pool: modules.pool,
    files: identityFiles(),
    asOf,
  });
}

/**
 * Shows the people as they are counted now: a running server follows.
 *
 * @returns undefined when no repository is known.
 */
export async function recountPeople(session: CliContext, open: OpenFolder, flags: Flags) {
  const { modules, ledger, judge, modelVersion, vocabulary, identityFiles } = open;
  if (ledger().places().length === 0) return undefined;
  const asOf = findAsOf(session, open, flags);
  try {
    return await ingestGit({
      paths: [],
      ledger: ledger(),
      files: identityFiles(),
      pool: modules.pool,
      judge: judge(asOf),
      modelVersion: modelVersion(),
      vocabulary,
      asOf,
      signal: session.signal,
    });
  } catch (error) {
    if (error instanceof StoreFault) {
      session.terminal.note(
        "The decision is kept, and not shown yet: `roster ingest git` does that.",
      );
    }
    throw error;
  }
}
