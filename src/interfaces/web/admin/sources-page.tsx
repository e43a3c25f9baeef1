import type { SourceKind } from "../../../contract/forge-kinds.ts";
import { Type } from "../../../contract/schema.ts";
import { defineChoice, defineOptionalText, defineText } from "../form.ts";
import { formatCount, formatCounted, formatPeople, formatTimeDistance } from "../look/format.ts";
import { CheckBox, Disclosure, Field, Form, type FormProps } from "../look/forms.tsx";
import type { Children } from "../look/jsx-runtime.ts";
import { Badge, Copyable, EmptyState, Message, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  defineConfirmed,
  requireFound,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import type { CheckedSource, SourceStatus } from "./administration.ts";
import { createPolling, ProgressLine } from "./runs-page.tsx";

export const sourcesPath = "/admin/sources";

/** Lists what Roster reads by itself, and checks the address of a new source. */
export const sourcesPage = defineAdministratorPage({
  path: sourcesPath,
  show: async (ask) => {
    const { sources } = ask.modules;
    const list = await sources.list();
    const known = list.length > 0 && (
      <Panel title="Your sources" {...createPolling(true, sourcesPath, "sources")}>
        <ul class="rows">{list.map((source) => renderSource(ask, source))}</ul>
      </Panel>
    );
    const adding = sources.canChange ? (
      renderAdding(ask)
    ) : (
      <EmptyState>This server cannot add sources: its data is in memory or read-only.</EmptyState>
    );
    const body = (
      <>
        <p class="muted">
          Roster reads people and code from these places, and changes nothing there.
        </p>
        {known ? (
          <div class="with-side">
            {known}
            <div class="side">{adding}</div>
          </div>
        ) : (
          adding
        )}
      </>
    );
    return { title: "Sources", body, moves: true };
  },
  actions: {
    check: defineAction(
      { address: defineText("Address", 2000), secret: defineOptionalText("Token", 1000) },
      (ask: SignedInRequest, { address, secret }) => checkSource(ask, address.trim(), secret),
    ),
    refresh: defineAction({ source: defineText("Source", 200) }, async (ask, { source }) => {
      const isKnown = await ask.modules.sources.request(source, ask.visitor.account.id);
      if (!isKnown) return { refusal: `There is no source ${source}. Reload the page.` };
      return { goTo: sourcesPath, notice: { text: `${source} will be read in a moment.` } };
    }),
  },
});

/**
 * Checks an address and leads to what was found. The token stays in memory, so that it is part of neither HTML nor addresses.
 * @param id the source that is changed.
 */
export async function checkSource(
  { modules, visitor }: SignedInRequest,
  address: string,
  secret: string | undefined,
  id?: string,
) {
  const token = secret?.trim();
  const finding = await modules.sources.find({ address, token }, id);
  if (!finding.ok) {
    const { field, message } = finding;
    return { refusal: message, field: field === "token" ? "secret" : id ? undefined : field };
  }
  const number = crypto.randomUUID();
  const source = { ...(id !== undefined && { id }), finding, token };
  modules.checkedSources.put(`${visitor.account.id} ${number}`, source);
  return { goTo: `${sourcesPath}/add/${number}` };
}

function renderAdding(ask: SignedInRequest) {
  const form = { ask: withoutCredentials(ask), act: "check" };
  const { roots } = ask.modules.sources;
  const folders = roots.length > 0 ? `, or a folder in ${roots.join(", ")}` : "";
  return (
    <Panel title="Add a source" id="add">
      <Form {...form} submit="Check">
        <ol class="guide">
          <li>
            <Field
              {...{ form, name: "address", label: "Address", inputmode: "url", maxlength: 2000 }}
              hint={`A forge, an organization or one repository${folders}.`}
              placeholder="https://github.com/acme"
            />
          </li>
          <li>
            <TokenField form={form} hint="Leave empty for public repositories." />
          </li>
        </ol>
      </Form>
      <p class="small muted">This check saves nothing. The next page shows what Roster found.</p>
    </Panel>
  );
}

/** The name of the field is `secret`, because `token` is in every form, against forgery. */
export function TokenField({ form, hint }: { readonly form: FormProps; readonly hint: string }) {
  const field = { form, hint, name: "secret", label: "Token" };
  return <Field {...field} autocomplete="new-password" optional />;
}

/** Clears an address that may contain a password, so that the page does not show it again. */
function withoutCredentials(ask: SignedInRequest): SignedInRequest {
  const { address = "", ...given } = ask.refused?.given ?? {};
  const isSafe = !address.includes("@") || /^(?:ssh:\/\/)?[\w.-]+@[^@]*$/.test(address);
  return !ask.refused || isSafe ? ask : { ...ask, refused: { ...ask.refused, given } };
}

const kindNames: Readonly<Record<SourceKind, string>> = {
  ...{ github: "GitHub", gitlab: "GitLab", gitea: "Gitea", git: "Repository", folder: "Folder" },
};

export function renderSource(ask: SignedInRequest, source: SourceStatus) {
  const { id, address, select, isKnown, isRunning, progress } = source;
  const form = { ask, act: "refresh", to: sourcesPath, id: `read-${id}`, hidden: { source: id } };
  return (
    <li id={`source-${id}`}>
      <div class="row-head">
        <div class="free">
          <a id={`open-${id}`} href={`/admin/sources/${id}`}>
            <strong>{id}</strong>
          </a>{" "}
          {renderBadges(source)}
          <p class="small muted">{[address, ...select].join(" · ")}</p>
          <p class="small">{describeReadings(source, ask.now)}</p>
        </div>
        {isKnown && <Form {...form} submit="Read now" tone="plain" inline />}
      </div>
      {isRunning && <ProgressLine progress={progress} label={`Progress of ${id}`} now={ask.now} />}
      {renderFault(source)}
    </li>
  );
}

function renderBadges(source: SourceStatus) {
  const { kind, isRunning, fault, lacksToken, pausedUntil, isFromFile, reader } = source;
  const badges: readonly (readonly [isShown: unknown, text: string, tone?: string])[] = [
    [true, kindNames[kind]],
    [isFromFile, "settings file"],
    [reader, "other node"],
    [isRunning, "reading", "good"],
    [pausedUntil && !isRunning, "paused", "warn"],
    [fault ?? lacksToken, "failed", "bad"],
  ];
  return badges.map(([isShown, text, tone = ""]) =>
    isShown ? <Badge tone={tone}>{text}</Badge> : "",
  );
}

/** Describes the last and the next reading, such as `312 people, 48 repositories · read 1 hour ago · next in 5 hours`. */
function describeReadings(source: SourceStatus, now: Date): string {
  const { completedAt, nextAt, isRunning, hidden, suppressed, remaining, reader } = source;
  const isPlanned = nextAt !== undefined && !isRunning && new Date(nextAt) > now;
  return [
    completedAt === undefined ? !isRunning && "not read yet" : joinCounts(source),
    completedAt !== undefined && `read ${formatTimeDistance(new Date(completedAt), now)}`,
    isPlanned && `next ${formatTimeDistance(new Date(nextAt), now)}`,
    hidden > 0 && `${formatCount(hidden)} hidden`,
    suppressed > 0 && `${formatCount(suppressed)} forgotten`,
    remaining !== undefined && `${formatCounted(remaining, "request")} left`,
    reader !== undefined && `read by ${reader}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @returns for example `312 people, 48 repositories`. */
export function joinCounts(found: { people?: number; repositories?: number }): string {
  const { people = 0, repositories } = found;
  return [
    people > 0 && formatPeople(people),
    repositories !== undefined && formatCounted(repositories, "repository", "repositories"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Matches an error code of the operating system at the end of a fault. */
const codeForm = /: [A-Z][A-Z ]+\.$/;

/** Remedies by words that the fault contains. The first match counts. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/token|may not read/i, "Enter a new token. `docs/forges.md` lists the rights that it needs."],
  [/certificate|CERT|self.signed/i, "Name the certificate authority of the forge in `caFile`."],
  [/reached|ECONN|ENOTFOUND|EAI_AGAIN/, "Check that the server runs, the network and the proxy."],
  [/limit|overloaded|answered (429|5\d\d)|maxHours/, "Roster continues automatically."],
];

function renderFault({ fault, lacksToken }: SourceStatus) {
  if (lacksToken) return <p class="wrong">The token is missing. Enter it again under Change.</p>;
  if (fault === undefined) return undefined;
  const remedy = remedies.find(([words]) => words.test(fault))?.[1];
  return (
    <div class="free">
      <p class="wrong small" title={fault}>
        <Message text={toSentence(fault.replace(codeForm, "."))} />
      </p>
      <p class="small">
        <Message text={remedy ?? "Earlier data is kept. Roster tries again automatically."} />
      </p>
    </div>
  );
}

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
