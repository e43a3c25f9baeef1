/** The search, which is the start page of signed-in users. The address contains the query. */
import { limits } from "../../../contract/limits.ts";
import type { SearchData } from "../../../contract/people/developer.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount, formatDate, formatPeople } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { CallResult } from "../look/people.tsx";
import { defineSignedInPage, type PageAnswer, type SignedInRequest } from "../page.ts";
import { AddToList, type KnownLists, readKnownLists, SaveSearch } from "../saved/save-forms.tsx";
import { type CardFigures, readCardFigures } from "./card-figures.ts";
import { CopyAs } from "./copy-as.tsx";
import { EmptyResult, NoPlaces, UnknownPlace } from "./empty-result.tsx";
import { FilterChips, findNames, findRole } from "./filter-chips.tsx";
import { renderStart } from "./first-steps.tsx";
import { PersonCard, ScoreMeaning } from "./person-card.tsx";
import { PersonPick, PickTray, readNames } from "./pick-tray.tsx";
import { SearchForm } from "./search-form.tsx";
import { formatSearchName, formatWhere } from "./search-name.ts";
import {
  type Filter,
  formatQuery,
  formatSearchPath,
  hasQuery,
  isMatch,
  listFilters,
  pageSize,
  readFilters,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";
import { countPeople, hasPlaces } from "./suggested-searches.ts";

export async function showSearch(ask: SignedInRequest): Promise<PageAnswer> {
  const filters = splitRole(ask, readFilters(ask.url.searchParams));
  const answer = hasQuery(filters)
    ? await ask.calls.perform(
        ask,
        "search_developers",
        toSearchRequest(filters),
        (data, computing) => renderAnswer(ask, filters, data, computing),
      )
    : undefined;
  const shown = answer?.ok ? { ...answer, shown: answer.shown.found } : answer;
  const body = (
    <>
      <SearchForm ask={ask} filters={filters} />
      {shown ? (
        <CallResult answer={shown} failure="The search was not run" />
      ) : (
        await renderStart(ask)
      )}
      {answer?.ok !== false && (
        // The script of the page shows this line when the people in the pool have changed.
        <p class="news small" data-news={formatNewsPath(ask)} hidden>
          <span>The people here have changed since you opened this page</span>:{" "}
          <a href={formatSearchPath(filters)}>show</a>
        </p>
      )}
      {!answer?.ok && filters.picks.length > 0 && (await renderPicked(ask, filters, []))}
    </>
  );
  const title = answer?.ok ? answer.shown.title : "Search";
  return {
    title,
    heading: <h1 class="unseen">{title}</h1>,
    body,
    picks: true,
    // The status tells programs that a search was refused.
    status: answer?.ok === false ? answer.problem.status : undefined,
  };
}

/** Turns languages in the text of a role into filters: `Go backend` becomes the role Backend and the language Go. */
function splitRole({ modules }: SignedInRequest, filters: SearchFilters): SearchFilters {
  const { index } = modules;
  if (filters.role.length > limits.textLengthMax) return filters;
  const { role, roleLanguages } = index.understand({ role: filters.role });
  if (roleLanguages.length === 0) return filters;
  const id = index.roles.find(({ name }) => name === role)?.id ?? filters.role;
  return { ...filters, role: id, languages: roleLanguages };
}

async function renderAnswer(
  ask: SignedInRequest,
  filters: SearchFilters,
  data: SearchData,
  computing: ComputingModules,
): Promise<{ readonly title: string; readonly found: Html }> {
  const names = findNames(ask, filters, data);
  const chips = listFilters(filters, names);
  const title = formatSearchName(filters, names);
  const { locationSuggestions: suggestions, notices } = data;
  if (suggestions) {
    const found = <UnknownPlace {...{ ask, filters, suggestions, notices }} />;
    return { title, found };
  }
  const here = data.results.map(({ login }) => login);
  // Reading the figures costs no call, because a call has just found these people.
  const figures = await readCardFigures(computing.pool, here);
  const listing = await readKnownLists(ask, here);
  ask.calls.noteShown(ask.visitor.account.id, here);
  const found = (
    <>
      <section class="results" aria-labelledby="found">
        <div class="heading">
          <h2 id="found">
            {formatPeople(data.totalCount)}
            {filters.location !== "" && formatWhere(data.place ?? filters.location)}
          </h2>
          <ResultFacts filters={filters} figures={figures} />
        </div>
        <FilterChips chips={chips} data={data} ask={ask} filters={filters} />
        {data.results.length > 0 && <ScoreMeaning isMatch={isMatch(filters)} />}
        {await renderWider(computing, filters, data)}
        {data.results.length === 0 ? (
          await renderEmpty(ask, computing, filters, chips, data)
        ) : (
          <People data={data} figures={figures} listing={listing} ask={ask} filters={filters} />
        )}
        <Pages filters={filters} total={data.totalCount} />
        {here.length + filters.picks.length > 0 && (await renderPicked(ask, filters, here))}
      </section>
      <SaveSearch
        ask={ask}
        query={formatQuery({ ...filters, offset: 0 })}
        name={chips.map(({ label }) => label).join(", ")}
      />
      <CopyAs ask={ask} request={toSearchRequest(filters)} />
    </>
  );
  return { title, found };
}

function ResultFacts({ filters, figures }: Pick<PeopleProperties, "filters" | "figures">) {
  const asOf = figures.find((one) => one !== undefined)?.asOf;
  if (asOf === undefined) return undefined;
  const query = formatQuery(filters);
  return (
    <p class="small muted result-facts">
      <span>
        as of <time datetime={asOf}>{formatDate(asOf)}</time>, best{" "}
        {isMatch(filters) ? "match" : "score"} first
      </span>
      <a href={`/search/people.csv?${query}`}>CSV</a>
      <a href={`/search/people.json?${query}`}>JSON</a>
    </p>
  );
}

/** If a search in a city finds few people, offers the same search in a wider area. */
async function renderWider(
  { search }: ComputingModules,
  filters: SearchFilters,
  { place = "", totalCount }: SearchData,
): Promise<Html | undefined> {
  const location = place.split(", ").slice(1).join(", ");
  if (location === "" || totalCount >= pageSize) return undefined;
  const wider = { ...filters, location, offset: 0 };
  const total = await countPeople(search, wider);
  if (total <= totalCount) return undefined;
  return (
    <p class="small">
      Around it: <a href={formatSearchPath(wider)}>{location}</a>, {formatPeople(total)}
    </p>
  );
}

async function renderEmpty(
  ask: SignedInRequest,
  { search }: ComputingModules,
  filters: SearchFilters,
  chips: readonly Filter[],
  { totalCount: total, notices }: SearchData,
): Promise<Html> {
  const choices = await Promise.all(
    chips.map(async (chip) => ({
      ...chip,
      totalWithout: await countPeople(search, chip.without),
      totalAlone: await countPeople(search, chip.alone),
    })),
  );
  const isPlaceless = filters.location !== "" && !(await hasPlaces(search));
  return (
    <EmptyResult {...{ filters, total, notices, choices }}>
      {isPlaceless && <NoPlaces ask={ask} />}
    </EmptyResult>
  );
}

interface PeopleProperties extends SearchProperties {
  readonly data: SearchData;
  /** The figures of the people in the results, in the same order. */
  readonly figures: readonly (CardFigures | undefined)[];
  readonly listing: KnownLists;
}

function People({ ask, data, figures, listing, filters }: PeopleProperties) {
  const role = findRole(ask, filters.role)?.id;
  const query = formatQuery(filters);
  const picked = new Set(filters.picks.map((login) => login.toLowerCase()));
  return (
    <ol class="people" start={filters.offset + 1}>
      {data.results.map((person, at) => (
        <PersonCard
          person={person}
          figures={figures[at]}
          role={role}
          query={query}
          isMatch={isMatch(filters)}
          actions={
            <>
              <AddToList ask={ask} listing={listing} login={person.login} name={person.name} />
              <PersonPick
                form="search"
                login={person.login}
                name={person.name}
                isPicked={picked.has(person.login.toLowerCase())}
              />
            </>
          }
        />
      ))}
    </ol>
  );
}

/** Shows the people who are ticked on any page of results. @param here the logins of the people on this page. */
async function renderPicked(
  ask: SignedInRequest,
  { picks }: SearchFilters,
  here: readonly string[],
): Promise<Html> {
  const own = new Set(here.map((login) => login.toLowerCase()));
  const nameOf = await readNames(ask, picks);
  const picked = picks.map((login) => ({
    ...{ login, name: nameOf(login) },
    isHere: own.has(login.toLowerCase()),
  }));
  return <PickTray form="search" picked={picked} />;
}

/** Links to the pages of results. The links are buttons of the search form, so ticked people stay ticked. */
function Pages({ filters, total }: { readonly filters: SearchFilters; readonly total: number }) {
  const last = Math.min(Math.ceil(total / pageSize), Math.floor(limits.offsetMax / pageSize) + 1);
  if (last < 2) return undefined;
  const here = filters.offset / pageSize + 1;
  const numbers = Array.from({ length: last }, (_, at) => at + 1);
  return (
    <nav class="pages" aria-label="Pages of results">
      <ol>
        {numbers.map((page) => (
          <li>
            {page === here ? (
              <span aria-current="page">{page}</span>
            ) : (
              <button
                type="submit"
                form="search"
                name="page"
                value={String(page)}
                aria-label={`Page ${page}`}
              >
                {page}
              </button>
            )}
          </li>
        ))}
      </ol>
      {total > last * pageSize && (
        <p class="small muted">
          The first {formatCount(last * pageSize)} can be shown: add a filter to see others.
        </p>
      )}
    </nav>
  );
}

const findRevision = ({ modules }: SignedInRequest) => modules.index.generation?.revision ?? 0;

/** The address where the script of the page asks for changes. It is relative, because the public URL can have a base path. */
const formatNewsPath = (ask: SignedInRequest): string =>
  `search/news?revision=${findRevision(ask)}`;

/** Tells the script of an open page whether the people in the pool have changed, as `{"isNew": true}`. */
export const newsPage = defineSignedInPage({
  path: "/search/news",
  show: (ask) => {
    const isNew = ask.url.searchParams.get("revision") !== String(findRevision(ask));
    return { content: JSON.stringify({ isNew }), type: "application/json" };
  },
});
