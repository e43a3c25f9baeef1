/** Stage 4, count: recounts every commit of all known repositories, since one repository's figures depend on the others. */

import { digestRepository, type RepositoryDigest } from "./commits/digest-repository.ts";
import { parseDayNumber } from "./commits/exclusion.ts";
import { Fingerprints } from "./commits/fingerprints.ts";
import { type AuthorIdentities, createAuthorIdentities } from "./identity/author-identities.ts";
import type { IdentityRules } from "./identity/rules.ts";
import type { KnownClone, Ledger } from "./ledger/ledger.ts";
import { groupClones } from "./ledger/recognise.ts";

/** What was counted. */
export interface CountedCommits {
  /** By place; several places of one repository share one digest. */
  readonly digests: ReadonlyMap<number, RepositoryDigest>;
  readonly identities: AuthorIdentities;
}

/**
 * @param asOf commits dated later are flagged and not counted.
 * @param rules the operator's statements about who is who.
 */
export function countCommits(
  ledger: Pick<Ledger, "places" | "metadata" | "segments">,
  asOf: string,
  rules: IdentityRules,
): CountedCommits {
  const counting = {
    asOfDay: parseDayNumber(asOf),
    identities: createAuthorIdentities(rules),
    seen: new Fingerprints(),
    contents: new Fingerprints(),
  };
  const digests = new Map<number, RepositoryDigest>();
  for (const group of groupClones(ledger.places())) {
    const [origin] = group;
    if (!origin) continue;
    const digest = digestRepository(counting, origin, historiesOf(ledger, group));
    for (const { id } of group) digests.set(id, digest);
  }
  return { digests, identities: counting.identities };
}

function* historiesOf(ledger: Pick<Ledger, "metadata" | "segments">, group: readonly KnownClone[]) {
  for (const { id } of group)
    yield { metadata: ledger.metadata(id), segments: ledger.segments(id) };
}
