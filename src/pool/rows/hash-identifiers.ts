import type { Sought } from "../identifiers.ts";

/** @returns each hash once: xxHash with 32 bits, as a number with a sign. */
export function hashIdentifiers(sought: readonly Sought[]): readonly number[] {
  return [...new Set(sought.map((one) => Bun.hash.xxHash32(one) | 0))];
}
