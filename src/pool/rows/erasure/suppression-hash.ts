import type { Identifier } from "../../identifiers.ts";

export const saltBytes = 32;

/** Returns the hash of an identifier, as the suppression list stores it. */
export function hashIdentifier(salt: Uint8Array, identifier: Identifier): Buffer {
  return Buffer.from(new Bun.CryptoHasher("sha256", salt).update(identifier).digest());
}
