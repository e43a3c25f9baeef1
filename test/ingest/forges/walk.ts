/** Walks every list of a selection as a refresh does, without keeping anything. */
import type {
  AccountAddress,
  AccountFacts,
  ForgeAdapter,
  ForgeRepository,
  ForgeSelection,
  ForgeStep,
} from "../../../src/ingest/forges/forge.ts";

export async function walk(adapter: ForgeAdapter, selections: readonly ForgeSelection[]) {
  const waiting = [...adapter.steps(selections)];
  const accounts: AccountFacts[] = [];
  const repositories: ForgeRepository[] = [];
  const names: string[] = [];
  const addresses = new Map<string, readonly AccountAddress[]>();
  const warnings: string[] = [];
  let hidden = 0;
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    names.push(step.name);
    let next: ForgeStep | undefined = step;
    while (next) {
      // It must survive being stored.
      const stored: ForgeStep = JSON.parse(JSON.stringify(next));
      const page = await adapter.readPage(stored);
      accounts.push(...page.accounts);
      repositories.push(...page.repositories);
      for (const [number, list] of page.addresses ?? []) {
        // As the ledger does: of accounts that are hidden nothing is kept.
        if (!accounts.some((account) => account.number === number)) continue;
        addresses.set(number, [...(addresses.get(number) ?? []), ...list]);
      }
      hidden += page.hidden;
      warnings.push(...(page.warnings ?? []));
      waiting.push(...(page.steps ?? []));
      next = page.next === undefined ? undefined : { ...stored, cursor: page.next };
    }
  }
  if (new Set(names).size !== names.length) throw new Error(`two steps of one name: ${names}`);
  return { accounts, repositories, addresses: [...addresses], hidden, warnings };
}
