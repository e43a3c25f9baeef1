/** How many times the processor time and memory of each other program the first one takes, in runs of the same rounds. */
import { comparePairs, type Row } from "../rows.ts";
import type { RunUse } from "./measure-run.ts";

export type Programs = readonly (readonly string[])[];

/** @param rounds in each of them the use of every program, in their order. */
export function comparePrograms(
  name: string,
  rounds: readonly (readonly RunUse[])[],
  programs: Programs,
): Row[] {
  const values = (program: number, value: (use: RunUse) => number) =>
    rounds.map((uses) => value(uses[program] as RunUse));
  return programs.slice(1).flatMap((program, before) => {
    const compare = (measure: string, unit: string, value: (use: RunUse) => number): Row =>
      comparePairs({ name: `${name}${measure}-to-${before + 2}`, unit }, values(0, value), {
        ...{ what: program.join(" "), values: values(before + 1, value) },
      });
    return [
      compare("-all", "s of CPU", ({ cpu }) => cpu),
      compare("-peak", "MB", ({ peakMb }) => peakMb),
    ];
  });
}
