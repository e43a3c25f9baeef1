/** Turns each account of a forge into personas: author identities without commits, one for each address that the forge gives. */
import { normaliseAddress } from "../../../identity/address.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { type AccountKey, type ForgePeople, toAccountKey } from "../../forges/forge-people.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import { classifyByName, classifyByOperator } from "./author-class.ts";
import { type AuthorClassification, type AuthorIdentity, noCommits } from "./author-identity.ts";
import { createLineMatcher, type IdentityRules } from "./rules.ts";

/** @param isMeant whether an account is one of these people's; default: all are. */
export function createPersonas(
  people: ForgePeople,
  authors: readonly AuthorIdentity[],
  rules: Pick<IdentityRules, "names" | "classes">,
  isMeant: (key: AccountKey) => boolean = () => true,
) {
  const namesOf = createLineMatcher(rules.names);
  const classesOf = createLineMatcher(rules.classes);
  const linked = linkAuthors(people, authors);
  for (const author of authors) assignAccount(author, people);
  const accounts = [...people.accounts].filter(([key]) => isMeant(key));
  for (const [key, account] of accounts) {
    for (const author of linked.get(key) ?? []) adoptBot(author, account);
  }
  /** The personas of an account, and the author identities of commits that its forge assigns to it. */
  const byAccount = new Map<AccountKey, readonly AuthorIdentity[]>();
  const identities: AuthorIdentity[] = [];
  for (const [key, account] of accounts) {
    const { forge, login, number, profile } = account;
    const theirs = linked.get(key) ?? [];
    const addresses = new Set(account.addresses.map(({ address }) => normaliseAddress(address)));
    const made = [...(addresses.size > 0 ? addresses : [""])]
      .sort()
      .map((email): AuthorIdentity => {
        const author = {
          ...{ name: profile.name ?? login, email, rawEmail: email },
          account: { forge, login, id: number },
        };
        return {
          key: `${email}\0${author.name}\0${key}\0`,
          ...author,
          persona: account,
          properName: namesOf(author).at(-1)?.name,
          ...{ ...noCommits, repositories: new Set() },
          classified:
            classifyByOperator(classesOf(author)) ?? classifyAccount(account, email, theirs),
        };
      });
    identities.push(...made);
    byAccount.set(key, [...made, ...theirs]);
  }
  const all = new Set(identities.map(({ email }) => email));
  /** Addresses that one forge gives to two accounts, so that they identify neither. */
  const shared = new Set([...all].filter((email) => people.accountsAt(email).length === 0));
  return { identities, byAccount, shared };
}

/** An address that a forge gives matches before and after the mailmap; a sample commit proves only its own address. */
function linkAuthors(
  people: ForgePeople,
  authors: readonly AuthorIdentity[],
): ReadonlyMap<AccountKey, readonly AuthorIdentity[]> {
  return groupByKeys(authors, ({ email, rawEmail }) => {
    const given = [email, rawEmail].flatMap(people.accountsAt);
    const told = people
      .ownersAt(rawEmail)
      .map(({ forge, id = "" }) => toAccountKey({ forge, number: id }));
    return [...new Set([...given, ...told])];
  });
}

/** Includes accounts outside every selection, and forgotten ones. */
export function assignAccount(
  author: Pick<AuthorIdentity, "account" | "email" | "rawEmail" | "told">,
  people: ForgePeople,
): void {
  if (author.account) return;
  const [key] = [author.rawEmail, author.email].flatMap(people.accountsAt);
  const given = key && people.accounts.get(key);
  const told = given
    ? { forge: given.forge, login: given.login, id: given.number }
    : people.ownersAt(author.rawEmail)[0];
  if (told) author.told = told;
}

/** An account of an author who is a bot by its commits is a bot as well. */
function classifyAccount(
  account: KnownAccount,
  email: string,
  theirs: readonly AuthorIdentity[],
): AuthorClassification {
  if (account.isBot) return toBot(account);
  const known = theirs.find(({ classified }) => ["bot", "assistant"].includes(classified.class));
  if (known) return known.classified;
  const { login, profile } = account;
  const { class: named, reason } = classifyByName({ name: profile.name ?? login, emails: [email] });
  // An account belongs to a person, whatever the person is called.
  return named === "nobody" ? { class: "human", reason: undefined } : { class: named, reason };
}

function adoptBot(author: AuthorIdentity, account: KnownAccount): void {
  if (account.isBot && !author.classified.isSettled) author.classified = toBot(account);
}

function toBot({ forge }: KnownAccount): AuthorClassification {
  return { class: "bot", reason: `${forge} says that the account is a bot's.` };
}
