import type { Facts } from "../../../contract/people/facts.ts";
import type { Database } from "../../../sqlite/database.ts";
import type { Immediate } from "../../../sqlite/to-promises.ts";
import { listKeptIdentifiers, toLoginKey } from "../../identifiers.ts";
import type { GivenFacts } from "../../pool.ts";
import type { Staging } from "../../rows/importing/importing.ts";
import { hashFacts, type PackedDeveloper, packInBatches } from "../../rows/pack-developer.ts";
import type { Suppression } from "../erasure/suppression.ts";
import { prepareRows } from "./staged-rows.ts";

/** @package */
export function createStaging(
  store: Database,
  importId: number,
  suppression: Pick<Suppression, "isEmpty" | "holds">,
): Immediate<Staging> {
  const rows = prepareRows(store, importId);
  // The suppression list is asked inside the transaction, so that a person erased while this import runs is left out.
  const stageAll = (
    items: readonly PackedDeveloper[],
    basis: string | undefined,
  ): PackedDeveloper[] => {
    const isListEmpty = suppression.isEmpty();
    const leftOut: PackedDeveloper[] = [];
    for (const row of items) {
      const known = rows.find(toLoginKey(row.login));
      // The same login from earlier in this import: the later one wins.
      rows.takeBack(known);
      if (!isListEmpty && suppression.holds(row.identifiers)) {
        leftOut.push(row);
        continue;
      }
      const before = known.find(({ is_visible }) => is_visible);
      if (before?.whole_hash === row.wholeHash) rows.confirm(before, basis ?? before.basis);
      else rows.replace(before, row, basis ?? null);
    }
    return leftOut;
  };
  const confirmAll = (given: readonly GivenFacts[], basis: string): boolean[] => {
    const isListEmpty = suppression.isEmpty();
    return given.map(({ login, text }) => {
      const known = rows.find(toLoginKey(login));
      const before = known.find(({ is_visible }) => is_visible);
      if (before?.basis !== basis || before.facts_hash !== hashFacts(text)) return false;
      // The text was checked when it was first put.
      const listIdentifiers = () => listKeptIdentifiers(JSON.parse(text) as Facts);
      if (!isListEmpty && suppression.holds(listIdentifiers())) return false;
      rows.takeBack(known);
      rows.confirm(before, basis);
      return true;
    });
  };
  const stageInTransaction = store.sqlite.transaction(stageAll);
  const confirmInTransaction = store.sqlite.transaction(confirmAll);
  return {
    put: (batch, basis) =>
      packInBatches(batch)
        .flatMap((items) => stageInTransaction.immediate(items, basis))
        .toArray(),
    confirm: (given, basis) => confirmInTransaction.immediate(given, basis),
  };
}
