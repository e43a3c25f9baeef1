/** Runs after the identify stage: erases forgotten people from the ledger, after which commits are counted again. */
import type { Facts } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { formatIdentityKey, ownsIdentity } from "../../identity/ownership.ts";
import type { Pool } from "../../pool/pool.ts";
import { gitSource } from "./assemble-facts.ts";
import type { Community } from "./identify-people.ts";
import type { NamedPerson } from "./identity/login.ts";
import type { Ledger } from "./ledger/ledger.ts";

/** @returns how many of the erased had commits that count; undefined when nothing was erased. */
export async function eraseForgotten(
  { everybody, workOf }: Community,
  ledger: Pick<Ledger, "erase">,
  pool: Pick<Pool, "erasing">,
): Promise<number | undefined> {
  const { isSuppressed } = await pool.erasing.suppression();
  // Includes people without a counted commit, such as those who only merged.
  const forgotten = everybody.filter((named) => isSuppressed(identityOf(named)));
  if (forgotten.length === 0) return undefined;
  const logins = new Set(forgotten.map(({ login }) => login.toLowerCase()));
  const addresses = new Set(forgotten.flatMap(({ person }) => [...person.addresses]));
  const owned = {
    spellings: new Set(
      forgotten
        .flatMap(({ person }) => person.identities)
        .map(({ name, rawEmail }) => formatIdentityKey(name, rawEmail)),
    ),
    // An address that several people use identifies a person only together with the name.
    hasAddress: (email: string) => {
      const address = normaliseAddress(email);
      return addresses.has(address) && !isGenericAddress(address);
    },
  };
  ledger.erase({
    isTheirLogin: (login) => logins.has(login),
    isTheirs: (identity) => ownsIdentity(owned, identity),
  });
  return forgotten.filter(({ person }) => workOf(person).length > 0).length;
}

/** The facts that identify a person. */
function identityOf({ login, person }: NamedPerson): Facts {
  const emails = [...person.addresses].map((address) => ({
    address,
    sources: ["commits"],
    published: false,
  }));
  return { login, source: gitSource, profile: {}, emails, repositories: [], evidence: [] };
}
