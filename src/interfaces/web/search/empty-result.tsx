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

/**
 * Explains an empty result. Counts the people who fit if one filter is left out. If nobody does, counts the people who fit each
 * filter alone.
 */
export function EmptyResult(properties: EmptyResultProperties) {
  const { filters, total, notices, choices, children } = properties;
  if (total > 0) {
    return (
      <EmptyState>
        That page is past the end.{" "}
        <a href={formatSearchPath({ ...filters, offset: 0 })}>To the first page</a>
      </EmptyState>
    );
  }
  const helps = choices.some(({ totalWithout }) => totalWithout > 0);
  const links = choices.map((choice) =>
    helps
      ? { to: choice.without, text: `without ${choice.label}`, total: choice.totalWithout }
      : { to: choice.alone, text: `only ${choice.label}`, total: choice.totalAlone },
  );
  return (
    <div class="nothing stack-wide">
      {children || notices?.map((notice) => <p>{notice}</p>)}
      <p>
        No developer fits all of these filters.{" "}
        {helps ? "Without one of them:" : "Leaving out one is not enough. Each by itself:"}
      </p>
      <List
        class="plain-list"
        items={links
          .sort((a, b) => b.total - a.total)
          .map(({ to, text, total: people }) => (
            <>
              {people > 0 ? <a href={formatSearchPath(to)}>{text}</a> : text}:{" "}
              {formatPeople(people).toLowerCase()}
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
    <section class="nothing stack-wide" aria-labelledby="unknown-place">
      <h2 id="unknown-place">No place is known as "{filters.location}"</h2>
      {suggestions.length === 0 ? (
        <NoPlaces ask={ask} />
      ) : (
        notices?.map((notice) => <p>{notice}</p>)
      )}
      {suggestions.length > 0 && (
        <>
          <p>Perhaps one of these:</p>
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
            Search everywhere instead
          </a>
        </p>
      )}
    </section>
  );
}

export function NoPlaces({ ask }: SignedInProperties) {
  return (
    <p class="small muted">
      Nobody in this pool has a known place: git history does not tell it, so a search by place
      finds no one. Places come from a forge, or from a list of people:{" "}
      {ask.visitor.account.administrator ? (
        <>
          <code>roster ingest people people.csv</code>, or <a href="/admin/sources">Sources</a>.
        </>
      ) : (
        "an administrator can have either read in."
      )}
    </p>
  );
}
