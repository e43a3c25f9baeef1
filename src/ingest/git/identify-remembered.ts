/**
 * The stages count and identify, without forgotten people. Who comes back with a repository is erased from the ledgers, and the
 * rest is counted again with their commits belonging to no one.
 */
import type { Pool } from "../../pool/pool.ts";
import type { FrozenForges } from "../forges/forge-content.ts";
import { countRepositories } from "./count-commits.ts";
import { eraseFromForges, eraseListed, extendErasures, findForgotten } from "./forget-people.ts";
import { type IdentityContext, identifyParts, openIdentityContext } from "./identify-people.ts";
import { identifyTouched } from "./identify-touched.ts";
import type { IdentityRules } from "./identity/rules.ts";
import type { Ledger } from "./ledger/ledger.ts";

export interface RememberedSources {
  readonly ledger: Ledger;
  readonly forges: FrozenForges | undefined;
  readonly pool: Pick<Pool, "erasing">;
  readonly asOf: string;
  /** Whether everything is counted and everybody identified again. */
  readonly anew?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Tells how many repositories were counted, of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface IdentifiedSources {
  readonly context: IdentityContext;
  /** How many erasures left somebody out who has commits here. */
  readonly suppressed: number;
  /** The erasures that the ledgers follow now, as `describeErasures` describes them. */
  readonly erasures: string;
}

/**
 * Brings what the ledger has counted and concluded up to date.
 *
 * @param findRules called once everything is counted, which tells whom histories name; again when an erasure was extended, which
 *   may remove decisions.
 */
export async function identifyRemembered(
  sources: RememberedSources,
  findRules: () => Promise<IdentityRules>,
): Promise<IdentifiedSources> {
  const { ledger, forges, pool, asOf, anew, signal, onProgress } = sources;
  const { erasing } = pool;
  let erasures = await describeErasures(pool);
  // Erasures by another node, or of an older ledger, concern everybody; else only who was touched can be new.
  const isChecked = ledger.applied()?.erasures === erasures;
  // Until the check is done: a run that is cut off before has its people checked by the next.
  if (erasures !== "") ledger.amendApplied({ erasures: "unchecked" });
  const identify = async (isAnew: boolean | undefined) => {
    const context = openIdentityContext(ledger, await findRules());
    if (isAnew) ledger.spellings.unlinkAll();
    return { context, touched: identifyTouched(ledger, context, asOf) };
  };
  let counted = await countRepositories(ledger, { asOf, anew, signal, onProgress });
  if (erasures === "") return { ...(await identify(anew)), suppressed: 0, erasures };
  const suppressed = new Set<string>();
  let isEverybody = !isChecked;
  for (let isAnew = anew; ; isAnew = false) {
    // Before the list is read: what another node adds after that is left to the next run.
    const listed = await describeErasures(pool);
    isEverybody ||= listed !== erasures;
    erasures = listed;
    const repositories = isEverybody ? ledger.repositories.all().keys() : counted;
    const erased = await eraseListed(ledger, erasing, repositories);
    if (erased) counted = await countRepositories(ledger, { asOf, signal, onProgress });
    const { context, touched } = await identify(isAnew);
    const spellings = isEverybody ? ledger.spellings.all() : touched;
    const matcher = await erasing.suppression();
    const forgotten = findForgotten(identifyParts(context, spellings), matcher);
    const found = await extendErasures(erasing, [...forgotten]);
    for (const id of [...(erased?.receipts ?? []), ...found.receipts]) suppressed.add(id);
    const isSomebody = isEverybody || erased !== undefined || found.receipts.size > 0;
    isEverybody = erased?.isLonger === true || found.isLonger;
    if (isEverybody || (isSomebody && eraseFromForges(forges, matcher) > 0)) continue;
    ledger.amendApplied({ erasures });
    return { context, suppressed: suppressed.size, erasures };
  }
}

/** Another text once somebody was forgotten, more of them became known, or an erasure was undone. */
export async function describeErasures({ erasing }: Pick<Pool, "erasing">): Promise<string> {
  const receipts = await erasing.receipts();
  const states = receipts
    .map(({ id, identifiers, undoneAt }) => `${id} ${identifiers} ${undoneAt === undefined}`)
    .sort();
  return states.length === 0 ? "" : Bun.hash(states.join()).toString(36);
}
