import { Fault } from "../../contract/fault.ts";

/** @returns a Fault (`removals`) when there are more of them, by source, than that. */
export function createRemovalsFault(
  removed: readonly { readonly source: string; readonly n: number }[],
  removalsMax: number,
): Fault | undefined {
  const total = removed.reduce((sum, { n }) => sum + n, 0);
  if (total <= removalsMax) return undefined;
  const sources = removed.map(({ source, n }) => `${n} of source "${source}"`).join(", ");
  const message = `This would remove ${total} people from the pool: ${sources}. Nothing was changed.`;
  return new Fault("removals", message);
}
