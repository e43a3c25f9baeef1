import type { ForgeContent, ForgeLedger } from "./forge-ledger.ts";

/**
 * The ledger as it was at one moment: that of the first question, and again after something was written through it. Whoever counts
 * people needs that, because walks store what they read meanwhile: the fingerprint must be that of what was counted.
 */
export function freezeForges(ledger: ForgeLedger): ForgeLedger {
  let content: ForgeContent | undefined;
  const read = (): ForgeContent => {
    content ??= ledger.content();
    return content;
  };
  const seen: ForgeContent = {
    sources: () => read().sources(),
    accounts: () => read().accounts(),
    repositories: () => read().repositories(),
    reviews: () => read().reviews(),
    commitAuthors: (source) => read().commitAuthors(source),
  };
  return {
    ...ledger,
    ...seen,
    content: read,
    fingerprint: () => digestForgeContent(seen),
    setNoreplyHost(...host) {
      ledger.setNoreplyHost(...host);
      content = undefined;
    },
    erase(people) {
      const erased = ledger.erase(people);
      content = undefined;
      return erased;
    },
  };
}

/** Digests the content without its dates. */
export function digestForgeContent(ledger: ForgeContent): string {
  const hasher = new Bun.CryptoHasher("sha256");
  let isEmpty = true;
  const take = (about: object): void => {
    hasher.update(`${JSON.stringify(about)}\n`);
    isEmpty = false;
  };
  for (const account of ledger.accounts()) take(account);
  for (const repository of ledger.repositories()) take(repository);
  for (const review of ledger.reviews()) take(review);
  if (isEmpty) return "";
  for (const { id, forge, noreplyHost } of ledger.sources()) {
    take({ id, forge, noreplyHost });
    for (const [address, { owner }] of ledger.commitAuthors(id)) take({ address, owner });
  }
  return hasher.digest("hex").slice(0, 16);
}
