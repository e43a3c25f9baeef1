import { formatCount, formatDate } from "../look/format.ts";
import { EmailAddress } from "../look/parts.tsx";

export interface Series {
  readonly label: string;
  /** One for each day. */
  readonly values: readonly number[];
  readonly total: number;
}

const [height, left, bottom, top] = [220, 52, 24, 10];

interface StackedDaysProperties {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

/**
 * Columns of days, stacked by series: on narrow screens of the last thirty, so that they can be told apart. Each series
 * has its own tint and pattern, so that readers need not tell colours apart. The table that follows the chart has the
 * figures.
 */
export function StackedDays({ days, series }: StackedDaysProperties) {
  const latest = series.map((one) => ({ ...one, values: one.values.slice(-latestDays) }));
  return (
    <figure class="chart">
      <Columns id="all" class="wide" width={760} days={days} series={series} />
      <Columns
        id="latest"
        class="narrow-only"
        width={300}
        days={days.slice(-latestDays)}
        series={latest}
      />
      <p class="narrow-only small muted">The last {latestDays} days.</p>
      <ul class="legend">
        {series.map(({ label }, at) => (
          <li>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <Patterns id={`legend-${at}`} />
              <rect width="16" height="16" {...paint(at, `legend-${at}`)} />
            </svg>
            <span>
              <EmailAddress email={label} />
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

export const latestDays = 30;
const labelWidth = 120;

interface ColumnsProperties extends StackedDaysProperties {
  /** Before the ids of its patterns. */
  readonly id: string;
  readonly class: string;
  readonly width: number;
}

function Columns({ id, class: className, width, days, series }: ColumnsProperties) {
  const sums = days.map((_, index) =>
    series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  const max = findScale(Math.max(...sums, 1));
  const step = (width - left) / days.length;
  const toY = (value: number) => top + (height - bottom - top) * (1 - value / max);
  const busiest = sums.indexOf(Math.max(...sums));
  const total = sums.reduce((sum, value) => sum + value, 0);
  return (
    <svg
      class={className}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Calls a day from ${formatDate(days[0] ?? "")} to ${formatDate(days.at(-1) ?? "")}: ${formatCount(total)} in all, most on ${formatDate(days[busiest] ?? "")}, ${formatCount(sums[busiest] ?? 0)}. The tables below have the figures.`}
    >
      <Patterns id={id} />
      {[0, max / 2, max].map((value) => (
        <>
          <line class="grid" x1={left} x2={width} y1={toY(value)} y2={toY(value)} />
          <text class="axis" x={left - 6} y={toY(value) + 4} text-anchor="end">
            {formatCount(Math.round(value))}
          </text>
        </>
      ))}
      {days.map((day, index) => {
        let below = 0;
        return (
          <g>
            <title>{`${formatDate(day)}: ${formatCount(sums[index] ?? 0)}`}</title>
            {series.map((one, at) => {
              const value = one.values[index] ?? 0;
              if (value === 0) return undefined;
              const [y, base] = [toY(below + value), toY(below)];
              below += value;
              return (
                <rect
                  x={round(left + index * step + 0.5)}
                  y={round(y)}
                  width={round(step - 1)}
                  height={round(base - y)}
                  {...paint(at, id)}
                />
              );
            })}
          </g>
        );
      })}
      {days.map((day, index) =>
        // Not where the name of the last day stands.
        day.endsWith("-01") && left + index * step < width - labelWidth ? (
          <text class="axis" x={round(left + index * step)} y={height - 6}>
            {formatDate(day)}
          </text>
        ) : undefined,
      )}
      <text class="axis" x={width} y={height - 6} text-anchor="end">
        today
      </text>
    </svg>
  );
}

/** The tint of a series, or its pattern from the third on. @param id of the picture that has the pattern. */
const paint = (at: number, id: string) =>
  at > 1 ? { fill: `url(#${id}-pattern-${at})` } : { class: `series-${at}` };

/**
 * The patterns of the third to the sixth series: diagonals both ways, rows and columns. The first two series are
 * plain. Each picture has its own, since those of a picture that is not shown do not paint.
 */
function Patterns({ id }: { readonly id: string }) {
  const lines = ["M0 8 8 0", "M0 0 8 8", "M0 4H8", "M4 0V8"];
  return (
    <defs>
      {lines.map((line, index) => (
        <pattern
          id={`${id}-pattern-${index + 2}`}
          width="8"
          height="8"
          patternUnits="userSpaceOnUse"
        >
          <rect class={`ground-${index % 2}`} width="8" height="8" />
          <path class={`line-${index % 2}`} d={line} />
        </pattern>
      ))}
    </defs>
  );
}

/** The next of 2, 4, 6, 8, 10, 20, 40 ...: all are even, so that half of it is a whole number. */
function findScale(max: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [2, 4, 6, 8, 10]) if (step * power >= max) return step * power;
  }
}

const round = (value: number) => Math.round(value * 10) / 10;
