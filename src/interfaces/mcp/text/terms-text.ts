import type { LookupData } from "../../../contract/terms.ts";

/** @package Names of our own lists, a line each. */
export function formatTerms({ terms }: LookupData): string[] {
  if (terms.length === 0) return ["No place, skill or role is called so or nearly so."];
  return terms.map(({ kind, name, people }) => `${kind} ${name}: ${people} people`);
}
