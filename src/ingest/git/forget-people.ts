/** Runs after the identify stage: erases forgotten people from the ledger, after which commits are counted again. */
import type { Facts } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { formatIdentityKey, ownsIdentity } from "../../identity/ownership.ts";
import type { Pool, SuppressionMatcher } from "../../pool/pool.ts";
import type { ForgeLedger } from "../forges/forge-ledger.ts";
import { toAccountKey } from "../forges/forge-people.ts";
import { gitSource } from "./assemble-facts.ts";
import { type Community, isOnForge } from "./identify-people.ts";
import {
  type AuthorIdentity,
  getAccount,
  type JoinKind,
  type Person,
} from "./identity/author-identity.ts";
import { listLoginsAlone } from "./identity/login.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { listOwnerLogins } from "./ownership/erase-owners.ts";

/** @returns how many of the erased would be in the pool; undefined when nothing was erased. */
export async function eraseForgotten(
  community: Community,
  {
    ledger,
    forges,
  }: { readonly ledger: Pick<Ledger, "erase" | "brought">; readonly forges: ErasableForges },
  pool: Pick<Pool, "erasing" | "findFacts">,
): Promise<number | undefined> {
  const { everybody, workOf, credits } = community;
  const { isSuppressed, holdsAuthorIdentity } = await pool.erasing.suppression();
  const stated = findStated(community, isSuppressed);
  // Includes people without a counted commit, such as people who only merged.
  const forgotten = everybody.flatMap(({ person, login }) => {
    const parts = splitAtNames(person);
    const erased = parts.filter((part) =>
      isSuppressed(identityOf(part, person, parts.length === 1 ? [login] : [])),
    );
    const isGone = erased.length === parts.length;
    return erased.length > 0 ? [{ person, erased: erased.flat(), login: isGone ? login : "" }] : [];
  });
  // A person known from trailers alone is not in the community, but an address may have been forgotten.
  const strangers = credits.strangers.filter(({ name, email, rawEmail }) =>
    [email, rawEmail].some((address) => holdsAuthorIdentity({ name, email: address })),
  );
  const isNobodyStated = stated.logins.size + stated.addresses.size === 0;
  if (forgotten.length === 0 && strangers.length === 0 && isNobodyStated) return undefined;
  const logins = new Set(
    forgotten
      .flatMap(({ erased, login }) => [login, ...erased.flatMap((one) => listLoginsAlone(one))])
      .map((login) => login.toLowerCase()),
  );
  const addresses = new Set([
    ...forgotten.flatMap(({ person, erased }) => listAddresses(erased, person)),
    ...strangers.flatMap(({ email, rawEmail }) => [email, rawEmail].map(normaliseAddress)),
  ]);
  const owned = {
    spellings: new Set(
      forgotten
        .flatMap(({ erased }) => erased)
        .map(({ name, rawEmail }) => formatIdentityKey(name, rawEmail)),
    ),
    // An address that several people use identifies a person only together with the name.
    hasAddress: (email: string) => {
      const address = normaliseAddress(email);
      return addresses.has(address) && !isGenericAddress(address);
    },
  };
  await hideHeld(logins, ledger, pool);
  ledger.erase({
    isTheirLogin: (login) => logins.has(login) || stated.logins.has(login),
    isTheirs: (identity) =>
      ownsIdentity(owned, identity) || (!identity.name && stated.addresses.has(identity.email)),
  });
  const accounts = new Set(
    forgotten.flatMap(({ erased }) => listNumberedAccounts(erased).map(toAccountKey)),
  );
  forges?.erase({
    isTheirAccount: (account) => accounts.has(toAccountKey(account)),
    isTheirAddress: owned.hasAddress,
  });
  return forgotten.filter(({ person }) => workOf(person).length > 0 || isOnForge(person)).length;
}

/** Finds forgotten people in ownership files: reading the tree again brings them back, even without a commit. */
function findStated(
  { digests }: Community,
  isSuppressed: SuppressionMatcher["isSuppressed"],
): { readonly logins: ReadonlySet<string>; readonly addresses: ReadonlySet<string> } {
  const logins = new Set<string>();
  const addresses = new Set<string>();
  for (const { ownership, forge } of new Set(digests.values())) {
    for (const rule of ownership.flatMap(({ rules }) => rules)) {
      for (const owner of rule.owners) {
        if ("email" in owner) addresses.add(owner.email);
        else if ("login" in owner) {
          for (const login of listOwnerLogins(owner.login, rule, forge)) logins.add(login);
        }
      }
    }
  }
  const isForgotten = (login: string, emails: Facts["emails"]): boolean =>
    isSuppressed({ ...nothingKnown, login, emails });
  const asEmail = (address: string) => [{ address, sources: ["commits"], published: false }];
  return {
    logins: new Set([...logins].filter((login) => isForgotten(login, []))),
    addresses: new Set([...addresses].filter((address) => isForgotten("", asEmail(address)))),
  };
}

const nothingKnown = { source: gitSource, profile: {}, repositories: [], evidence: [] };

/** Hides forgotten people with a new login and address: they came into the pool before a forge gave the account's number. */
async function hideHeld(
  logins: ReadonlySet<string>,
  ledger: Pick<Ledger, "brought">,
  pool: Pick<Pool, "erasing" | "findFacts">,
): Promise<void> {
  const known = [...ledger.brought()].filter((login) => logins.has(login));
  for (const facts of await pool.findFacts(known)) {
    if (facts) await pool.erasing.hide(facts.login);
  }
}

type ErasableForges = Pick<ForgeLedger, "erase"> | undefined;

/** Evidence strong enough that an author identity joined by it to a forgotten person is forgotten too. */
const strongKinds: ReadonlySet<JoinKind> = new Set<JoinKind>([
  ...(["alias file", "decision", "mailmap", "forge account"] as const),
  ...(["account", "same commit", "same e-mail"] as const),
]);

/**
 * Splits a person where only a name joins. So a namesake of a forgotten person stays, and the forgotten person does not return
 * under the namesake.
 */
function splitAtNames({ identities, joins }: Person): readonly (readonly AuthorIdentity[])[] {
  const partOf = new Map(identities.map((identity) => [identity, [identity]]));
  for (const { kind, spellings } of joins) {
    const [one, other] = spellings.map((identity) => partOf.get(identity));
    if (!strongKinds.has(kind) || !one || !other || one === other) continue;
    one.push(...other);
    for (const identity of other) partOf.set(identity, one);
  }
  return [...new Set(partOf.values())];
}

/** The facts that identify a person who has only these author identities. */
function identityOf(
  identities: readonly AuthorIdentity[],
  person: Person,
  logins: readonly string[],
): Facts {
  const emails = listAddresses(identities, person).map((address) => ({
    address,
    sources: ["commits"],
    published: false,
  }));
  const alone = identities.flatMap((identity) => listLoginsAlone(identity));
  const [login = "", ...formerLogins] = [...logins, ...alone];
  return {
    ...{ login, source: gitSource, formerLogins, profile: {}, emails },
    ...{ repositories: [], evidence: [] },
    accounts: listNumberedAccounts(identities).map(({ forge, login, number }) => ({
      ...{ forge, login, id: number },
    })),
  };
}

/** Lists the accounts with a number, whether their forge described them or a sample commit showed them. */
function listNumberedAccounts(identities: readonly AuthorIdentity[]) {
  return identities.flatMap((identity) => {
    const { forge = "", login = "", id: number } = getAccount(identity) ?? {};
    return number === undefined ? [] : [{ forge, login, number }];
  });
}

function listAddresses(
  identities: readonly AuthorIdentity[],
  { addresses }: Person,
): readonly string[] {
  const own = identities.flatMap(({ email, rawEmail }) => [email, rawEmail]);
  return own.filter((address) => addresses.has(address));
}
