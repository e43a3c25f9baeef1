/** Adds what forges know to the facts of one person. Figures of two forges are never added up. */
import type { CreditFacts } from "../../../contract/people/credit-facts.ts";
import {
  type CommitFacts,
  type Facts,
  forgesSource,
  type Supplement,
} from "../../../contract/people/facts.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { reviewVerdicts } from "../../forges/forge.ts";
import {
  compareForges,
  type ForgePeople,
  type OwnedRepository,
  toAccountKey,
} from "../../forges/forge-people.ts";
import type { AuthorIdentity } from "../identify/author-identity.ts";
import type { PeopleWork } from "./people-work.ts";

type RepositoryFacts = Facts["repositories"][number];

/** The contract's limits on the number of accounts and of e-mails. */
const max = { accounts: 20, emails: 50 };

/** Lists a person's accounts, each once. Accounts on github.com come first. */
export function listPersonas(identities: readonly AuthorIdentity[]): readonly KnownAccount[] {
  const found = new Map(
    identities.flatMap(({ persona }) => (persona ? [[toAccountKey(persona), persona]] : [])),
  );
  return [...found.values()]
    .sort((a, b) => compareForges(a.forge, b.forge) || Number(a.number) - Number(b.number))
    .slice(0, max.accounts);
}

export function describeAccounts(
  accounts: readonly KnownAccount[],
): Pick<Facts, "accounts" | "supplements"> {
  if (accounts.length === 0) return {};
  return {
    accounts: accounts.map(({ forge, login, number }) => ({ forge, login, id: number })),
    supplements: [
      {
        ...{ source: forgesSource, logins: [] },
        profile: joinProfiles(accounts),
        emails: listEmails(accounts),
      },
    ],
  };
}

/** Joins profiles. Each text comes from the first forge that has the text. Figures and dates come from the first forge. */
function joinProfiles(accounts: readonly KnownAccount[]): Supplement["profile"] {
  const [first] = accounts;
  const { followers, createdAt, updatedAt, hireable } = first?.profile ?? {};
  const texts = accounts.toReversed().map(({ profile }) => {
    const { followers: _, createdAt: __, updatedAt: ___, hireable: ____, ...rest } = profile;
    return rest;
  });
  const known = { ...Object.assign({}, ...texts), hireable, followers, createdAt, updatedAt };
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function listEmails(accounts: readonly KnownAccount[]): Supplement["emails"] {
  const found = new Map<string, Supplement["emails"][number]>();
  for (const { forge, addresses } of accounts) {
    for (const { address, isPublished } of addresses) {
      const known = found.get(address.toLowerCase());
      found.set(address.toLowerCase(), {
        address: known?.address ?? address,
        sources: [...new Set([...(known?.sources ?? []), forge])].sort(),
        published: isPublished || known?.published === true,
      });
    }
  }
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1)).slice(0, max.emails);
}

/**
 * Adds the forge's fields to a repository's facts from git. Where both have a field, git's value is used. The last push is left
 * out, because git says when the history ends.
 */
export function layForgeOver(
  repository: RepositoryFacts,
  owned: OwnedRepository | undefined,
): RepositoryFacts {
  if (!owned) return repository;
  const { pushedAt: _, ...told } = toRepositoryFacts(owned, repository.owned);
  return { ...told, ...repository };
}

/** Lists the accounts' repositories that are not among `counted`, most stars first. */
export function listForgeRepositories(
  accounts: readonly KnownAccount[],
  forges: ForgePeople,
  counted: ReadonlySet<OwnedRepository>,
): readonly RepositoryFacts[] {
  return accounts
    .flatMap((account) => forges.repositoriesOf(toAccountKey(account)))
    .filter((owned) => !counted.has(owned))
    .map((owned) => toRepositoryFacts(owned, true))
    .sort(
      (a, b) =>
        (b.stars ?? 0) - (a.stars ?? 0) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
        compareForges(a.forge ?? "", b.forge ?? ""),
    );
}

/**
 * Counts the person's reviews, all and by verdict. No count is given if nothing is known about reviews in the repositories `of`.
 */
export function sumReviews(
  accounts: readonly KnownAccount[],
  of: readonly OwnedRepository[],
  { forges, asOf }: PeopleWork,
): { readonly credits: CreditFacts; readonly commits: Pick<CommitFacts, "reviews"> } {
  const given = accounts.flatMap((account) =>
    forges.reviewsOf(toAccountKey(account)).filter(({ day }) => day <= asOf),
  );
  const isKnown = of.some(
    (repository) =>
      accounts.some(({ forge }) => forge === repository.forge) &&
      forges.reviewsIn(repository).some(({ day }) => day <= asOf),
  );
  const credits = reviewVerdicts.flatMap((verdict) => {
    const days = given.flatMap((review) => (review.verdict === verdict ? [review.day] : [])).sort();
    const [first, last] = [days[0], days.at(-1)];
    return first && last ? [[verdict, { count: days.length, first, last }] as const] : [];
  });
  return {
    credits: Object.fromEntries(credits),
    commits: isKnown || given.length > 0 ? { reviews: given.length } : {},
  };
}

function toRepositoryFacts(owned: OwnedRepository, isOwned: boolean): RepositoryFacts {
  const { name, forge, isFork, stars, forks, topics, description, language, pushedAt } = owned;
  return {
    ...{ name, forge, owned: isOwned },
    ...(language !== undefined && { language }),
    ...(stars !== undefined && { stars }),
    ...(forks !== undefined && { forks }),
    ...(topics !== undefined && { topics: [...topics] }),
    ...(description !== undefined && { description }),
    ...(isFork && { fork: true }),
    ...(pushedAt !== undefined && { pushedAt }),
  };
}
