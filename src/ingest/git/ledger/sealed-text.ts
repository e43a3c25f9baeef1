/** Kept JSON with a check in front: SQLite does not notice a flipped bit inside a value, and it may leave other JSON. */
import { fingerprintText } from "../commit/fingerprints.ts";

export function sealJson(value: unknown): string {
  const text = JSON.stringify(value);
  return `${fingerprintText(text).toString(36)} ${text}`;
}

/** @returns undefined for a damaged text. */
export function readSealed<Value>(sealed: string): Value | undefined {
  const end = sealed.indexOf(" ");
  const text = sealed.slice(end + 1);
  const isIntact = fingerprintText(text).toString(36) === sealed.slice(0, end);
  return isIntact ? JSON.parse(text) : undefined;
}
