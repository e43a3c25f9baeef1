/** Merges facts from git with facts from other sources about the same login, such as a location, a biography and stars. */
import { Facts, forgesSource, type Supplement } from "../../../contract/people/facts.ts";
import { matchSupplements, setSupplements, sortSupplements } from "../../supplements.ts";

export function createFactsMerger() {
  const unclaimed: Supplement[] = [];
  const keepClaimed = (facts: Facts, stored: readonly (Facts | undefined)[]): Facts => {
    const sorted = sortSupplements(stored.flatMap(listPeopleFiles), facts);
    unclaimed.push(...sorted.unclaimed);
    const own = (facts.supplements ?? []).filter(isOfForges);
    return setSupplements(facts, [...own, ...sorted.claimed]);
  };
  return {
    /** @param stored the pool's facts under the person's logins. Facts at the end of the list take precedence. */
    merge: (person: Facts, stored: readonly (Facts | undefined)[]): Facts => {
      const others = stored.map((each) => withoutForges(each, person));
      return keepClaimed(orderRepositories(others.reduce(mergeFacts, person)), stored);
    },
    /** @returns the facts of other sources about a person who is no longer in git; undefined when there are none. */
    removeGit(stored: Facts | undefined): Facts | undefined {
      const rest = removeGitFacts(withoutForges(stored));
      if (rest) return keepClaimed(rest, [stored]);
      unclaimed.push(...listPeopleFiles(stored));
      return undefined;
    },
    /** Call it after all people are merged. @returns the people whom unclaimed supplements match, each with the supplements. */
    matchUnclaimed: (
      people: () => Iterable<Facts>,
    ): readonly (readonly [Facts, readonly Supplement[]])[] =>
      unclaimed.length === 0 ? [] : [...matchSupplements(people(), unclaimed)],
    /** @param facts a result of `merge`. */
    addSupplements: (facts: Facts, arriving: readonly Supplement[]): Facts =>
      setSupplements(facts, [...arriving, ...(facts.supplements ?? [])]),
  };
}

function isOfForges({ source }: Supplement): boolean {
  return source === forgesSource;
}

function listPeopleFiles(stored: Facts | undefined): readonly Supplement[] {
  return (stored?.supplements ?? []).filter((each) => !isOfForges(each));
}

/**
 * Removes the stored facts of forges, which have been read again.
 * @param person the person who has this login now.
 * @returns undefined when the facts belong to another account that had the login before.
 */
function withoutForges(stored: Facts | undefined, person?: Facts): Facts | undefined {
  const isStrange = (stored?.accounts ?? []).some(({ forge, id }) =>
    person?.accounts?.some((one) => one.forge === forge && one.id !== id),
  );
  if (!stored || isStrange) return undefined;
  const { accounts: _, ...rest } = stored;
  const repositories = stored.repositories.filter(({ forge }) => forge === undefined);
  return setSupplements({ ...rest, repositories }, listPeopleFiles(stored));
}

/** @param stored the pool's facts under the login. Demo facts are dropped. */
function mergeFacts(facts: Facts, stored: Facts | undefined): Facts {
  if (!stored || stored.source === "demo") return facts;
  const foreign = new Map(
    stored.repositories
      .filter(isForeignRepository)
      .map((repository) => [repository.name, repository]),
  );
  const counted = new Set(facts.repositories.map(({ name }) => name));
  const others = [...foreign.values()].filter(({ name }) => !counted.has(name)).map(withoutCounts);
  const isForeign = (name: string) => foreign.has(name) && !counted.has(name);
  const known = new Set(facts.evidence.map(({ kind, name }) => `${kind}:${name}`));
  return {
    ...facts,
    profile: { ...facts.profile, ...(isForeignProfile(stored.profile) && stored.profile) },
    emails: joinEmails(facts.emails, stored.emails),
    repositories: [
      // The new counts replace the stored counts.
      ...facts.repositories.map((repository) => ({
        ...foreign.get(repository.name),
        ...repository,
      })),
      ...others,
    ].slice(0, listMax),
    evidence: [
      ...facts.evidence,
      ...readmesOf(stored, isForeign).filter(({ name }) => !known.has(`readme:${name}`)),
    ].slice(0, listMax),
  };
}

/** Orders the fields of repositories as in the contract. */
function orderRepositories(facts: Facts): Facts {
  const ordered = facts.repositories.map((repository) =>
    Object.fromEntries(
      repositoryFields.flatMap((field) => {
        const value = repository[field];
        return value === undefined ? [] : [[field, value] as const];
      }),
    ),
  );
  return { ...facts, repositories: ordered as unknown as Facts["repositories"] };
}

const repositoryFields = Object.keys(
  Facts.properties.repositories.items.properties,
) as (keyof Facts["repositories"][number])[];

/** The contract's limit on repositories, and also on evidence. */
const listMax = 1000;

/** Removes the counts of a repository that git no longer knows. */
function withoutCounts(repository: Facts["repositories"][number]): Facts["repositories"][number] {
  const { commits: _, firstCommit: __, lastCommit: ___, ...others } = repository;
  const { historyEnd: ____, authors: _____, ...rest } = others;
  return rest;
}

/** Lists README evidence about repositories that git does not know. */
function readmesOf({ evidence }: Facts, isForeign: (name: string) => boolean): Facts["evidence"] {
  return evidence.filter(
    ({ kind, repositories }) => kind === "readme" && (repositories ?? []).every(isForeign),
  );
}

/** @returns the facts of other sources, or undefined when there are none. */
function removeGitFacts(stored: Facts | undefined): Facts | undefined {
  if (!stored || !isForeignProfile(stored.profile)) return undefined;
  const emails = joinEmails([], stored.emails).map((email) => ({
    ...email,
    sources: email.sources.filter((source) => source !== commitSource),
  }));
  const { commits: _, credits: __, derivedLogin: ___, ...rest } = stored;
  const foreign = stored.repositories.filter(isForeignRepository);
  const isForeign = (name: string) => foreign.some((repository) => repository.name === name);
  return {
    ...rest,
    emails,
    repositories: foreign.map(withoutCounts),
    evidence: readmesOf(stored, isForeign),
  };
}

const commitSource = "commits";

/** Whether a profile comes from another source. Git sets only the name. */
function isForeignProfile(profile: Facts["profile"]): boolean {
  return Object.keys(profile).some((field) => field !== "name");
}

/** The fields that git sets in a repository. Any other field comes from another source. */
const gitFields = new Set(
  "name owned commits firstCommit lastCommit historyEnd language authors".split(" "),
);

function isForeignRepository(repository: Facts["repositories"][number]): boolean {
  return Object.keys(repository).some((field) => !gitFields.has(field));
}

function joinEmails(emails: Facts["emails"], stored: Facts["emails"]): Facts["emails"] {
  const joined = new Map(emails.map((email) => [email.address.toLowerCase(), email]));
  for (const email of stored) {
    const others = email.sources.filter((source) => source !== commitSource);
    if (others.length === 0) continue;
    const address = email.address.toLowerCase();
    const sources = [...others, ...(joined.get(address)?.sources ?? [])];
    joined.set(address, { ...email, sources: [...new Set(sources)].sort() });
  }
  return [...joined.values()].slice(0, emailsMax);
}

/** The contract's limit on e-mails. */
const emailsMax = 200;
