import { limits } from "../../../contract/limits.ts";
import { sortOrders } from "../../../contract/requests.ts";
import { CheckBox, Choice, CompletedField, Field } from "../look/forms.tsx";
import type { SignedInProperties } from "../page.ts";
import { findNames, findRole } from "./search-notes.tsx";
import {
  type Filter,
  type FilterNames,
  formatSearchPath,
  hasQuery,
  type SearchFilters,
  type SearchProperties,
} from "./search-query.ts";

interface SearchFormProperties extends SearchProperties {
  /** The filters that are set, which a phone shows instead of the form. */
  readonly chips?: readonly Filter[];
}

/** The form of the search. On a phone with results, it is folded up. */
export function SearchForm({ ask, filters, chips = [] }: SearchFormProperties) {
  const isEmpty = !hasQuery(filters);
  const known = { filters, named: findNames(ask, filters, {}).named };
  // Without a script, a form without any filter has the names of its fields in the address.
  const isRepeated = ask.url.searchParams.has("skills") || ask.url.href.endsWith("?");
  return (
    <search class="filter-side">
      <details class="filter-fold" open={isEmpty}>
        <summary>
          <span class="filter-word">Filters</span>
          {chips.map(({ label }) => (
            <span class="chip">{label}</span>
          ))}
        </summary>
        <form method="get" action="/" class="filters card" id="search" data-tidy>
          {isEmpty && isRepeated && (
            <p class="wrong" role="alert">
              Fill in at least one field, such as a skill or a place.
            </p>
          )}
          <Completed name="location" {...known} autofocus={isEmpty && !ask.notice} />
          <RoleChoice ask={ask} chosen={filters.role} />
          <Completed name="skills" {...known} />
          <Completed name="languages" {...known} />
          <More {...known} />
          {!isEmpty && sortOrders.some((sort) => sort === filters.sort) && (
            <input type="hidden" name="sort" value={filters.sort} />
          )}
          <button type="submit" class={isEmpty ? undefined : "plain"}>
            Search
          </button>
        </form>
      </details>
    </search>
  );
}

function RoleChoice({ ask, chosen }: SignedInProperties & { readonly chosen: string }) {
  const { roles } = ask.modules.index;
  const known = roles.map(({ id, name }) => ({ value: id, label: name }));
  const meant = findRole(ask, chosen)?.id;
  const unknown = chosen === "" || meant !== undefined ? [] : [{ value: chosen, label: chosen }];
  const options = [{ value: "", label: "Any" }, ...unknown, ...known];
  return <Choice name="role" label="Role" options={options} value={meant ?? chosen} />;
}

const labels = {
  location: ["Where", "City or country"],
  skills: ["Skills", "Go, Kubernetes"],
  languages: ["Languages", "Python, Rust"],
  repositories: ["Repositories", "acme/payments"],
} as const;

interface CompletedProperties {
  readonly name: keyof typeof labels;
  readonly filters: SearchFilters;
  readonly named: FilterNames["named"];
  readonly autofocus?: boolean;
}

/** A field whose names are completed. A field for several shows each that is set, with a link that removes it. */
function Completed({ name, filters, named, autofocus = false }: CompletedProperties) {
  const [label, hint] = labels[name];
  const value = filters[name];
  const set = typeof value === "string" ? [] : value;
  return (
    <CompletedField
      name={name}
      label={label}
      value={typeof value === "string" ? value : ""}
      placeholder={set.length > 0 ? "Add another" : hint}
      maxlength={2000}
      autofocus={autofocus}
      data-completes={name}
      data-separated={name === "location" ? undefined : ","}
    >
      {set.length > 0 && (
        <ul class="chips" aria-label={`${label} that are set`}>
          {set.map((one) => (
            <li class="chip filter-chip small">
              <input type="hidden" name={name} value={one} />
              {named(one)}{" "}
              <a
                href={formatSearchPath({
                  ...filters,
                  ...{ offset: 0, [name]: set.filter((other) => other !== one) },
                })}
                aria-label={`Remove ${named(one)}`}
              >
                ×
              </a>
            </li>
          ))}
        </ul>
      )}
    </CompletedField>
  );
}

function More({ filters, named }: Pick<CompletedProperties, "filters" | "named">) {
  const { repositories, company, years, upTo, since, isHireable, isStrict } = filters;
  const isUsed = repositories.length > 0 || isHireable || isStrict;
  const isStated = [company, years, upTo, since].some((text) => text !== "");
  return (
    <details class="more" open={isUsed || isStated}>
      <summary class="small">More filters</summary>
      <div class="more-body">
        <Completed name="repositories" {...{ filters, named }} />
        <Field name="company" label="Company" value={company} placeholder="Acme" />
        <div class="field">
          <label for="years">Years</label>
          <div class="inline-field">
            <input id="years" name="years" value={years} {...yearsInput} /> to{" "}
            <input name="upto" value={upTo} {...yearsInput} aria-label="At most this many years" />
          </div>
        </div>
        <label class="inline-field">
          Active since <input name="since" type="date" value={since} />
        </label>
        <CheckBox name="strict" label="all skills, not any" checked={isStrict} />
        <CheckBox name="hireable" label="open to work" checked={isHireable} />
      </div>
    </details>
  );
}

const yearsInput = { type: "number", min: 0, max: limits.experienceYearsMax, step: "any" } as const;
