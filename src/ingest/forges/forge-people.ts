/** Indexes the content of forges.db for computing people. */
import { type ForgeAccount, isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { groupByKeys } from "../group-by-keys.ts";
import { parseOriginUrl } from "../origin.ts";
import type { KnownAccount } from "./accounts.ts";
import type { ForgeRepository } from "./forge.ts";
import type { ForgeContent } from "./forge-content.ts";
import type { KnownReview } from "./reviews.ts";

/** The key of an account: `forge#number`, such as `github.com#12`. */
export type AccountKey = `${string}#${string}`;

export type ForgePeople = ReturnType<typeof readForgePeople>;

export interface OwnedRepository extends ForgeRepository {
  readonly forge: string;
  readonly ownerKey: AccountKey | undefined;
}

export function toAccountKey({ forge, number }: Record<"forge" | "number", string>): AccountKey {
  return `${forge}#${number}`;
}

/** Orders forges: github.com first, then by name. */
export function compareForges(a: string, b: string): number {
  const rank = (forge: string) => (forge === "github.com" ? "" : forge);
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0;
}

/** Maps hosts of noreply addresses to forges. A host that two forges share is left out. */
export function listNoreplyHosts(content?: ForgeContent): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const shared = new Set<string>();
  for (const { noreplyHost, forge } of content?.sources ?? []) {
    if (noreplyHost === undefined) continue;
    if ((found.get(noreplyHost) ?? forge) !== forge) shared.add(noreplyHost);
    found.set(noreplyHost, forge);
  }
  for (const host of shared) found.delete(host);
  return found;
}

/** @param content undefined when no forge was ever read. */
export function readForgePeople(content: Partial<ForgeContent> = {}) {
  const accounts = joinAccounts(content.accounts);
  const given = groupByKeys(accounts.keys(), (key) => {
    const addresses = accounts.get(key)?.addresses ?? [];
    return [...new Set(addresses.map(({ address }) => normaliseAddress(address)))];
  });
  const stated = new Map<string, Map<string, ForgeAccount>>();
  for (const { forge, address, owner } of content.commitAuthors ?? []) {
    if (typeof owner === "string") continue;
    const owners = stated.getOrInsertComputed(address, () => new Map());
    owners.set(forge, { forge, login: owner.login, id: owner.number });
  }
  const repositories = indexRepositories(content.repositories);
  const reviews = indexReviews(content.reviews);
  return {
    /** All accounts by key. Accounts of github.com come first. */
    accounts,
    /** The accounts to which forges assign an address, at most one for each forge. */
    accountsAt: (address: string) => listSure(given.get(address), address),
    /** The owners of a commit address, from the answers about sample commits. Each forge names at most one owner. */
    ownersAt: (address: string): readonly ForgeAccount[] =>
      [...(stated.get(address)?.values() ?? [])].sort((a, b) => compareForges(a.forge, b.forge)),
    /** Finds the repository that was cloned. @param forge the host in the clone's remote. */
    findRepository: (forge: string | undefined, name: string) =>
      repositories.byClone.get(toCloneKey(forge, name)),
    repositoriesOf: (key: AccountKey): readonly OwnedRepository[] =>
      repositories.byOwner.get(key) ?? [],
    reviewsOf: (key: AccountKey): readonly KnownReview[] => reviews.byReviewer.get(key) ?? [],
    /** Reviews in a repository, ordered by change and day. */
    reviewsIn: (repository: OwnedRepository): readonly KnownReview[] =>
      reviews.byRepository.get(toAccountKey(repository)) ?? [],
  };
}

/** Returns the accounts of an address; none for a generic address, and for an address that two accounts of a forge share. */
function listSure(keys: readonly AccountKey[] = [], address: string): readonly AccountKey[] {
  const forges = keys.map((key) => key.slice(0, key.lastIndexOf("#")));
  const isShared = new Set(forges).size < keys.length;
  return isShared || isGenericAddress(address) ? [] : keys;
}

/** Joins the accounts of sources that read the same forge. */
function joinAccounts(accounts: ForgeContent["accounts"] = []) {
  const found = new Map<AccountKey, KnownAccount>();
  for (const account of accounts) {
    const key = toAccountKey(account);
    const known = found.get(key);
    const addresses = [...(known?.addresses ?? []), ...account.addresses];
    found.set(key, { ...(known ?? account), addresses });
  }
  const sorted = [...found].sort(
    ([a, one], [b, other]) => compareForges(one.forge, other.forge) || (a < b ? -1 : 1),
  );
  return new Map(sorted);
}

function indexRepositories(repositories: ForgeContent["repositories"] = []) {
  const byClone = new Map<string, OwnedRepository>();
  const byOwner = new Map<AccountKey, OwnedRepository[]>();
  const known = new Set<string>();
  for (const { source, ...repository } of repositories) {
    const { forge, owner } = repository;
    const key = toAccountKey(repository);
    if (known.has(key)) continue;
    known.add(key);
    const ownerKey = owner ? toAccountKey({ forge, number: owner }) : undefined;
    const owned: OwnedRepository = { ...repository, ownerKey };
    for (const url of repository.urls) {
      const origin = parseOriginUrl(url);
      if (!origin) continue;
      const clone = toCloneKey(origin.forge, origin.name);
      // A former name of this repository may be the current name of another one.
      const isCurrent = origin.name.endsWith(repository.name);
      if (isCurrent || !byClone.has(clone)) byClone.set(clone, owned);
    }
    if (ownerKey) byOwner.getOrInsertComputed(ownerKey, () => []).push(owned);
  }
  return { byClone, byOwner };
}

/** Indexes reviews. If two sources have the same review, only the first counts. */
function indexReviews(reviews: ForgeContent["reviews"] = []) {
  const byReviewer = new Map<AccountKey, KnownReview[]>();
  const byRepository = new Map<AccountKey, KnownReview[]>();
  const known = new Set<string>();
  for (const { forge, ...review } of reviews) {
    const account = toAccountKey({ forge, number: review.reviewer });
    const repository = toAccountKey({ forge, number: review.repository });
    const key = `${repository} ${review.change} ${review.reviewer}`;
    if (known.has(key)) continue;
    known.add(key);
    byReviewer.getOrInsertComputed(account, () => []).push(review);
    byRepository.getOrInsertComputed(repository, () => []).push(review);
  }
  return { byReviewer, byRepository };
}

function toCloneKey(forge: string | undefined, name: string): string {
  return `${forge ?? ""}/${name}`.toLowerCase();
}
