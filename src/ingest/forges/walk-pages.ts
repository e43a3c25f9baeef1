/** Stores the pages of a source's lists, and removes entries that the lists no longer contain. */
import {
  countMisses,
  dropOldAddresses,
  type IsForgotten,
  noteMissed,
  putAccount,
  putAddresses,
  removeAccountAlone,
  toOwner,
} from "./accounts.ts";
import type { AccountFacts, ForgePage, ForgeStep } from "./forge.ts";
import { writeForges } from "./forge-ledger.ts";
import { dropOldRepositories, putRepository } from "./repositories.ts";
import { addSteps, noteStep, type Walk } from "./walks.ts";

/** Stores one page and the cursor after it in one transaction. @returns how many forgotten accounts were left out. */
export function putPage(walk: Walk, step: ForgeStep, page: ForgePage, isForgotten: IsForgotten) {
  return writeForges(walk.ledger, () => {
    const left = new Set(
      page.accounts.flatMap((account) =>
        putAccount(walk, account, isForgotten) ? [] : [account.number],
      ),
    );
    // Hidden and forgotten accounts have no row, so their addresses are not stored.
    for (const [number, list] of page.addresses ?? []) {
      if (countMisses(walk, number) !== undefined) putAddresses(walk, number, list);
    }
    for (const facts of page.repositories) {
      const isLeft = left.has(facts.owner ?? "") || isForgotten(toOwner(facts, walk));
      if (!isLeft) putRepository(walk, facts);
    }
    addSteps(walk, page.steps ?? []);
    noteStep(walk, step, page.next);
    return left.size;
  });
}

/** An account is removed when this many complete walks in a row have missed it. */
const missesMax = 2;

/**
 * Stores the forge's answers about missing accounts. Undefined means that the account is gone. An account that two walks in a row
 * have missed is removed, unless it still exists and the source selects everybody.
 */
export function putMissing(
  walk: Walk,
  answers: ReadonlyMap<string, AccountFacts | undefined>,
  isForgotten: IsForgotten,
): void {
  writeForges(walk.ledger, () => {
    for (const [number, account] of answers) {
      const missed = (countMisses(walk, number) ?? 0) + 1;
      const isStored = account !== undefined && putAccount(walk, account, isForgotten);
      if (isStored && walk.isEverybody) continue;
      if (missed >= missesMax) removeAccountAlone(walk.ledger, walk.source, number);
      else noteMissed(walk, number, missed);
    }
  });
}

export function pruneWalk(walk: Walk): void {
  writeForges(walk.ledger, () => {
    dropOldRepositories(walk);
    dropOldAddresses(walk);
  });
}
