import type { SearchData } from "../../../contract/people/developer.ts";
import type { SignedInRequest } from "../page.ts";
import {
  type Filter,
  type FilterNames,
  formatSearchPath,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";

/** Finds the role that a text names; `undefined` if the text names no role. */
export function findRole({ modules }: SignedInRequest, text: string) {
  const { roles, understand } = modules.index;
  const meant = text === "" ? undefined : understand({ role: text }).role;
  return roles.find(({ name }) => name === meant);
}

/** Finds Roster's own names for the words of a search, such as `Kubernetes` for `k8s`. */
export function findNames(
  ask: SignedInRequest,
  filters: SearchFilters,
  { place }: Pick<SearchData, "place">,
): FilterNames {
  const { role, skills, languages } = ask.modules.index.understand(toSearchRequest(filters));
  const names = new Map([...skills, ...languages].map(({ asked, name }) => [asked, name]));
  return { place, role, named: (asked) => names.get(asked) ?? asked };
}

interface FilterChipsProperties extends SearchProperties {
  readonly chips: readonly Filter[];
  readonly data: SearchData;
}

/** Shows the filters, each with a link that removes it, and the words that Roster did not understand. */
export function FilterChips({ chips, data, ask, filters }: FilterChipsProperties) {
  const { skills } = ask.modules.index.understand({ skills: [...filters.skills] });
  const words = skills.filter(({ name }) => name === undefined).map(({ asked }) => asked);
  const nobodyHas = new Set(data.unknownSkills?.map((word) => word.toLowerCase()));
  const { unknownRepositories = [], repositorySuggestions = [] } = data;
  const near = new Map(data.nearTerms?.map(({ asked, names }) => [asked.toLowerCase(), names]));
  const languages = filters.languages.filter((one) => near.has(one.toLowerCase()));
  return (
    <>
      <ul class="chips" aria-label="Filters">
        {chips.map(({ label, without }) => (
          <li>
            <span class="chip filter-chip">
              {label}{" "}
              <a href={formatSearchPath(without)} aria-label={`Remove ${label}`}>
                ×
              </a>
            </span>
          </li>
        ))}
      </ul>
      {words.map((word) => (
        <p class="small unknown-word">
          <strong>{word}</strong>: no skill is known by this name
          {nobodyHas.has(word.toLowerCase())
            ? ", and no one uses the word."
            : "; it was looked for as a word in descriptions and names of repositories."}
          {renderSimilar("skills", word, near.get(word.toLowerCase()), filters)}
        </p>
      ))}
      {languages.map((asked) => (
        <p class="small unknown-word">
          <strong>{asked}</strong>: no language is known by this name.
          {renderSimilar("languages", asked, near.get(asked.toLowerCase()), filters)}
        </p>
      ))}
      {unknownRepositories.length > 0 &&
        renderUnknownRepositories(unknownRepositories, repositorySuggestions, filters)}
    </>
  );
}

/** Shows names that are similar to an unknown name, each with a link that searches for it instead. */
function renderSimilar(
  field: "skills" | "languages",
  asked: string,
  names: readonly string[] = [],
  filters: SearchFilters,
) {
  if (names.length === 0) return undefined;
  const instead = (name: string) => {
    const meant = filters[field].map((one) => (one === asked ? name : one));
    return formatSearchPath({ ...filters, [field]: [...new Set(meant)], offset: 0 });
  };
  const links = names.map((name, at) => [at > 0 && " or ", <a href={instead(name)}>{name}</a>]);
  return [" Did you mean ", links, "?"];
}

/** Shows the unknown repositories of the search, with links that search for known repositories instead. */
function renderUnknownRepositories(
  unknown: readonly string[],
  suggestions: readonly string[],
  filters: SearchFilters,
) {
  const known = filters.repositories.filter((one) => !unknown.includes(one));
  const instead = (name: string) =>
    formatSearchPath({ ...filters, repositories: [...new Set([...known, name])], offset: 0 });
  return (
    <p class="small unknown-word">
      <strong>{unknown.join(", ")}</strong>: no one here has worked in{" "}
      {unknown.length === 1 ? "a repository of this name" : "repositories of these names"}
      {suggestions.length === 0 ? "." : "; perhaps "}
      {suggestions.map((name, at) => [at > 0 && ", ", <a href={instead(name)}>{name}</a>])}
    </p>
  );
}
