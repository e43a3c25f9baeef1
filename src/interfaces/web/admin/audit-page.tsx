import type { Account } from "../../../accounts/accounts.ts";
import type { AuditAction, AuditEntry, AuditFilter } from "../../../control/account-records.ts";
import { createCsvDownload } from "../download.ts";
import { formatCount, formatDay } from "../look/format.ts";
import { Choice, Field } from "../look/forms.tsx";
import { readPosition } from "../look/lists.tsx";
import { Callout, EmptyState, Panel } from "../look/parts.tsx";
import { type Download, defineAdministratorPage, type SignedInRequest } from "../page.ts";
import { type AuditNames, findAuditNames } from "./audit-names.tsx";
import { describeEntry } from "./audit-sentences.tsx";
import { createNameLookup } from "./run-parts.tsx";

const rowsMax = 100;
/** The most rows of an exported file. */
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
    const body = (
      <>
        {await checkChain(ask)}
        <FilterForm url={ask.url} accounts={await ask.modules.accounts.list()} />
        <Panel title={isFiltered(ask.url) ? "Entries found" : "Newest entries"}>
          {shown.length === 0 && (
            <EmptyState>No entry {isFiltered(ask.url) ? "matches the filter" : "yet"}.</EmptyState>
          )}
          {[...Map.groupBy(shown, ({ at }) => at.slice(0, 10))].map(([day, ofDay]) => (
            <section aria-labelledby={`day-${day}`}>
              <h3 id={`day-${day}`}>{formatDay(new Date(day))}</h3>
              <ul class="rows log">
                {ofDay.map((entry) => (
                  <Entry entry={entry} names={names} />
                ))}
              </ul>
            </section>
          ))}
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

/** Finds the ids of a person in the log: the id of an account, or the ids of decisions about a developer. */
async function findInvolved(
  { accounts, administration }: SignedInRequest["modules"],
  who: string,
): Promise<readonly string[]> {
  const account = await accounts.find(who);
  if (account) return [account.id];
  const decisions = await administration.decisions.about(who, undefined);
  return [who.toLowerCase(), who, ...decisions.map(({ id }) => id)];
}

const accountsOffered = 200;

function FilterForm(properties: { readonly url: URL; readonly accounts: readonly Account[] }) {
  const { url, accounts } = properties;
  const { searchParams } = url;
  const read = (name: string) => ({
    ...{ name, value: searchParams.get(name) ?? "", maxlength: 254, autocomplete: "off" },
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
          {accounts.slice(0, accountsOffered).map(({ email }) => (
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

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

/** Labels of the kinds of actions. The kind of `source.refreshed` is `source`. */
const kinds: Readonly<Record<KindOf<AuditAction>, string>> = {
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

/** @param chosen a kind such as `source`, or an action such as `source.refreshed`. */
function listKinds(chosen: string | null) {
  const known = Object.entries(kinds).map(([value, label]) => ({ value, label }));
  const isKnown = !chosen || known.some(({ value }) => value === chosen);
  const other = isKnown ? [] : [{ value: chosen, label: chosen }];
  return [{ value: "", label: "Everything" }, ...known, ...other];
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
  return createCsvDownload(fileName, [exportedColumns, ...rows]);
}

const exportedColumns = "sequence at action subject subject_name actor actor_name detail".split(
  " ",
);

/** Checks the hashes of all entries. This reads the whole log, so it happens only on request. */
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

/** Lists details that the sentence about an entry leaves out, such as an address. */
function listAside({ action, subject, detail }: AuditEntry): readonly string[] {
  const { address, result } = detail;
  const isOwnName = /^(acc_|operator$|nobody$|folder$|clock$|pool$|$)/.test(subject);
  return [
    typeof address === "string" ? `from ${address}` : "",
    isOwnName || action.startsWith("source.") ? "" : subject,
    typeof result === "string" ? result : "",
  ].filter(Boolean);
}
