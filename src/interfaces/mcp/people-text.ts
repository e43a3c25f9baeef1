import { cleanForModel, quoteForModel } from "../../contract/foreign-text.ts";
import type { Developer, SearchData, SearchResultItem } from "../../contract/people/developer.ts";
import type { FindData } from "../../contract/people/found-person.ts";
import type { OwnershipFiles } from "../../contract/people/ownership-drift.ts";
import {
  listNamedRoles,
  type ProfileAnalysis,
  type Term,
} from "../../contract/people/profile-analysis.ts";
import type { KnowingPerson, WhoData } from "../../contract/people/who-knows.ts";

/** Fields that slim answers leave out are optional. */
type DeveloperView = Partial<SearchResultItem | Developer>;
type FoundView = DeveloperView & Pick<SearchResultItem, "score" | "matching_keywords">;

/** @package Formats two lines for each developer: login and scores, then the reasons. */
export function formatSearch(data: SearchData): string[] {
  const { results } = data;
  return [
    ...formatSearchHead(data),
    ...results.flatMap((found, at) => formatFoundCard(found, at, formatCard(found.login, found))),
  ];
}

/** @package What was understood, and how many match. */
export function formatSearchHead(data: Omit<SearchData, "results">): string[] {
  const { matchedCount, totalCount, locationSuggestions, place, unknownSkills } = data;
  const { role, roleLanguages } = data;
  const places = locationSuggestions?.map(quoteForModel).join(", ");
  return [
    place === undefined ? "" : `Place understood: ${quoteForModel(place)}.`,
    role ? `Role understood: ${role}${formatWriting(roleLanguages)}.` : "",
    unknownSkills?.length
      ? `No skill is known by ${unknownSkills.map(quoteForModel).join(", ")}.`
      : "",
    ...formatUnknownRepositories(data),
    places === undefined
      ? ""
      : `No known place with anybody in it is called that.${places && ` Places that are: ${places}.`}`,
    places === undefined && totalCount === 0 ? "Nobody matches." : "",
    totalCount > 0 ? `${totalCount} match, ${matchedCount} of them here, best first.` : "",
  ];
}

const formatWriting = (languages: readonly string[] | undefined) =>
  languages ? `, writing ${languages.join(" or ")}` : "";

/** What a card's lines say whatever was searched. */
export interface CardWords {
  readonly who: string;
  readonly figures: string;
}

/** @package */
export function formatCard(login: string, view: DeveloperView): CardWords {
  return { who: formatWho(login, view), figures: joinKnown(listFigures(view)) };
}

/** @package Only what a search decides is read of the result. */
export function formatFoundCard(found: FoundView, at: number, { who, figures }: CardWords) {
  const matches = `matches ${cleanForModel(found.matching_keywords) || "nothing asked"}`;
  return [`${at + 1}. ${who}: ${formatScores(found)}`, `   ${joinKnown([matches, figures])}`];
}

function formatUnknownRepositories(data: Omit<SearchData, "results">): string[] {
  const { unknownRepositories = [], repositorySuggestions = [] } = data;
  const unknown = unknownRepositories.map(quoteForModel).join(", ");
  const near = repositorySuggestions.map(quoteForModel).join(", ");
  return [
    unknown && `Nobody here has worked in the repository ${unknown}.`,
    near && `Repositories of a similar name: ${near}.`,
  ];
}

/** @package One line for each person found. */
export function formatFound({ total, results }: FindData): string[] {
  return [
    total === 0 ? "Nobody is called so." : `${total} found, ${results.length} of them here.`,
    ...results.map(({ login, name, location, role, matched }) =>
      joinKnown([
        `${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}`,
        location && `in ${quoteForModel(location)}`,
        role && cleanForModel(role),
        `by ${matched}`,
      ]),
    ),
  ];
}

type KnowingView = Omit<WhoData, "people" | "modelVersion"> &
  Partial<Pick<WhoData, "modelVersion">> & {
    readonly people: readonly (Omit<KnowingPerson, "lastActive"> &
      Partial<Pick<KnowingPerson, "lastActive">>)[];
  };

/** @package Formats who knows the files, and what would be lost with whom. */
export function formatKnowing(data: KnowingView): string[] {
  const { people, total, files, truckFactor, soleFiles, orphanedFiles } = data;
  const { repositories, unknownPaths, package: known } = data;
  const where = repositories.map(({ name }) => quoteForModel(name)).join(", ");
  return [
    unknownPaths?.length ? `Never there: ${unknownPaths.map(quoteForModel).join(", ")}.` : "",
    known
      ? `Files in ${where} that ${known.relation === "makes" ? "are the source of" : "import"} ${quoteForModel(known.name)}.`
      : "",
    people.length === 0
      ? "Nobody who is known has worked on these files."
      : `${people.length} of ${total} people who worked on these ${files} files in ${where}, best first.`,
    ...people.map(({ login, name, score, isActive, lastActive, emails, reasons }, index) =>
      joinKnown([
        `${index + 1}. ${cleanForModel(login)}${name ? ` ${quoteForModel(name)}` : ""}: ${score}`,
        isActive
          ? "active"
          : `not active${lastActive ? ` since ${cleanForModel(lastActive)}` : ""}`,
        emails.length > 0 && `e-mail ${emails.map(quoteForModel).join(", ")}`,
        reasons.map((reason) => cleanForModel(reason)).join(" "),
      ]),
    ),
    truckFactor.people > 0
      ? `Truck factor ${truckFactor.people}: without ${truckFactor.logins.map((login) => cleanForModel(login)).join(", ")} half of the files are known to nobody.`
      : "",
    ...(data.ownership ? formatOwnership(data.ownership) : []),
    `${soleFiles.total} files are known to one person only, ${orphanedFiles.total} to nobody who is left.`,
    `As of ${cleanForModel(data.asOf)}${data.modelVersion ? `, by model ${cleanForModel(data.modelVersion)}` : ""}.`,
  ];
}

/** The structured content has more. */
const driftingRulesMax = 10;

function formatOwnership({ files, judged, drifting }: OwnershipFiles): string[] {
  const where = files.slice(0, 3).map(quoteForModel).join(", ");
  return [
    `Ownership files (${where}${files.length > 3 ? ` and ${files.length - 3} more` : ""}): history contradicts ${drifting.total} of ${judged} rules.`,
    ...drifting.rules
      .slice(0, driftingRulesMax)
      .map(({ file, line, pattern, departed, unnamed }) =>
        joinKnown([
          `Line ${line} of ${quoteForModel(file)} for ${quoteForModel(pattern)}`,
          ...departed.map(
            ({ owner, reason }) => `owner ${quoteForModel(owner)}: ${cleanForModel(reason)}`,
          ),
          ...unnamed.map(
            ({ login, reason }) => `${cleanForModel(login)}: ${cleanForModel(reason)}`,
          ),
        ]),
      ),
  ];
}

export function formatDeveloper(developer: Developer): string[] {
  const { username, matching_keywords, blog, social_username, created_at } = developer;
  return [
    `${formatWho(username, developer)}: ${formatScores(developer)}`,
    joinKnown(listFigures(developer)),
    joinKnown([
      matching_keywords.length > 0 && `strongest in ${cleanForModel(matching_keywords.join(", "))}`,
      blog && `blog ${quoteForModel(blog)}`,
      social_username && `social name ${quoteForModel(social_username)}`,
      created_at && `account made ${cleanForModel(created_at)}`,
    ]),
    ...developer.top_oss_contributions.map(
      ({ repository, tier_label, commits }) =>
        `Contributed to ${quoteForModel(repository)} (${tier_label}): ${commits} commits`,
    ),
  ];
}

function formatWho(login: string, { name, location }: DeveloperView): string {
  const who = [
    cleanForModel(login),
    name && quoteForModel(name),
    location && `in ${quoteForModel(location)}`,
  ];
  return who.filter(Boolean).join(" ");
}

function formatScores(view: DeveloperView): string {
  const { score, profile_score, tech_stack_score, activity_score } = view;
  const parts = ` (profile ${profile_score}, tech stack ${tech_stack_score}, activity ${activity_score})`;
  return `score ${score}${profile_score === undefined ? "" : parts}`;
}

function listFigures(view: DeveloperView): (string | false | undefined)[] {
  const { followers, email, company, bio, profile_url, top_repositories = [] } = view;
  const { commits_per_month: monthly, commit_message_quality_label: quality } = view;
  const owned = top_repositories.slice(0, repositoriesMax).map(formatRepository);
  return [
    `${view.platform_experience} years`,
    monthly !== undefined && `${monthly} commits a month (${view.commit_frequency_label})`,
    view.last_active_date && `last active ${cleanForModel(view.last_active_date)}`,
    quality && `commit messages ${quality}`,
    view.hireable && `hireable ${view.hireable}`,
    followers !== undefined && `${followers} followers`,
    email && `e-mail ${quoteForModel(email)}`,
    company && `company ${quoteForModel(company)}`,
    bio && `bio ${quoteForModel(bio)}`,
    owned.length > 0 && `own repositories ${owned.join(", ")}`,
    profile_url && `profile ${quoteForModel(profile_url)}`,
  ];
}

/** The structured content has more. */
const repositoriesMax = 3;

function formatRepository({
  name,
  stars,
  language,
}: Developer["top_repositories"][number]): string {
  const about = [language && quoteForModel(language), stars !== undefined && `${stars} stars`];
  const known = about.filter(Boolean).join(", ");
  return known ? `${quoteForModel(name)} (${known})` : quoteForModel(name);
}

/** The structured content has more. */
const rolesMax = 5;
const skillsMax = 12;
const summaryLettersMax = 1000;

/** @package Formats the analysis, and the terms that make up each score. */
export function formatAnalysis(analysis: ProfileAnalysis): string[] {
  const { profile, proficiency, scores, summary, explanation, repositories, emails } = analysis;
  const { score, scores: components } = scores;
  const roles = listNamedRoles(analysis).slice(0, rolesMax);
  const skills = repositories.skills.slice(0, skillsMax);
  return [
    joinKnown([
      cleanForModel(profile.login),
      `${proficiency.level}, score ${score}${roles[0] ? ` as ${cleanForModel(roles[0].role)}` : ""}`,
      `${proficiency.experienceYears} years`,
      `confidence ${analysis.confidence}`,
    ]),
    cleanForModel(summary.text, summaryLettersMax),
    list(
      "Roles",
      roles.map((each) => `${each.displayName} ${each.score}`),
    ),
    list(
      "Skills",
      skills.map(({ skill, strength }) => `${cleanForModel(skill)} ${strength}`),
    ),
    list(
      "E-mail",
      emails.emails.map(({ address }) => quoteForModel(address)),
    ),
    list(`Profile ${components.profile}`, explanation.profile.map(formatTerm)),
    list(`Tech stack ${components.techStack}`, explanation.techStack.map(formatTerm)),
    list(`Activity ${components.activity}`, explanation.activity.map(formatTerm)),
    ...analysis.badges.map(
      ({ name, reason }) => `Badge ${cleanForModel(name)}: ${quoteForModel(reason)}`,
    ),
    ...(analysis.assistance?.evidence ?? []).map((sentence) => `${cleanForModel(sentence)}.`),
    list(
      "Named by others' commits",
      (analysis.activity.credits ?? []).map(({ kind, count }) => `${kind} ${count}`),
    ),
    ...summary.caveats.map((caveat) => `Caveat: ${quoteForModel(caveat)}`),
    `Judged as of ${cleanForModel(analysis.asOf)} by model ${cleanForModel(analysis.modelVersion)}.`,
  ];
}

function list(title: string, entries: readonly string[]): string {
  return entries.length > 0 ? `${title}: ${entries.join(", ")}` : "";
}

function formatTerm({ term, points, cap }: Term): string {
  return `${cleanForModel(term)} ${points} of ${cap}`;
}

/** Joins the parts that are known. */
function joinKnown(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}
