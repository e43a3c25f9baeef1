/** Erases the people on the suppression list from the ledgers. Also adds further identifiers of these people to the list. */
import type { Facts } from "../../../contract/people/facts.ts";
import {
  type ExtendedErasures,
  type Identifier,
  listAddressIdentifiers,
  listNamedIdentifiers,
  listStoredIdentifiers,
  type PoolErasure,
  type SuppressionMatcher,
} from "../../../pool/pool.ts";
import { type AccountSubject, toSubject } from "../../forges/accounts.ts";
import { eraseAccounts } from "../../forges/erase-accounts.ts";
import type { FrozenForges } from "../../forges/forge-content.ts";
import type { SignedName } from "../commit/logged-commit.ts";
import {
  type AuthorIdentity,
  getAccount,
  isByName,
  type Person,
  splitPerson,
} from "../identify/author-identity.ts";
import type { Community } from "../identify/community.ts";
import { listLoginsAlone } from "../identify/login.ts";
import { gitSource } from "../ledger/applied.ts";
import { guardLedger, type Ledger } from "../ledger/ledger.ts";
import { listMentions } from "../ledger/locations.ts";
import type { TallyOptions } from "../tally/tally.ts";
import { listLocationsOf, readCounted } from "../tally/tally-rows.ts";
import { eraseFromHistories, type HistoryErasure, hasOwners } from "./erase-histories.ts";

/**
 * Erases the people on the suppression list who occur in these repositories.
 * @param repositories ids of repositories to search.
 * @returns undefined if nobody was found; otherwise the erasures, and the repositories that were counted again.
 */
export async function eraseListed(
  ledger: Ledger,
  erasing: Pick<PoolErasure, "suppression" | "extend">,
  repositories: Iterable<number>,
  tally: TallyOptions,
): Promise<(ExtendedErasures & { readonly counted: ReadonlySet<number> }) | undefined> {
  const { sqlite } = ledger;
  const matcher = await erasing.suppression();
  const theirs = createMatchers(matcher);
  const found = new Map<number, SignedName>();
  const all = readCounted(sqlite);
  let isOwner = false;
  for (const id of repositories) {
    for (const mention of listMentions(ledger, listLocationsOf(sqlite, id))) {
      if (theirs.isTheirs(mention)) found.set(mention.spelling, mention);
    }
    const repository = all.get(id);
    isOwner ||= repository !== undefined && hasOwners(repository, theirs);
  }
  if (found.size === 0 && !isOwner) return undefined;
  const works = (id: number) =>
    sqlite.readValue`SELECT 1 FROM work WHERE spelling_id = ${id} AND (commits > 0 OR is_work = 1)`;
  const people = [...found].map(([id, author]) => ({
    ...{ identifiers: listKnown(author, matcher), isShown: works(id) === 1 },
  }));
  // Extends the list first, so that the next run finds these people again if this run is interrupted.
  const extended = await extendErasures(erasing, people);
  return { ...extended, counted: await eraseFromHistories(ledger, theirs, tally) };
}

/** A person who is on the suppression list, or who belongs on it. */
interface ForgottenPerson {
  readonly identifiers: readonly Identifier[];
  /** Whether the pool would show the person without the erasure. */
  readonly isShown: boolean;
}

/** Adds identifiers to the list. @returns the erasures of people whom the pool would show, and whether the list grew. */
export async function extendErasures(
  erasing: Pick<PoolErasure, "extend">,
  people: readonly ForgottenPerson[],
): Promise<ExtendedErasures> {
  const { shown = [], others = [] } = Object.groupBy(people, ({ isShown }) =>
    isShown ? "shown" : "others",
  );
  const [one, other] = [
    await erasing.extend(shown.map(({ identifiers }) => identifiers)),
    await erasing.extend(others.map(({ identifiers }) => identifiers)),
  ];
  return { receipts: one.receipts, isLonger: one.isLonger || other.isLonger };
}

export async function eraseFromLedger(ledger: Ledger | undefined, matcher: SuppressionMatcher) {
  if (ledger) await guardLedger(ledger, () => eraseFromHistories(ledger, createMatchers(matcher)));
}

/** Matches authors against the list, by their addresses before and after the mailmap. */
function createMatchers({ isSuppressed, holdsAuthorIdentity }: SuppressionMatcher): HistoryErasure {
  return {
    isTheirs: ({ name, email, rawEmail }) =>
      [...new Set([email, rawEmail])].some((one) => holdsAuthorIdentity({ name, email: one })),
    isTheirLogin: (login) => isSuppressed({ ...nothingKnown, login }),
  };
}

/** Erases people from forges.db. @returns the number of erased accounts and addresses. */
export function eraseFromForges(
  forges: FrozenForges | undefined,
  { isSuppressed, holdsAuthorIdentity }: SuppressionMatcher,
): number {
  const people = {
    isTheirAccount: (account: AccountSubject) => isSuppressed(toSubject(account)),
    isTheirAddress: (email: string) => holdsAuthorIdentity({ name: "", email }),
  };
  return forges?.change((ledger) => eraseAccounts(ledger, people)) ?? 0;
}

const nothingKnown: Omit<Facts, "login"> = {
  ...{ source: gitSource, profile: {}, emails: [], repositories: [], evidence: [] },
};

/** Lists the identifiers of an author. If the address in commits is on the list, the address in the mailmap is added too. */
function listKnown(
  { name, email, rawEmail }: SignedName,
  { holdsAuthorIdentity }: Pick<SuppressionMatcher, "holdsAuthorIdentity">,
): readonly Identifier[] {
  const [isRaw, isMapped] = [rawEmail, email].map((one) =>
    holdsAuthorIdentity({ name: "", email: one }),
  );
  if (isRaw) return [rawEmail, email].flatMap(listAddressIdentifiers);
  if (isMapped) return listAddressIdentifiers(email);
  return [rawEmail, email].flatMap((one) => listNamedIdentifiers({ name, email: one }));
}

/** Finds people who are on the list by login or account, and people who are joined with a listed person. */
export function* findForgotten(
  communities: Iterable<Community>,
  { isSuppressed }: Pick<SuppressionMatcher, "isSuppressed">,
): Generator<ForgottenPerson> {
  for (const { everybody, isShown } of communities) {
    for (const { person, login } of everybody) {
      // Ignores joins by name, because the other person may be a namesake.
      const certain = person.joins.filter((join) => !isByName(join));
      const parts = splitPerson(person.identities, certain).map((part) => [...part]);
      for (const part of parts) {
        const facts = identityOf(part, person, parts.length === 1 ? [login] : []);
        if (!isSuppressed(facts)) continue;
        const identifiers = [...listStoredIdentifiers(facts), ...listAlone(part, person)];
        yield { identifiers, isShown: isShown(person) };
      }
    }
  }
}

/** Composes facts that identify a person with only these author identities. */
function identityOf(
  identities: readonly AuthorIdentity[],
  person: Person,
  logins: readonly string[],
): Facts {
  const emails = identities.flatMap((identity) => listPersonal(identity, person));
  const alone = identities.flatMap((identity) => listLoginsAlone(identity));
  const [login = "", ...formerLogins] = [...logins, ...alone];
  // Lists only accounts with a known number.
  const accounts = identities.flatMap((identity) => {
    const account = getAccount(identity);
    return account?.id === undefined ? [] : { ...account, id: account.id };
  });
  return {
    ...{ ...nothingKnown, login, formerLogins },
    emails: emails.map((address) => ({ address, sources: ["commits"], published: false })),
    accounts,
  };
}

/** Lists identifiers of the author identities that have no personal address. */
function listAlone(identities: readonly AuthorIdentity[], person: Person): readonly Identifier[] {
  return identities.flatMap((identity) => {
    const { name, rawEmail: email, persona } = identity;
    const isKnown = persona !== undefined || listPersonal(identity, person).length > 0;
    return isKnown ? [] : listNamedIdentifiers({ name, email });
  });
}

function listPersonal({ email, rawEmail }: AuthorIdentity, { addresses }: Person) {
  return [...new Set([email, rawEmail])].filter((address) => addresses.has(address));
}
