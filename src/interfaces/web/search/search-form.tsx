import { limits } from "../../../contract/limits.ts";
import { Choice, Field } from "../look/forms.tsx";
import type { SignedInProperties } from "../page.ts";
import { findRole } from "./filter-chips.tsx";
import { hasQuery, type SearchFilters, type SearchProperties } from "./search-query.ts";

/** The form of the search. A field for several values takes them separated by commas. */
export function SearchForm({ ask, filters }: SearchProperties) {
  const { location, role, skills, languages } = filters;
  return (
    <search>
      <form method="get" action="/" class="filters card" id="search" data-tidy>
        <Completed
          name="location"
          label="Where"
          value={location}
          hint="city, region or country"
          autofocus={!hasQuery(filters) && !ask.notice}
        />
        <RoleChoice ask={ask} chosen={role} />
        <Completed name="skills" label="Skills" value={formatList(skills)} hint="Go, Kubernetes" />
        <Completed
          name="languages"
          label="Languages"
          value={formatList(languages)}
          hint="Python, Rust"
        />
        <More filters={filters} />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

const formatList = (names: readonly string[]) => names.join(", ");

function RoleChoice({ ask, chosen }: SignedInProperties & { readonly chosen: string }) {
  const { roles } = ask.modules.index;
  const known = roles.map(({ id, name }) => ({ value: id, label: name }));
  const meant = findRole(ask, chosen)?.id;
  const unknown = chosen === "" || meant !== undefined ? [] : [{ value: chosen, label: chosen }];
  const options = [{ value: "", label: "any" }, ...unknown, ...known];
  return <Choice name="role" label="Role" options={options} value={meant ?? chosen} />;
}

interface CompletedProperties {
  readonly name: "location" | "skills" | "languages" | "repositories";
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly autofocus?: boolean;
}

function Completed({ name, label, value, hint, autofocus = false }: CompletedProperties) {
  return (
    <Field
      class="completed"
      name={name}
      label={label}
      value={value}
      placeholder={hint}
      autocomplete="off"
      spellcheck="false"
      maxlength={2000}
      autofocus={autofocus}
      data-completes={name}
      data-separated={name === "location" ? undefined : ","}
    />
  );
}

function More({ filters }: { readonly filters: SearchFilters }) {
  const { repositories, years, since, isHireable, isStrict } = filters;
  const isUsed = repositories.length > 0 || years !== "" || since !== "" || isHireable || isStrict;
  return (
    <details class="more" open={isUsed}>
      <summary>More filters</summary>
      <div class="more-body">
        <Completed
          name="repositories"
          label="Repositories"
          value={formatList(repositories)}
          hint="acme/payments"
        />
        <label class="inline-field">
          At least{" "}
          <input
            name="years"
            type="number"
            min={0}
            max={limits.experienceYearsMax}
            step="any"
            value={years}
          />{" "}
          years
        </label>
        <label class="inline-field">
          Active since <input name="since" type="date" value={since} />
        </label>
        <label class="inline-field">
          <input name="strict" type="checkbox" value="yes" checked={isStrict} /> all skills, not any
        </label>
        <label class="inline-field">
          <input name="hireable" type="checkbox" value="yes" checked={isHireable} /> open to work
        </label>
      </div>
    </details>
  );
}
