import { cleanForModel, quoteForModel } from "../contract/foreign-text.ts";
import {
  formatCount,
  formatCounted,
  formatDate,
  formatRate,
  formatScore,
  formatYears,
} from "../contract/format.ts";
import type { Developer, SearchData, SearchResultItem } from "../contract/people/developer.ts";
import {
  listFieldTexts,
  profileOnlyFields,
  searchFields,
} from "../contract/people/profile-fields.ts";
import { joinKnown, type ViewPart } from "./view.ts";

/** A developer in an answer. All fields are optional, because slim answers leave out some. */
type DeveloperView = Partial<SearchResultItem | Developer>;

/** Fields of people whom an answer lists that assistants with a small context do not get. */
export const listedWithout = [
  ...["profile_score", "tech_stack_score", "activity_score", "followers", "company", "bio"],
  ...["profile_url", "commits_per_month", "commit_frequency_label", "activity_until"],
  ...["semantic_commit_percentage", "commit_message_quality_label"],
  ...["top_repositories", "top_oss_contributions"],
];

/** The part of a search result's text that is the same for every search. */
export interface CardText {
  readonly who: string;
  readonly figures: string;
}

export function formatCard(login: string, card: DeveloperView): CardText {
  return { who: formatWho(login, card), figures: joinKnown(listFigures(card)) };
}

export function viewSearch(data: SearchData, cards?: readonly CardText[]): ViewPart[] {
  const { results, matchedCount, totalCount, role, roleLanguages, roleSeniority, place } = data;
  const { unknownSkills = [], unknownRepositories = [], repositorySuggestions = [] } = data;
  const near = data.nearTerms?.map(
    ({ asked, names }) =>
      `${quoteForModel(asked)}: did you mean ${names.map((name) => cleanForModel(name)).join(" or ")}?`,
  );
  const notices = data.notices?.map((notice) => cleanForModel(notice)).join(" ") ?? "";
  const places = data.locationSuggestions?.map(quoteForModel).join(", ");
  const writing = roleLanguages ? `, writing ${roleLanguages.join(" or ")}` : "";
  const skills = unknownSkills.map(quoteForModel).join(", ");
  const repositories = unknownRepositories.map(quoteForModel).join(", ");
  const similar = repositorySuggestions.map(quoteForModel).join(", ");
  return [
    place === undefined ? "" : `Place understood: ${quoteForModel(place)}.`,
    role ? `Role understood: ${role}${writing}.` : "",
    roleSeniority
      ? `Ignored: ${roleSeniority.map(quoteForModel).join(", ")}. History does not show seniority; use minExperienceYears.`
      : "",
    skills && `Unknown skills: ${skills}.`,
    near?.join(" ") ?? "",
    repositories && `Unknown repositories: ${repositories}.`,
    similar && `Similar repositories: ${similar}.`,
    places === undefined ? "" : `Unknown place.${places && ` Known places: ${places}.`}`,
    places === undefined && totalCount === 0 ? "Nobody matches." : "",
    notices,
    totalCount > 0
      ? `${formatCount(totalCount)} match, ${matchedCount} of them here, best first.`
      : "",
    cards === undefined && isPartial(data)
      ? viewPartial(results)
      : viewPeople("match", results, cards),
  ];
}

type ListedPerson = Omit<DeveloperView, "matching_keywords"> &
  Pick<SearchResultItem, "login" | "matching_keywords" | "score" | "platform_experience">;

/** @param name says whether the scores are of a search, or of each person. */
export function viewPeople(
  name: "match" | "score",
  people: readonly ListedPerson[],
  cards?: readonly CardText[],
): ViewPart {
  return {
    lines: () =>
      people.flatMap((person, at) => {
        const { who, figures } = cards?.[at] ?? formatCard(person.login, person);
        const keywords = cleanForModel(person.matching_keywords);
        const matches = name === "score" ? keywords : `matches ${keywords || "nothing asked"}`;
        return [
          `${at + 1}. ${who}: ${formatScores(name, person)}`,
          `   ${joinKnown([matches, figures])}`,
        ];
      }),
    table: {
      headings: ["login", name, "location", "experience", "commits", "keywords"],
      rows: () =>
        people.map((person) => [
          ...[person.login, formatScore(person.score), person.location ?? ""],
          ...[formatYears(person.platform_experience), formatMonthly(person)],
          person.matching_keywords,
        ]),
    },
  };
}

/** Whether the request named the fields of the results, and left out one that all other answers have. */
const isPartial = ({ results: [first] }: SearchData) =>
  first !== undefined && usualFields.some((field) => !(field in first));
const usualFields = ["score", "platform_experience", "matching_keywords"];

function viewPartial(results: readonly object[]): ViewPart {
  const headings = Object.keys(Object.assign({}, ...results));
  const write = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const describe = ([name, value]: [string, unknown]) => {
    if (name === "login") return cleanForModel(String(value));
    return `${name} ${typeof value === "string" ? quoteForModel(value) : cleanForModel(write(value))}`;
  };
  const toCells = (item: Readonly<Record<string, unknown>>) =>
    headings.map((name) => write(item[name]) ?? "");
  return {
    lines: () =>
      results.map((item, at) => `${at + 1}. ${joinKnown(Object.entries(item).map(describe))}`),
    table: { headings, rows: () => results.map((item) => toCells({ ...item })) },
  };
}

export function viewDeveloper(developer: Developer): ViewPart[] {
  return [{ lines: () => listLines(developer), table: { rows: () => listFields(developer) } }];
}

function listLines(developer: Developer): string[] {
  const { username, matching_keywords } = developer;
  return [
    `${formatWho(username, developer)}: ${formatScores("score", developer)}`,
    joinKnown(listFigures(developer)),
    joinKnown([
      matching_keywords.length > 0 && `strongest in ${cleanForModel(matching_keywords.join(", "))}`,
      ...listFieldTexts(developer, profileOnlyFields, quoteForModel),
    ]),
    ...developer.top_oss_contributions.map(
      ({ repository, commits }) =>
        `${formatCounted(commits, "commit")} to ${quoteForModel(repository)}`,
    ),
  ];
}

function listFields(developer: Developer): string[][] {
  const { top_repositories, top_oss_contributions, matching_keywords, ...flat } = developer;
  const contributions = top_oss_contributions.map((one) => `${one.repository} (${one.commits})`);
  return [
    ...Object.entries(flat).map(([field, value]) => [field, String(value)]),
    ["matching_keywords", matching_keywords.join(", ")],
    ["top_repositories", top_repositories.map(({ name }) => name).join(", ")],
    ["top_oss_contributions", contributions.join(", ")],
  ];
}

/** Formats commits per month. If the history ended long ago, adds its last day. */
function formatMonthly({ commits_per_month: monthly, activity_until: until }: DeveloperView) {
  if (monthly === undefined) return "";
  return `${formatRate(monthly)}${until ? ` to ${formatDate(until)}` : ""}`;
}

function formatWho(login: string, view: DeveloperView): string {
  const named = listFieldTexts(view, ["name", "location"], quoteForModel);
  return [cleanForModel(login), ...named].join(" ");
}

function formatScores(name: "match" | "score", view: DeveloperView): string {
  const { score, profile_score, tech_stack_score, activity_score } = view;
  const stack = name === "match" ? "skills of the search" : "tech stack";
  const parts = ` (experience and breadth ${profile_score}, ${stack} ${tech_stack_score}, activity ${activity_score})`;
  return `${name} ${formatScore(score ?? 0)}${profile_score === undefined ? "" : parts}`;
}

const firstFields = ["hireable", "followers"] as const;
const lastFields = ["profileUrl"] as const;
const placed: readonly string[] = ["name", "location", ...firstFields, ...lastFields];
const otherFields = searchFields.filter((field) => !placed.includes(field));

function listFigures(view: DeveloperView): (string | false | undefined)[] {
  const { email, top_repositories = [] } = view;
  const { activity_until: until, commit_message_quality_label: quality } = view;
  const { commits_per_month: monthly } = view;
  const owned = top_repositories.slice(0, repositoriesMax).map(formatRepository);
  return [
    view.platform_experience !== undefined && formatYears(view.platform_experience),
    monthly !== undefined && `commits ${formatRate(monthly)} (${view.commit_frequency_label})`,
    until && `data ends ${formatDate(until)}`,
    view.last_active_date && `last active ${formatDate(view.last_active_date)}`,
    quality && `commit messages ${quality}`,
    ...listFieldTexts(view, firstFields, quoteForModel),
    email && `e-mail ${quoteForModel(email)}`,
    ...listFieldTexts(view, otherFields, quoteForModel),
    owned.length > 0 && `own repositories ${owned.join(", ")}`,
    ...listFieldTexts(view, lastFields, quoteForModel),
  ];
}

const repositoriesMax = 3;

function formatRepository({
  name,
  stars,
  language,
}: Developer["top_repositories"][number]): string {
  const known = [
    language && quoteForModel(language),
    stars !== undefined && formatCounted(stars, "star"),
  ];
  const about = known.filter(Boolean).join(", ");
  return about ? `${quoteForModel(name)} (${about})` : quoteForModel(name);
}
