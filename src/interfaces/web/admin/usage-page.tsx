import type { DailyCalls } from "../../../control/control-store.ts";
import { DataTable } from "../look/data-table.tsx";
import { formatCount, formatDate } from "../look/format.ts";
import { Disclosure } from "../look/forms.tsx";
import { EmailAddress, EmptyState, Panel } from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";
import { createNameLookup } from "./run-parts.tsx";
import { type Series, StackedDays } from "./stacked-days.tsx";

const days = 90;
const dayMs = 86_400_000;
/** Readers could not tell more series apart. */
const seriesMax = 5;

/** Calls by day and account. */
export const callsPage = defineAdministratorPage({
  path: "/admin/usage",
  show: async (ask) => {
    const nameOf = await createNameLookup(ask);
    const names = listDays(ask.now);
    const calls = await ask.modules.control.dailyCalls(names[0] ?? "");
    const series = toSeries(calls, names, nameOf);
    const total = series.reduce((sum, one) => sum + one.total, 0);
    const body = (
      <Panel title={`Calls of the last ${days} days`}>
        {total === 0 ? (
          <EmptyState>No call was counted in the last {days} days.</EmptyState>
        ) : (
          <>
            <StackedDays days={names} series={group(series)} />
            <Totals series={series} total={total} />
            <Days days={names} series={series} />
          </>
        )}
      </Panel>
    );
    return { title: "Usage", body };
  },
});

/** Days in UTC, as calls are counted: the oldest first, today last. */
function listDays(now: Date): readonly string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** One series for each account, the busiest first. */
function toSeries(
  calls: readonly DailyCalls[],
  names: readonly string[],
  nameOf: (id: string) => string,
): readonly Series[] {
  const byAccount = Map.groupBy(calls, ({ accountId }) => accountId);
  const positions = new Map(names.map((day, index) => [day, index]));
  const series = [...byAccount].map(([id, own]): Series => {
    const values = new Array<number>(names.length).fill(0);
    for (const one of own) {
      const position = positions.get(one.day);
      if (position !== undefined) values[position] = one.calls;
    }
    return { label: nameOf(id), values, total: values.reduce((sum, value) => sum + value, 0) };
  });
  return series.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
}

/** Keeps the busiest accounts, and adds up all others as one. */
function group(series: readonly Series[]): readonly Series[] {
  if (series.length <= seriesMax + 1) return series;
  const rest = series.slice(seriesMax);
  const values = (rest[0]?.values ?? []).map((_, index) =>
    rest.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  const total = rest.reduce((sum, one) => sum + one.total, 0);
  return [...series.slice(0, seriesMax), { label: `${rest.length} others`, values, total }];
}

function Totals({ series, total }: { readonly series: readonly Series[]; readonly total: number }) {
  const formatLast = ({ values }: Series, count: number) =>
    formatCount(values.slice(-count).reduce((sum, value) => sum + value, 0));
  return (
    <DataTable
      columns={[
        ["Account", ({ label }) => <EmailAddress email={label} />],
        [`${days} days`, (one) => formatCount(one.total), "number"],
        ["Share", (one) => `${Math.round((100 * one.total) / total)} %`, "number"],
        ["30 days", (one) => formatLast(one, 30), "number wide"],
        ["7 days", (one) => formatLast(one, 7), "number wide"],
      ]}
      rows={series}
    />
  );
}

interface DaysProperties {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

/** Every day with a call, for readers who cannot see the columns. */
function Days({ days, series }: DaysProperties) {
  const rows = days
    .map((day, index) => ({
      day,
      own: series
        .map(({ label, values }) => ({ label, calls: values[index] ?? 0 }))
        .filter(({ calls }) => calls > 0),
    }))
    .filter(({ own }) => own.length > 0)
    .reverse();
  return (
    <Disclosure label="Day by day">
      <DataTable
        columns={[
          ["Day (UTC)", ({ day }) => formatDate(day), "whole"],
          [
            "Calls",
            ({ own }) => formatCount(own.reduce((sum, { calls }) => sum + calls, 0)),
            "number",
          ],
          [
            "By account",
            ({ own }) => own.map(({ label, calls }) => `${label} ${formatCount(calls)}`).join(", "),
            "wide free small",
          ],
        ]}
        rows={rows}
      />
    </Disclosure>
  );
}
