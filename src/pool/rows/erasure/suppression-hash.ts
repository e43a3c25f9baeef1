import type { Identifier } from "../../identifiers.ts";

/** Length of the suppression list's salt. */
export const saltBytes = 32;

/** Returns the hash of an identifier that the suppression list stores. */
export function hashIdentifier(salt: Uint8Array, identifier: Identifier): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", salt).update(identifier).digest());
}
