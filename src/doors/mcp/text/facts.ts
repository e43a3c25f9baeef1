/** @package What is known, one after the other; what is not is left out. */
export function facts(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join("; ");
}
