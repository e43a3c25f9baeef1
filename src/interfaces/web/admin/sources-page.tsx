import type { SourceKind } from "../../../contract/forge-kinds.ts";
import { defineOptionalText, defineText } from "../form.ts";
import { formatCount, formatCounted, formatPeople, formatTimeDistance } from "../look/format.ts";
import { Field, Form, type FormProps } from "../look/forms.tsx";
import { Badge, EmptyState, Message, Panel } from "../look/parts.tsx";
import {
  defineAction,
  defineAdministratorPage,
  type SignedInRequest,
  toSentence,
} from "../page.ts";
import type { SourceStatus } from "./administration.ts";
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

/** Shows what a source is, when it was read, and what is wrong with it. */
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
