/** Erases people from the files beside the pool: the ledger of git histories, the ledger of forges, the lists of accounts. */
import type { SavedRecords } from "../control/saved-records.ts";
import { formatIdentityKey, ownsIdentity } from "../identity/ownership.ts";
import {
  type ForgeLedger,
  type KeptAuthorIdentity,
  type Ledger,
  toSubject,
} from "../ingest/ingest.ts";
import type { PoolErasure } from "../pool/pool.ts";

export async function eraseFromLedger(
  ledger: Ledger | undefined,
  erasing: PoolErasure,
  identities: readonly KeptAuthorIdentity[],
): Promise<void> {
  const { isSuppressed, holdsAuthorIdentity } = await erasing.suppression();
  const owned = {
    spellings: new Set(
      identities.map(({ name, commitEmail }) => formatIdentityKey(name, commitEmail)),
    ),
    hasAddress: (email: string, name: string) => holdsAuthorIdentity({ name, email }),
  };
  ledger?.erase({
    isTheirLogin: (login) => isSuppressed({ ...noFacts, login }),
    isTheirs: (identity) => ownsIdentity(owned, identity),
  });
}

export async function eraseFromForges(
  forges: ForgeLedger | undefined,
  erasing: PoolErasure,
): Promise<void> {
  const { isSuppressed, holdsAuthorIdentity } = await erasing.suppression();
  forges?.erase({
    isTheirAccount: (account) => isSuppressed(toSubject(account)),
    isTheirAddress: (email) => holdsAuthorIdentity({ name: "", email }),
  });
}

/** Erases everyone on the suppression list, so that it can be repeated after a crash. */
export async function eraseFromSaved(saved: SavedRecords, erasing: PoolErasure): Promise<void> {
  const kept = await saved.keptLogins();
  if (kept.length === 0) return;
  const { isSuppressed } = await erasing.suppression();
  const theirs = kept.filter((login) => isSuppressed({ ...noFacts, login }));
  if (theirs.length > 0) await saved.erase(theirs);
}

const noFacts = { source: "git", profile: {}, emails: [], repositories: [], evidence: [] };
