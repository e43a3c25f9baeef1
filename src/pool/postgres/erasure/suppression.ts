import type { Statements } from "../../../postgres/database.ts";
import { type ListedSuppression, loadSuppression } from "../../rows/erasure/suppression-rows.ts";
import { runWork } from "../postgres-context.ts";
import { poolState } from "../tables.ts";

/** The suppression list as a query or transaction sees it, in memory. */
export type ReadSuppression = (statements: Statements) => Promise<ListedSuppression>;

/** Reads the list again when it has changed. */
export function createSuppressionReader(): ReadSuppression {
  let known: { readonly version: number; readonly list: ListedSuppression } | undefined;
  return async (statements) => {
    const [state] = await statements.select({ version: poolState.suppression }).from(poolState);
    const version = state?.version ?? 0;
    if (known?.version !== version) {
      known = { version, list: await runWork(statements, loadSuppression) };
    }
    return known.list;
  };
}
