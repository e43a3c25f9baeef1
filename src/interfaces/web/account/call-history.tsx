/** The calls of accounts: what is left of the limits, and the calls of each day. */
import type { CallLimits } from "../../../contract/limits.ts";
import type { WindowUsage } from "../../../control/quota.ts";
import { formatCount, formatDate, formatInstant } from "../look/format.ts";
import { Ago, Callout, Figures, Instant, Panel } from "../look/parts.tsx";
import { Sparkline } from "../look/people.tsx";
import { defineSignedInPage, type SignedInRequest } from "../page.ts";

export const historyDays = 90;
export const dayMs = 86_400_000;

/** Reads the calls of each account on each of the last 90 UTC days, the oldest day first. */
export async function readCallHistory({ modules, now }: SignedInRequest) {
  const days = Array.from({ length: historyDays }, (_, at) =>
    new Date(now.getTime() - (historyDays - 1 - at) * dayMs).toISOString().slice(0, 10),
  );
  const calls = await modules.control.dailyCalls(days[0] ?? "");
  const byAccount = new Map<string, number[]>();
  for (const { accountId, day, calls: count } of calls) {
    const values = byAccount.get(accountId) ?? days.map(() => 0);
    values[days.indexOf(day)] = count;
    byAccount.set(accountId, values);
  }
  return { days, byAccount };
}

export const addUp = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

type CallBarsProperties = { readonly days: readonly string[]; readonly values: readonly number[] };

export function CallBars({ days, values }: CallBarsProperties) {
  const span = `${formatDate(days[0] ?? "")} to ${formatDate(days.at(-1) ?? "")}`;
  return (
    <div class="call-bars">
      <Sparkline values={values} label={`Calls a day, ${span}`} />
      <p class="small muted">
        {formatCount(addUp(values))} calls from {span}. A bar is a day, the highest{" "}
        {formatCount(Math.max(...values))}.
      </p>
    </div>
  );
}

export async function renderCalls(ask: SignedInRequest, accountId: string) {
  const { month, day } = await ask.modules.quota.usage({ accountId });
  const { days, byAccount } = await readCallHistory(ask);
  const spent = [month, day].find(({ used, limit }) => limit !== undefined && used >= limit);
  return (
    <>
      {spent && (
        <Callout tone="warn" title="No calls left">
          <p>
            Calls are refused until {formatInstant(spent.resetsAt)}. An administrator can raise the
            limit.
          </p>
        </Callout>
      )}
      <Panel title="Calls" id="calls">
        <Figures
          items={[
            [formatCount(month.used), "this month", describeLimit("monthly", month, ask.now)],
            [formatCount(day.used), "today (UTC)", describeLimit("daily", day, ask.now)],
          ]}
        />
        <CallBars days={days} values={byAccount.get(accountId) ?? days.map(() => 0)} />
      </Panel>
    </>
  );
}

function describeLimit(period: string, { used, limit, resetsAt }: WindowUsage, now: Date) {
  if (limit === undefined) return `no ${period} limit`;
  const left = Math.max(0, limit - used);
  return (
    <>
      <progress
        class={left === 0 ? "spent" : used >= limit * 0.9 ? "nearly" : undefined}
        max={limit}
        value={Math.min(used, limit)}
        aria-label={`Of the ${period} limit`}
      />
      {formatCount(left)} left of {formatCount(limit)}, resets <Ago at={resetsAt} now={now} />
    </>
  );
}

/** Formats limits as `50 calls a month, 2,000 a day` or `no monthly limit, 2,000 a day`. */
export function formatLimits({ callsPerMonth: month, callsPerDay: day }: CallLimits): string {
  const monthly = month === undefined ? "no monthly limit" : `${formatCount(month)} calls a month`;
  return `${monthly}, ${day === undefined ? "no daily limit" : `${formatCount(day)} a day`}`;
}

export const usagePage = defineSignedInPage({
  path: "/account",
  show: async (ask) => {
    const { account } = ask.visitor;
    const { trialEndsAt } = await ask.modules.quota.usage({ accountId: account.id });
    const body = (
      <>
        {trialEndsAt && renderTrial(trialEndsAt, ask.now)}
        <div class="with-side">
          <div class="stack-wide">{await renderCalls(ask, account.id)}</div>
          <Panel title="Plan">
            <p>
              <strong>{account.plan}</strong>: {formatLimits(account.limits)}.
            </p>
            <p class="small muted">
              Each search and each profile you open uses one call. So does each call of a program or
              an assistant. An administrator can change the plan.
            </p>
          </Panel>
        </div>
      </>
    );
    return { title: "Usage", body };
  },
});

function renderTrial(endsAt: Date, now: Date) {
  const isOver = endsAt.getTime() <= now.getTime();
  return (
    <Callout
      tone={isOver ? "wrong" : "warn"}
      title={isOver ? "The trial is over" : "This is a trial"}
    >
      <p>
        {isOver ? "It ended " : "The free plan ends "}
        <Instant at={endsAt} now={now} />. An administrator can give you another plan.
      </p>
    </Callout>
  );
}
