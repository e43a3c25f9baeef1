/** What every measurement prints: named values, with the bar they are held against where there is one. */

export interface Row {
  readonly name: string;
  readonly value: number;
  /** Of the value. */
  readonly unit?: string;
  /** To what it is held against; then the bar is on this and not on the value. */
  readonly ratio?: number;
  readonly bar?: number;
  readonly met?: boolean;
}

/** Prints the rows, as a table or as one JSON array. @returns whether every bar is met. */
export function report(rows: readonly Row[], asJson: boolean): boolean {
  if (asJson) console.log(JSON.stringify(rows));
  else {
    const width = Math.max(...rows.map(({ name }) => name.length));
    for (const { name, value, unit = "", ratio, bar, met } of rows) {
      const share = ratio === undefined ? "" : `  ratio ${rounded(ratio)}`;
      const verdict = bar === undefined ? "" : `  bar ${bar}  ${met ? "met" : "NOT MET"}`;
      console.log(
        `${name.padEnd(width)}  ${rounded(value).padStart(10)} ${unit}${share}${verdict}`,
      );
    }
  }
  return rows.every(({ met }) => met !== false);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
