import type { DailyCalls } from "../../../control/control-store.ts";
import { formatCount, formatDate } from "../look/format.ts";
import { Disclosure } from "../look/forms.tsx";
import { DataTable } from "../look/lists.tsx";
import { EmailAddress, EmptyState, Panel } from "../look/parts.tsx";
import { defineAdministratorPage } from "../page.ts";
import { createNameLookup } from "./run-parts.tsx";

const days = 90;
const dayMs = 86_400_000;
/** The number of accounts that are listed by name. All other accounts are added up. */
const seriesMax = 5;

interface Series {
  readonly label: string;
  readonly values: readonly number[];
  readonly total: number;
}

export const callsPage = defineAdministratorPage({
  path: "/admin/usage",
  show: async (ask) => {
    const nameOf = await createNameLookup(ask);
    const names = listDays(ask.now);
    const calls = await ask.modules.control.dailyCalls(names[0] ?? "");
    const series = toSeries(calls, names, nameOf);
    const total = add(series.map((one) => one.total));
    const grouped = group(series);
    const body = (
      <Panel title={`Calls of the last ${days} days`}>
        {total === 0 ? (
          <EmptyState>No call was counted in the last {days} days.</EmptyState>
        ) : (
          <>
            <DataTable
              columns={[
                ["Account", ({ label }) => <EmailAddress email={label} />],
                [`${days} days`, (one) => formatCount(one.total), "number"],
                ["Share", (one) => `${Math.round((100 * one.total) / total)} %`, "number"],
              ]}
              rows={series}
            />
            <Calls of={grouped} by={findWeeks(names)} heading="Week from (UTC)" />
            <Disclosure label="Day by day">
              <Calls of={grouped} by={names} heading="Day (UTC)" />
            </Disclosure>
          </>
        )}
      </Panel>
    );
    return { title: "Usage", body };
  },
});

/** Lists the last 90 days in UTC as YYYY-MM-DD, the oldest first. */
function listDays(now: Date): readonly string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

function toSeries(
  calls: readonly DailyCalls[],
  names: readonly string[],
  nameOf: (id: string) => string,
): readonly Series[] {
  const byAccount = Map.groupBy(calls, ({ accountId }) => accountId);
  const series = [...byAccount].map(([id, own]): Series => {
    const byDay = new Map(own.map((one) => [one.day, one.calls]));
    const values = names.map((day) => byDay.get(day) ?? 0);
    return { label: nameOf(id), values, total: add(values) };
  });
  return series.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
}

/** Keeps the accounts with the most calls. All other accounts become one series. */
function group(series: readonly Series[]): readonly Series[] {
  if (series.length <= seriesMax + 1) return series;
  const rest = series.slice(seriesMax);
  const values = (rest[0]?.values ?? []).map((_, index) =>
    rest.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  const others = { label: `${rest.length} others`, values, total: add(values) };
  return [...series.slice(0, seriesMax), others];
}

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** @returns the Monday of the week of each day. */
const findWeeks = (names: readonly string[]) =>
  names.map((day) => {
    const at = new Date(day);
    return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);
  });

interface CallsProperties {
  readonly of: readonly Series[];
  /** For each day, the first day of its period, such as the Monday of its week. */
  readonly by: readonly string[];
  readonly heading: string;
}

/** Lists the periods with calls, the latest first. */
function Calls({ of, by, heading }: CallsProperties) {
  const rows = [...new Set(by)].reverse().map((period) => {
    const [from, to] = [by.indexOf(period), by.lastIndexOf(period) + 1];
    const own = of.map(({ label, values }) => ({ label, calls: add(values.slice(from, to)) }));
    return { period, own: own.filter(({ calls }) => calls > 0) };
  });
  return (
    <DataTable
      columns={[
        [heading, ({ period }) => formatDate(period), "whole"],
        ["Calls", ({ own }) => formatCount(add(own.map(({ calls }) => calls))), "number"],
        [
          "By account",
          ({ own }) => own.map(({ label, calls }) => `${label} ${formatCount(calls)}`).join(", "),
          "wide free small",
        ],
      ]}
      rows={rows.filter(({ own }) => own.length > 0)}
    />
  );
}
