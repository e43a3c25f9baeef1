/** Derives the login of a developer without a forge account from an address and its hash, e.g. `ada.example-1f3b5c`. */
import { createHash } from "node:crypto";
import { isUnusableAddress } from "./address.ts";

/** An author after a mailmap was applied. */
type MappedAuthor = Record<"name" | "email", string>;

/** Derives a login from a person's first author identity. Another person may already have that login. */
export function deriveLogin(first: MappedAuthor): string {
  const email = first.email.toLowerCase();
  // If several people use the address, the name and the address together identify the person.
  const whole = isUnusableAddress(first) ? `${first.name}\0${email}` : email;
  return `${toLoginStem(first)}-${hashText(whole).slice(0, 6)}`;
}

export function toLoginStem(first: MappedAuthor): string {
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

export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
