/**
 * Writes a JSON value as YAML, in blocks. All texts are in quotes, because readers of YAML 1.1 take some plain texts for dates or
 * booleans.
 */
export function writeYaml(value: unknown): string {
  return `${writeNode(value, "").trimStart()}\n`;
}

/** @returns the text after a key or dash: on the same line, or on the next lines with this indent. */
function writeNode(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${JSON.stringify(value)}`;
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    // The first line of an entry stands beside its dash.
    const entries = value.map((each) => writeNode(each, `${indent}  `).trimStart());
    return entries.map((entry) => `\n${indent}- ${entry}`).join("");
  }
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  if (fields.length === 0) return " {}";
  return fields
    .map(([key, each]) => `\n${indent}${writeKey(key)}:${writeNode(each, `${indent}  `)}`)
    .join("");
}

/** Words of YAML 1.1 such as `on`, and numbers, need quotes. */
const writeKey = (key: string) => (/^[A-Za-z]\w{3,}$/.test(key) ? key : JSON.stringify(key));
