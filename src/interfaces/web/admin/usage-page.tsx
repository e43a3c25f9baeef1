import { addUp, CallBars, dayMs, historyDays, readCallHistory } from "../account/call-history.tsx";
import { formatCount, formatDate } from "../look/format.ts";
import { Disclosure } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmailAddress, EmptyState, Figures, Panel } from "../look/parts.tsx";
import { Share, Sparkline } from "../look/people.tsx";
import { defineAdministratorPage } from "../page.ts";
import { createNameLookup } from "./runs-page.tsx";

export const callsPage = defineAdministratorPage({
  path: "/admin/usage",
  show: async (ask) => {
    const nameOf = await createNameLookup(ask);
    const { days, byAccount } = await readCallHistory(ask);
    const accounts = [...byAccount]
      .map(([id, values]) => ({ id, values, total: addUp(values) }))
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total);
    const all = days.map((_, at) => addUp(accounts.map(({ values }) => values[at] ?? 0)));
    const total = addUp(all);
    const weeks = addWeeks(days, all);
    const renderLink = (id: string) => (
      <a href={`/admin/accounts/${id}`}>
        <EmailAddress email={nameOf(id)} />
      </a>
    );
    const renderWeeks = (values: readonly number[]) => (
      <Sparkline values={[...addWeeks(days, values).values()]} label="Calls a week" />
    );
    const body =
      total === 0 ? (
        <EmptyState>No one made a call in the last {historyDays} days.</EmptyState>
      ) : (
        <>
          <Panel title={`Calls of the last ${historyDays} days`}>
            <Figures
              items={[
                [formatCount(total), "calls"],
                [formatCount(accounts.length), "accounts that made calls"],
                [formatCount(all.at(-1) ?? 0), "calls today (UTC)"],
              ]}
            />
            <CallBars days={days} values={all} />
            <Disclosure label="By week">
              <DataTable
                columns={[
                  ["Week from (UTC)", ([day]) => formatDate(day), "whole"],
                  ["Calls", ([, calls]) => formatCount(calls), "number"],
                ]}
                rows={[...weeks].reverse().filter(([, calls]) => calls > 0)}
              />
            </Disclosure>
          </Panel>
          <Panel title="By account">
            <DataTable
              columns={[
                ["Account", ({ id }) => renderLink(id)],
                ["By week", ({ values }) => renderWeeks(values), "wide"],
                ["Calls", (one) => formatCount(one.total), "number"],
                ["Share", (one) => <Share share={one.total / total} largest={1} />],
              ]}
              rows={accounts}
            />
          </Panel>
        </>
      );
    return { title: "Usage", body };
  },
});

/** Adds up the values of each week, by its Monday, the oldest first. */
function addWeeks(days: readonly string[], values: readonly number[]): Map<string, number> {
  const weeks = new Map<string, number>();
  for (const [index, day] of days.entries()) {
    const at = new Date(day);
    const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs);
    const key = monday.toISOString().slice(0, 10);
    weeks.set(key, (weeks.get(key) ?? 0) + (values[index] ?? 0));
  }
  return weeks;
}
