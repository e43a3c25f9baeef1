import type { SearchData } from "../../../contract/people/developer.ts";
import type { SignedInRequest } from "../page.ts";
import {
  type Filter,
  type FilterNames,
  formatSearchPath,
  listFilters,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";

/** The role that a text means here; `undefined` for a text that means none. */
export function findRole({ modules }: SignedInRequest, text: string) {
  const { roles, understand } = modules.index;
  const meant = text === "" ? undefined : understand({ role: text }).role;
  return roles.find(({ name }) => name === meant);
}

/** Lists each filter under the name that Roster gives it. */
export function describeFilters(
  ask: SignedInRequest,
  filters: SearchFilters,
  data: SearchData,
): readonly Filter[] {
  return listFilters(filters, findNames(ask, filters, data));
}

/** The names that Roster gives the words of a search. @param data has the place that was understood. */
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

/** The filters that were understood, each with a link that removes it, and the words that were not. */
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
          <DidYouMean field="skills" {...{ asked: word, near, filters }} />
        </p>
      ))}
      {languages.map((asked) => (
        <p class="small unknown-word">
          <strong>{asked}</strong>: no language is known by this name.
          <DidYouMean field="languages" {...{ asked, near, filters }} />
        </p>
      ))}
      {unknownRepositories.length > 0 && (
        <UnknownRepositories
          unknown={unknownRepositories}
          suggestions={repositorySuggestions}
          filters={filters}
        />
      )}
    </>
  );
}

interface DidYouMeanProperties {
  readonly field: "skills" | "languages";
  readonly asked: string;
  /** By what was asked, in lower case. */
  readonly near: ReadonlyMap<string, readonly string[]>;
  readonly filters: SearchFilters;
}

/** The names that may have been meant; each replaces the one that was asked. */
function DidYouMean({ field, asked, near, filters }: DidYouMeanProperties) {
  const names = near.get(asked.toLowerCase()) ?? [];
  if (names.length === 0) return undefined;
  const instead = (name: string) => {
    const meant = filters[field].map((one) => (one === asked ? name : one));
    return formatSearchPath({ ...filters, [field]: [...new Set(meant)], offset: 0 });
  };
  return (
    <>
      {" "}
      Did you mean{" "}
      {names.map((name, at) => (
        <>
          {at > 0 && " or "}
          <a href={instead(name)}>{name}</a>
        </>
      ))}
      ?
    </>
  );
}

interface UnknownRepositoriesProperties {
  readonly unknown: readonly string[];
  readonly suggestions: readonly string[];
  readonly filters: SearchFilters;
}

/** Suggestions for repositories that are not known; each replaces them. */
function UnknownRepositories({ unknown, suggestions, filters }: UnknownRepositoriesProperties) {
  const known = filters.repositories.filter((one) => !unknown.includes(one));
  const instead = (name: string) =>
    formatSearchPath({ ...filters, repositories: [...new Set([...known, name])], offset: 0 });
  return (
    <p class="small unknown-word">
      <strong>{unknown.join(", ")}</strong>: no one here has worked in{" "}
      {unknown.length === 1 ? "a repository of this name" : "repositories of these names"}
      {suggestions.length === 0 ? "." : "; perhaps "}
      {suggestions.map((name, at) => (
        <>
          {at > 0 && ", "}
          <a href={instead(name)}>{name}</a>
        </>
      ))}
    </p>
  );
}
