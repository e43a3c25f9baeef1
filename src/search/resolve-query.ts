import { createInvalidRequest } from "../contract/problem.ts";
import type { SearchRequest } from "../contract/requests.ts";
import type { Place } from "../places/places.ts";
import type { ReadRole, Role } from "../vocabulary/vocabulary.ts";
import { listActiveSince } from "./active-since.ts";
import { listCompanyWords } from "./company-words.ts";
import type { Lists } from "./generation/lists.ts";
import type { Postings } from "./generation/postings.ts";
import { listNearTerms } from "./near-terms.ts";
import { requireRole } from "./require-role.ts";
import type { SearchResult, UnderstoodRole, UnderstoodWords } from "./search-index.ts";
import type { SearchParts } from "./search-parts.ts";
import type { Clause, ExperienceRange } from "./select.ts";
import { listSparseFilters } from "./sparse-filters.ts";
import type { RankingColumns } from "./tech-stack.ts";

type Vocabulary = SearchParts["vocabulary"];
type Counted = { readonly count: number };

/** @package A request with its words resolved to lists of developers. */
export interface QueryPlan<List = Postings>
  extends Pick<
    SearchResult,
    "understoodRole" | "unknownSkills" | "nearTerms" | "sparseFilters" | "unknownRepositories"
  > {
  /** One condition for each filter of the request. A developer must fulfill all conditions. */
  readonly conditions: readonly QueryCondition<List>[];
  /** The clauses of all conditions. */
  readonly clauses: readonly Clause<List>[];
  readonly experience: ExperienceRange;
  readonly ranking: RankingColumns<List>;
  readonly role: Role | undefined;
  readonly place: Place;
  /** Requested skills and languages, in the order of the request, each once. */
  readonly named: readonly QueryTerm<List>[];
}

/** @package One filter of the request. A developer must fulfill all its clauses. */
export interface QueryCondition<List = Postings> {
  readonly field: keyof SearchRequest;
  readonly clauses: readonly Clause<List>[];
  /** The requested skills, languages or repositories of this filter. */
  readonly named?: readonly QueryTerm<List>[];
}

/** @package A requested skill, language or repository with its display name, and the developers with evidence for it. */
export interface QueryTerm<List = Postings> {
  readonly name: string;
  /** The concept id of the skill or language. Absent for an unknown skill or language. */
  readonly concept?: string;
  readonly holders: List;
}

/**
 * @package
 * @returns undefined if the location names no known place.
 * @throws Problem `invalid_request` for an unknown role, or for a minimum of years above the maximum.
 */
export function resolveQuery<List extends Counted>(
  query: SearchRequest,
  { places, vocabulary }: Pick<SearchParts, "places" | "vocabulary">,
  lists: Lists<List>,
): QueryPlan<List> | undefined {
  const asked = query.role === undefined ? undefined : requireRole(query.role, vocabulary);
  const experience = readExperience(query);
  const role = asked?.role;
  const place = findPlace(places.find(query.location), lists);
  if (!place) return undefined;
  const skillTerms = (query.skills ?? []).map((text) => findSkillTerm(text, vocabulary, lists));
  // Synonyms count once: `["k8s", "Kubernetes"]` ranks as `["k8s"]`.
  const skills = [...unique(skillTerms, ({ key }) => key)];
  const understoodRole = asked && describeRole(query, asked, vocabulary);
  const spoken = understoodRole?.languages ?? query.languages ?? [];
  const languages = findLanguages(spoken, vocabulary, lists);
  const repositories = findRepositories(query.repositories ?? [], lists);
  const roleList = role && lists.postings(`role:${role.id}`);
  const skillLists = skills.map(({ holders }) => holders);
  const conditions: QueryCondition<List>[] = [
    { field: "location", clauses: [[lists.postings(`place:${place.id}`)]] },
  ];
  if (roleList) conditions.push({ field: "role", clauses: [[roleList]] });
  if (skillLists.length > 0) {
    const clauses = query.strictSkills ? skillLists.map((list) => [list]) : [skillLists];
    conditions.push({ field: "skills", clauses, named: skills });
  }
  if (languages.length > 0) {
    const clauses = [languages.map(({ holders }) => holders)];
    conditions.push({ field: "languages", clauses, named: languages });
  }
  if (repositories.length > 0) {
    const clauses = [repositories.map(({ holders }) => holders)];
    conditions.push({ field: "repositories", clauses, named: repositories });
  }
  if (query.isHireable) {
    conditions.push({ field: "isHireable", clauses: [[lists.postings("hireable:yes")]] });
  }
  if (query.activeSince !== undefined) {
    const clauses = listActiveSince(query.activeSince, lists.postings);
    conditions.push({ field: "activeSince", clauses });
  }
  if (query.company !== undefined) {
    const words = listCompanyWords(query.company);
    const holders = words.map((word) => [lists.postings(`company:${word}`)]);
    conditions.push({ field: "company", clauses: words.length > 0 ? holders : [[lists.empty]] });
  }
  if (experience.tenthsMin > 0) {
    const wholeYears = Math.floor(experience.tenthsMin / 10);
    const clauses = wholeYears > 0 ? [[lists.postings(`years:${wholeYears}`)]] : [];
    conditions.push({ field: "minExperienceYears", clauses });
  }
  if (experience.tenthsMax < Number.POSITIVE_INFINITY) {
    conditions.push({ field: "maxExperienceYears", clauses: [] });
  }
  const unknownSkills = skills.flatMap(({ name, isUnknown }) => (isUnknown ? [name] : []));
  const unknownLanguages = languages.flatMap(({ name, concept }) => (concept ? [] : [name]));
  return {
    conditions,
    clauses: conditions.flatMap(({ clauses }) => clauses),
    experience,
    ranking: { skills: skillLists, role: roleList },
    role,
    understoodRole,
    place,
    unknownSkills,
    nearTerms: listNearTerms({ skills: unknownSkills, languages: unknownLanguages }, vocabulary),
    sparseFilters: listSparseFilters(query, place, lists),
    unknownRepositories: repositories.flatMap(({ name, holders }) => (holders.count ? [] : [name])),
    named: [...unique([...skills, ...languages], ({ name }) => name)],
  };
}

/**
 * For a location that names no known place, suggests known places, and lists the filters on fields that few people have.
 * @package
 */
export function resolveNowhere(
  query: Pick<SearchRequest, "location" | "isHireable" | "company">,
  { places }: Pick<SearchParts, "places">,
  lists: Pick<Lists<Counted>, "peopleByPlace" | "postings">,
) {
  const locationSuggestions = places.suggest(query.location, lists.peopleByPlace);
  return { locationSuggestions, sparseFilters: listSparseFilters(query, undefined, lists) };
}

/** @package */
export function resolveWords(
  query: Pick<SearchRequest, "role" | "skills" | "languages">,
  { vocabulary }: Pick<SearchParts, "vocabulary">,
): UnderstoodWords {
  const { role: text, skills = [], languages = [] } = query;
  const asked = text === undefined ? undefined : vocabulary.readRole(text);
  return {
    role: asked?.role?.displayName,
    roleLanguages: (asked && describeRole(query, asked, vocabulary)?.languages) ?? [],
    skills: skills.map((asked) => ({ asked, name: vocabulary.findSkill(asked)?.name })),
    languages: languages.map((asked) => ({ asked, name: vocabulary.findLanguage(asked)?.name })),
  };
}

/**
 * Describes the role that an alternative name stands for, and the languages that the name implies (decision 40). The languages
 * are left out if the request names languages itself.
 */
function describeRole(
  { role: text = "", languages = [] }: Pick<SearchRequest, "role" | "languages">,
  { role, languages: named, seniority }: ReadRole,
  { normalise }: Vocabulary,
): UnderstoodRole | undefined {
  if (!role) return undefined;
  const isItsOwn = [role.id, role.displayName].some((name) => normalise(name) === normalise(text));
  if (isItsOwn) return undefined;
  const isAsked = named.length > 0 && languages.length === 0;
  return {
    name: role.displayName,
    ...(isAsked ? { languages: named.map(({ name }) => name) } : {}),
    ...(seniority.length > 0 && { seniority }),
  };
}

/** A city of at least this size counts as known even if no one in the pool lives there. */
const largeCityFrom = 500_000;

/**
 * Chooses the place with the most people in the pool (decision 10). Returns undefined if all candidates are small cities without
 * people (decision 33).
 */
function findPlace(candidates: readonly Place[], lists: Lists<Counted>): Place | undefined {
  let most: Place | undefined;
  let mostPeople = -1;
  for (const place of candidates) {
    const people = lists.postings(`place:${place.id}`).count;
    if (people > mostPeople) {
      most = place;
      mostPeople = people;
    }
  }
  const isKnown = ({ kind, population }: Place) => kind !== "city" || population >= largeCityFrom;
  return mostPeople > 0 || candidates.some(isKnown) ? most : undefined;
}

type SkillTerm<List> = QueryTerm<List> & { readonly key: string; readonly isUnknown: boolean };

function findSkillTerm<List extends Counted>(
  text: string,
  vocabulary: Vocabulary,
  lists: Lists<List>,
): SkillTerm<List> {
  const skill = vocabulary.findSkill(text);
  const authors = lists.postings(`concept:${vocabulary.productId(text)}`);
  const withAuthors = (holders: List) =>
    authors.count > 0 ? lists.join([holders, authors]) : holders;
  if (skill) {
    const holders = withAuthors(lists.postings(`concept:${skill.id}`));
    const { id: concept, name } = skill;
    return { key: `concept:${concept}`, concept, name, holders, isUnknown: false };
  }
  const words = [...new Set(vocabulary.words(text))].sort();
  const key = words.length > 0 ? `words:${words.join(" ")}` : `text:${text}`;
  // Decision 12: a developer must have all words of an unknown skill. A skill without words matches no one.
  const ofAll = words.map((word) => lists.postings(`word:${word}`));
  const holders = withAuthors(lists.intersect(ofAll));
  return { key, name: text.trim(), holders, isUnknown: holders.count === 0 };
}

/**
 * Finds the people with each language. An unknown language is not an error, because a developer needs only one of the languages.
 */
function findLanguages<List extends Counted>(
  texts: readonly string[],
  vocabulary: Vocabulary,
  lists: Lists<List>,
): readonly QueryTerm<List>[] {
  const terms = texts.map((text) => {
    const language = vocabulary.findLanguage(text);
    if (!language) return { name: text.trim(), holders: lists.empty };
    const { id: concept, name } = language;
    return { name, concept, holders: lists.postings(`concept:${concept}`) };
  });
  return [...unique(terms, ({ name }) => name)];
}

function findRepositories<List extends Counted>(
  texts: readonly string[],
  lists: Lists<List>,
): readonly QueryTerm<List>[] {
  const terms = texts.map((text) => ({ name: text.trim(), holders: lists.repository(text) }));
  return [...unique(terms, ({ name }) => name.toLowerCase())];
}

/** Reads the range of experience in tenths of years, rounded inwards (decision 14). */
function readExperience({
  minExperienceYears: min = 0,
  maxExperienceYears: max,
}: SearchRequest): ExperienceRange {
  const below = Math.floor(min * 10);
  const tenthsMin = below / 10 >= min ? below : below + 1;
  if (max === undefined) return { tenthsMin, tenthsMax: Number.POSITIVE_INFINITY };
  if (min > max) {
    const message = `maxExperienceYears must be at least minExperienceYears (${min}), got ${max}`;
    throw createInvalidRequest(message);
  }
  const most = Math.floor(max * 10);
  return { tenthsMin, tenthsMax: (most + 1) / 10 <= max ? most + 1 : most };
}

function* unique<T>(items: readonly T[], keyOf: (item: T) => string): Generator<T> {
  const seen = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (!seen.has(key)) {
      seen.add(key);
      yield item;
    }
  }
}
