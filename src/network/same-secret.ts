import { timingSafeEqual } from "node:crypto";

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
