import { formatCount } from "../look/format.ts";

interface LabelledProperties {
  readonly count: number;
  /** Shown where the table is too narrow for headings. */
  readonly before?: string;
  readonly after?: string;
}

/** A number of a table that is stacked on phones. */
export function Labelled({ count, before, after }: LabelledProperties) {
  return (
    <>
      {before && <span class="stacked-label">{before} </span>}
      {formatCount(count)}
      {after && <span class="stacked-label"> {after}</span>}
    </>
  );
}
