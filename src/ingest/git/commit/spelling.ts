/** A spelling is an author as commits and trailers write the name and the address. */
import { isGenericAddress, normaliseAddress } from "../../../identity/address.ts";
import type { SignedName } from "./logged-commit.ts";

/** One name with its addresses before and after the mailmap. */
export interface Spelling extends SignedName {
  /** The repository, if the address is generic and identifies an author only there; otherwise empty. */
  readonly place: string;
}

export function toSpelling({ name, email, rawEmail }: SignedName, repository: string): Spelling {
  const isGeneric = [email, rawEmail].some((one) => isGenericAddress(normaliseAddress(one)));
  return { name, email, rawEmail, place: isGeneric ? repository : "" };
}
