/** What every measurement prints: named values, each with the bar that it is held to where there is one. */

export interface Row {
  readonly name: string;
  readonly value: number;
  /** Of the value; a share has none. */
  readonly unit?: string;
  /** The value as a multiple of what it is compared with; then the bar is on this ratio and not on the value. */
  readonly ratio?: number;
  /** What the value is compared with, measured in the same run, in the same unit. */
  readonly against?: { readonly what: string; readonly value: number };
  readonly bar?: number;
  /** Whether the value must be at least or at most the bar. */
  readonly sense?: "least" | "most";
  readonly met?: boolean;
}

/** Holds a row to a bar: by its ratio, or by its value if it has none. */
export function atLeast(bar: number, row: Row): Row {
  return { ...row, bar, sense: "least", met: (row.ratio ?? row.value) >= bar };
}

/** Holds a row to a bar: by its ratio, or by its value if it has none. */
export function atMost(bar: number, row: Row): Row {
  return { ...row, bar, sense: "most", met: (row.ratio ?? row.value) <= bar };
}

/** A share of counted cases. Where there are no cases, none is wrong. */
export function toShare(name: string, part: number, all: number): Row {
  return { name, value: all === 0 ? 1 : part / all };
}

/** Compares runs that were made in pairs: medians of both sides, and the median of the ratios of the pairs. */
export function comparePairs(
  { name, unit }: Pick<Row, "name" | "unit">,
  ours: readonly number[],
  other: { readonly what: string; readonly values: readonly number[] },
): Row {
  const ratio = median(ours.map((value, at) => value / (other.values[at] as number)));
  const against = { what: other.what, value: median(other.values) };
  return { name, value: median(ours), ...(unit && { unit }), ratio, against };
}

/** Prints the rows as a table. */
export function printRows(rows: readonly Row[], title?: string): void {
  if (title) console.log(title);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const row of rows) {
    const { name, value, unit = "", ratio, against, met } = row;
    const columns = [
      `${title ? "  " : ""}${name.padEnd(width)}`,
      `${round(value).padStart(10)} ${unit.padEnd(8)}`,
      ratio === undefined ? "" : `ratio ${round(ratio)}`,
      against === undefined ? "" : `to ${round(against.value)} (${against.what})`,
      showBar(row) === "" ? "" : `bar ${showBar(row)} ${met ? "met" : "NOT MET"}`,
    ];
    console.log(columns.join("  ").trimEnd());
  }
}

/** Such as `>= 0.3`; empty for a row without a bar. */
function showBar({ bar, sense }: Row): string {
  if (bar === undefined) return "";
  return `${sense === "least" ? ">=" : "<="} ${bar}`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** To four figures. */
function round(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
