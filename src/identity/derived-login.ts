/**
 * What a person without a known forge account is called: the local part of an e-mail and six
 * characters of its hash, so that the name does not depend on the order of reading.
 */
import { createHash } from "node:crypto";
import { isUnusableAddress } from "./address.ts";

interface Spelling {
  readonly name: string;
  /** After the mailmap. */
  readonly email: string;
}

/** The login of who has this spelling first, unless a stranger is called so already. */
export function deriveLogin(first: Spelling): string {
  const email = first.email.toLowerCase();
  // Of an address that several people use only the whole spelling tells who is meant.
  const whole = isUnusableAddress(first) ? `${first.name}\0${email}` : email;
  return `${toLoginStem(first)}-${hash(whole).slice(0, 6)}`;
}

/** Its part that can be read. */
export function toLoginStem(first: Spelling): string {
  const email = first.email.toLowerCase();
  const local = email.includes("@") ? email.slice(0, email.lastIndexOf("@")) : email;
  const stem = (isUnusableAddress(first) ? first.name : local)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "")
    .replace(/(?<![-.])[-.]+$/, "")
    .slice(0, 60);
  return stem || "author";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
