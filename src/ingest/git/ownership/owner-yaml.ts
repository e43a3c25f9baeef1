/** Reads the YAML of ownership files, which strangers wrote: plain keys and lists. */

/** Limit on the items of a list. */
const itemsMax = 200;

/**
 * @package
 * @returns undefined for what is no YAML, and for what merges keys: a small text can so become too large for memory.
 */
export function parseYaml(text: string): unknown {
  if (text.includes("<<")) return undefined;
  try {
    return Bun.YAML.parse(text);
  } catch {
    return undefined;
  }
}

/** @package */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @package The texts of a list, or a single one; numbers are logins too. */
export function listTexts(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, itemsMax) : [value];
  return items.flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? String(item).trim() || [] : [],
  );
}

/** @package @returns the first line with one of these keys, counted from 1; 1 when there is none. */
export function findKeyLine(text: string, keys: readonly string[]): number {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => {
    const written = line.trim().replace(/^["']/, "");
    return keys.some(
      (key) => written.startsWith(key) && /^["']?\s*:/.test(written.slice(key.length)),
    );
  });
  return Math.max(at, 0) + 1;
}
