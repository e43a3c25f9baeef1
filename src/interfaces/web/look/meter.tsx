import type { WindowUsage } from "../../../control/quota.ts";
import { formatCount, formatDay, formatMonthName } from "./format.ts";
import { Instant } from "./parts.tsx";

interface MetersProperties {
  readonly usage: { readonly month: WindowUsage; readonly day: WindowUsage };
  readonly now: Date;
}

export function Meters({ usage: { month, day }, now }: MetersProperties) {
  return (
    <div class="cards">
      <Meter id="month" title="This month" window={month} now={now} format={formatMonthName} />
      <Meter id="day" title="Today" window={day} now={now} format={formatDay} />
    </div>
  );
}

interface MeterProperties {
  readonly id: string;
  readonly title: string;
  /** Formats the month or the day that the meter shows. */
  readonly format: (at: Date) => string;
  readonly window: WindowUsage;
  readonly now: Date;
}

function Meter({ id, title, format, window, now }: MeterProperties) {
  const { used, limit, resetsAt } = window;
  const left = limit === undefined ? undefined : Math.max(0, limit - used);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="muted">{format(new Date(resetsAt.getTime() - 1))}</span>
      </h2>
      <div class="meter">
        <div class="meter-figures">
          <span>
            <span class="meter-used">{formatCount(used)}</span>{" "}
            {limit === undefined ? "calls, without a limit" : `of ${formatCount(limit)} calls`}
          </span>
          {left !== undefined && (
            <span class={left === 0 ? "wrong" : "muted"}>
              {left === 0 ? "none left" : `${formatCount(left)} left`}
            </span>
          )}
        </div>
        {limit !== undefined && (
          <progress
            class={left === 0 ? "spent" : used >= limit * 0.9 ? "nearly" : undefined}
            max={limit}
            value={Math.min(used, limit)}
            aria-labelledby={id}
          />
        )}
      </div>
      <p>
        The count begins again on <Instant at={resetsAt} now={now} />
        {left === 0 && "; calls are refused until then, or until an administrator raises the limit"}
      </p>
    </section>
  );
}
