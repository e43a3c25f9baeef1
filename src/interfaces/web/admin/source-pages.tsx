import { Type } from "../../../contract/schema.ts";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { formatCounted } from "../look/format.ts";
import { CheckBox, Disclosure, Field, Form, type FormProps } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { Copyable, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineConfirmed,
  requireFound,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import type { CheckedSource, SourceStatus } from "./administration.ts";
import { createPolling } from "./runs-page.tsx";
import { checkSource, joinCounts, renderSource, sourcesPath, TokenField } from "./sources-page.tsx";

/** One source: its state, and forms that change it, turn its push hook on and off, and remove it. */
export const sourcePage = defineAdministratorPage({
  path: `${sourcesPath}/:id`,
  show: async (ask) => {
    const source = await getSource(ask);
    const { id, isFromFile, isKnown } = source;
    const { modules, url } = ask;
    const { canChange } = modules.sources;
    const body = (
      <div class="with-side">
        <div class="stack-wide">
          <Panel title="State" {...createPolling(true, url.pathname, "state")}>
            <ul class="rows">{renderSource(ask, source)}</ul>
          </Panel>
          {canChange && isKnown && renderHook(ask, source)}
        </div>
        <div class="side">
          {isFromFile && (
            <p class="muted free">Change it in {modules.administration.settingsFile}.</p>
          )}
          {canChange && isKnown && !isFromFile && renderChange(ask, source)}
          {canChange && !isFromFile && renderRemove(ask, source)}
        </div>
      </div>
    );
    return { title: id, back: { to: sourcesPath, label: "All sources" }, body, moves: true };
  },
  actions: {
    check: defineAction({ secret: defineOptionalText("Token", 1000) }, async (ask, { secret }) => {
      const { id, address } = await getSource(ask);
      return checkSource(ask, address, secret, id);
    }),
    hook: defineConfirmed(
      { turn: defineChoice("Push hook", ["on", "off"]) },
      async (ask, { turn }) => {
        const { sources } = ask.modules;
        const { id } = await getSource(ask);
        const by = ask.visitor.account.id;
        const made = turn === "on" ? await sources.turnHookOn(id, by) : undefined;
        if (turn === "off") await sources.turnHookOff(id, by);
        const secret = made && { secret: { label: "Secret", text: made.secret } };
        const text = made ? "Copy the secret now. It is shown once." : "Push hook turned off.";
        return { goTo: ask.url.pathname, notice: { text, ...secret } };
      },
    ),
    "remove-source": defineConfirmed(
      { data: Type.Optional(defineChoice("Data", ["yes"])) },
      async (ask, { data }) => {
        const { id, isKnown } = await getSource(ask);
        const withData = data === "yes" || !isKnown;
        const isDone = await ask.modules.sources.remove(id, ask.visitor.account.id, { withData });
        if (!isDone) return { refusal: "It cannot be removed now. Try again in a moment." };
        const text = withData ? `${id} and its data are being removed.` : `${id} was removed.`;
        return { goTo: sourcesPath, notice: { text } };
      },
    ),
  },
});

async function getSource({ modules, params }: SignedInRequest): Promise<SourceStatus> {
  const source = (await modules.sources.list()).find(({ id }) => id === params["id"]);
  return requireFound(source, "There is no such source. It may have been removed.");
}

function renderChange(ask: SignedInRequest, { kind, reader }: SourceStatus) {
  const form = { ask, act: "check" };
  const hint = reader ? "Enter it again for this node." : "Leave empty to keep the current one.";
  return (
    <Panel title="Change" id="change">
      <p>Choose what Roster reads and how often{kind !== "folder" && ", or enter a new token"}.</p>
      <Form {...form} submit="Continue" tone="plain">
        {kind !== "folder" && <TokenField form={form} hint={hint} />}
      </Form>
    </Panel>
  );
}

/** A line for `hooks/post-receive`, which docs/sources.md explains. curl reads the secret from its input. */
const formatHookLine = (url: string, kind: SourceStatus["kind"]) =>
  [
    `printf 'header = "Authorization: Bearer %s"\\n' "$(cat SECRET-FILE)" |`,
    "curl -sS -m 5 -o /dev/null -K -",
    kind === "folder" ? '--data-urlencode "repository=$PWD"' : "-X POST",
    `${url} || true`,
  ].join(" ");

function renderHook(ask: SignedInRequest, { id, kind, hasHook }: SourceStatus) {
  const url = `${ask.modules.publicUrl()}/hooks/${id}`;
  return (
    <Panel title="Push hook" id="hook">
      <p>With a push hook, Roster reads a repository within seconds of a push.</p>
      {hasHook && <Copyable id="hook-address" label="Address" text={url} />}
      {hasHook && kind !== "folder" && (
        <p>
          At the forge, open Settings, then Webhooks. Add this address and the secret for push
          events, as application/json.
        </p>
      )}
      {hasHook && (kind === "folder" || kind === "git") && (
        <Copyable id="hook-line" label="hooks/post-receive" text={formatHookLine(url, kind)} />
      )}
      <Form
        {...{ ask, act: "hook", hidden: { turn: hasHook ? "off" : "on" } }}
        {...{ submit: hasHook ? "Turn off" : "Turn on", tone: "plain", password: "unless recent" }}
      />
    </Panel>
  );
}

function renderRemove(ask: SignedInRequest, { isKnown }: SourceStatus) {
  const form = { ask, act: "remove-source" };
  return (
    <Panel title="Remove" id="remove">
      <Disclosure form={form} label="Remove this source">
        <Form {...form} submit="Remove" tone="danger" password="unless recent">
          {isKnown && (
            <CheckBox name="data" label="Also delete the people and code from this source" />
          )}
        </Form>
      </Disclosure>
    </Panel>
  );
}

/** The second page of adding or changing a source: what was found, and what will be read. */
export const sourceFoundPage = defineAdministratorPage({
  path: `${sourcesPath}/add/:number`,
  show: async (ask) => {
    const { id, finding, token } = getChecked(ask).source;
    const { product, url, kind, choices, examples } = finding;
    const known = (await ask.modules.sources.list()).find((one) => one.id === id);
    const form = { ask, act: "save" };
    const body = (
      <Panel title="Check passed" id="found">
        <Form {...form} submit={id === undefined ? "Read now" : "Save"} password="unless recent">
          <ol class="guide">
            <Done title="Address">
              {product} at <code>{url}</code>
            </Done>
            {kind !== "folder" && <Done title="Token">{describeAccess(finding, token)}</Done>}
            {choices.length === 0 ? (
              <Done title="Repositories">{examples.join(", ")}</Done>
            ) : (
              <li>{renderPeople(form, finding, known?.select ?? [])}</li>
            )}
            <li>
              <Field
                {...{ form, name: "hours", label: "Read every (hours)", type: "number" }}
                {...{ min: 1, max: 8760, value: String(known?.everyHours ?? 24) }}
              />
            </li>
          </ol>
        </Form>
      </Panel>
    );
    const title = id === undefined ? "Add a source" : `Change ${id}`;
    return { title, back: { to: sourcesPath, label: "All sources" }, body };
  },
  actions: {
    save: defineConfirmed(
      {
        people: defineOptionalText("People", 500),
        others: defineOptionalText("Names", 2000),
        hours: defineText("Hours", 20),
      },
      async (ask, { people = "", others = "", hours }) => {
        const { key, source } = getChecked(ask);
        const select = (people === other ? others : people).split(/[\s,]+/).filter(Boolean);
        const { sources, checkedSources } = ask.modules;
        const draft = { ...source, select, everyHours: Number(hours) };
        const saved = await sources.save(draft, ask.visitor.account.id);
        if (!saved.ok) return { refusal: toSentence(saved.message), field: fields[saved.field] };
        checkedSources.take(key);
        const text = `Reading ${saved.id} now. Its people will appear in the search.`;
        return { goTo: sourcesPath, notice: { text } };
      },
    ),
  },
});

function getChecked({ modules, params, visitor }: SignedInRequest) {
  const key = `${visitor.account.id} ${params["number"]}`;
  const source = modules.checkedSources.find(key);
  return { key, source: requireFound(source, "This check has expired. Check the address again.") };
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

/** Lets the administrator choose a selection that was found, or type others. @param select the selection of a source that is changed. */
function renderPeople(
  form: FormProps,
  { choices, examples }: Finding,
  select: SourceStatus["select"],
) {
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
