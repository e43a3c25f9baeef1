/**
 * The search, which is the home of signed-in visitors. The whole query is in the address, so back and reload are safe.
 */
import { limits } from "../../../contract/limits.ts";
import { askedWeights, type SearchData } from "../../../contract/people/developer.ts";
import type { ProfileAnalysis } from "../../../contract/people/profile-analysis.ts";
import { formatCount, formatDate, formatPeople } from "../look/format.ts";
import type { Html } from "../look/jsx-runtime.ts";
import { List, Panel } from "../look/parts.tsx";
import { CallResult } from "../look/people.tsx";
import type { PageAnswer, SignedInRequest } from "../page.ts";
import { SaveSearch } from "../saved/save-forms.tsx";
import { CopyAs } from "./copy-as.tsx";
import { EmptyResult, UnknownPlace } from "./empty-result.tsx";
import { describeFilters, FilterChips, findRole } from "./filter-chips.tsx";
import { PersonCard } from "./person-card.tsx";
import { SearchForm } from "./search-form.tsx";
import {
  type Filter,
  formatQuery,
  formatSearchPath,
  hasQuery,
  noFilters,
  pageSize,
  readFilters,
  type SearchFilters,
  type SearchProperties,
  toSearchRequest,
} from "./search-query.ts";

export async function showSearch(ask: SignedInRequest): Promise<PageAnswer> {
  const filters = splitRole(ask, readFilters(ask.url.searchParams));
  const answer = hasQuery(filters)
    ? await ask.calls.perform(ask, "search_developers", toSearchRequest(filters), (data) =>
        renderAnswer(ask, filters, data),
      )
    : undefined;
  const body = (
    <>
      <SearchForm ask={ask} filters={filters} />
      {answer ? <CallResult answer={answer} /> : <Invitation />}
    </>
  );
  return {
    title: "Search",
    heading: <h1 class="unseen">Search</h1>,
    body,
    showsPeople: true,
    completes: true,
    // The page itself is whole, but a program that reads it must see that the search was refused.
    status: answer?.ok === false ? answer.problem.status : undefined,
  };
}

/** Makes the languages in the words of a role filters of their own, which the form shows and the user can remove. */
function splitRole({ modules }: SignedInRequest, filters: SearchFilters): SearchFilters {
  const { search } = modules.operating;
  const { role, roleLanguages } = search.understand(toSearchRequest(filters));
  if (roleLanguages.length === 0) return filters;
  const id = search.roles.find(({ name }) => name === role)?.id ?? filters.role;
  return { ...filters, role: id, languages: roleLanguages };
}

/** Shown before the first search. */
function Invitation() {
  const examples: readonly (readonly [text: string, filters: Partial<SearchFilters>])[] = [
    [
      "Backend developers in Berlin who know Go",
      { location: "Berlin", role: "backend", skills: ["Go"] },
    ],
    [
      "Kubernetes and Terraform, both, in Germany",
      { location: "Germany", skills: ["Kubernetes", "Terraform"], isStrict: true },
    ],
    ["Rust with five years or more, anywhere", { languages: ["Rust"], years: "5" }],
  ];
  return (
    <Panel title="Find people by what they built" id="try">
      <p>
        Fill in any of the fields; a field left empty does not filter. Names are completed as you
        type. To look up one person by name, use the field at the top.
      </p>
      <List
        class="plain-list"
        items={examples.map(([text, filters]) => (
          <a href={formatSearchPath({ ...noFilters, ...filters })}>{text}</a>
        ))}
      />
      <p class="small muted">
        Each search, each page of results and each developer that you open counts as one call, as
        over the API. The same again within a minute does not.
      </p>
    </Panel>
  );
}

async function renderAnswer(
  ask: SignedInRequest,
  filters: SearchFilters,
  data: SearchData,
): Promise<Html> {
  const chips = describeFilters(ask, filters, data);
  if (data.locationSuggestions) {
    return <UnknownPlace filters={filters} suggestions={data.locationSuggestions} />;
  }
  const analyses = await readAnalyses(ask, data);
  return (
    <>
      <section class="results" aria-labelledby="found">
        <div class="heading">
          <h2 id="found">
            {formatPeople(data.totalCount)}
            {filters.location === "" ? "" : ` in ${data.place ?? filters.location}`}
          </h2>
          <ResultFacts filters={filters} analyses={analyses} />
        </div>
        <FilterChips chips={chips} data={data} ask={ask} filters={filters} />
        {await renderWider(ask, filters, data)}
        {data.results.length === 0 ? (
          await renderEmpty(ask, filters, chips, data)
        ) : (
          <People data={data} analyses={analyses} ask={ask} filters={filters} />
        )}
      </section>
      <Pages filters={filters} total={data.totalCount} />
      <SaveSearch
        ask={ask}
        query={formatQuery({ ...filters, offset: 0 })}
        name={chips.map(({ label }) => label).join(", ")}
      />
      <CopyAs ask={ask} request={toSearchRequest(filters)} />
    </>
  );
}

/** Reads the people that the call has just answered, so it is not another call. */
function readAnalyses(ask: SignedInRequest, { results }: SearchData) {
  return ask.modules.operating.pool.findAnalyses(results.map(({ login }) => login));
}

type Analyses = readonly (ProfileAnalysis | undefined)[];

function ResultFacts({ filters, analyses }: Omit<PeopleProperties, "ask" | "data">) {
  const asOf = analyses.find((one) => one !== undefined)?.asOf;
  if (asOf === undefined) return undefined;
  const query = formatQuery(filters);
  const isAsked = filters.role !== "" || filters.skills.length > 0;
  return (
    <p class="small muted result-facts">
      <span>
        as of <time datetime={asOf}>{formatDate(asOf)}</time>, best first
        {isAsked && `: ${askedWeights.techStack} % what is asked`}
      </span>
      <a href={`/search/people.csv?${query}`}>CSV</a>
      <a href={`/search/people.json?${query}`}>JSON</a>
    </p>
  );
}

/** Offers the same search around a city with few results. The index counts its people, which is not a call. */
async function renderWider(
  ask: SignedInRequest,
  filters: SearchFilters,
  { place = "", totalCount }: SearchData,
): Promise<Html | undefined> {
  const location = place.split(", ").slice(1).join(", ");
  if (location === "" || totalCount >= pageSize) return undefined;
  const wider = { ...filters, location, offset: 0 };
  const total = await countPeople(ask, wider);
  if (total <= totalCount) return undefined;
  return (
    <p class="small">
      Around it: <a href={formatSearchPath(wider)}>{location}</a>, {formatPeople(total)}
    </p>
  );
}

/** Counts in the index, which is no call. */
async function countPeople({ modules }: SignedInRequest, filters: SearchFilters): Promise<number> {
  const request = { ...toSearchRequest(filters), maxResults: 1, offset: 0 };
  return (await modules.operating.search.find(request)).total;
}

async function renderEmpty(
  ask: SignedInRequest,
  filters: SearchFilters,
  chips: readonly Filter[],
  { totalCount }: SearchData,
): Promise<Html> {
  const choices = await Promise.all(
    chips.map(async (chip) => ({
      ...chip,
      totalWithout: await countPeople(ask, chip.without),
      totalAlone: await countPeople(ask, chip.alone),
    })),
  );
  return <EmptyResult filters={filters} total={totalCount} choices={choices} />;
}

interface PeopleProperties extends SearchProperties {
  readonly data: SearchData;
  readonly analyses: Analyses;
}

/** The form compares the ticked people, without a script. */
function People({ ask, data, analyses, filters }: PeopleProperties) {
  const role = findRole(ask, filters.role)?.id;
  return (
    <form method="get" action="/compare" class="people-form">
      <ol class="people" start={filters.offset + 1}>
        {data.results.map((person, at) => (
          <PersonCard person={person} analysis={analyses[at]} role={role} />
        ))}
      </ol>
      <div class="compare-bar">
        <button type="submit" class="plain">
          Compare the ticked
        </button>
        <span class="small muted">two to four people</span>
      </div>
    </form>
  );
}

/** Links to the pages of results, as far as the operation goes. */
function Pages({ filters, total }: { readonly filters: SearchFilters; readonly total: number }) {
  const last = Math.min(Math.ceil(total / pageSize), Math.floor(limits.offsetMax / pageSize) + 1);
  if (last < 2) return undefined;
  const here = filters.offset / pageSize + 1;
  const numbers = Array.from({ length: last }, (_, at) => at + 1);
  const to = (page: number) => formatSearchPath({ ...filters, offset: (page - 1) * pageSize });
  return (
    <nav class="pages" aria-label="Pages of results">
      <ol>
        {numbers.map((page) => (
          <li>
            {page === here ? (
              <span aria-current="page">{page}</span>
            ) : (
              <a href={to(page)} aria-label={`Page ${page}`}>
                {page}
              </a>
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
