import { formatCount, formatDate } from "../look/format.ts";

export interface Series {
  readonly label: string;
  /** One for each day. */
  readonly values: readonly number[];
  readonly total: number;
}

const [width, height, left, bottom, top] = [900, 220, 52, 24, 10];

interface StackedDaysProperties {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

/**
 * Columns of days, stacked by series. Each series has its own tint and pattern, so that readers need not tell colours
 * apart. The table that follows the chart has the figures.
 */
export function StackedDays({ days, series }: StackedDaysProperties) {
  const sums = days.map((_, index) =>
    series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0),
  );
  const max = findScale(Math.max(...sums, 1));
  const step = (width - left) / days.length;
  const toY = (value: number) => top + (height - bottom - top) * (1 - value / max);
  const busiest = sums.indexOf(Math.max(...sums));
  const total = sums.reduce((sum, value) => sum + value, 0);
  return (
    <figure class="chart">
      <section class="scroll" tabindex={0} aria-label="Columns of days">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`Calls a day from ${formatDate(days[0] ?? "")} to ${formatDate(days.at(-1) ?? "")}: ${formatCount(total)} in all, most on ${formatDate(days[busiest] ?? "")}, ${formatCount(sums[busiest] ?? 0)}. The tables below have the figures.`}
        >
          <Patterns />
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
                      class={`series-${at % 2}`}
                      x={round(left + index * step + 0.5)}
                      y={round(y)}
                      width={round(step - 1)}
                      height={round(base - y)}
                      fill={at > 1 ? `url(#pattern-${at})` : undefined}
                    />
                  );
                })}
              </g>
            );
          })}
          {days.map((day, index) =>
            day.endsWith("-01") ? (
              <text class="axis" x={round(left + index * step)} y={height - 6}>
                {formatDate(day)}
              </text>
            ) : undefined,
          )}
        </svg>
      </section>
      <ul class="legend">
        {series.map(({ label }, at) => (
          <li>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <rect
                class={`series-${at % 2}`}
                width="16"
                height="16"
                fill={at > 1 ? `url(#pattern-${at})` : undefined}
              />
            </svg>
            <span class="free">{label}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

/**
 * The patterns of the third to the sixth series: diagonals both ways, rows and columns. The first two series are
 * plain.
 */
function Patterns() {
  const lines = ["M0 8 8 0", "M0 0 8 8", "M0 4H8", "M4 0V8"];
  return (
    <defs>
      {lines.map((line, index) => (
        <pattern id={`pattern-${index + 2}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect class={`tint-${index % 2}`} width="8" height="8" />
          <path class={`line-${index % 2}`} d={line} />
        </pattern>
      ))}
    </defs>
  );
}

/** The next of 2, 4, 10, 20, 40, 100 ...: all are even, so that half of it is a whole number. */
function findScale(max: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [2, 4, 10]) if (step * power >= max) return step * power;
  }
}

const round = (value: number) => Math.round(value * 10) / 10;
