/** Whether an author identity of a stored history belongs to a person who is to be erased. */
import { normaliseAddress } from "./address.ts";

/** The author identities and addresses of one person. */
export interface OwnedIdentities {
  /** Names with addresses, as `formatIdentityKey` writes them. */
  readonly spellings: ReadonlySet<string>;
  /** Whether an address beside this name is theirs. */
  readonly hasAddress: (email: string, name: string) => boolean;
}

export function formatIdentityKey(name: string, email: string): string {
  return `${name} <${normaliseAddress(email)}>`;
}

/** Checks both addresses: the one in the commit and the one that a mailmap gives. */
export function ownsIdentity(
  { spellings, hasAddress }: OwnedIdentities,
  { name, email, rawEmail }: Readonly<Record<"name" | "email" | "rawEmail", string>>,
): boolean {
  return (
    spellings.has(formatIdentityKey(name, rawEmail)) ||
    hasAddress(email, name) ||
    hasAddress(rawEmail, name)
  );
}
