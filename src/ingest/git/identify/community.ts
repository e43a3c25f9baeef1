/** Finds the people behind authors. */
import type { Selector } from "../../../identity/selector.ts";
import { type AccountKey, type ForgePeople, toAccountKey } from "../../forges/forge-people.ts";
import type { Writer } from "../tally/count-written.ts";
import { classifyByBehaviour, classifyNamesakes, findBotClue } from "./author-class.ts";
import { createIdentityFinder } from "./author-identities.ts";
import { type AuthorIdentity, compareKeys, type Person } from "./author-identity.ts";
import type { AuthorRow, AuthorRows } from "./author-rows.ts";
import { groupPeople } from "./group-people.ts";
import type { PersonId } from "./identified-people.ts";
import type { FirstNames } from "./join-by-name.ts";
import { assignLogins } from "./login.ts";
import { createPersonas } from "./personas.ts";
import type { IdentityRules } from "./rules.ts";
import { suggestMerges } from "./suggest.ts";

/** The people behind some authors, or behind all authors. */
export type Community = ReturnType<typeof buildCommunity>;

export interface IdentityContext {
  readonly rules: IdentityRules;
  readonly forges: ForgePeople;
  readonly authors: AuthorRows;
  /** Counts the different forms of commit subjects by authors with these spellings. */
  readonly countTemplates: (spellings: readonly number[]) => number;
  readonly countWritten: (spellings: readonly number[], writer: Writer) => number;
}

/** Authors and accounts that are identified together, since links connect them. */
export interface IdentityPart {
  readonly authors: readonly AuthorRow[];
  readonly accounts: ReadonlySet<AccountKey>;
}

/** Finds author identities and their classes, before identities are joined. */
export function classifyAuthors(context: IdentityContext, part: IdentityPart) {
  const { rules, forges } = context;
  const rows = gatherAuthors(part.authors, rules);
  const authors = [...rows.keys()].sort(compareKeys);
  for (const author of authors) classifyAuthor(context, author, rows.get(author) ?? []);
  classifyNamesakes(authors);
  const personas = createPersonas(forges, authors, rules, (key) => part.accounts.has(key));
  return { authors, personas, rows };
}

/** Gathers spellings by author identity. Spellings that differ only in the case of the address are one author identity. */
function gatherAuthors(authors: readonly AuthorRow[], rules: IdentityRules) {
  const findIdentity = createIdentityFinder(rules);
  const found = new Map<AuthorIdentity, AuthorRow[]>();
  for (const row of authors.toSorted(bySpelling)) {
    let identity: AuthorIdentity | undefined;
    for (const repository of row.repositories) identity = findIdentity(row, repository);
    if (!identity) continue;
    found.getOrInsertComputed(identity, () => []).push(row);
    if (row.replaced.length > 0) {
      identity.replaced = new Set([...(identity.replaced ?? []), ...row.replaced]);
    }
    identity.commits += row.own;
    identity.first = Math.min(identity.first, row.first);
    identity.last = Math.max(identity.last, row.last);
  }
  return found;
}

function bySpelling(a: AuthorRow, b: AuthorRow): number {
  const [one, other] = [a, b].map(({ rawEmail, email, name, place }) =>
    [rawEmail, email, name, place].join("\0"),
  );
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

/** Classifies an author. Reads the forms of commit messages only if the name suggests a bot. */
function classifyAuthor(
  { countTemplates }: IdentityContext,
  author: AuthorIdentity,
  rows: readonly AuthorRow[],
): void {
  const { name, email, rawEmail, classified, commits } = author;
  const named = { name, emails: [email, rawEmail] };
  if (classified.class !== "human" || classified.isSettled || !findBotClue(named)) return;
  const templates = countTemplates(rows.map(({ id }) => id));
  const routine = rows.reduce((sum, row) => sum + row.routine, 0);
  author.classified = classifyByBehaviour(named, { commits, templates, routine });
}

/** @param firstNames the first names of all people. Default: the first names of the authors in `part`. */
export function buildCommunity(
  context: IdentityContext,
  part: IdentityPart,
  firstNames?: FirstNames,
) {
  const { rules, forges } = context;
  const { authors, personas, rows } = classifyAuthors(context, part);
  const bySpelling = new Map<number, AuthorIdentity>();
  for (const [identity, some] of rows) for (const { id } of some) bySpelling.set(id, identity);
  const all = [...authors, ...personas.identities];
  const sameCommit = listSameCommits(context.authors, bySpelling);
  const grouping = groupPeople(all, { sameCommit, rules, personas, firstNames });
  const { people, rejectedStatements, whyApart, matcher } = grouping;
  const persons = new Map(
    people.flatMap((person) => person.identities.map((identity) => [identity, person] as const)),
  );
  const personOf = (identity: AuthorIdentity): Person => {
    const person = persons.get(identity);
    if (!person) throw new Error("An author identity without a person.");
    return person;
  };
  /** Whether the pool shows the person. It shows people with work in a repository, and people with an account on a forge. */
  const isShown = ({ identities, classified }: Person): boolean =>
    identities.some(
      (identity) =>
        identity.persona ||
        rows
          .get(identity)
          // Co-authors without commits of their own are shown only if they are human.
          ?.some(({ commits, isWork }) => commits > 0 || (isWork && classified.class === "human")),
    );
  const spellingsOf = (identity: AuthorIdentity) => (rows.get(identity) ?? []).map(({ id }) => id);
  return {
    everybody: assignLogins(people),
    ...{ rejectedStatements, whyApart, personOf, isShown },
    /** What forges know about these people. */
    forges,
    /** Lists pairs of people who may be one person. Only the operator merges them. */
    suggestions: () => suggestMerges({ people: people.filter(isShown), whyApart }),
    /** Finds the people with an author identity that the selector matches. */
    fitting: (selector: Selector): readonly Person[] => [
      ...new Set(matcher.fitting(selector).map(personOf)),
    ],
    spellingsOf,
    countWritten: (identity: AuthorIdentity, { identities, classified }: Person) =>
      context.countWritten(spellingsOf(identity), {
        own: new Set(identities.flatMap(spellingsOf)),
        isHuman: classified.class === "human",
      }),
    /** Returns the author identity of a spelling; undefined if the spelling belongs to somebody else. */
    identityOf: (spelling: number) => bySpelling.get(spelling),
  };
}

function listSameCommits(
  { sameCommits }: AuthorRows,
  bySpelling: ReadonlyMap<number, AuthorIdentity>,
) {
  return sameCommits.flatMap(([one, other]) => {
    const [a, b] = [bySpelling.get(one), bySpelling.get(other)];
    return a && b ? [[a, b] as const] : [];
  });
}

/** Lists the numbers of a person's spellings in ascending order. */
export function listSpellings(
  { spellingsOf }: Pick<Community, "spellingsOf">,
  { identities }: Person,
): readonly number[] {
  return identities.flatMap((identity) => [...spellingsOf(identity)]).sort((a, b) => a - b);
}

export function findPersonId(community: Pick<Community, "spellingsOf">, person: Person): PersonId {
  const [first] = listSpellings(community, person);
  return first ?? listAccountKeys(person)[0] ?? 0;
}

/** Lists the keys of the person's accounts on forges, sorted. */
export function listAccountKeys({ identities }: Person): readonly AccountKey[] {
  const keys = identities.flatMap(({ persona }) => (persona ? toAccountKey(persona) : []));
  return [...new Set(keys)].sort();
}
