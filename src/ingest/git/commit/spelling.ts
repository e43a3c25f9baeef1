/** Authors as commits and trailers spell them: what is counted by, before anybody knows who is who. */

import { isGenericAddress, normaliseAddress } from "../../../identity/address.ts";
import type { SignedName } from "./logged-commit.ts";

/** One name with its addresses before and after the mailmap, as written. */
export interface Spelling extends SignedName {
  /** The repository, where an address identifies an author within one repository only; else empty. */
  readonly place: string;
}

export function toSpelling({ name, email, rawEmail }: SignedName, repository: string): Spelling {
  const isGeneric = [email, rawEmail].some((one) => isGenericAddress(normaliseAddress(one)));
  return { name, email, rawEmail, place: isGeneric ? repository : "" };
}
