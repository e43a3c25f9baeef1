import type { SearchData } from "../../../contract/people/developer.ts";
import type { ComputingModules } from "../calls.ts";
import { formatPeople } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState, List } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import {
  type AskedTerm,
  type Filter,
  type FilterNames,
  formatSearchPath,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";
import { countPeople, hasPlaces } from "./suggested-searches.ts";

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

/** Shows how many people fit if one filter is left out. @param chips the filters of the search. */
export async function renderEmpty(
  ask: SignedInRequest,
  { search }: ComputingModules,
  filters: SearchFilters,
  chips: readonly Filter[],
  { totalCount, notices }: SearchData,
): Promise<Html> {
  if (totalCount > 0) {
    return (
      <EmptyState>
        This page is past the end.{" "}
        <a href={formatSearchPath({ ...filters, offset: 0 })}>First page</a>
      </EmptyState>
    );
  }
  const choices = await Promise.all(
    chips.map(async (chip) => ({ ...chip, people: await countPeople(search, chip.without) })),
  );
  const isPlaceless = filters.location !== "" && !(await hasPlaces(search));
  const isAlone = choices.length < 2;
  return (
    <div class="card">
      {isPlaceless ? <NoPlaces ask={ask} /> : notices?.map((notice) => <p>{notice}</p>)}
      <p>{isAlone ? "Try another filter." : "Leave out a filter:"}</p>
      <List
        class="plain-list"
        items={choices
          .filter(() => !isAlone)
          .toSorted((one, other) => other.people - one.people)
          .map(({ label, without, people }) =>
            people > 0 ? (
              <>
                <a href={formatSearchPath(without)}>Without {label}</a>: {formatPeople(people)}
              </>
            ) : (
              `Without ${label}: no one`
            ),
          )}
      />
    </div>
  );
}

interface UnknownPlaceProperties extends SearchProperties {
  /** Known places that the user may have meant; empty if nobody in the pool has a known place. */
  readonly suggestions: readonly string[];
  readonly notices: readonly string[] | undefined;
}

export function UnknownPlace({ ask, filters, suggestions, notices }: UnknownPlaceProperties) {
  return (
    <section class="card" aria-labelledby="unknown-place">
      <h2 id="unknown-place">We do not know the place "{filters.location}"</h2>
      {suggestions.length === 0 ? <NoPlaces ask={ask} /> : notices?.map((text) => <p>{text}</p>)}
      {suggestions.length > 0 && <p>Did you mean:</p>}
      <List
        class="plain-list"
        items={suggestions.map((place) => (
          <a href={formatSearchPath({ ...filters, location: place, offset: 0 })}>{place}</a>
        ))}
      />
      {!suggestions.includes("Worldwide") && (
        <p>
          <a href={formatSearchPath({ ...filters, location: "worldwide", offset: 0 })}>
            Search everywhere
          </a>
        </p>
      )}
    </section>
  );
}

export function NoPlaces({ ask }: SignedInProperties) {
  return (
    <p class="small muted">
      No one here has a known place. Git history has no places. They come from a forge or a list of
      people.{" "}
      {ask.visitor.account.administrator ? (
        <a href="/admin/sources">Add a source</a>
      ) : (
        "An administrator can add one."
      )}
    </p>
  );
}
