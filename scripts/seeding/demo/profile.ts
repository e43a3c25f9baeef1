import type { Facts } from "../../../src/contract/people/facts.ts";
import type { Chance } from "./chance.ts";
import type { Archetype } from "./lists.ts";
import { dayIn, lastMonth } from "./months.ts";

/** Domains that RFC 2606 and RFC 6761 reserve for examples. */
const mailDomains = ["example.com", "example.org", "example.net"];
const companies = [
  "Example Labs",
  "Sample & Daughters",
  "Fictional Freight",
  "Placeholder Bank",
  "Imaginary Instruments",
  "Demo Dynamics",
  "Lorem Logistics",
  "Hypothetical Health",
  "Invented Insurance",
  "Make-Believe Media",
];
const titles: readonly (readonly [weight: number, text: string])[] = [
  [30, "Tech lead."],
  [25, "Engineering manager."],
  [12, "Product manager who still codes."],
  [12, "Solutions architect."],
  [8, "CTO of a small company."],
  [6, "Head of Engineering."],
  [5, "Director of Engineering."],
  [4, "VP of Engineering."],
];

/** Makes what the person's page on a forge would say. */
export function makeProfile(
  chance: Chance,
  archetype: Archetype,
  given: {
    readonly login: string;
    readonly name: string;
    readonly location: string | undefined;
    readonly fame: number;
    /** ISO 8601. */
    readonly created: string;
    readonly isStar: boolean;
  },
): Pick<Facts, "profile" | "emails"> {
  const { login, name, location, fame, created, isStar } = given;
  const has = (percent: number) => isStar || chance.is(percent);
  const slug = login.replace(/-example$/, "");
  const address = `${slug.replaceAll("-", ".")}@${chance.pick(mailDomains)}`;
  const isPublished = has(45);
  const title =
    !isStar && chance.is(9) ? `${chance.weighted(titles, ([weight]) => weight)[1]} ` : "";
  const hireable = isStar ? 1 : chance.whole(1, 10);
  const profile: Facts["profile"] = {
    ...(has(96) ? { name } : {}),
    ...(has(76) ? { bio: `${title}${chance.pick(archetype.bios)} Fictitious demo person.` } : {}),
    ...(has(50) ? { company: chance.pick(companies) } : {}),
    ...(location === undefined ? {} : { location }),
    ...(has(28) ? { blog: `https://${slug}.example` } : {}),
    ...(has(18) ? { socialUsername: login.replaceAll("-", "_") } : {}),
    ...(has(70) ? { avatarUrl: `https://forge.example/avatars/${login}.png` } : {}),
    profileUrl: `https://forge.example/${login}`,
    ...(hireable <= 3 ? { hireable: true } : hireable <= 6 ? { hireable: false } : {}),
    followers: Math.floor(Math.exp(1.6 + 0.7 * fame + chance.normal())),
    createdAt: created,
    ...(has(80) ? { updatedAt: updatedAt(chance, created) } : {}),
  };
  const fromCommits = chance.is(60);
  if (!isPublished && !fromCommits) return { profile, emails: [] };
  const sources = [...(isPublished ? ["profile"] : []), ...(fromCommits ? ["commits"] : [])];
  return { profile, emails: [{ address, sources, published: isPublished }] };
}

function updatedAt(chance: Chance, created: string): string {
  const updated = `${dayIn(lastMonth - Math.floor(chance.next() ** 2 * 24), 20)}T09:00:00Z`;
  return updated > created ? updated : created;
}
