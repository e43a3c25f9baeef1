/** @package What is known, one after the other; what is not is left out. */
export function joinKnown(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}
