import type { AuditEntry, AuditFilter } from "../../../control/account-records.ts";
import { formatCsv } from "../csv.ts";
import { formatCount } from "../look/format.ts";
import { EmailAddress, EmptyState, NoticeBox, Panel } from "../look/parts.tsx";
import { type Download, defineAdministratorPage, type SignedInRequest } from "../page.ts";
import { createNameLookup } from "./run-parts.tsx";

const rowsMax = 100;
/** A file that every spreadsheet opens. */
const exportedMax = 50_000;
const path = "/admin/audit";

/** The audit log, newest entries first, filtered, to be kept as a file, and a check of its hash chain. */
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
        <h1>Audit log</h1>
        <NoticeBox ask={ask} />
        {await checkChain(ask)}
        <FilterForm url={ask.url} />
        <Panel title={isFiltered(ask.url) ? "Entries found" : "Newest entries"}>
          {entries.length === 0 ? (
            <EmptyState>No entry {isFiltered(ask.url) ? "is like that" : "yet"}.</EmptyState>
          ) : (
            <Entries entries={entries.slice(0, rowsMax)} nameOf={nameOf} />
          )}
          {entries.length > rowsMax && (
            <p>
              <a href={linkTo(ask.url, { before: String(entries[rowsMax - 1]?.sequence) })}>
                Older entries
              </a>
            </p>
          )}
          {entries.length > 0 && (
            <p class="small">
              What is found, {formatCount(exportedMax)} entries at most, as{" "}
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

/** The same filter, with something else. */
function linkTo({ searchParams }: URL, change: Readonly<Record<string, string>>): string {
  const kept = fields.flatMap((field): [string, string][] => {
    const value = searchParams.get(field);
    return value ? [[field, value]] : [];
  });
  return `${path}?${new URLSearchParams([...kept, ...Object.entries(change)])}`;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** What is no day or no number is as if it were not there: an address bar is no form. */
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
  const field = (name: (typeof fields)[number], label: string, type: "text" | "date") => (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={searchParams.get(name) ?? ""}
        maxlength={254}
        autocomplete="off"
        list={name === "action" ? "actions" : undefined}
      />
    </div>
  );
  return (
    <search>
      <form class="card filter" method="get" action={path}>
        {field("action", "What", "text")}
        {field("actor", "By whom", "text")}
        {field("from", "From (UTC)", "date")}
        {field("to", "Until", "date")}
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

/** Beginnings of actions; each finds all that go on after a dot. */
const actionKinds = [
  ...["account", "key", "plan", "sign-in", "session", "grant", "client", "link", "password"],
  ...["person", "identity", "run", "list", "search", "backup", "store", "clock", "erasures"],
];

function Entries({
  entries,
  nameOf,
}: {
  readonly entries: readonly AuditEntry[];
  readonly nameOf: (id: string) => string;
}) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" class="number wide">
            No.
          </th>
          <th scope="col">When (UTC)</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ sequence, at, actor, action, subject, detail }) => (
          <tr>
            <td class="number wide">{sequence}</td>
            <td class="when">
              <time datetime={at}>
                <span class="whole">{at.slice(0, 10)}</span>{" "}
                <span class="whole">{at.slice(11, 19)}</span>
              </time>
            </td>
            <td class="free">
              <strong>{action}</strong> <EmailAddress email={nameOf(subject)} />
              <div class="muted small">
                {[`by ${nameOf(actor)}`, ...formatDetail(detail)].join(", ")}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
    "sequence",
    "at",
    "action",
    "subject",
    "subject_name",
    "actor",
    "actor_name",
    "detail",
  ];
  return { content: formatCsv([heading, ...rows]), type: "text/csv; charset=utf-8", fileName };
}

/** Reads every entry, so it runs only on request. */
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
      <div class="notice done-notice" role="status">
        <p>
          The chain is whole: {formatCount(newest?.sequence ?? 0)} entries, each fits the one
          before.
        </p>
      </div>
    );
  }
  return (
    <div class="notice wrong-notice" role="alert">
      <h2>The chain is broken</h2>
      <p>
        Entry {broken} does not fit the one before it: the log was changed outside Roster. Compare
        it with a backup.
      </p>
    </div>
  );
}

function formatDetail(detail: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`);
}
