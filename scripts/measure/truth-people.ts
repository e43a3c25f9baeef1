import { normaliseAddress } from "../../src/identity/address.ts";
import { decodeGitText } from "../../src/ingest/git/git-command.ts";
import { type Community, identifyPeople } from "../../src/ingest/git/identify-people.ts";
import { createAuthorIdentities } from "../../src/ingest/git/identity/author-identities.ts";
import type { AuthorIdentity, Person } from "../../src/ingest/git/identity/author-identity.ts";
import { isCommonName, toFullName } from "../../src/ingest/git/identity/names/person-name.ts";
import { createIdentityRules, noFiles } from "../../src/ingest/git/identity/rules.ts";
import { askGit } from "./git/ask-git.ts";
import { nameRepository, readAuthors } from "./git/read-authors.ts";
import { repositoriesAt } from "./repositories-at.ts";
import type { Truth } from "./truth-report.ts";

const authorsMax = 10;
const years = 3;
const bar = 1;

/** One of the most active authors of a repository, as `git shortlog` lists them. */
interface Author {
  readonly name: string;
  readonly email: string;
  readonly repository: string;
  readonly person: Person;
}

/**
 * Asks of the ten most active humans of each repository's last three years, as `git shortlog` counts them with the
 * mailmap, whether each is one person, and whether no two are joined; all repositories are one pool.
 * `people.whole` is the share of them of whose spellings none is another person's, and whose full name, unless many
 * have it, nobody else of the repository has; `people.apart` the share of pairs of other names who are two.
 *
 * @param paths clones, bare mirrors, or folders that hold some.
 */
export async function truthOfPeople(paths: readonly string[]): Promise<Truth> {
  const rules = createIdentityRules(noFiles, []);
  const identities = createAuthorIdentities(rules);
  const places = repositoriesAt(paths);
  const digests = places.map((path) => readAuthors(path, identities, "followed"));
  const community = identifyPeople(new Map(digests.map((digest, at) => [at, digest])), rules);
  const everybody = community.everybody.flatMap(({ person }) => person.identities);
  const authors = places.flatMap((path) => listMostActive(path, everybody, community));
  const torn = authors.flatMap((author) => findOthers(author, everybody, community));
  const pairs = authors.flatMap((a, at) => authors.slice(0, at).map((b) => ({ a, b })));
  const two = pairs.filter(({ a, b }) => !isSameName(a.name, b.name) && a.email !== b.email);
  const joined = two.filter(({ a, b }) => a.person === b.person);
  const whole = authors.length - new Set(torn.map(({ author }) => author)).size;
  const share = (part: number, all: number) => (all === 0 ? 1 : part / all);
  return {
    rows: [
      row("people.whole", share(whole, authors.length)),
      row("people.apart", share(two.length - joined.length, two.length)),
    ],
    counts:
      `${places.length} repositories, ${authors.length} authors, ${authors.length - whole} of them torn; ` +
      `${joined.length} of ${two.length} pairs joined`,
    misses: [
      ...torn.map(({ author, other }) => `torn: ${inWords(author)} | ${inWords(other)}`),
      ...joined.map(({ a, b }) => `joined: ${inWords(a)} | ${inWords(b)}`),
    ],
  };
}

function row(name: string, value: number) {
  return { name, value, bar, met: value >= bar };
}

function listMostActive(
  path: string,
  everybody: readonly AuthorIdentity[],
  { personOf }: Community,
): Author[] {
  const mailmap = ["-c", "mailmap.file=", "-c", "mailmap.blob=HEAD:.mailmap"];
  const ask = (args: readonly string[]) => decodeGitText(askGit(path, [...mailmap, ...args]));
  const newest = Number(ask(["log", "-1", "--format=%ct", "HEAD"]).trim());
  const since = `--since=${newest - years * 365.25 * 86_400}`;
  const repository = nameRepository(path).replace("+", "/");
  const found: Author[] = [];
  for (const line of ask(["shortlog", "-sne", "--no-merges", since, "HEAD"]).split("\n")) {
    const [, name = "", email = ""] = /^\s*\d+\t(.*) <([^>]*)>$/.exec(line) ?? [];
    const spelling = everybody.find(
      (one) =>
        one.name === name.trim() &&
        one.email === normaliseAddress(email) &&
        one.repositories.has(repository),
    );
    const person = spelling && personOf(spelling);
    if (person?.classified.class !== "human") continue;
    // Two lines of one person are one author whom the mailmap does not know.
    if (found.some((other) => other.person === person)) continue;
    found.push({ name, email, repository, person });
    if (found.length === authorsMax) break;
  }
  return found;
}

/** Spellings of the same author, or of the same full name in the same repository, that another person has. */
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

function inWords({ name, email }: { readonly name: string; readonly email: string }): string {
  return `${name} <${email}>`;
}
