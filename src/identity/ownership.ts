/** Whether an author identity of a kept history belongs to somebody who is to be erased. */
import { normaliseAddress } from "./address.ts";

/** What is known to be one person's. */
export interface OwnedSpellings {
  /** Names with addresses, as `formatOwnedSpelling` writes them. */
  readonly spellings: ReadonlySet<string>;
  /** Whether an address is theirs beside this name. */
  readonly hasAddress: (email: string, name: string) => boolean;
}

export function formatOwnedSpelling(name: string, email: string): string {
  return `${name} <${normaliseAddress(email)}>`;
}

/** Both addresses tell, the one of the commit and the one that a mailmap gives. */
export function ownsIdentity(
  { spellings, hasAddress }: OwnedSpellings,
  { name, email, rawEmail }: Readonly<Record<"name" | "email" | "rawEmail", string>>,
): boolean {
  return (
    spellings.has(formatOwnedSpelling(name, rawEmail)) ||
    hasAddress(email, name) ||
    hasAddress(rawEmail, name)
  );
}
