/** Names that a mailmap replaces: only their hashes are stored. */
import { normaliseAddress } from "../../../identity/address.ts";
import { splitNameWords } from "../../../identity/name-words.ts";

export function hashName(name: string, address: string): string {
  return Bun.hash(`${normaliseAddress(address)}\0${toWords(name)}`).toString(36);
}

/** @returns nothing where only case, accents or signs differ. */
export function findReplacedName(name: string, written: string, address: string) {
  return toWords(name) === toWords(written) ? {} : { replaced: [hashName(written, address)] };
}

const toWords = (name: string) => splitNameWords(name).join(" ");
