import type { RankingFeatures } from "../../src/contract/people/assessment.ts";
import type { SearchQuery } from "../../src/search/search-index.ts";
import type { SearchParts } from "../../src/search/search-parts.ts";
import { companies, type Row } from "./small-world.ts";

type World = Pick<SearchParts, "places" | "vocabulary">;

/** The decisions read literally: filter everybody, score everybody, sort everybody. Shares nothing with the index. */
export function searchNaively(rows: readonly Row[], query: SearchQuery, world: World) {
  const place = placeOf(query.location, rows, world);
  const matching = rows.filter(
    ({ standing }) => place !== undefined && matches(standing, query, place, world),
  );
  const ranked = matching
    .map(({ rowId, standing }) => ({
      rowId,
      login: standing.login.toLowerCase(),
      score: scoreOf(standing, techStack(standing, query, world), query),
      techStack: techStack(standing, query, world),
      figure: figureOf(standing, query),
    }))
    .sort((a, b) => b.figure - a.figure || b.score - a.score || (a.login < b.login ? -1 : 1));
  return {
    total: ranked.length,
    hits: ranked.slice(query.offset, query.offset + query.maxResults),
  };
}

/** People whose followers are not known come after those who have none. */
function figureOf(standing: RankingFeatures, { sort }: SearchQuery): number {
  if (sort === "followers") return standing.followers ?? -1;
  if (sort === "experience") return standing.experienceTenths;
  return sort === "activity" ? standing.activity : 0;
}

/** Every word that counts must be one of the person's. */
function isOfCompany({ company = "" }: RankingFeatures, asked: string): boolean {
  const own = companies[company] ?? [company];
  return (companies[asked] ?? [asked]).every((word) => own.includes(word));
}

/** Decisions 16 and 47, rounded half up. */
function scoreOf(
  { profile, activity }: RankingFeatures,
  techStack: number,
  { role, skills = [] }: SearchQuery,
): number {
  const isAsked = role !== undefined || skills.length > 0;
  const hundredths = isAsked
    ? 6 * profile + 80 * techStack + 14 * activity
    : 15 * profile + 50 * techStack + 35 * activity;
  return Math.floor((hundredths + 5) / 10) / 10;
}

/** Of the best role, which is first, less is enough. */
const isFound = ({ match }: { readonly match: number }, place: number) =>
  match >= (place === 0 ? 10 : 25);

/** The overall scores of all whom a search for the role finds, the lowest first. */
export function listRoleScoresNaively(rows: readonly Row[], role: string): number[] {
  const scores = rows.flatMap(({ standing }) =>
    standing.roles
      .filter((at, place) => at.role === role && isFound(at, place) && standing.searchable)
      .map(({ techStack }) =>
        Math.floor((15 * standing.profile + 50 * techStack + 35 * standing.activity + 5) / 10),
      ),
  );
  return scores.sort((a, b) => a - b).map((tenths) => tenths / 10);
}

function isIn(standing: RankingFeatures, place: string, { places }: World): boolean {
  return standing.places.some((id) => id === place || places.ancestors(id).includes(place));
}

function placeOf(location: string, rows: readonly Row[], world: World): string | undefined {
  const people = (id: string) => rows.filter(({ standing }) => isIn(standing, id, world)).length;
  return world.places
    .find(location)
    .map(({ id }) => ({ id, people: people(id) }))
    .sort((a, b) => b.people - a.people)[0]?.id;
}

function matches(
  standing: RankingFeatures,
  query: SearchQuery,
  place: string,
  world: World,
): boolean {
  const { vocabulary } = world;
  const role = query.role === undefined ? undefined : vocabulary.readRole(query.role).role?.id;
  const skills = query.skills ?? [];
  const has = (skill: string) => strength(standing, skill, world) !== undefined;
  const languages = query.languages ?? [];
  return (
    isIn(standing, place, world) &&
    (role === undefined ||
      standing.roles.some((at, place) => at.role === role && isFound(at, place))) &&
    (skills.length === 0 || (query.strictSkills ? skills.every(has) : skills.some(has))) &&
    (languages.length === 0 || languages.some((language) => knows(standing, language, world))) &&
    isOfRepositories(standing, query.repositories ?? []) &&
    (!query.isHireable || standing.hireable) &&
    (query.activeSince === undefined || (standing.lastActive ?? "") >= query.activeSince) &&
    (query.company === undefined || isOfCompany(standing, query.company)) &&
    standing.experienceTenths / 10 >= (query.minExperienceYears ?? 0) &&
    standing.experienceTenths / 10 <= (query.maxExperienceYears ?? 999)
  );
}

/** By the whole texts that a request may have: the last part of the name, the name, the forge and the name. */
function isOfRepositories({ repositories }: RankingFeatures, asked: readonly string[]): boolean {
  const known = repositories.flatMap(({ name, forge }) => [
    ...[name.split("/").at(-1), name],
    ...(forge === undefined || !name.includes("/") ? [] : [`${forge}/${name}`]),
  ]);
  const folded = new Set(known.map((text) => text?.toLowerCase()));
  return asked.length === 0 || asked.some((text) => folded.has(text.trim().toLowerCase()));
}

function knows(standing: RankingFeatures, text: string, { vocabulary }: World): boolean {
  const id = vocabulary.findLanguage(text)?.id;
  return standing.concepts.some(({ concept }) => concept === id);
}

function strength(
  standing: RankingFeatures,
  text: string,
  { vocabulary }: World,
): number | undefined {
  const skill = vocabulary.findSkill(text);
  if (skill) return standing.concepts.find(({ concept }) => concept === skill.id)?.strength;
  const words = vocabulary.words(text);
  return words.length > 0 && words.every((word) => standing.words.includes(word)) ? 30 : undefined;
}

function techStack(standing: RankingFeatures, query: SearchQuery, world: World): number {
  const { vocabulary } = world;
  const role = query.role === undefined ? undefined : vocabulary.readRole(query.role).role?.id;
  const ofRole = standing.roles.find((at) => at.role === role)?.techStack ?? 0;
  const asked = new Map(
    (query.skills ?? []).map((text) => [vocabulary.findSkill(text)?.id ?? text, text]),
  );
  if (asked.size === 0) return role === undefined ? standing.techStack : ofRole;
  const sum = [...asked.values()].reduce(
    (all, text) => all + (strength(standing, text, world) ?? 0),
    0,
  );
  const ofSkills = Math.round(sum / asked.size);
  return role === undefined ? ofSkills : Math.round((6 * ofSkills + 4 * ofRole) / 10);
}
