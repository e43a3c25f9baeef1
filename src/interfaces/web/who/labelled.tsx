import { formatCount } from "../look/format.ts";

interface LabelledProperties {
  readonly count: number;
  /** Shown where the table is too narrow for headings. */
  readonly before?: string;
  /** In the singular. */
  readonly noun?: string;
}

/** A number of a table that is stacked on phones. */
export function Labelled({ count, before, noun }: LabelledProperties) {
  return (
    <>
      {before && <span class="stacked-label">{before} </span>}
      {formatCount(count)}
      {noun && <span class="stacked-label"> {count === 1 ? noun : `${noun}s`}</span>}
    </>
  );
}
