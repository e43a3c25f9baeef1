import type { SearchData } from "../../../contract/people/developer.ts";
import type { ComputingModules } from "../calls.ts";
import { formatPeople } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { EmptyState, List } from "../look/parts.tsx";
import type { SignedInProperties, SignedInRequest } from "../page.ts";
import {
  type Filter,
  formatSearchPath,
  type SearchFilters,
  type SearchProperties,
} from "./search-query.ts";
import { countPeople, hasPlaces } from "./suggested-searches.ts";

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
