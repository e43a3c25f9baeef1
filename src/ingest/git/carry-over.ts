/**
 * Git knows commits and nothing else of a person. What a forge or a file told before under the same
 * login (place, biography, stars) stays when git is read; it would be lost to a plain replacement.
 */
import type { Facts } from "../../contract/people/facts.ts";

/** @param held what the pool holds under the login; demo people are nobody and leave nothing. */
export function carryOverFacts(facts: Facts, held: Facts | undefined): Facts {
  if (!held || held.source === "demo") return facts;
  const told = new Map(
    held.repositories.filter(isToldRepository).map((repository) => [repository.name, repository]),
  );
  const counted = new Set(facts.repositories.map(({ name }) => name));
  const others = [...told.values()].filter(({ name }) => !counted.has(name)).map(uncounted);
  const isTold = (name: string) => told.has(name) && !counted.has(name);
  const isKnown = new Set(facts.evidence.map(({ kind, name }) => `${kind}:${name}`));
  return {
    ...facts,
    profile: isToldProfile(held.profile) ? { ...facts.profile, ...held.profile } : facts.profile,
    emails: joinEmails(facts.emails, held.emails),
    repositories: [
      ...facts.repositories.map((repository) => {
        const known = told.get(repository.name);
        // What was counted now is newer than what was counted before.
        return known ? { ...known, ...repository } : repository;
      }),
      ...others,
    ].slice(0, listMax),
    evidence: [
      ...facts.evidence,
      ...readmesOf(held, isTold).filter(({ name }) => !isKnown.has(`readme:${name}`)),
    ].slice(0, listMax),
  };
}

/** The contract's limit on repositories, and on evidence. */
const listMax = 1000;

/** Of a repository that git does not know: what was counted in it is told by nobody. */
function uncounted(repository: Facts["repositories"][number]): Facts["repositories"][number] {
  const { commits: _, firstCommit: __, lastCommit: ___, authors: ____, ...rest } = repository;
  return rest;
}

/** What others told of READMEs; git reads these too, of the repositories that it knows. */
function readmesOf({ evidence }: Facts, isTold: (name: string) => boolean): Facts["evidence"] {
  return evidence.filter(
    ({ kind, repositories }) => kind === "readme" && (repositories ?? []).every(isTold),
  );
}

/**
 * Somebody of whom git tells nothing any more.
 *
 * @returns what others told, or undefined when that is nothing.
 */
export function removeGitFacts(held: Facts | undefined): Facts | undefined {
  if (!held) return undefined;
  const emails = joinEmails([], held.emails).map((email) => ({
    ...email,
    sources: email.sources.filter((source) => source !== commitSource),
  }));
  if (!isToldProfile(held.profile)) return undefined;
  const { commits: _, derivedLogin: __, ...rest } = held;
  const told = held.repositories.filter(isToldRepository);
  const isTold = (name: string) => told.some((repository) => repository.name === name);
  return {
    ...rest,
    emails,
    repositories: told.map(uncounted),
    evidence: readmesOf(held, isTold),
  };
}

const commitSource = "commits";

/** Git tells a name only: a profile with more in it was told by somebody else, its name included. */
function isToldProfile(profile: Facts["profile"]): boolean {
  return Object.keys(profile).some((field) => field !== "name");
}

/** What git tells of a repository; anything more was told by somebody else. */
const ofGit = new Set([
  "name",
  "owned",
  "commits",
  "firstCommit",
  "lastCommit",
  "language",
  "authors",
]);

function isToldRepository(repository: Facts["repositories"][number]): boolean {
  return Object.keys(repository).some((field) => !ofGit.has(field));
}

function joinEmails(emails: Facts["emails"], held: Facts["emails"]): Facts["emails"] {
  const joined = new Map(emails.map((email) => [email.address.toLowerCase(), email]));
  for (const email of held) {
    const others = email.sources.filter((source) => source !== commitSource);
    if (others.length === 0) continue;
    const address = email.address.toLowerCase();
    const sources = [...others, ...(joined.get(address)?.sources ?? [])];
    joined.set(address, { ...email, sources: [...new Set(sources)].sort() });
  }
  return [...joined.values()].slice(0, emailsMax);
}

/** The contract's limit. */
const emailsMax = 200;
