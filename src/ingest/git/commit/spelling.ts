/** A spelling: an author as commits and trailers write it. Commits are counted by spelling before people are identified. */

import { isGenericAddress, normaliseAddress } from "../../../identity/address.ts";
import type { SignedName } from "./logged-commit.ts";

/** One name with its addresses before and after the mailmap, as written. */
export interface Spelling extends SignedName {
  /** The repository, for a generic address, which identifies an author only within one repository; otherwise empty. */
  readonly place: string;
}

export function toSpelling({ name, email, rawEmail }: SignedName, repository: string): Spelling {
  const isGeneric = [email, rawEmail].some((one) => isGenericAddress(normaliseAddress(one)));
  return { name, email, rawEmail, place: isGeneric ? repository : "" };
}
