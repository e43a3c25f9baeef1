import type { Sought } from "../identifiers.ts";

/** @returns each hash once: a 32-bit xxHash, as a signed number. */
export function hashIdentifiers(sought: readonly Sought[]): readonly number[] {
  return [...new Set(sought.map((one) => Bun.hash.xxHash32(one) | 0))];
}
