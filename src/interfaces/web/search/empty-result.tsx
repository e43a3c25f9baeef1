import { formatPeople } from "../look/format.ts";
import type { Children } from "../look/jsx-runtime.ts";
import { EmptyState, List } from "../look/parts.tsx";
import type { SignedInProperties } from "../page.ts";
import {
  type Filter,
  formatSearchPath,
  type SearchFilters,
  type SearchProperties,
} from "./search-query.ts";

interface EmptyResultProperties {
  readonly filters: SearchFilters;
  readonly total: number;
  readonly notices: readonly string[] | undefined;
  /** For each filter, how many people the search would find without this filter, and with this filter alone. */
  readonly choices: readonly (Filter & {
    readonly totalWithout: number;
    readonly totalAlone: number;
  })[];
  /** If given, shown instead of the notices. */
  readonly children?: Children;
}

/** Shows how many people fit if one filter is left out. If nobody does, how many fit each filter alone. */
export function EmptyResult(properties: EmptyResultProperties) {
  const { filters, total, notices, choices, children } = properties;
  if (total > 0) {
    return (
      <EmptyState>
        This page is past the end.{" "}
        <a href={formatSearchPath({ ...filters, offset: 0 })}>First page</a>
      </EmptyState>
    );
  }
  const helps = choices.some(({ totalWithout }) => totalWithout > 0);
  const rows = choices.map(({ label, ...choice }) =>
    helps
      ? { to: choice.without, text: `Without ${label}`, people: choice.totalWithout }
      : { to: choice.alone, text: `Only ${label}`, people: choice.totalAlone },
  );
  const remarks = children || notices?.map((notice) => <p>{notice}</p>);
  if (rows.every(({ people }) => people === 0)) return <>{remarks}</>;
  return (
    <div class="card">
      {remarks}
      <p>{helps ? "Leave out one filter:" : "Each filter by itself:"}</p>
      <List
        class="plain-list"
        items={rows
          .toSorted((one, other) => other.people - one.people)
          .map(({ to, text, people }) => (
            <>
              {people > 0 ? <a href={formatSearchPath(to)}>{text}</a> : text}:{" "}
              {people > 0 ? formatPeople(people) : "no one"}
            </>
          ))}
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
      {suggestions.length === 0 ? (
        <NoPlaces ask={ask} />
      ) : (
        notices?.map((notice) => <p>{notice}</p>)
      )}
      {suggestions.length > 0 && (
        <>
          <p>Did you mean:</p>
          <List
            class="plain-list"
            items={suggestions.map((place) => (
              <a href={formatSearchPath({ ...filters, location: place, offset: 0 })}>{place}</a>
            ))}
          />
        </>
      )}
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
