/** The content of forges.db at one moment, from which people are computed. */
import { type Check, collectFindings } from "../../sqlite/check-database.ts";
import { readAccountRows, readCommitAuthors } from "./accounts.ts";
import { type ForgeLedger, readForges } from "./forge-ledger.ts";
import { readRepositoryRows } from "./repositories.ts";
import { readReviewRows } from "./reviews.ts";
import { listSources } from "./sources.ts";

export type ForgeContent = ReturnType<typeof readForgeContent>;

/** Reads everything in one transaction, because walks in other processes may write meanwhile. */
export function readForgeContent(ledger: ForgeLedger) {
  return readForges(ledger, () => ({
    sources: listSources(ledger),
    accounts: readAccountRows(ledger),
    repositories: readRepositoryRows(ledger),
    reviews: readReviewRows(ledger),
    commitAuthors: readCommitAuthors(ledger),
  }));
}

/** Reads every row, and reports rows that are malformed. */
export function* checkForgeContent(store: ForgeLedger): Check {
  const faults: string[] = [];
  for (const read of [listSources, readAccountRows, readRepositoryRows, readReviewRows]) {
    yield;
    faults.push(
      ...collectFindings(() => {
        read(store);
        return [];
      }),
    );
  }
  return faults;
}

export type FrozenForges = ReturnType<typeof freezeForges>;

/**
 * Reads the content once and keeps it, so that the digest belongs to the content that was counted.
 * @param without id of a source to leave out.
 */
export function freezeForges(ledger: ForgeLedger, without?: string) {
  let content: ForgeContent | undefined;
  return {
    /** Returns the content, which is read again only after a `change`. */
    content(): ForgeContent {
      content ??= leaveOut(readForgeContent(ledger), without);
      return content;
    },
    change<Result>(act: (ledger: ForgeLedger) => Result): Result {
      content = undefined;
      return act(ledger);
    },
  };
}

function leaveOut(content: ForgeContent, id: string | undefined): ForgeContent {
  const isOther = ({ source }: { readonly source: string }) => source !== id;
  return {
    sources: content.sources.filter((source) => source.id !== id),
    accounts: content.accounts.filter(isOther),
    repositories: content.repositories.filter(isOther),
    reviews: content.reviews.filter(isOther),
    commitAuthors: content.commitAuthors.filter(isOther),
  };
}

/** Digests the content. Dates are left out. @returns an empty text if there is no content. */
export function digestForgeContent(content: ForgeContent): string {
  const { sources, accounts, repositories, reviews, commitAuthors } = content;
  if (accounts.length + repositories.length + reviews.length === 0) return "";
  const hasher = new Bun.CryptoHasher("sha256");
  const take = (about: object) => hasher.update(`${JSON.stringify(about)}\n`);
  for (const one of accounts) take(one);
  for (const one of [...repositories, ...reviews]) take({ ...one, forge: undefined });
  const authors = Map.groupBy(commitAuthors, ({ source }) => source);
  for (const { id, forge, noreplyHost } of sources) {
    take({ id, forge, noreplyHost });
    for (const { address, owner } of authors.get(id) ?? []) take({ address, owner });
  }
  return hasher.digest("hex").slice(0, 16);
}
