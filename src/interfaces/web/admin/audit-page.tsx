import type { AuditEntry, AuditFilter } from "../../../control/account-records.ts";
import { createCsvDownload } from "../download.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount } from "../look/format.ts";
import { Field } from "../look/forms.tsx";
import { Callout, EmailAddress, Panel } from "../look/parts.tsx";
import { type Download, defineAdministratorPage, type SignedInRequest } from "../page.ts";
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
    const nameOf = await createNameLookup(ask);
    const body = (
      <>
        {await checkChain(ask)}
        <FilterForm url={ask.url} />
        <Panel title={isFiltered(ask.url) ? "Entries found" : "Newest entries"}>
          <Entries
            entries={entries.slice(0, rowsMax)}
            nameOf={nameOf}
            empty={`No entry ${isFiltered(ask.url) ? "matches the filter" : "yet"}.`}
          />
          {entries.length > rowsMax && (
            <p>
              <a href={linkTo(ask.url, { before: String(entries[rowsMax - 1]?.sequence) })}>
                Older entries
              </a>
            </p>
          )}
          {entries.length > 0 && (
            <p class="small">
              Download the entries found, at most {formatCount(exportedMax)}, as{" "}
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

const fields = ["action", "actor", "from", "to"] as const;
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
  const who = read("actor")?.toLowerCase();
  const account = (await modules.accounts.list()).find(({ email }) => email.toLowerCase() === who);
  const before = Number(read("before"));
  return {
    ...{ action: read("action"), actor: account?.id ?? read("actor") },
    ...{ from: readDay("from"), to: readDay("to") },
    before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
  };
}

function FilterForm({ url: { searchParams } }: { readonly url: URL }) {
  const read = (name: (typeof fields)[number]) => ({
    name,
    value: searchParams.get(name) ?? "",
    maxlength: 254,
    autocomplete: "off",
  });
  return (
    <search>
      <form class="card filter" method="get" action={path}>
        <Field {...read("action")} label="What" list="actions" />
        <Field {...read("actor")} label="By whom" />
        <Field {...read("from")} label="From (UTC)" type="date" />
        <Field {...read("to")} label="Until" type="date" />
        <datalist id="actions">
          {actionKinds.map((kind) => (
            <option value={kind} />
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

/** First words of actions; each finds every action that continues after a dot. */
const actionKinds = [
  ...["account", "key", "plan", "sign-in", "session", "grant", "client", "link", "password"],
  ...["person", "identity", "run", "list", "search", "backup", "store", "clock", "erasures"],
];

interface EntriesProperties {
  readonly entries: readonly AuditEntry[];
  readonly nameOf: (id: string) => string;
  readonly empty: string;
}

function Entries({ entries, nameOf, empty }: EntriesProperties) {
  return (
    <DataTable
      columns={[
        ["No.", ({ sequence }) => sequence, "number wide"],
        [
          "When (UTC)",
          ({ at }) => (
            <time datetime={at}>
              <span class="whole">{at.slice(0, 10)}</span>{" "}
              <span class="whole">{at.slice(11, 19)}</span>
            </time>
          ),
          "when",
        ],
        [
          "What",
          ({ actor, action, subject, detail }) => (
            <>
              <strong>{action}</strong> <EmailAddress email={nameOf(subject)} />
              <div class="muted small">
                {[`by ${nameOf(actor)}`, ...formatDetail(detail)].join(", ")}
              </div>
            </>
          ),
          "free",
        ],
      ]}
      rows={entries}
      empty={empty}
    />
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
        Entry {broken} does not fit the one before it: the log was changed outside Roster. Compare
        it with a backup.
      </p>
    </Callout>
  );
}

function formatDetail(detail: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`);
}
