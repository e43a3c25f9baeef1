import { limits } from "../../../contract/limits.ts";
import type { SignedInRequest } from "../page.ts";
import type { SearchFilters } from "./search-query.ts";

interface SearchFormProperties {
  readonly ask: SignedInRequest;
  readonly filters: SearchFilters;
}

/** The filters. Without a script the fields are plain texts with the same meaning: lists are separated by commas. */
export function SearchForm({ ask, filters }: SearchFormProperties) {
  const { location, role, skills, languages } = filters;
  return (
    <search>
      <form method="get" action="/" class="filters card" data-tidy>
        <Completed name="location" label="Where" value={location} hint="city, region or country" />
        <div class="field">
          <label for="role">Role</label>
          <select id="role" name="role">
            <option value="">any</option>
            <RoleOptions ask={ask} chosen={role} />
          </select>
        </div>
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

/** So that the next name can be typed at once. */
const formatList = (names: readonly string[]) => names.join(", ");

function RoleOptions({ ask, chosen }: { readonly ask: SignedInRequest; readonly chosen: string }) {
  const { roles, understand } = ask.modules.operating.search;
  const meant = chosen === "" ? undefined : understand({ role: chosen }).role;
  return (
    <>
      {chosen !== "" && meant === undefined && (
        <option value={chosen} selected>
          {chosen}
        </option>
      )}
      {roles.map(({ id, name }) => (
        <option value={id} selected={name === meant}>
          {name}
        </option>
      ))}
    </>
  );
}

interface CompletedProperties {
  readonly name: "location" | "skills" | "languages" | "repositories";
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

/** A text that the page's script completes. */
function Completed({ name, label, value, hint }: CompletedProperties) {
  return (
    <div class="field completed">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        value={value}
        placeholder={hint}
        autocomplete="off"
        spellcheck="false"
        maxlength={2000}
        data-completes={name}
        data-separated={name === "location" ? undefined : ","}
      />
    </div>
  );
}

function More({ filters }: { readonly filters: SearchFilters }) {
  const { repositories, years, isHireable, isStrict } = filters;
  const isUsed = repositories.length > 0 || years !== "" || isHireable || isStrict;
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
          <input name="strict" type="checkbox" value="yes" checked={isStrict} /> all skills, not any
        </label>
        <label class="inline-field">
          <input name="hireable" type="checkbox" value="yes" checked={isHireable} /> says to be
          hireable
        </label>
      </div>
    </details>
  );
}
