import type { AuditAction, AuditEntry, AuditFilter } from "../../../control/account-records.ts";
import { createCsvDownload } from "../download.ts";
import { formatCount, formatDay } from "../look/format.ts";
import { Choice, Field } from "../look/forms.tsx";
import { Callout, EmptyState, Panel } from "../look/parts.tsx";
import { type Download, defineAdministratorPage, type SignedInRequest } from "../page.ts";
import { type AuditNames, findAuditNames } from "./audit-names.tsx";
import { describeEntry } from "./audit-sentences.tsx";
import { createNameLookup } from "./run-parts.tsx";

const rowsMax = 100;
/** Every spreadsheet opens a file of this length. */
const exportedMax = 50_000;
const path = "/admin/audit";

/** The audit log, newest entries first, with a filter, downloads, and a check of its hash chain. */
export const auditPage = defineAdministratorPage({
  path,
  show: async (ask) => {
    const filter = await readFilter(ask);
    const format = ask.url.searchParams.get("format");
    if (format === "csv" || format === "jsonl") return exportEntries(ask, filter, format);
    const entries = await ask.modules.control.auditEntries(rowsMax + 1, filter);
    const shown = entries.slice(0, rowsMax);
    const names = await findAuditNames(ask, shown);
    const body = (
      <>
        {await checkChain(ask)}
        <FilterForm
          url={ask.url}
          emails={(await ask.modules.accounts.list()).map(({ email }) => email)}
        />
        <Panel title={isFiltered(ask.url) ? "Entries found" : "Newest entries"}>
          {shown.length === 0 && (
            <EmptyState>No entry {isFiltered(ask.url) ? "matches the filter" : "yet"}.</EmptyState>
          )}
          <Entries entries={shown} names={names} />
          {entries.length > rowsMax && (
            <p>
              <a href={linkTo(ask.url, { before: String(entries[rowsMax - 1]?.sequence) })}>
                Older entries
              </a>
            </p>
          )}
          {entries.length > 0 && (
            <p class="small">
              Times are in UTC. Download the entries found, at most {formatCount(exportedMax)}, as{" "}
              <a href={linkTo(ask.url, { format: "csv" })}>CSV</a> or{" "}
              <a href={linkTo(ask.url, { format: "jsonl" })}>JSON lines</a>.
            </p>
          )}
        </Panel>
      </>
    );
    return { title: "Audit log", body };
  },
});

const fields = ["action", "who", "from", "to"] as const;
const isFiltered = ({ searchParams }: URL) => fields.some((field) => searchParams.get(field));

/** The address of the same filter with other parameters. */
function linkTo({ searchParams }: URL, change: Readonly<Record<string, string>>): string {
  const kept = fields.flatMap((field): [string, string][] => {
    const value = searchParams.get(field);
    return value ? [[field, value]] : [];
  });
  return `${path}?${new URLSearchParams([...kept, ...Object.entries(change)])}`;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filter from the address. An invalid day or number counts as missing, because an address is not a form. */
async function readFilter({ url, modules }: SignedInRequest): Promise<AuditFilter> {
  const read = (name: string) => url.searchParams.get(name)?.trim() || undefined;
  const readDay = (name: string) => {
    const day = read(name);
    return day && dayForm.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
  };
  const who = read("who");
  const before = Number(read("before"));
  return {
    ...{
      action: read("action"),
      involved: who === undefined ? who : await findInvolved(modules, who),
    },
    ...{ from: readDay("from"), to: readDay("to") },
    before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
  };
}

/** The ids that entries about somebody have: those of the account, or of the decisions about a developer. */
async function findInvolved(
  { accounts, administration }: SignedInRequest["modules"],
  who: string,
): Promise<readonly string[]> {
  const email = who.toLowerCase();
  const account = (await accounts.list()).find((one) => one.email.toLowerCase() === email);
  if (account) return [account.id];
  const decisions = await administration.decisions.about(who, undefined);
  return [who.toLowerCase(), who, ...decisions.map(({ id }) => id)];
}

interface FilterFormProperties {
  readonly url: URL;
  readonly emails: readonly string[];
}

function FilterForm({ url: { searchParams }, emails }: FilterFormProperties) {
  const read = (name: (typeof fields)[number]) => ({
    name,
    value: searchParams.get(name) ?? "",
    maxlength: 254,
    autocomplete: "off",
  });
  return (
    <search>
      <form class="card filter" method="get" action={path}>
        <Choice
          name="action"
          label="What"
          value={searchParams.get("action") ?? ""}
          options={listKinds(searchParams.get("action"))}
        />
        <Field {...read("who")} label="Who" placeholder="e-mail or login" list="emails" />
        <Field {...read("from")} label="From (UTC)" type="date" />
        <Field {...read("to")} label="Until" type="date" />
        <datalist id="emails">
          {emails.slice(0, emailsOffered).map((email) => (
            <option value={email} />
          ))}
        </datalist>
        <div class="actions">
          <button type="submit" class="plain">
            Show
          </button>
          <a class="button plain" href={path}>
            All
          </a>
        </div>
      </form>
    </search>
  );
}

const emailsOffered = 200;

type AuditKind = AuditAction extends infer Action
  ? Action extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never;

/** By the first word of actions, which finds all that continue after a dot. */
const kinds: Readonly<Record<AuditKind, string>> = {
  account: "Accounts",
  plan: "Plans and limits",
  link: "Invitations and other links",
  key: "API keys",
  session: "Sign-ins and sessions",
  sessions: "All sessions ended",
  "sign-in": "Refused sign-ins",
  password: "Passwords",
  grant: "Connected assistants",
  client: "Registered assistants",
  identity: "Who is who",
  person: "Forgotten people",
  erasures: "Repeated erasures",
  run: "Runs",
  source: "Sources",
  list: "Lists",
  search: "Saved searches",
  backup: "Backups",
  folder: "Restored backups",
  store: "Lost data",
  clock: "The clock",
};

/** @param asked in the address, where it may also be a whole action. */
function listKinds(asked: string | null) {
  const known = Object.entries(kinds).map(([value, label]) => ({ value, label }));
  const isKnown = !asked || known.some(({ value }) => value === asked);
  return [
    { value: "", label: "Everything" },
    ...known,
    ...(isKnown ? [] : [{ value: asked, label: asked }]),
  ];
}

interface EntriesProperties {
  readonly entries: readonly AuditEntry[];
  readonly names: AuditNames;
}

/** Under headings by day. */
function Entries({ entries, names }: EntriesProperties) {
  return (
    <>
      {[...Map.groupBy(entries, ({ at }) => at.slice(0, 10))].map(([day, ofDay]) => (
        <section aria-labelledby={`day-${day}`}>
          <h3 id={`day-${day}`}>{formatDay(new Date(day))}</h3>
          <ul class="rows log">
            {ofDay.map((entry) => (
              <Entry entry={entry} names={names} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Entry({ entry, names }: { readonly entry: AuditEntry; readonly names: AuditNames }) {
  const { sequence, at } = entry;
  const aside = listAside(entry).join(", ");
  return (
    <li id={`entry-${sequence}`}>
      <time datetime={at} title={`Entry ${formatCount(sequence)}, ${at}`}>
        {at.slice(11, 19)}
      </time>
      <div class="free">
        {describeEntry(entry, names)}
        {aside && <p class="muted small">{aside}</p>}
      </div>
    </li>
  );
}

async function exportEntries(
  ask: SignedInRequest,
  filter: AuditFilter,
  format: "csv" | "jsonl",
): Promise<Download> {
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
  const heading = [
    ...["sequence", "at", "action", "subject", "subject_name", "actor", "actor_name"],
    "detail",
  ];
  return createCsvDownload(fileName, [heading, ...rows]);
}

/** Reads every entry of the log, so it runs only on request. */
async function checkChain({ url, modules: { control } }: SignedInRequest) {
  if (!url.searchParams.has("check")) {
    return (
      <p>
        Every entry's hash covers the one before it. <a href={`${path}?check`}>Check the chain</a>
      </p>
    );
  }
  const broken = await control.brokenAuditEntry();
  if (broken === undefined) {
    const [newest] = await control.auditEntries(1);
    return (
      <Callout tone="done" role="status">
        <p>
          The chain is whole: {formatCount(newest?.sequence ?? 0)} entries, each fits the one
          before.
        </p>
      </Callout>
    );
  }
  return (
    <Callout tone="wrong" title="The chain is broken" role="alert">
      <p>
        Entry <a href={`${path}?before=${broken + 1}#entry-${broken}`}>{formatCount(broken)}</a>{" "}
        does not fit the one before it: the log was changed outside Roster. Compare it with a
        backup.
      </p>
    </Callout>
  );
}

/** What a sentence leaves out, for whoever compares the log with others. The number of the entry is a title. */
function listAside({ action, subject, detail }: AuditEntry): readonly string[] {
  const { address } = detail;
  const isOwnName = /^(acc_|operator$|nobody$|folder$|clock$|pool$|$)/.test(subject);
  return [
    ...(typeof address === "string" ? [`from ${address}`] : []),
    ...(isOwnName || action.startsWith("source.") ? [] : [subject]),
    ...(typeof detail["result"] === "string" ? [detail["result"]] : []),
  ];
}
