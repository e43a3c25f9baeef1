import type { Assessment } from "../../src/contract/people/assessment.ts";
import type { Facts } from "../../src/contract/people/facts.ts";
import { invented } from "./invented.ts";

export interface Person {
  readonly login: string;
  readonly source?: string;
  readonly emails?: readonly string[];
  readonly name?: string;
  readonly profileUrl?: string;
  readonly bio?: string;
  readonly formerLogins?: readonly string[];
}

/** Somebody with addresses: what an erasure goes by. */
export function person({
  login,
  source = "git",
  emails = [],
  formerLogins,
  ...profile
}: Person): Assessment {
  const bio = profile.bio ?? `About ${login}.`;
  const whole = invented({ login, source, bio, ...(formerLogins && { formerLogins }) });
  const told = { ...whole.facts.profile, ...profile } as Facts["profile"];
  const addresses = emails.map((address) => ({ address, sources: ["commits"], published: false }));
  const [email] = emails;
  const shown = { ...(profile.name && { name: profile.name }), ...(email && { email }) };
  return {
    ...whole,
    card: { ...whole.card, ...shown },
    facts: { ...whole.facts, profile: told, emails: addresses },
  };
}
