/**
 * Stage 5, identify: finds the people behind the authors. It reads spellings and sums, never commits, and any part of the
 * authors that no link connects with the rest gives the same people as all of them together (`identity/links.ts`).
 */
import type { Selector } from "../../identity/selector.ts";
import { type ForgePeople, readForgePeople } from "../forges/forge-people.ts";
import { classifyByBehaviour, classifyNamesakes, findBotClue } from "./identity/author-class.ts";
import { createAuthorIdentities } from "./identity/author-identities.ts";
import type { AuthorIdentity, Person } from "./identity/author-identity.ts";
import type { FirstNames } from "./identity/join-by-name.ts";
import { assignLogins, type NamedPerson } from "./identity/login.ts";
import { groupPeople, type PeopleGrouping } from "./identity/people.ts";
import { createPersonas, type Personas } from "./identity/personas.ts";
import { createIdentityMatcher, type IdentityRules } from "./identity/rules.ts";
import { type MergeSuggestion, suggestMerges } from "./identity/suggest.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { StoredSpelling } from "./ledger/spelling-rows.ts";

/** The people behind some spellings, or behind all. */
export interface Community extends Pick<PeopleGrouping, "rejectedStatements" | "whyApart"> {
  readonly everybody: readonly NamedPerson[];
  /** Every author identity, with the people's order. */
  readonly identities: readonly AuthorIdentity[];
  /** Pairs of people who may be one; only the operator merges them. */
  suggestions(): readonly MergeSuggestion[];
  personOf(identity: AuthorIdentity): Person;
  /** The people with an author identity that the selector matches. */
  fitting(selector: Selector): readonly Person[];
  /** The numbers of the spellings of an author identity. */
  spellingsOf(identity: AuthorIdentity): readonly number[];
  /** The author identity of a spelling; undefined for one of other people. */
  identityOf(spelling: number): AuthorIdentity | undefined;
  /** Whether the person has work in a repository or an account of a forge, and so a place in the pool. */
  isShown(person: Person): boolean;
  /** What forges know of these people. */
  readonly forges: ForgePeople;
}

type KnownAuthors = Pick<Ledger, "spellings" | "repositories" | "people" | "identity">;

export interface IdentityContext {
  readonly ledger: KnownAuthors;
  readonly rules: IdentityRules;
  readonly forges: ForgePeople;
}

export function openIdentityContext(ledger: KnownAuthors, rules: IdentityRules): IdentityContext {
  return { ledger, rules, forges: readForgePeople(rules.forges?.content()) };
}

/** Author identities with their class, before they are joined. */
export interface ClassifiedAuthors {
  readonly authors: readonly AuthorIdentity[];
  readonly personas: Personas;
  /** By author identity, its spellings. */
  readonly spellings: ReadonlyMap<AuthorIdentity, readonly StoredSpelling[]>;
}

/** @param spellings complete: with everybody that links connect with them. */
export function classifyAuthors(
  { ledger, rules, forges }: IdentityContext,
  spellings: ReadonlySet<number> | "all",
): ClassifiedAuthors {
  const stored = ledger.spellings.read(spellings);
  const found = gatherAuthors(stored, rules);
  const authors = [...found.keys()].sort(byKey);
  for (const author of authors) classifyAuthor(ledger, author, found.get(author) ?? []);
  classifyNamesakes(authors);
  const accounts = new Set(stored.flatMap(({ persona }) => persona ?? []));
  const personas = createPersonas(forges, authors, rules, (key) => accounts.has(key));
  const byPersona = new Map(
    stored.map((spelling) => [`${spelling.persona} ${spelling.rawEmail}`, spelling]),
  );
  for (const [key, identities] of personas.byAccount) {
    for (const identity of identities) {
      const spelling = identity.persona && byPersona.get(`${key} ${identity.rawEmail}`);
      if (spelling) found.set(identity, [spelling]);
    }
  }
  return { authors, personas, spellings: found };
}

function byKey(a: AuthorIdentity, b: AuthorIdentity): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Several spellings may be one author identity, such as those that write an address in large and small letters. */
function gatherAuthors(
  stored: readonly StoredSpelling[],
  rules: IdentityRules,
): Map<AuthorIdentity, StoredSpelling[]> {
  const identities = createAuthorIdentities(rules);
  const found = new Map<AuthorIdentity, StoredSpelling[]>();
  const written = stored.filter(({ persona }) => persona === undefined).sort(bySpelling);
  for (const spelling of written) {
    let identity: AuthorIdentity | undefined;
    for (const repository of [...spelling.repositories].sort()) {
      identity = identities.find(spelling, repository);
    }
    if (!identity) continue;
    found.getOrInsertComputed(identity, () => []).push(spelling);
    if (spelling.replaced.length > 0) {
      identity.replaced = new Set([...(identity.replaced ?? []), ...spelling.replaced]);
    }
    identity.commits += spelling.commits;
    identity.first = Math.min(identity.first, spelling.first ?? Number.POSITIVE_INFINITY);
    identity.last = Math.max(identity.last, spelling.last ?? Number.NEGATIVE_INFINITY);
  }
  return found;
}

function bySpelling(a: StoredSpelling, b: StoredSpelling): number {
  const [one, other] = [a, b].map(({ rawEmail, email, name, place }) =>
    [rawEmail, email, name, place].join("\0"),
  );
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

/** Behaviour decides only where the name makes the author suspect, so only then the forms of messages are read. */
function classifyAuthor(
  { repositories }: KnownAuthors,
  author: AuthorIdentity,
  spellings: readonly StoredSpelling[],
): void {
  const { name, email, rawEmail, classified, commits } = author;
  if (classified.class !== "human" || classified.isSettled) return;
  const named = { name, emails: [email, rawEmail] };
  if (!findBotClue(named)) return;
  const templates = new Set<number>();
  for (const { tally } of repositories.workOf(spellings.map(({ id }) => id))) {
    for (const template of tally.templates) templates.add(template);
  }
  const routine = spellings.reduce((sum, one) => sum + one.routine, 0);
  author.classified = classifyByBehaviour(named, { commits, templates: templates.size, routine });
}

/** The people behind these spellings and those that are linked with them, part after part, which bounds what is in memory. */
export function* identifyParts(
  context: IdentityContext,
  spellings: Iterable<number>,
): Generator<Community> {
  const { ledger } = context;
  const firstNames = ledger.identity.firstNames();
  for (const part of ledger.spellings.parts(spellings)) {
    yield identifyPeople(context, part, firstNames);
  }
}

/**
 * @param spellings complete, as in `classifyAuthors`.
 * @param firstNames of everybody, where these are not all; default: those of these people.
 */
export function identifyPeople(
  context: IdentityContext,
  spellings: ReadonlySet<number> | "all",
  firstNames?: FirstNames,
): Community {
  return joinAuthors(context, classifyAuthors(context, spellings), firstNames);
}

export function joinAuthors(
  { ledger, rules, forges }: IdentityContext,
  { authors, personas, spellings }: ClassifiedAuthors,
  firstNames?: FirstNames,
): Community {
  const bySpelling = new Map<number, AuthorIdentity>();
  for (const [identity, some] of spellings) {
    for (const { id } of some) bySpelling.set(id, identity);
  }
  const all = [...authors, ...personas.identities];
  const sameCommit = ledger.people
    .sameCommits(new Set(bySpelling.keys()))
    .flatMap(([one, other]) => {
      const [a, b] = [bySpelling.get(one), bySpelling.get(other)];
      return a && b ? [[a, b] as const] : [];
    });
  const grouping = groupPeople(all, { sameCommit, rules, personas, firstNames });
  const { people, rejectedStatements, whyApart } = grouping;
  const persons = new Map(
    people.flatMap((person) => person.identities.map((identity) => [identity, person] as const)),
  );
  const personOf = (identity: AuthorIdentity): Person => {
    const person = persons.get(identity);
    if (!person) throw new Error("An author identity without a person.");
    return person;
  };
  // Only humans share the commits of others.
  const isShown = ({ identities, classified }: Person): boolean =>
    identities.some(
      (identity) =>
        identity.persona ||
        spellings
          .get(identity)
          ?.some(({ commits, isWork }) => commits > 0 || (isWork && classified.class === "human")),
    );
  let matcher: ReturnType<typeof createIdentityMatcher> | undefined;
  return {
    everybody: assignLogins(people),
    identities: all,
    rejectedStatements,
    whyApart,
    suggestions: () => suggestMerges({ people: people.filter(isShown), whyApart }),
    personOf,
    fitting: (selector) => {
      matcher ??= createIdentityMatcher(all);
      return [...new Set(matcher.fitting(selector).map(personOf))];
    },
    spellingsOf: (identity) => (spellings.get(identity) ?? []).map(({ id }) => id),
    identityOf: (spelling) => bySpelling.get(spelling),
    isShown,
    forges,
  };
}

/** The numbers of a person's spellings, least first. */
export function listSpellings(
  { spellingsOf }: Pick<Community, "spellingsOf">,
  { identities }: Person,
): readonly number[] {
  return identities.flatMap((identity) => [...spellingsOf(identity)]).sort((a, b) => a - b);
}

/** The id under which the ledger knows a person: the least number of the person's spellings. */
export function findPersonId(community: Pick<Community, "spellingsOf">, person: Person): number {
  return listSpellings(community, person)[0] ?? 0;
}
