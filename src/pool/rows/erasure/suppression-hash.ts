import type { Identifier } from "../../identifiers.ts";

/** Bytes of a salt of the suppression list. */
export const saltBytes = 32;

/** What the suppression list keeps of an identifier. */
export function hashIdentifier(salt: Uint8Array, identifier: Identifier): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", salt).update(identifier).digest());
}
