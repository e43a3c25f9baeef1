/** Between count and identify and a second count: who had themselves forgotten leave the ledger too. */
import type { Facts } from "../../contract/people/facts.ts";
import { isGenericAddress, normaliseAddress } from "../../identity/address.ts";
import { formatOwnedSpelling, ownsIdentity } from "../../identity/ownership.ts";
import type { Pool } from "../../pool/pool.ts";
import { gitSource } from "./assemble-facts.ts";
import type { Community } from "./identify-people.ts";
import type { NamedPerson } from "./identity/login.ts";
import type { Ledger } from "./ledger/ledger.ts";

/** @returns how many of them had commits that count; undefined when nobody was forgotten and nothing was erased. */
export async function eraseForgotten(
  { everybody, workOf }: Community,
  ledger: Pick<Ledger, "erase">,
  pool: Pick<Pool, "erasing">,
): Promise<number | undefined> {
  const { isSuppressed } = await pool.erasing.suppression();
  // Also those of whom nothing counts, such as who only merged.
  const forgotten = everybody.filter((named) => isSuppressed(identityOf(named)));
  if (forgotten.length === 0) return undefined;
  const logins = new Set(forgotten.map(({ login }) => login.toLowerCase()));
  const addresses = new Set(forgotten.flatMap(({ person }) => [...person.addresses]));
  const owned = {
    spellings: new Set(
      forgotten
        .flatMap(({ person }) => person.identities)
        .map(({ name, rawEmail }) => formatOwnedSpelling(name, rawEmail)),
    ),
    // An address that several people use is theirs only under their own name.
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

/** As much of a person as tells who it is. */
function identityOf({ login, person }: NamedPerson): Facts {
  const emails = [...person.addresses].map((address) => ({
    address,
    sources: ["commits"],
    published: false,
  }));
  return { login, source: gitSource, profile: {}, emails, repositories: [], evidence: [] };
}
