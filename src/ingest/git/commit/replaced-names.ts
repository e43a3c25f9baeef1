/** Hashes the names that a mailmap replaces. Only the hashes are stored. */
import { normaliseAddress } from "../../../identity/address.ts";
import { splitNameWords } from "../../../identity/name-words.ts";

export function hashName(name: string, address: string): string {
  return Bun.hash(`${normaliseAddress(address)}\0${toWords(name)}`).toString(36);
}

/** Hashes the replaced name. @returns an empty object if the names differ only in case, accents or punctuation. */
export function findReplacedName(name: string, written: string, address: string) {
  return toWords(name) === toWords(written) ? {} : { replaced: [hashName(written, address)] };
}

const toWords = (name: string) => splitNameWords(name).join(" ");
