import type { Pool } from "../../../pool/pool.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import { readApplied, readPoolMark, setApplied } from "../ledger/applied.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { describeErasures } from "./identify-remembered.ts";

/**
 * Call it before an erasure that takes people out of the ledger as well as out of the pool.
 *
 * @returns to be called once it is complete: if both agreed before, they do afterwards, and the next run need not judge everybody
 *   again because of it.
 */
export async function watchApplied({
  ledger,
  forges,
  pool,
}: {
  readonly ledger: Ledger | undefined;
  readonly forges: FrozenForges | undefined;
  readonly pool: Pick<Pool, "sources" | "erasing">;
}): Promise<() => Promise<void>> {
  const describe = async () => ({
    poolMark: await readPoolMark(pool, { forges }),
    erasures: await describeErasures(pool),
  });
  const applied = ledger && readApplied(ledger);
  const before = applied && (await describe());
  const isAgreed = before?.poolMark === applied?.poolMark && before?.erasures === applied?.erasures;
  return async () => {
    if (ledger && applied && isAgreed) setApplied(ledger, await describe());
  };
}
