import { Problem } from "../../../contract/problem.ts";
import { PasswordIfAsked, passwordIfAsked, runConfirmed } from "../confirm-password.tsx";
import { defineOptionalText, defineText } from "../form.ts";
import { formatCounted } from "../look/format.ts";
import { Field, Form, type FormProps } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import type { CheckedSource } from "./administration.ts";
import { joinCounts } from "./source-row.tsx";

const listPath = "/admin/sources";

/** The second page of adding or changing a source: what was found, and what will be read. */
export const sourceFoundPage = defineAdministratorPage({
  path: `${listPath}/add/:number`,
  show: async (ask) => {
    const { id, finding, token } = getChecked(ask).source;
    const { product, url, kind, choices, examples } = finding;
    const known = (await ask.modules.sources.list()).find((one) => one.id === id);
    const form = { ask, act: "save" };
    const body = (
      <Panel title="Check passed" id="found">
        <Form {...form} submit={id === undefined ? "Read now" : "Save"}>
          <ol class="guide">
            <Done title="Address">
              {product} at <code>{url}</code>
            </Done>
            {kind !== "folder" && <Done title="Token">{describeAccess(finding, token)}</Done>}
            {choices.length === 0 ? (
              <Done title="Repositories">{examples.join(", ")}</Done>
            ) : (
              <li>
                <People form={form} finding={finding} select={known?.select ?? []} />
              </li>
            )}
            <li>
              <Field
                {...{ form, name: "hours", label: "Read every (hours)", type: "number" }}
                {...{ min: 1, max: 8760, value: String(known?.everyHours ?? 24) }}
              />
            </li>
          </ol>
          <PasswordIfAsked form={form} />
        </Form>
      </Panel>
    );
    const title = id === undefined ? "Add a source" : `Change ${id}`;
    return { title, back: { to: listPath, label: "All sources" }, body };
  },
  actions: {
    save: defineAction(
      {
        people: defineOptionalText("People", 500),
        others: defineOptionalText("Names", 2000),
        hours: defineText("Hours", 20),
        ...passwordIfAsked,
      },
      (ask, { people = "", others = "", hours, password }) => {
        const { key, source } = getChecked(ask);
        const select = (people === other ? others : people).split(/[\s,]+/).filter(Boolean);
        return runConfirmed(ask, password, async () => {
          const { sources, checkedSources } = ask.modules;
          const draft = { ...source, select, everyHours: Number(hours) };
          const saved = await sources.save(draft, ask.visitor.account.id);
          if (!saved.ok) return { refusal: toSentence(saved.message), field: fields[saved.field] };
          checkedSources.remove(key);
          const text = `Reading ${saved.id} now. Its people will appear in the search.`;
          return { goTo: listPath, notice: { text } };
        });
      },
    ),
  },
});

function getChecked({ modules, params, visitor }: SignedInRequest) {
  const key = `${visitor.account.id} ${params["number"]}`;
  const source = modules.checkedSources.find(key);
  if (source) return { key, source };
  throw new Problem("not_found", { message: "This check has expired. Check the address again." });
}

/** The choice that lets the administrator type a selection. */
const other = "other";

/** The fields of the form, by the names of the settings. */
const fields: Readonly<Record<string, string>> = { select: "others", everyHours: "hours" };

function Done({ title, children }: { readonly title: string; readonly children: Children }) {
  return (
    <li class="guide-done free">
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  );
}

function describeAccess({ account, requestsPerHour: rate, kind }: Finding, token?: string): string {
  const limit = rate === undefined ? "" : ` ${formatCounted(rate, "request")} an hour.`;
  if (account !== undefined) return `Works, as ${account}.${limit}`;
  if (token !== undefined) return `Works.${limit}`;
  return `${kind === "git" ? "Not needed." : "None: Roster reads public data only."}${limit}`;
}

type Finding = CheckedSource["finding"];

interface PeopleProperties {
  readonly form: FormProps;
  readonly finding: Finding;
  /** The selection of the source that is changed. */
  readonly select: readonly string[];
}

/** Lets the administrator choose one of the selections that were found, or type others. */
function People({ form, finding: { choices, examples }, select }: PeopleProperties) {
  const known = select.length === 0 ? choices[0]?.select : select.join(", ");
  const isFound = choices.some((choice) => choice.select === known);
  const chosen = form.ask.refused?.given["people"] ?? (isFound ? known : other);
  return (
    <>
      <fieldset>
        <legend>Which people</legend>
        <div class="choice-cards">
          {[...choices, { select: other, label: "By name" }].map((choice) => (
            <label class="choice-card">
              <input
                {...{ type: "radio", name: "people", value: choice.select }}
                checked={choice.select === chosen}
              />
              <span>
                {choice.label}
                <span class="muted">{joinCounts(choice)}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        {...{ form, name: "others", label: "Names", class: "choice-other" }}
        {...{ placeholder: "org:acme, user:ada", required: false, value: isFound ? "" : known }}
      />
      {examples.length > 0 && <p class="small muted">Repositories such as {examples.join(", ")}</p>}
    </>
  );
}
