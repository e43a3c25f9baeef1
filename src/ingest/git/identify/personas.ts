/** Turns accounts of forges into personas: author identities without commits, one for each address that the forge states. */
import { normaliseAddress } from "../../../identity/address.ts";
import type { KnownAccount } from "../../forges/accounts.ts";
import { type AccountKey, type ForgePeople, toAccountKey } from "../../forges/forge-people.ts";
import { groupByKeys } from "../../group-by-keys.ts";
import { classifyByName, classifyByOperator, humanClass } from "./author-class.ts";
import { type AuthorClassification, type AuthorIdentity, noCommits } from "./author-identity.ts";
import { createLineMatcher, type IdentityRules } from "./rules.ts";

/** @param isMeant whether to create personas for an account; default: for all accounts. */
export function createPersonas(
  people: ForgePeople,
  authors: readonly AuthorIdentity[],
  rules: Pick<IdentityRules, "names" | "classes">,
  isMeant: (key: AccountKey) => boolean = () => true,
) {
  const namesOf = createLineMatcher(rules.names);
  const classesOf = createLineMatcher(rules.classes);
  const linked = groupByKeys(authors, (author) => listAssigned(people, author));
  for (const author of authors) assignAccount(author, people);
  const accounts = [...people.accounts].filter(([key]) => isMeant(key));
  for (const [key, account] of accounts) {
    for (const author of (account.isBot && linked.get(key)) || []) {
      if (!author.classified.isSettled) author.classified = toBot(account);
    }
  }
  /** The author identities of each account: its personas, and the authors in commits that the forge assigns to it. */
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
  /** Addresses that one forge states for two accounts. Such an address identifies neither account. */
  const shared = new Set([...all].filter((email) => people.accountsAt(email).length === 0));
  return { identities, byAccount, shared };
}

/** Lists the accounts that forges assign to an author. The owner of a sample commit counts only for the address before the mailmap. */
export function listAssigned(
  people: ForgePeople,
  { email, rawEmail }: Pick<AuthorIdentity, "email" | "rawEmail">,
): readonly AccountKey[] {
  const given = [email, rawEmail].flatMap(people.accountsAt);
  const told = people
    .ownersAt(rawEmail)
    .map(({ forge, id = "" }) => toAccountKey({ forge, number: id }));
  return [...new Set([...given, ...told])];
}

/** Sets `told` to the account of an author if a forge knows the account. */
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

/** Classifies an account. It is a bot or assistant if an author linked with it is a bot or assistant. */
function classifyAccount(account: KnownAccount, email: string, theirs: readonly AuthorIdentity[]) {
  if (account.isBot) return toBot(account);
  const known = theirs.find(({ classified }) => ["bot", "assistant"].includes(classified.class));
  if (known) return known.classified;
  const { login, profile } = account;
  const { class: named, reason } = classifyByName({ name: profile.name ?? login, emails: [email] });
  // An account belongs to a person, even if its name is one that identifies nobody.
  return named === "nobody" ? humanClass : { class: named, reason };
}

function toBot({ forge }: KnownAccount): AuthorClassification {
  return { class: "bot", reason: `${forge} says that the account is a bot's.` };
}
