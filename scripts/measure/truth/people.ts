import { createAssessor, readShippedModel } from "../../../src/analysis/analysis.ts";
import type { Facts } from "../../../src/contract/people/facts.ts";
import type { ProfileAnalysis } from "../../../src/contract/people/profile-analysis.ts";
import { normaliseAddress } from "../../../src/identity/address.ts";
import { isCommonName, toFullName } from "../../../src/identity/person-name.ts";
import { assemblePeople } from "../../../src/ingest/git/assemble/assemble-facts.ts";
import type { PeopleWork } from "../../../src/ingest/git/assemble/people-work.ts";
import { decodeGitText } from "../../../src/ingest/git/git-command.ts";
import type { AuthorIdentity, Person } from "../../../src/ingest/git/identify/author-identity.ts";
import type { Community } from "../../../src/ingest/git/identify/community.ts";
import { createVocabulary, type Vocabulary } from "../../../src/vocabulary/vocabulary.ts";
import { compareAuthor, describeMiss, readExpectedAuthors } from "../expected-authors.ts";
import { askGit } from "../git/ask-git.ts";
import { type IngestedCommunity, ingestCommunity } from "../ingested-community.ts";
import { defineMeasurement, type Findings } from "../measurement.ts";
import { repositoriesAt } from "../repositories-at.ts";
import { atLeast, toShare } from "../rows.ts";

const authorsMax = 10;
const years = 3;
/** The first author by commits should be among this many by score. */
const leadersMax = 3;

export const measurement = defineMeasurement({
  about: "The most active authors of repositories, through the whole ingest.",
  takes: "PATH...",
  options: { ledger: "" },
  run: ({ paths, ledger }) => truthOfPeople(paths, { ledger: ledger || undefined }),
});

/** One of the most active authors of a repository, as `git shortlog` lists them. */
interface Author {
  readonly name: string;
  readonly email: string;
  readonly repository: string;
  /** From 1, by non-merge commits of the last years. */
  readonly rank: number;
  readonly person: Person;
}

/** An author with the figures of a profile on the day of the repository's last commit. */
interface JudgedAuthor extends Author {
  readonly analysis: ProfileAnalysis;
  /** From 1, by score among the humans of the repository. */
  readonly place: number;
}

/**
 * Sends the repositories through the whole ingest as one pool, and lists what Roster says of the ten most active humans
 * in the last three years of each, as `git shortlog` counts them with the mailmap.
 *
 * `people.whole` is the share of these authors who are one person: no other person has one of their spellings, and no
 * other in the repository has their full name, unless it is common. `people.apart` is the share of pairs of different
 * names that are two people. `people.leaders` is the share of repositories in which the first author is among the first
 * three by score. `people.expected` is the share of the authors in expected-people.tsv who got what was expected.
 * @param paths clones, bare mirrors, or folders that contain some.
 * @param options.ledger a file that keeps what was read for the next run.
 * @param options.expected a file like expected-people.tsv, which is the default.
 */
export async function truthOfPeople(
  paths: readonly string[],
  options: { readonly ledger?: string | undefined; readonly expected?: string | undefined } = {},
): Promise<Findings> {
  const vocabulary = createVocabulary();
  const reading = { vocabulary, ledger: options.ledger };
  return ingestCommunity(paths, reading, (ingested) => judgePeople(paths, ingested, options));
}

function judgePeople(
  paths: readonly string[],
  { community, work, repositories }: IngestedCommunity,
  options: { readonly expected?: string | undefined },
): Findings {
  const vocabulary = createVocabulary();
  const places = listLocations(paths, repositories);
  const everybody = community.everybody.flatMap(({ person }) => person.identities);
  const listed = places.map((place) => listMostActive(place, everybody, community));
  const authors = listed.flat();
  const torn = authors.flatMap((author) => findOthers(author, everybody, community));
  const pairs = authors.flatMap((a, at) => authors.slice(0, at).map((b) => ({ a, b })));
  const two = pairs.filter(({ a, b }) => !isSameName(a.name, b.name) && a.email !== b.email);
  const joined = two.filter(({ a, b }) => a.person === b.person);
  const whole = authors.length - new Set(torn.map(({ author }) => author)).size;
  const factsOf = collectFacts(community, work);
  const judged = places.flatMap((place, at) =>
    judgeAuthors(place, listed[at] ?? [], { factsOf, vocabulary }),
  );
  const leaders = judged.filter(({ rank }) => rank === 1);
  const expected = readExpectedAuthors(options.expected);
  const compared = judged.flatMap((author) => {
    const wanted = expected.get(`${author.repository} ${author.rank}`);
    if (!wanted) return [];
    const miss = describeMiss(wanted, compareAuthor(author.analysis, wanted, vocabulary));
    return [{ author, miss }];
  });
  const missed = compared.filter(({ miss }) => miss !== "");
  const led = leaders.filter(({ place }) => place <= leadersMax);
  return {
    listing: judged.map(describe),
    rows: [
      atLeast(1, toShare("people.whole", whole, authors.length)),
      atLeast(1, toShare("people.apart", two.length - joined.length, two.length)),
      atLeast(0.8, toShare("people.leaders", led.length, leaders.length)),
      atLeast(0.8, toShare("people.expected", compared.length - missed.length, compared.length)),
    ],
    counts:
      `${places.length} repositories, ${authors.length} authors, ${authors.length - whole} of them torn; ` +
      `${joined.length} of ${two.length} pairs joined; ${compared.length} authors expected, ${missed.length} otherwise`,
    misses: [
      ...torn.map(({ author, other }) => `torn: ${inWords(author)} | ${inWords(other)}`),
      ...joined.map(({ a, b }) => `joined: ${inWords(a)} | ${inWords(b)}`),
      ...missed.map(({ author, miss }) => `otherwise: ${author.repository} ${author.rank}:${miss}`),
    ],
  };
}

const mailmap = ["-c", "mailmap.file=", "-c", "mailmap.blob=HEAD:.mailmap"];

export function ask(path: string, args: readonly string[]): string {
  return decodeGitText(askGit(path, [...mailmap, ...args]));
}

/** @returns the time of the newest commit, in seconds since 1970. */
export function findNewest(path: string): number {
  return Number(ask(path, ["log", "-1", "--format=%ct", "HEAD"]).trim());
}

export type Place = IngestedCommunity["repositories"][number];

/** @returns the repositories at these paths, under the names that facts use. */
export function listLocations(
  paths: readonly string[],
  repositories: readonly Place[],
): readonly Place[] {
  const names = new Map(repositories.map(({ path, name }) => [path, name] as const));
  return repositoriesAt(paths).flatMap((path) => {
    const name = names.get(path);
    return name === undefined ? [] : [{ path, name }];
  });
}

function listMostActive(
  { path, name: repository }: Place,
  everybody: readonly AuthorIdentity[],
  { personOf }: Community,
): Author[] {
  const since = `--since=${findNewest(path) - years * 365.25 * 86_400}`;
  const found: Author[] = [];
  for (const line of ask(path, ["shortlog", "-sne", "--no-merges", since, "HEAD"]).split("\n")) {
    const [, name = "", email = ""] = /^\s*\d+\t(.*) <([^>]*)>$/.exec(line) ?? [];
    const spelling = everybody.find(
      (one) =>
        one.name === name.trim() &&
        one.email === normaliseAddress(email) &&
        one.repositories.has(repository),
    );
    const person = spelling && personOf(spelling);
    if (person?.classified.class !== "human") continue;
    // Two lines of one person are one author that the mailmap does not know.
    if (found.some((other) => other.person === person)) continue;
    found.push({ name, email, repository, rank: found.length + 1, person });
    if (found.length === authorsMax) break;
  }
  return found;
}

/** @returns spellings of the same author, or of the same full name in the same repository, that belong to another person. */
function findOthers(
  author: Author,
  everybody: readonly AuthorIdentity[],
  { personOf }: Community,
): { readonly author: Author; readonly other: AuthorIdentity }[] {
  const email = normaliseAddress(author.email);
  const other = everybody.find(
    (one) =>
      one.repositories.has(author.repository) &&
      personOf(one) !== author.person &&
      ((one.name === author.name && one.email === email) ||
        (isSameName(one.name, author.name) && !isCommonName(toFullName(author.name) ?? []))),
  );
  return other ? [{ author, other }] : [];
}

function isSameName(a: string, b: string): boolean {
  const [one, other] = [toFullName(a), toFullName(b)];
  return a === b || (one !== undefined && one.join(" ") === other?.join(" "));
}

export function collectFacts(community: Community, work: PeopleWork): ReadonlyMap<Person, Facts> {
  const byLogin = new Map(
    [...assemblePeople(work, [community], new Set(work.people.all))].map(
      (facts) => [facts.login, facts] as const,
    ),
  );
  return new Map(
    community.everybody.flatMap(({ person, login }) => {
      const facts = byLogin.get(login);
      return facts && person.classified.class === "human" ? [[person, facts] as const] : [];
    }),
  );
}

/** Judges all people who worked in the repository, as of its last day, to find the places of the most active ones. */
function judgeAuthors(
  { path, name: repository }: Place,
  authors: readonly Author[],
  of: { readonly factsOf: ReadonlyMap<Person, Facts>; readonly vocabulary: Vocabulary },
): JudgedAuthor[] {
  const asOf = new Date(findNewest(path) * 1000).toISOString().slice(0, 10);
  const assess = createAssessor(of.vocabulary, readShippedModel());
  const analyses = new Map(
    [...of.factsOf]
      .filter(([, { repositories }]) => repositories.some(({ name }) => name === repository))
      .map(([person, facts]) => [person, assess({ facts, places: [] }, asOf).analysis] as const),
  );
  const scores = [...analyses.values()].map(({ scores }) => scores.score);
  return authors.flatMap((author) => {
    const analysis = analyses.get(author.person);
    if (!analysis) return [];
    const better = scores.filter((score) => score > analysis.scores.score);
    return [{ ...author, analysis, place: better.length + 1 }];
  });
}

function describe(author: JudgedAuthor): string {
  const { repository, rank, name, place, analysis } = author;
  const { score } = analysis.scores;
  const [best] = analysis.roleMatch;
  const skills = analysis.repositories.skills
    .slice(0, 5)
    .map(({ skill, strength }) => `${skill} ${strength}`);
  const role = best ? `${best.role} ${best.score}` : "none";
  return `${repository} ${rank}  ${name}  score ${score}, ${place} of its repository  ${analysis.proficiency.level}  ${role}  ${skills.join(", ")}`;
}

function inWords({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} <${email}>`;
}
