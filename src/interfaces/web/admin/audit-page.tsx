import type { AuditAction, AuditEntry, AuditFilter } from "../../../control/account-records.ts";
import { createCsvDownload } from "../download.ts";
import { formatCount, formatDay } from "../look/format.ts";
import { Choice, Field } from "../look/forms.tsx";
import { readPosition } from "../look/lists.tsx";
import { ButtonLink, Callout, EmptyState, Panel } from "../look/parts.tsx";
import { defineAdministratorPage, type SignedInRequest } from "../page.ts";
import { type AuditNames, describeEntry, findAuditNames } from "./audit-sentences.tsx";
import { createNameLookup } from "./runs-page.tsx";

const rowsMax = 100;
const exportedMax = 50_000;
const path = "/admin/audit";

export const auditPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const filter = await readFilter(ask);
    const format = ask.url.searchParams.get("format");
    if (format === "csv" || format === "jsonl") return exportEntries(ask, filter, format);
    const entries = await ask.modules.control.auditEntries(rowsMax + 1, filter);
    const shown = entries.slice(0, rowsMax);
    const names = await findAuditNames(ask, shown);
    const before = String(shown.at(-1)?.sequence);
    const files = entries.length > 0 && (
      <>
        <ButtonLink to={linkTo(ask.url, { format: "csv" })} label="CSV" />
        <ButtonLink to={linkTo(ask.url, { format: "jsonl" })} label="JSON lines" />
      </>
    );
    const body = (
      <>
        {ask.url.searchParams.has("check") && (await checkChain(ask))}
        {renderFilter(ask.url)}
        <Panel title={isFiltered(ask.url) ? "Matching entries" : "Latest entries"} actions={files}>
          {shown.length === 0 && (
            <EmptyState>
              {isFiltered(ask.url) ? "No entry matches this filter." : "No entries yet."}
            </EmptyState>
          )}
          {[...Map.groupBy(shown, ({ at }) => at.slice(0, 10))].map(([day, ofDay]) => (
            <section aria-labelledby={`day-${day}`}>
              <h3 id={`day-${day}`}>{formatDay(new Date(day))}</h3>
              <ul class="rows log">{ofDay.map((entry) => renderEntry(entry, names))}</ul>
            </section>
          ))}
          {entries.length > rowsMax && (
            <p>
              <ButtonLink to={linkTo(ask.url, { before })} label="Older entries" />
            </p>
          )}
          <p class="muted small">
            Times are in UTC. Downloads contain the matching entries, at most{" "}
            {formatCount(exportedMax)}.
          </p>
        </Panel>
      </>
    );
    const actions = <ButtonLink to={`${path}?check`} label="Verify log" />;
    return { title: "Audit log", actions, body };
  },
});

const fields: readonly string[] = ["action", "who", "from", "to"];
const isFiltered = ({ searchParams }: URL) => fields.some((field) => searchParams.get(field));

/** Creates a link that keeps the filter of the page and sets other parameters. */
function linkTo({ searchParams }: URL, change: Readonly<Record<string, string>>): string {
  const filter = [...searchParams].filter(([name, value]) => fields.includes(name) && value);
  return `${path}?${new URLSearchParams([...filter, ...Object.entries(change)])}`;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filter from the address. An invalid day or number is ignored. */
async function readFilter({ url, modules }: SignedInRequest): Promise<AuditFilter> {
  const read = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  const readDay = (name: string) => {
    const day = read(name);
    return day && dayForm.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
  };
  const who = read("who");
  return {
    action: read("action"),
    involved: who === undefined ? who : await findInvolved(modules, who),
    ...{ from: readDay("from"), to: readDay("to") },
    before: readPosition(url, "before") || undefined,
  };
}

/** The most ids in a query. A text that fits more accounts is no useful filter. */
const involvedMax = 1000;

/** Finds the ids of people in the log: of accounts by a part of their address, and of decisions by a login or words. */
async function findInvolved(
  { accounts, administration }: SignedInRequest["modules"],
  who: string,
): Promise<readonly string[]> {
  const part = who.toLowerCase();
  const found = (await accounts.list()).filter(({ email }) => email.toLowerCase().includes(part));
  const decisions = await administration.decisions.idsAbout(who);
  return [part, who, ...found.map(({ id }) => id), ...decisions].slice(0, involvedMax);
}

function renderFilter(url: URL) {
  const { searchParams } = url;
  const action = searchParams.get("action") ?? "";
  const read = (name: string) => ({
    ...{ name, value: searchParams.get(name) ?? "", maxlength: 254, autocomplete: "off" },
  });
  return (
    <search>
      <form class="card filter" method="get" action={path}>
        <Choice name="action" label="What" value={action} options={listKinds(action)} />
        <Field {...read("who")} label="Who" placeholder="Part of e-mail, or login" />
        <Field {...read("from")} label="From (UTC)" type="date" />
        <Field {...read("to")} label="Until" type="date" />
        <div class="actions">
          <button type="submit" class="plain">
            Filter
          </button>
          {isFiltered(url) && <ButtonLink to={path} label="Clear" />}
        </div>
      </form>
    </search>
  );
}

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

/** Labels of the kinds of actions. The kind of `source.refreshed` is `source`. */
const kinds: Readonly<Record<KindOf<AuditAction>, string>> = {
  ...{ account: "Accounts", plan: "Plans and limits", link: "Invitations and links" },
  ...{ key: "API keys", session: "Sign-ins and sessions", sessions: "Sign-outs everywhere" },
  ...{ "sign-in": "Refused sign-ins", password: "Passwords", grant: "Connected assistants" },
  ...{ client: "Registered assistants", identity: "Identities", person: "Forgotten people" },
  ...{ erasures: "Repeated erasures", run: "Runs", source: "Sources", list: "Lists" },
  webhook: "Webhooks",
  ...{ search: "Saved searches", backup: "Backups", folder: "Restored backups" },
  ...{ store: "Lost data", clock: "Clock" },
};

/** @param chosen a kind such as `source`, or an action such as `source.refreshed`. */
function listKinds(chosen: string) {
  const known = Object.entries(kinds).map(([value, label]) => ({ value, label }));
  const isKnown = !chosen || known.some(({ value }) => value === chosen);
  const other = isKnown ? [] : [{ value: chosen, label: chosen }];
  return [{ value: "", label: "Everything" }, ...known, ...other];
}

function renderEntry(entry: AuditEntry, names: AuditNames) {
  const { sequence, at, action, subject, detail } = entry;
  // What the sentence leaves out: an address, the receipt of an erasure, a result.
  const { address, result } = detail;
  const aside = [
    typeof address === "string" && `from ${address}`,
    action.startsWith("person.") && subject,
    typeof result === "string" && !result.startsWith("dec_") && result,
  ].filter(Boolean);
  return (
    <li id={`entry-${sequence}`}>
      <time datetime={at} title={`Entry ${formatCount(sequence)}, ${at}`}>
        {at.slice(11, 19)}
      </time>
      <span class="free">{describeEntry(entry, names)}</span>
      {aside.length > 0 && <span class="muted small free">{aside.join(", ")}</span>}
    </li>
  );
}

async function exportEntries(ask: SignedInRequest, filter: AuditFilter, format: "csv" | "jsonl") {
  const entries = await ask.modules.control.auditEntries(exportedMax, filter);
  const fileName = `roster-audit-${ask.now.toISOString().slice(0, 10)}.${format}`;
  if (format === "jsonl") {
    const content = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    return { content, type: "application/jsonl; charset=utf-8", fileName };
  }
  const nameOf = await createNameLookup(ask);
  const rows = entries.map(({ sequence, at, actor, action, subject, detail }) => [
    ...[sequence, at, action, subject, nameOf(subject), actor, nameOf(actor)],
    JSON.stringify(detail),
  ]);
  return createCsvDownload(fileName, [exportedColumns, ...rows]);
}

const exportedColumns = [
  ...["sequence", "at", "action", "subject", "subject_name", "actor", "actor_name", "detail"],
];

/** Checks the hashes of all entries. This reads the whole log, so it happens only on request. */
async function checkChain({ modules: { control } }: SignedInRequest) {
  const broken = await control.brokenAuditEntry();
  if (broken === undefined) {
    const [newest] = await control.auditEntries(1);
    return (
      <Callout tone="done" role="status">
        <p>The log is intact. All {formatCount(newest?.sequence ?? 0)} entries are unchanged.</p>
      </Callout>
    );
  }
  return (
    <Callout tone="wrong" title="The log was changed outside Roster" role="alert">
      <p>
        Entry <a href={`${path}?before=${broken + 1}#entry-${broken}`}>{formatCount(broken)}</a>{" "}
        does not match the entry before it. Compare the log with a backup.
      </p>
    </Callout>
  );
}
