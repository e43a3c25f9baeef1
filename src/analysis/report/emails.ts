import type { Facts } from "../../contract/people/facts.ts";

interface ShownEmail {
  address: string;
  sources: string[];
  isPrimary: boolean;
}

/** Published addresses only; the one the profile itself gives is primary, else the first. */
export function listPublishedEmails(emails: Facts["emails"]): ShownEmail[] {
  const published = emails.filter((email) => email.published);
  const primary = published.find(({ sources }) => sources.includes("profile")) ?? published[0];
  return published.map((email) => ({
    address: email.address,
    sources: [...email.sources],
    isPrimary: email === primary,
  }));
}
