/** What every measurement prints: named values, with the bar they are held against where there is one. */

export interface Row {
  readonly name: string;
  readonly value: number;
  /** Of the value. */
  readonly unit: string;
  /** To what it is held against, in the same run; then the bar is on this and not on the value. */
  readonly ratio?: number;
  /** What the ratio is to, as measured, in the same unit. */
  readonly against?: { readonly what: string; readonly value: number };
  readonly bar?: number;
  /** Whether the bar is the least or the most that is right. */
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

/** Prints the rows, as a table or as one JSON array. @returns whether every bar is met. */
export function report(rows: readonly Row[], asJson: boolean): boolean {
  if (asJson) console.log(JSON.stringify(rows));
  else {
    const width = Math.max(...rows.map(({ name }) => name.length));
    for (const row of rows) {
      const { name, value, unit, ratio, against, met } = row;
      const columns = [
        name.padEnd(width),
        `${round(value).padStart(10)} ${unit.padEnd(8)}`,
        ratio === undefined ? "" : `ratio ${round(ratio)}`,
        against === undefined ? "" : `to ${round(against.value)} (${against.what})`,
        showBar(row) === "" ? "" : `bar ${showBar(row)} ${met ? "met" : "NOT MET"}`,
      ];
      console.log(columns.join("  ").trimEnd());
    }
  }
  return rows.every(({ met }) => met !== false);
}

/** @returns such as `>= 0.3`, or nothing without a bar. */
export function showBar({ bar, sense }: Row): string {
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
export function round(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
