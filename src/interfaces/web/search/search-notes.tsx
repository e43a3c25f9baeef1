import type { SearchData } from "../../../contract/people/developer.ts";
import type { SignedInRequest } from "../page.ts";
import {
  type AskedTerm,
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

interface SearchNotesProperties extends SearchProperties {
  readonly data: SearchData;
  /** The asked skills and languages that none of the people found has. */
  readonly lacking: readonly AskedTerm[];
}

/** Says what nobody here has, and which words Roster did not understand, with links to similar names. */
export function SearchNotes({ ask, filters, data, lacking }: SearchNotesProperties) {
  const { skills } = ask.modules.index.understand({ skills: [...filters.skills] });
  const { unknownRepositories = [], repositorySuggestions = [] } = data;
  const near = new Map(data.nearTerms?.map(({ asked, names }) => [asked.toLowerCase(), names]));
  const misspelt = lacking.filter(({ asked }) => near.has(asked.toLowerCase()));
  const others = lacking.filter((term) => !misspelt.includes(term)).map(({ name }) => name);
  const words = skills
    .filter(({ asked, name }) => !name && lacking.every((term) => term.asked !== asked))
    .map(({ asked }) => asked);
  const known = filters.repositories.filter((one) => !unknownRepositories.includes(one));
  return (
    <>
      {others.length > 0 && <p class="lack">No one here knows {others.join(" or ")}</p>}
      {misspelt.map(({ asked, isSkill }) => {
        const field = isSkill ? "skills" : "languages";
        return (
          <p class="lack">
            No one here knows {asked}
            <Instead
              filters={filters}
              names={near.get(asked.toLowerCase())}
              change={(name) => ({
                [field]: filters[field].map((one) => (one === asked ? name : one)),
              })}
            />
          </p>
        );
      })}
      {unknownRepositories.length > 0 && (
        <p class="lack">
          No one here worked in {unknownRepositories.join(" or ")}
          <Instead
            filters={filters}
            names={repositorySuggestions}
            change={(name) => ({ repositories: [...known, name] })}
          />
        </p>
      )}
      {words.length > 0 && data.totalCount > 0 && (
        <p class="small muted">Found as a word in descriptions: {words.join(", ")}</p>
      )}
    </>
  );
}

interface InsteadProperties {
  readonly filters: SearchFilters;
  readonly names: readonly string[] | undefined;
  /** What a search for the name has instead. */
  readonly change: (name: string) => Partial<SearchFilters>;
}

/** Names that are similar to an unknown name. Each links to a search for it instead. */
function Instead({ filters, names = [], change }: InsteadProperties) {
  if (names.length === 0) return undefined;
  return (
    <>
      . Did you mean{" "}
      {names.map((name, at) => [
        at > 0 && " or ",
        <a href={formatSearchPath({ ...filters, ...change(name), offset: 0 })}>{name}</a>,
      ])}
      ?
    </>
  );
}
