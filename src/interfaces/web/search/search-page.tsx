/** The search, which is the start page of signed-in users. The address contains the query. */
import { limits } from "../../../contract/limits.ts";
import type { SearchData } from "../../../contract/people/developer.ts";
import { sortOrders } from "../../../contract/requests.ts";
import type { ComputingModules } from "../calls.ts";
import { formatCount, formatPeople } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { List, Popup } from "../look/parts.tsx";
import { CallResult } from "../look/people.tsx";
import { defineSignedInPage, type PageAnswer, type SignedInRequest } from "../page.ts";
import { AddToList, type KnownLists, readKnownLists, SaveSearch } from "../saved/save-forms.tsx";
import { renderStart } from "./first-steps.tsx";
import { ExportResults } from "./people-downloads.tsx";
import { type CardFigures, findTerms, PersonRow, Reasons, readCardFigures } from "./person-row.tsx";
import { renderPicked } from "./pick-tray.tsx";
import { SearchForm } from "./search-form.tsx";
import { findNames, renderEmpty, SearchNotes, UnknownPlace } from "./search-notes.tsx";
import {
  type AskedTerm,
  type Filter,
  formatQuery,
  formatSearchPath,
  hasQuery,
  listAsked,
  listFilters,
  pageSize,
  readFilters,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";
import { countPeople, formatFound, formatSearchName } from "./suggested-searches.ts";

export async function showSearch(ask: SignedInRequest): Promise<PageAnswer> {
  const filters = splitRole(ask, readFilters(ask.url.searchParams));
  const isAsked = hasQuery(filters);
  const answer = isAsked
    ? await ask.calls.perform(
        ask,
        "search_developers",
        toSearchRequest(filters),
        (data, computing) => renderAnswer(ask, filters, data, computing),
      )
    : undefined;
  const shown = answer?.ok ? { ...answer, shown: answer.shown.found } : answer;
  const body = (
    <div class={isAsked ? "search-page" : "stack-wide"}>
      <SearchForm ask={ask} filters={filters} chips={answer?.ok ? answer.shown.chips : []} />
      <div class="found">
        {shown ? (
          <CallResult answer={shown} failure="The search was not run" />
        ) : (
          await renderStart(ask)
        )}
        {!answer?.ok && filters.picks.length > 0 && (await renderPicked(ask, filters, []))}
      </div>
      {answer?.ok !== false && (
        // The script of the page shows this line when the people have changed. The public URL can have a base path.
        <p class="news small" data-news={`search/news?revision=${findRevision(ask)}`} hidden>
          <span>The people here have changed since you opened this page</span>:{" "}
          <a href={formatSearchPath(filters)}>show</a>
        </p>
      )}
    </div>
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
  const { role, roleLanguages } = index.understand({
    ...{ role: filters.role, languages: [...filters.languages] },
  });
  if (roleLanguages.length === 0) return filters;
  const id = index.roles.find(({ name }) => name === role)?.id ?? filters.role;
  return { ...filters, role: id, languages: roleLanguages };
}

async function renderAnswer(
  ask: SignedInRequest,
  filters: SearchFilters,
  data: SearchData,
  computing: ComputingModules,
): Promise<{ readonly title: string; readonly chips: readonly Filter[]; readonly found: Html }> {
  const names = findNames(ask, filters, data);
  const chips = listFilters(filters, names);
  const title = formatSearchName(filters, names);
  const { locationSuggestions: suggestions, notices } = data;
  if (suggestions) {
    const found = <UnknownPlace {...{ ask, filters, suggestions, notices }} />;
    return { title, chips, found };
  }
  const here = data.results.map(({ login }) => login);
  const asked = listAsked(filters, names);
  const lacking = await findLacking(computing, filters, asked, data);
  const unmet = lacking.map(({ name }) => name);
  ask.calls.noteShown(ask.visitor.account.id, here);
  const request = toSearchRequest(filters);
  const query = formatQuery({ ...filters, offset: 0 });
  const found = (
    <section class="results" aria-labelledby="found">
      <div class="results-head">
        <h2 id="found">
          {data.totalCount === 0
            ? "No one matches"
            : formatFound(data.totalCount, filters, names, unmet)}
        </h2>
        <div class="actions">
          {here.length > 0 && [
            <SortMenu filters={filters} />,
            <ExportResults ask={ask} request={request} query={formatQuery(filters)} />,
          ]}
          <SaveSearch ask={ask} query={query} name={chips.map(({ label }) => label).join(", ")} />
        </div>
        <SearchNotes {...{ ask, filters, data, lacking }} />
        {await renderWider(computing, filters, data)}
      </div>
      {here.length === 0 ? (
        await renderEmpty(ask, computing, filters, chips, data)
      ) : (
        <People
          {...{ ask, filters, data, asked }}
          // Reading the figures costs no call, because a call has just found these people.
          figures={await readCardFigures(computing.pool, here)}
          listing={await readKnownLists(ask, here)}
        />
      )}
      <Pages filters={filters} total={data.totalCount} />
      {here.length + filters.picks.length > 0 && (await renderPicked(ask, filters, here))}
    </section>
  );
  return { title, chips, found };
}

function SortMenu({ filters }: Pick<SearchProperties, "filters">) {
  const current = filters.sort || "match";
  const label = (order: string) => `${order.charAt(0).toUpperCase()}${order.slice(1)}`;
  const toOrder = (order: string) => {
    const sort = order === "match" ? "" : order;
    return <a href={formatSearchPath({ ...filters, offset: 0, sort })}>{label(order)}</a>;
  };
  return (
    <Popup label={`Sort: ${label(current)}`} tone="plain">
      <List
        class="pick-list"
        items={sortOrders.map((order) =>
          order === current ? <strong aria-current="true">{label(order)}</strong> : toOrder(order),
        )}
      />
    </Popup>
  );
}

/** Finds the asked skills and languages that none of the people found has. */
async function findLacking(
  { search }: ComputingModules,
  filters: SearchFilters,
  asked: readonly AskedTerm[],
  { results, totalCount, unknownSkills = [], nearTerms = [] }: SearchData,
): Promise<readonly AskedTerm[]> {
  const unknown = new Set([...unknownSkills, ...nearTerms.map((near) => near.asked)]);
  const met = new Set(results.flatMap((person) => person.matching_keywords.split(", ")));
  const lacking = await Promise.all(
    asked.map(async ({ asked: word, name, isSkill }) => {
      if (unknown.has(word) || met.has(name) || totalCount <= results.length) {
        return unknown.has(word) || (totalCount > 0 && !met.has(name));
      }
      // Nobody on this page has it, so others may.
      const alone = isSkill ? { skills: [word], isStrict: false } : { languages: [word] };
      return (await countPeople(search, { ...filters, offset: 0, ...alone })) === 0;
    }),
  );
  return asked.filter((_, at) => lacking[at]);
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

interface PeopleProperties extends SearchProperties {
  readonly data: SearchData;
  readonly asked: readonly AskedTerm[];
  /** The figures of the people in the results, in the same order. */
  readonly figures: readonly (CardFigures | undefined)[];
  readonly listing: KnownLists;
}

/** The rows of results, and the reasons for each, of which one is visible. */
function People({ ask, data, asked, figures, listing, filters }: PeopleProperties) {
  const query = formatQuery(filters);
  const picked = new Set(filters.picks.map((login) => login.toLowerCase()));
  const people = data.results.map((person, at) => {
    const terms = findTerms(asked, person, figures[at]);
    return { person, figures: figures[at], terms };
  });
  return (
    <div class="results-body with-side">
      <ol class="people" start={filters.offset + 1}>
        {people.map((one) => (
          <PersonRow
            {...one}
            query={query}
            isPicked={picked.has(one.person.login.toLowerCase())}
            isFollowed={filters.sort === "followers"}
          />
        ))}
      </ol>
      <aside aria-label="Reasons">
        {people.map((one, at) => (
          <Reasons
            {...one}
            {...{ filters, query, rank: filters.offset + at + 1, total: data.totalCount }}
            adder={<AddToList ask={ask} listing={listing} {...one.person} isLink />}
          />
        ))}
      </aside>
    </div>
  );
}

/** Links to the pages of results. The links are buttons of the search form, so selected people stay selected. */
function Pages({ filters, total }: { readonly filters: SearchFilters; readonly total: number }) {
  const last = Math.min(Math.ceil(total / pageSize), Math.floor(limits.offsetMax / pageSize) + 1);
  if (last < 2) return undefined;
  const here = filters.offset / pageSize + 1;
  const submit = { type: "submit", form: "search", name: "page" } as const;
  const numbers = Array.from({ length: last }, (_, at) => at + 1);
  return (
    <nav class="pages" aria-label="Pages of results">
      <ol>
        {numbers.map((page) => (
          <li>
            {page === here ? (
              <span aria-current="page">{page}</span>
            ) : (
              <button {...submit} value={String(page)} aria-label={`Page ${page}`}>
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

/** Tells the script of an open page whether the people in the pool have changed, as `{"isNew": true}`. */
export const newsPage = defineSignedInPage({
  path: "/search/news",
  show: (ask) => {
    const isNew = ask.url.searchParams.get("revision") !== String(findRevision(ask));
    return { content: JSON.stringify({ isNew }), type: "application/json" };
  },
});
