import { EmailAddress, EmptyState, NoticeBox, Panel } from "../look/parts.tsx";
import { formatCount } from "../look/words.ts";
import { defineAdministratorPage, type SignedInRequest } from "../page.ts";
import { createNameLookup } from "./run-parts.tsx";

const rowsMax = 100;

/** The audit log, newest entries first, and a check of its hash chain. */
export const auditPage = defineAdministratorPage({
  path: "/admin/audit",
  show: async (ask) => {
    const { modules, url } = ask;
    const pageCount = Math.min(50, Math.max(1, Number(url.searchParams.get("pages")) || 1));
    const entries = await modules.control.auditEntries(pageCount * rowsMax + 1);
    const shown = entries.slice(0, pageCount * rowsMax);
    const nameOf = await createNameLookup(ask);
    const chain = await checkChain(ask, entries[0]?.sequence);
    const body = (
      <>
        <h1>Audit log</h1>
        <NoticeBox ask={ask} />
        {chain}
        <Panel title="Newest entries">
          {shown.length === 0 ? (
            <EmptyState>No entry yet.</EmptyState>
          ) : (
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
                {shown.map(({ sequence, at, actor, action, subject, detail }) => (
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
          )}
          {entries.length > shown.length && (
            <p>
              <a href={`/admin/audit?pages=${pageCount + 1}`}>Show older entries too</a>
            </p>
          )}
        </Panel>
      </>
    );
    return { title: "Audit log", body };
  },
});

/** Reads every entry, so it runs only on request. */
async function checkChain(ask: SignedInRequest, newest: number | undefined) {
  if (!ask.url.searchParams.has("check")) {
    return (
      <p>
        Every entry's hash covers the one before it.{" "}
        <a href="/admin/audit?check">Check the chain</a>
      </p>
    );
  }
  const broken = await ask.modules.control.brokenAuditEntry();
  if (broken === undefined) {
    return (
      <div class="notice done-notice" role="status">
        <p>The chain is whole: {formatCount(newest ?? 0)} entries, each fits the one before.</p>
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
