/** Erases people from the files beside the pool: the ledger of git histories, the ledger of forges, the lists of accounts. */
import type { SavedRecords } from "../control/saved-records.ts";
import { normaliseAddress } from "../identity/address.ts";
import type { StoredAuthorIdentity, Whereabouts } from "../ingest/ingest.ts";
import type { Identifier, PoolErasure } from "../pool/pool.ts";

/** Where histories may name a person. */
export function listWhereabouts(
  identities: readonly StoredAuthorIdentity[],
  identifiers: readonly Identifier[],
): Whereabouts {
  const addresses = identities.flatMap(({ commitEmail, ownAddresses }) => [
    commitEmail,
    ...ownAddresses,
  ]);
  const valuesOf = (kind: string) =>
    identifiers.flatMap((one) => (one.startsWith(`${kind}:`) ? [one.slice(kind.length + 1)] : []));
  const accounts = valuesOf("account").filter((account) => account.includes("/"));
  return {
    addresses: [...new Set([...addresses.map(normaliseAddress), ...valuesOf("email")])],
    accounts,
    logins: [
      ...new Set([
        ...valuesOf("login"),
        ...accounts.map((account) => account.slice(account.indexOf("/") + 1)),
        ...identities.flatMap(({ loginAlone }) => loginAlone ?? []),
      ]),
    ],
  };
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
